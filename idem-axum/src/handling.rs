//! One call of a handler, whatever its types.
//!
//! What is compiled for each handler anew is in here and in its extractor, and is kept small, down
//! to futures written by hand: a service has hundreds of handlers.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use idem_core::attempt::Payload;
use idem_core::decision::Cause;
use pin_project_lite::pin_project;

use crate::captured::Extract;
use crate::semantics::{Described, Semantics};

/// A handler that has its arguments.
pub(crate) type Handler = BoxFuture<'static, Response>;

/// A call that waits for its payload.
pub(crate) trait Extracting<S>: Handling {
    /// Extracts the payload. The error is the extractor's rejection.
    fn extract<'a>(
        &'a mut self,
        request: Request,
        state: &'a S,
    ) -> BoxFuture<'a, Result<(), Response>>;

    /// Says what counts of the payload that was extracted.
    fn describe(&self, described: &mut Described);
}

/// A call that has its payload.
pub(crate) trait Handling: Send {
    /// The handler with its arguments, for an execution of this cause; asked for once.
    fn run(&mut self, cause: Cause) -> Handler;

    /// The same call, where its payload can be merged.
    fn mergeable(&mut self) -> Option<&mut dyn Mergeable> {
        None
    }
}

/// A call whose payload can be merged.
pub(crate) trait Mergeable: Send {
    /// Merges the payload as it was sent into `base`, and reads and checks what comes out, as if
    /// it had been sent.
    fn merge<'a>(
        &'a mut self,
        base: &'a Payload,
        sent: &'a Bytes,
    ) -> BoxFuture<'a, Result<Payload, Unmerged>>;
}

/// Why there is no merged payload.
pub(crate) enum Unmerged {
    /// The two do not go together.
    Refused(String),
    /// The handler's own extractor does not take it.
    Rejected(Response),
}

/// A call of a handler that runs with its payload as it was sent.
pub(crate) struct Call<T, S, F> {
    pub(crate) extract: Extract<T, S>,
    pub(crate) semantics: Semantics<T>,
    pub(crate) payload: Option<T>,
    pub(crate) handler: Option<F>,
}

impl<T, S, F, Fut> Extracting<S> for Call<T, S, F>
where
    T: Send,
    F: FnOnce(T) -> Fut + Send,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn extract<'a>(
        &'a mut self,
        request: Request,
        state: &'a S,
    ) -> BoxFuture<'a, Result<(), Response>> {
        (self.extract)(request, state, &mut self.payload)
    }

    fn describe(&self, described: &mut Described) {
        if let Some(payload) = &self.payload {
            self.semantics.describe(payload, described);
        }
    }
}

impl<T, S, F, Fut> Handling for Call<T, S, F>
where
    T: Send,
    F: FnOnce(T) -> Fut + Send,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn run(&mut self, _: Cause) -> Handler {
        match (self.handler.take(), self.payload.take()) {
            (Some(handler), Some(payload)) => boxed(handler(payload)),
            _ => unreachable!("a call runs once, with its payload"),
        }
    }
}

/// A handler that had its payload before.
pub(crate) struct Prepared(pub(crate) Option<Handler>);

impl Handling for Prepared {
    fn run(&mut self, _: Cause) -> Handler {
        self.0.take().expect("a call runs once")
    }
}

/// A handler that has its arguments, whatever it answers with.
pub(crate) fn boxed(handler: impl Future<Output: IntoResponse> + Send + 'static) -> Handler {
    Box::pin(Responding { handler })
}

pin_project! {
    struct Responding<F> {
        #[pin]
        handler: F,
    }
}

impl<F: Future<Output: IntoResponse>> Future for Responding<F> {
    type Output = Response;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        match self.project().handler.poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(answer) => Poll::Ready(answer.into_response()),
        }
    }
}
