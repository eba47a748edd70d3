//! A call whose payload can be merged with an earlier one before the handler runs.

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use idem_core::attempt::Payload;
use idem_core::decision::Cause;

use crate::captured::Again;
use crate::handling::{Call, Extracting, Handler, Handling, Mergeable, Unmerged};
use crate::semantics::{Described, Merges};
use crate::state::IdempotencyState;

/// A call with its payload before and after.
pub(crate) struct MergingCall<T, S, F> {
    pub(crate) call: Call<T, S, F>,
    pub(crate) merges: Merges<T>,
    pub(crate) again: Again<T, S>,
    pub(crate) merged: Option<T>,
}

impl<T, S, F, Fut> Extracting<S> for MergingCall<T, S, F>
where
    T: Send,
    S: IdempotencyState + Clone,
    F: FnOnce(T) -> Fut + Send,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn extract<'a>(
        &'a mut self,
        request: Request,
        state: &'a S,
    ) -> BoxFuture<'a, Result<(), Response>> {
        self.call.extract(request, state)
    }

    fn describe(&self, described: &mut Described) {
        self.call.describe(described);
    }
}

impl<T, S, F, Fut> Handling for MergingCall<T, S, F>
where
    T: Send,
    S: IdempotencyState + Clone,
    F: FnOnce(T) -> Fut + Send,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn run(&mut self, cause: Cause) -> Handler {
        if let (Cause::Merging, Some(merged)) = (cause, self.merged.take()) {
            self.call.payload = Some(merged);
        }
        self.call.run(cause)
    }

    fn mergeable(&mut self) -> Option<&mut dyn Mergeable> {
        Some(self)
    }
}

impl<T, S, F> Mergeable for MergingCall<T, S, F>
where
    T: Send,
    S: IdempotencyState + Clone,
    F: Send,
{
    fn merge<'a>(
        &'a mut self,
        base: &'a Payload,
        sent: &'a Bytes,
    ) -> BoxFuture<'a, Result<Payload, Unmerged>> {
        let merged = (self.merges.merge)(&base.bytes, sent);
        let limit = self.again.state.idempotency().engine().settings().merged_limit;
        Box::pin(async move {
            let bytes = merged.map_err(|error| Unmerged::Refused(error.to_string()))?;
            if bytes.len() > limit {
                let reason = format!("the merged payload is longer than {limit} bytes");
                return Err(Unmerged::Refused(reason));
            }
            let payload = match self.again.extract(bytes.clone()).await {
                Ok(payload) => payload,
                Err(rejection) => {
                    let rules = self.call.semantics.rules;
                    return Err(Unmerged::Rejected(rules.explain(rejection, &bytes).await));
                }
            };
            (self.merges.check)(&payload).map_err(Unmerged::Refused)?;
            self.merged = Some(payload);
            Ok(Payload { bytes, media_type: base.media_type.clone() })
        })
    }
}
