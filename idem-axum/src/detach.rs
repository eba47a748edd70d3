//! Work that its request may leave behind.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::future::BoxFuture;
use tokio::runtime::Handle;
use tracing::{Instrument, Span};

/// A future that is carried on by a task of its own when it is dropped before its end: when the
/// client disconnects, or a timeout layer gives up.
///
/// Until then it runs in its request's task, without the cost of a spawn. One that was never
/// polled has begun nothing and is simply dropped.
pub(crate) struct Detached<T: Send + 'static> {
    future: Option<BoxFuture<'static, T>>,
    polled: bool,
    runtime: Handle,
    /// What the request's log lines belong to, also after the request is gone.
    span: Span,
}

impl<T: Send + 'static> Detached<T> {
    pub(crate) fn new(future: impl Future<Output = T> + Send + 'static) -> Self {
        Self {
            future: Some(Box::pin(future)),
            polled: false,
            runtime: Handle::current(),
            span: Span::current(),
        }
    }
}

impl<T: Send + 'static> Future for Detached<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T> {
        self.polled = true;
        // Taken out, so that a panic leaves nothing behind to be carried on.
        let mut future = self.future.take().expect("a future is not polled after its end");
        let polled = future.as_mut().poll(context);
        if polled.is_pending() {
            self.future = Some(future);
        }
        polled
    }
}

impl<T: Send + 'static> Drop for Detached<T> {
    fn drop(&mut self) {
        if let (Some(future), true) = (self.future.take(), self.polled) {
            let span = std::mem::replace(&mut self.span, Span::none());
            self.runtime.spawn(future.instrument(span));
        }
    }
}
