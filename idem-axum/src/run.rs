//! One request under its contract: admitted, replayed or refused; run, and recorded.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use idem_core::attempt::Attempt;
use idem_core::contract::Contract;
use idem_core::decision::Refusal;
use idem_core::engine::{self, Admission, Finish};
use idem_core::store::Outcome;

use crate::answer::{Ended, capture, replay};
use crate::caller::Caller;
use crate::detach::Detached;
use crate::execution::Execution;
use crate::problem::Problem;

type Handler = BoxFuture<'static, Response>;

/// A request that nothing stands against so far.
pub(crate) struct Admitted(Option<(Caller, Attempt)>);

impl Admitted {
    /// A request without a key, where none is required: it simply runs.
    pub(crate) fn unprotected() -> Self {
        Self(None)
    }

    /// An attempt for the record of its caller and key.
    pub(crate) fn protected(caller: Caller, attempt: Attempt) -> Self {
        Self(Some((caller, attempt)))
    }

    /// Answers the request: by `handler`, by what was stored, or by a problem.
    pub(crate) async fn run(self, contract: &'static Contract, handler: Handler) -> Response {
        match self.0 {
            None => handler.await,
            // From the claim on, the work belongs to the record, not to the connection.
            Some((caller, attempt)) => {
                Detached::new(respond(caller, Arc::new(attempt), contract, handler)).await
            }
        }
    }
}

async fn respond(
    caller: Caller,
    attempt: Arc<Attempt>,
    contract: &'static Contract,
    handler: Handler,
) -> Response {
    match caller.engine.admit(&attempt, contract).await {
        Ok(Admission::Run(execution)) => {
            execute(&caller, &attempt, contract, execution, handler).await
        }
        Ok(admission) => told(&caller, &attempt, contract, admission),
        Err(error) => {
            tracing::error!(record = %attempt.id, operation = contract.name, %error, "nothing ran: the store failed");
            Problem::store_unavailable().into_response(caller.dialect)
        }
    }
}

/// The answer to an attempt that does not run.
fn told(caller: &Caller, attempt: &Attempt, contract: &Contract, admission: Admission) -> Response {
    let problem = match admission {
        Admission::Replay { answer, differs } => match replay(&answer, differs) {
            Some(response) => return response,
            None => Problem::response_not_stored(),
        },
        Admission::Refused(refusal) => Problem::refused(refusal, attempt.fingerprint),
        // Only `respond` admits executions, and it keeps them.
        Admission::Run(_) => Problem::store_unavailable(),
    };
    // Of conflicts the engine's observer is told.
    if !problem.is_mismatch() {
        let (record, operation, code) = (attempt.id, contract.name, problem.code());
        tracing::info!(%record, operation, code, "not run");
    }
    problem.into_response(caller.dialect)
}

async fn execute(
    caller: &Caller,
    attempt: &Attempt,
    contract: &Contract,
    execution: engine::Execution,
    handler: Handler,
) -> Response {
    let current = Execution { fence: execution.fence(), attempts: execution.attempts() };
    let captured = capture(handler, caller.engine.settings());
    let ended = current.scope(AssertUnwindSafe(captured).catch_unwind()).await;
    let Ended { response, outcome } = ended.unwrap_or_else(|_| {
        tracing::error!(record = %attempt.id, operation = contract.name, "the handler panicked");
        Ended {
            response: Problem::handler_panicked(contract.on_failure).into_response(caller.dialect),
            outcome: Outcome::Failed,
        }
    });
    match execution.finish(outcome).await {
        Finish::Recorded | Finish::Unrecorded => response,
        Finish::Fenced => succeeded(caller, attempt, contract).await.unwrap_or(response),
    }
}

/// What the execution that took over has to say: its answer is the key's, and one key never has
/// two. `None` when there is no record any more, so that the fenced one's own answer is true.
async fn succeeded(caller: &Caller, attempt: &Attempt, contract: &Contract) -> Option<Response> {
    let observed = caller.engine.observe(attempt, contract).await;
    // Nobody can tell now: a retry can.
    let admission = observed.unwrap_or(Some(Admission::Refused(Refusal::Busy)))?;
    Some(told(caller, attempt, contract, admission))
}
