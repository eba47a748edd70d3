//! How a disputed payload runs once people have accepted it.

use std::any::TypeId;
use std::sync::Arc;

use axum::response::IntoResponse;
use futures_util::future::BoxFuture;
use idem_core::contract::Contract;
use idem_core::review::{Conflict, RunAccepted, Runners};

use crate::caller::Caller;
use crate::captured::Again;
use crate::handling::{Handler, Prepared, boxed};
use crate::payload::Payload;
use crate::run::respond;
use crate::state::IdempotencyState;

/// When an accepted payload runs, and how.
pub trait OnAccept<T>: Sized + Send + 'static {
    /// What runs it at once; `None` leaves it to the client's next retry.
    fn at_once(self) -> Option<RunPayload<T>>;
}

/// Makes a handler of a payload that was read again.
pub(crate) type RunPayload<T> = Arc<dyn Fn(T) -> Handler + Send + Sync>;

/// It runs with the client's next retry.
pub struct ByRetry;

/// It runs as soon as it is accepted, by a function of the payload's value.
pub struct AtOnce<F>(pub F);

impl<T> OnAccept<T> for ByRetry {
    fn at_once(self) -> Option<RunPayload<T>> {
        None
    }
}

impl<T, F, Fut> OnAccept<T> for AtOnce<F>
where
    T: Payload + 'static,
    F: Fn(T::Value) -> Fut + Send + Sync + 'static,
    Fut: Future<Output: IntoResponse> + Send + 'static,
{
    fn at_once(self) -> Option<RunPayload<T>> {
        let function = self.0;
        Some(Arc::new(move |payload: T| boxed(function(payload.into_value()))))
    }
}

/// Lets what is accepted of a handler run at once from now on, where its contract says so.
pub(crate) fn register<T, S, A>(
    runners: &Runners,
    contract: &'static Contract,
    on_accept: A,
    again: impl FnOnce() -> Again<T, S>,
) where
    T: Send + 'static,
    S: IdempotencyState + Clone,
    A: OnAccept<T>,
{
    if let Some(run) = on_accept.at_once() {
        let runner = || Runner { contract, run, again: again() };
        runners.register(contract.name, TypeId::of::<A>(), runner);
    }
}

struct Runner<T, S> {
    contract: &'static Contract,
    run: RunPayload<T>,
    again: Again<T, S>,
}

impl<T, S> RunAccepted for Runner<T, S>
where
    T: Send + 'static,
    S: IdempotencyState + Clone,
{
    fn run(&self, conflict: Conflict) -> BoxFuture<'static, ()> {
        let (contract, run, again) = (self.contract, self.run.clone(), self.again.clone());
        Box::pin(async move {
            let attempt = conflict.disputed;
            let Some(payload) = attempt.payload.clone() else { return };
            let caller = Caller::of(&again.state, attempt.scope.clone());
            let again = again.of_type(payload.media_type.as_deref());
            match again.extract(payload.bytes).await {
                Ok(value) => {
                    // The client gets the answer with its retry.
                    let call = Box::new(Prepared(Some(run(value))));
                    drop(respond(caller, attempt, contract, call, None).await);
                }
                Err(_) => {
                    let (record, operation) = (attempt.id, contract.name);
                    tracing::error!(%record, operation, "an accepted payload cannot be read again: it waits for the client's retry");
                }
            }
        })
    }
}
