//! One call of a handler, from the request to its response, as one future.
//!
//! What is compiled for each handler anew is such a future, its extractor and no more: a service
//! has hundreds of handlers. Everything else talks to it through its [`Gate`].

use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::Request;
use axum::http::request::Parts;
use axum::response::Response;
use bytes::Bytes;
use futures_util::future::{BoxFuture, poll_fn};
use idem_core::attempt::Payload;

use crate::semantics::Described;

/// A handler that has its arguments.
pub(crate) type Handler = BoxFuture<'static, Response>;

/// A handler on its way. It stops at its gate and goes on when it is told to.
pub(crate) struct Handling {
    future: Handler,
    /// `None` for one that has nothing to stop for.
    gate: Option<Arc<dyn Talks>>,
}

/// Where a handler gets its request from, and is stopped.
///
/// Both sides run in one task: the handler is polled by the side that talks to it. What one has
/// said is there before the other looks, so neither has to be woken.
pub(crate) struct Gate<S> {
    pub(crate) state: S,
    request: Mutex<Option<(Parts, Body)>>,
    talk: Mutex<Talk>,
}

/// What a handler stops with.
pub(crate) enum Said {
    /// It has its payload.
    Described(Described),
    /// It has a merged payload, or says why there is none.
    Merged(Result<Payload, String>),
}

/// What it is told to do then.
pub(crate) enum Told {
    /// Merge the payload as it was sent into the one that stands.
    Merge { base: Payload, sent: Bytes },
    /// Run with the payload as it was sent.
    Run,
    /// Run with the payload that was merged last.
    RunMerged,
}

#[derive(Default)]
struct Talk {
    said: Option<Said>,
    told: Option<Told>,
}

impl Handling {
    /// A handler that stops at `gate`.
    pub(crate) fn new<S: Send + Sync + 'static>(future: Handler, gate: Arc<Gate<S>>) -> Self {
        Self { future, gate: Some(gate) }
    }

    /// A handler that has all it needs.
    pub(crate) fn unstopped(future: Handler) -> Self {
        Self { future, gate: None }
    }

    /// Goes on until the handler stops. The error is its response, where it ends instead: its
    /// extractor has refused the body.
    pub(crate) async fn stop(&mut self) -> Result<Said, Response> {
        let Self { future, gate } = self;
        poll_fn(|context| match future.as_mut().poll(context) {
            Poll::Ready(response) => Poll::Ready(Err(response)),
            Poll::Pending => {
                let said = gate.as_ref().and_then(|gate| gate.talk().said.take());
                said.map_or(Poll::Pending, |said| Poll::Ready(Ok(said)))
            }
        })
        .await
    }

    /// Lets it go on.
    pub(crate) fn tell(&self, told: Told) {
        if let Some(gate) = &self.gate {
            gate.talk().told = Some(told);
        }
    }

    /// The rest of it, with its response.
    pub(crate) fn run(self, told: Told) -> Handler {
        self.tell(told);
        self.future
    }
}

impl<S> Gate<S> {
    /// The gate for a request to a router with this state.
    pub(crate) fn new(request: Request, state: S) -> Arc<Self> {
        let request = Mutex::new(Some(request.into_parts()));
        Arc::new(Self { state, request, talk: Mutex::default() })
    }

    /// Looks at the request before it is taken.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Parts) -> R) -> R {
        let request = locked(&self.request);
        look(&request.as_ref().expect("the request has not been taken yet").0)
    }

    /// Takes the request, to read its body.
    pub(crate) fn take(&self) -> (Parts, Body) {
        locked(&self.request).take().expect("the request has not been taken yet")
    }

    /// Puts the request back, with its body read.
    pub(crate) fn put(&self, parts: Parts, body: Bytes) {
        *locked(&self.request) = Some((parts, Body::from(body)));
    }

    /// Takes the request for the extractor.
    pub(crate) fn request(&self) -> Request {
        let (parts, body) = self.take();
        Request::from_parts(parts, body)
    }

    /// Stops with what counts of the payload, as `describe` writes it.
    pub(crate) fn described(&self, describe: &dyn Fn(&mut Described)) -> Stop<'_> {
        let mut described = Described::default();
        describe(&mut described);
        self.stop(Said::Described(described))
    }

    /// Stops, and goes on when told to.
    pub(crate) fn stop(&self, said: Said) -> Stop<'_> {
        Stop { said: Some(said), talk: &self.talk }
    }
}

/// A handler that has stopped.
pub(crate) struct Stop<'a> {
    said: Option<Said>,
    talk: &'a Mutex<Talk>,
}

impl Future for Stop<'_> {
    type Output = Told;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Told> {
        let mut talk = locked(self.talk);
        match self.said.take() {
            Some(said) => {
                talk.said = Some(said);
                Poll::Pending
            }
            None => talk.told.take().map_or(Poll::Pending, Poll::Ready),
        }
    }
}

/// A gate, whatever the state of its router.
trait Talks: Send + Sync {
    fn talk(&self) -> MutexGuard<'_, Talk>;
}

impl<S: Send + Sync> Talks for Gate<S> {
    fn talk(&self) -> MutexGuard<'_, Talk> {
        locked(&self.talk)
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
