//! What is to be done for a request, once it is known whether, and with which payload.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use idem_core::attempt::Payload;
use idem_core::decision::Cause;
use idem_core::review::Queue;

use crate::caller::Caller;
use crate::captured::Again;
use crate::problem::Problem;
use crate::semantics::Merges;

/// A handler that has its arguments.
pub(crate) type Handler = BoxFuture<'static, Response>;

/// A handler, and what else its contract may ask for.
pub(crate) enum Work {
    /// It runs with the payload as it was sent.
    AsSent(Handler),
    /// It may run with a merged payload instead.
    Merging(Box<dyn Mergeable>),
    /// Its request may be held in a queue.
    Reviewed(Handler, Queue),
}

impl Work {
    /// The queue that may hold the request.
    pub(crate) fn queue(&self) -> Option<Queue> {
        match self {
            Self::Reviewed(_, queue) => Some(queue.clone()),
            Self::AsSent(_) | Self::Merging(_) => None,
        }
    }

    /// The handler, for an execution that runs for this cause.
    pub(crate) fn into_handler(self, cause: Cause) -> Handler {
        match self {
            Self::AsSent(handler) | Self::Reviewed(handler, _) => handler,
            Self::Merging(mergeable) => mergeable.into_handler(cause),
        }
    }
}

/// A handler whose payload can still be merged.
pub(crate) trait Mergeable: Send {
    /// Merges the payload as it was sent into `base`, and reads and checks what comes out, as if
    /// it had been sent.
    fn merge<'m>(
        &'m mut self,
        base: &'m Payload,
        caller: &'m Caller,
    ) -> BoxFuture<'m, Result<Payload, Response>>;

    /// The handler with the merged payload, if that is what the execution is for.
    fn into_handler(self: Box<Self>, cause: Cause) -> Handler;
}

/// The payload of a handler that merges, before and after.
pub(crate) struct MergeableValue<T, S, F> {
    pub(crate) value: T,
    pub(crate) sent: Bytes,
    pub(crate) merges: Merges<T>,
    pub(crate) again: Again<T, S>,
    pub(crate) merged: Option<T>,
    pub(crate) handler: F,
}

impl<T, S, F, Fut> Mergeable for MergeableValue<T, S, F>
where
    T: Send + 'static,
    S: Clone + Send + Sync + 'static,
    F: FnOnce(T) -> Fut + Send + 'static,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn merge<'m>(
        &'m mut self,
        base: &'m Payload,
        caller: &'m Caller,
    ) -> BoxFuture<'m, Result<Payload, Response>> {
        let merged = (self.merges.merge)(&base.bytes, &self.sent);
        let refuse = |reason: String| caller.wire.tell(Problem::merge_refused(reason));
        Box::pin(async move {
            let bytes = merged.map_err(|error| refuse(error.to_string()))?;
            let limit = caller.engine.settings().merged_limit;
            if bytes.len() > limit {
                return Err(refuse(format!("the merged payload is longer than {limit} bytes")));
            }
            let value = self.again.extract(bytes.clone()).await?;
            (self.merges.check)(&value).map_err(refuse)?;
            self.merged = Some(value);
            Ok(Payload { bytes, media_type: base.media_type.clone() })
        })
    }

    fn into_handler(self: Box<Self>, cause: Cause) -> Handler {
        let Self { value, merged, handler, .. } = *self;
        let value = match cause {
            Cause::Merging => merged.unwrap_or(value),
            _ => value,
        };
        Box::pin(async move { handler(value).await.into_response() })
    }
}
