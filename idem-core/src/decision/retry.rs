//! An attempt with the intent that its key stands for.

use super::{Cause, Refusal, Verdict};
use crate::clock::Timestamp;
use crate::contract::{Contract, OnCrash, OnFailure, Policy};
use crate::record::{Record, State};
use crate::store::Over;

/// The same intent, in a payload that `differs` at most in what was declared harmless.
pub(super) fn of_intent(
    record: &Record,
    contract: &Contract,
    now: Timestamp,
    differs: bool,
) -> Verdict {
    match &record.state {
        State::InProgress { .. } if record.is_live(now) => Verdict::Refuse(Refusal::Busy),
        State::InProgress { .. } | State::Unknown => match contract.on_crash {
            OnCrash::Retry => run_again(record, contract),
            OnCrash::Hold => Verdict::Refuse(Refusal::OutcomeUnknown),
        },
        State::Completed(answer) => Verdict::Replay { answer: answer.clone(), differs },
        State::Failed => match contract.on_failure {
            OnFailure::Retry => run_again(record, contract),
            OnFailure::Reject => Verdict::Refuse(Refusal::PreviousAttemptFailed),
        },
    }
}

/// Runs in the way that the execution before it ran: what was to be merged is merged again, into
/// the payload that completed last.
fn run_again(record: &Record, contract: &Contract) -> Verdict {
    let over = Over::continuing(record.revision);
    match (contract.policy, record.settled()) {
        (Policy::Merge, Some(base)) => Verdict::Merge { over, base: base.clone() },
        (Policy::LastWriteWins, _) if record.history > 0 => {
            Verdict::Run { over: Some(over), cause: Cause::Superseding }
        }
        _ => Verdict::Run { over: Some(over), cause: Cause::Retry },
    }
}
