//! One request under its contract: admitted, replayed, merged, held or refused; run, and recorded.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use axum::http::HeaderValue;
use axum::response::Response;
use futures_util::FutureExt;
use idem_core::attempt::{Attempt, Payload};
use idem_core::contract::Contract;
use idem_core::decision::{Cause, Refusal};
use idem_core::engine::{self, Admission, Dispute, Finish, Merging};
use idem_core::review::Queue;
use idem_core::store::{Outcome, StoreError};

use crate::answer::{Ended, IDEMPOTENCY_VERDICT, capture, replay};
use crate::caller::Caller;
use crate::execution::Execution;
use crate::handling::{Handler, Handling, Unmerged};
use crate::problem::Problem;
use crate::transaction::{Enter, Entered, Place};

/// How often the record may move on while a payload is merged or held before the request is told
/// to come back.
const ROUNDS: usize = 8;

/// Answers an attempt: by its handler, by what was stored, or by a problem.
pub(crate) async fn respond(
    caller: Caller,
    attempt: Arc<Attempt>,
    contract: &'static Contract,
    mut call: Box<dyn Handling>,
    queue: Option<Queue>,
) -> Response {
    let mut admission = caller.engine.admit(&attempt, contract).await;
    for _ in 0..ROUNDS {
        admission = match admission {
            Ok(Admission::Run(execution)) => {
                let handler = call.run(execution.cause());
                return execute(&caller, &attempt, contract, execution, handler).await;
            }
            Ok(Admission::Merge(merging)) => {
                match merged(&caller, &attempt, call.as_mut(), &merging).await {
                    Ok(payload) => {
                        caller.engine.admit_merged(&attempt, contract, merging, payload).await
                    }
                    Err(refused) => return refused,
                }
            }
            Ok(Admission::Hold(dispute)) => {
                hold(&caller, &attempt, contract, dispute, queue.clone()).await
            }
            Ok(admission) => return told(&caller, &attempt, contract, admission),
            Err(error) => return unavailable(&caller, &attempt, contract, &error),
        };
    }
    told(&caller, &attempt, contract, Admission::Refused(Refusal::Busy))
}

/// Has the payload merged into the one that stands.
async fn merged(
    caller: &Caller,
    attempt: &Attempt,
    call: &mut dyn Handling,
    merging: &Merging,
) -> Result<Payload, Response> {
    let refuse = |reason: String| caller.wire.tell(Problem::merge_refused(reason));
    let (Some(mergeable), Some(sent)) = (call.mergeable(), &attempt.payload) else {
        return Err(refuse("this operation does not merge".to_owned()));
    };
    mergeable.merge(merging.base(), &sent.bytes).await.map_err(|unmerged| match unmerged {
        Unmerged::Refused(reason) => refuse(reason),
        Unmerged::Rejected(rejection) => rejection,
    })
}

/// Holds an attempt, or admits it anew where the record has moved on.
async fn hold(
    caller: &Caller,
    attempt: &Arc<Attempt>,
    contract: &'static Contract,
    dispute: Dispute,
    queue: Option<Queue>,
) -> Result<Admission, StoreError> {
    let Some(queue) = queue else {
        return Ok(Admission::Refused(Refusal::Busy));
    };
    match caller.engine.hold(attempt, contract, dispute, &queue).await? {
        Some(refusal) => Ok(Admission::Refused(refusal)),
        None => caller.engine.admit(attempt, contract).await,
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
        // What these ask for was tried, and the record has moved on each time.
        Admission::Run(_) | Admission::Merge(_) | Admission::Hold(_) => {
            Problem::refused(Refusal::Busy, attempt.fingerprint)
        }
    };
    // Of conflicts the engine's observer is told.
    if !problem.is_mismatch() {
        let (record, operation, code) = (attempt.id, contract.name, problem.code());
        tracing::info!(%record, operation, code, "not run");
    }
    caller.wire.tell(problem)
}

