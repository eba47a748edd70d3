//! One request under its contract: admitted, replayed or refused; run, and recorded.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::contract::{Contract, KeyRule};
use idem_core::engine::{self, Admission, Finish};
use idem_core::fingerprint::PayloadError;
use idem_core::store::Outcome;

use crate::answer::{Ended, capture, replay};
use crate::detach::Detached;
use crate::execution::Execution;
use crate::idempotency::Shared;
use crate::opening::Sent;
use crate::problem::Problem;
use crate::semantics::Description;

type Handler = BoxFuture<'static, Response>;

/// Answers the request: by `handler`, by what was stored, or by a problem.
pub(crate) async fn run(
    sent: Sent,
    contract: &'static Contract,
    description: Result<Description, PayloadError>,
    handler: Handler,
) -> Response {
    let dialect = sent.shared.dialect;
    let key = match sent.key() {
        Ok(Some(key)) => key,
        Ok(None) if contract.key == KeyRule::Optional => return handler.await,
        Ok(None) => return Problem::key_missing(contract.header).into_response(dialect),
        Err(error) => return Problem::key_invalid(error).into_response(dialect),
    };
    let (fingerprint, identity) = match description {
        Ok(description) => description,
        Err(error) => return Problem::payload_unreadable(&error).into_response(dialect),
    };
    let attempt = Attempt {
        id: RecordId::of(&sent.scope, &key),
        operation: sent.operation(contract.name),
        fingerprint,
        identity,
    };
    // From the claim on, the work belongs to the record, not to the connection.
    Detached::new(respond(sent.shared, Arc::new(attempt), contract, handler)).await
}

async fn respond(shared: Shared, attempt: Arc<Attempt>, contract: &'static Contract, handler: Handler) -> Response {
    match shared.engine.admit(&attempt, contract).await {
        Ok(Admission::Run(execution)) => execute(&shared, &attempt, contract, execution, handler).await,
        Ok(admission) => told(&shared, &attempt, contract, admission),
        Err(error) => {
            tracing::error!(record = %attempt.id, operation = contract.name, %error, "nothing ran: the store failed");
            Problem::store_unavailable().into_response(shared.dialect)
        }
    }
}

/// The answer to an attempt that does not run.
fn told(shared: &Shared, attempt: &Attempt, contract: &Contract, admission: Admission) -> Response {
    let problem = match admission {
        Admission::Replay { answer, differs } => match replay(&answer, differs) {
            Some(response) => return response,
            None => Problem::response_not_stored(),
        },
        Admission::Refused(refusal) => Problem::refused(refusal, attempt.fingerprint),
        // Only `respond` admits executions, and it keeps them.
        Admission::Run(_) => Problem::store_unavailable(),
    };
    tracing::info!(record = %attempt.id, operation = contract.name, code = problem.code(), "not run");
    problem.into_response(shared.dialect)
}

async fn execute(
    shared: &Shared,
    attempt: &Attempt,
    contract: &Contract,
    execution: engine::Execution,
    handler: Handler,
) -> Response {
    let current = Execution { fence: execution.fence(), attempts: execution.attempts() };
    let limit = shared.engine.settings().answer_limit;
    let ended = current.scope(AssertUnwindSafe(capture(handler, limit)).catch_unwind()).await;
    let Ended { response, outcome } = ended.unwrap_or_else(|_| {
        tracing::error!(record = %attempt.id, operation = contract.name, "the handler panicked");
        Ended { response: Problem::handler_panicked().into_response(shared.dialect), outcome: Outcome::Failed }
    });
    match execution.finish(outcome).await {
        Finish::Recorded | Finish::Unrecorded => response,
        Finish::Fenced => succeeded(shared, attempt, contract).await.unwrap_or(response),
    }
}

/// What the execution that took over has to say: its answer is the key's, and one key never has
/// two. `None` when there is no record any more, so that the fenced one's own answer is true.
async fn succeeded(shared: &Shared, attempt: &Attempt, contract: &Contract) -> Option<Response> {
    let admission = shared.engine.observe(attempt, contract).await.ok()??;
    Some(told(shared, attempt, contract, admission))
}