/// Answers an attempt whose handler writes in the transaction of its record.
pub(crate) async fn respond_in_transaction(
    caller: Caller,
    attempt: Arc<Attempt>,
    contract: &'static Contract,
    mut call: Box<dyn Handling>,
    (store, place): (Box<dyn Enter>, Place),
) -> Response {
    let execution = match store.enter(place, &caller.engine, &attempt, contract).await {
        Ok(Entered::Run(execution)) => execution,
        Ok(Entered::Told(admission)) => return told(&caller, &attempt, contract, admission),
        Err(error) => return unavailable(&caller, &attempt, contract, &error),
    };
    let (current, cause) = (execution.execution(), execution.cause());
    let handler = call.run(cause);
    let Ended { response, outcome } =
        ended(&caller, &attempt, contract, current, marked(handler, cause)).await;
    let is_completed = matches!(outcome, Outcome::Completed(_));
    let Some(commit) = execution.commit(outcome) else {
        let (record, operation) = (attempt.id, contract.name);
        tracing::error!(%record, operation, "the handler kept its transaction beyond its own end: nothing is committed");
        return caller.wire.tell(Problem::handler_panicked(contract.on_failure));
    };
    match commit.await {
        // Of what was not committed nothing happened: the answer would be a lie.
        Err(error) if is_completed => unavailable(&caller, &attempt, contract, &error),
        Ok(()) | Err(_) => response,
    }
}

/// The answer to an attempt for which nothing happened, since the store failed.
fn unavailable(
    caller: &Caller,
    attempt: &Attempt,
    contract: &Contract,
    error: &StoreError,
) -> Response {
    tracing::error!(record = %attempt.id, operation = contract.name, %error, "nothing ran: the store failed");
    caller.wire.tell(Problem::store_unavailable())
}

async fn execute(
    caller: &Caller,
    attempt: &Attempt,
    contract: &Contract,
    execution: engine::Execution,
    handler: Handler,
) -> Response {
    let current = Execution { fence: execution.fence(), attempts: execution.attempts() };
    let handler = marked(handler, execution.cause());
    let Ended { response, outcome } = ended(caller, attempt, contract, current, handler).await;
    match execution.finish(outcome).await {
        Finish::Recorded | Finish::Unrecorded => response,
        Finish::Fenced => succeeded(caller, attempt, contract).await.unwrap_or(response),
    }
}

/// Runs the handler to its end, a panic included.
async fn ended(
    caller: &Caller,
    attempt: &Attempt,
    contract: &Contract,
    current: Execution,
    handler: impl Future<Output = Response>,
) -> Ended {
    let captured = capture(handler, caller.engine.settings());
    let ended = current.scope(AssertUnwindSafe(captured).catch_unwind()).await;
    ended.unwrap_or_else(|_| {
        tracing::error!(record = %attempt.id, operation = contract.name, "the handler panicked");
        Ended {
            response: caller.wire.tell(Problem::handler_panicked(contract.on_failure)),
            outcome: Outcome::Failed,
        }
    })
}

/// The handler's response, which says that it is about more than the payload as it was sent.
async fn marked(handler: Handler, cause: Cause) -> Response {
    let mut response = handler.await;
    let verdict = match cause {
        Cause::Merging => HeaderValue::from_static("merged"),
        Cause::Superseding => HeaderValue::from_static("superseded"),
        Cause::New | Cause::Retry | Cause::Accepted | Cause::Fresh => return response,
    };
    response.headers_mut().insert(IDEMPOTENCY_VERDICT, verdict);
    response
}

/// What the execution that took over has to say: its answer is the key's, and one key never has
/// two. `None` when there is no record any more, so that the fenced one's own answer is true.
async fn succeeded(caller: &Caller, attempt: &Attempt, contract: &Contract) -> Option<Response> {
    let observed = caller.engine.observe(attempt, contract).await;
    // Nobody can tell now: a retry can.
    let admission = observed.unwrap_or(Some(Admission::Refused(Refusal::Busy)))?;
    Some(told(caller, attempt, contract, admission))
}
