//! What is done with an attempt: one pure, total function of record, attempt, contract and time.

mod likeness;
mod verdict;

pub use verdict::{Refusal, Verdict};

use likeness::Likeness;

use crate::attempt::Attempt;
use crate::clock::Timestamp;
use crate::contract::{Contract, OnCrash, OnFailure, Policy};
use crate::record::{Record, State};

/// Decides on `attempt`, given what the store holds and the store's time.
///
/// Nothing is replayed here, and so nowhere, before operation and payload were compared.
#[must_use]
pub fn decide(
    record: Option<&Record>,
    attempt: &Attempt,
    contract: &Contract,
    now: Timestamp,
) -> Verdict {
    let record = match record {
        Some(record) if !record.is_expired(now) => record,
        _ => return Verdict::Run { over: None },
    };
    let original = record.accepted.fingerprint;
    if record.accepted.operation != attempt.operation {
        return Verdict::Refuse(Refusal::OperationMismatch { original });
    }
    match Likeness::of(&record.accepted, attempt) {
        Likeness::Same if contract.wait.is_some() && record.is_live(now) => Verdict::Wait,
        Likeness::Same => decide_retry(record, contract, now, false),
        Likeness::Equivalent => decide_retry(record, contract, now, true),
        Likeness::Different { changed } => match contract.policy {
            // Another intent is refused at once, also while the first is still running.
            Policy::Reject => Verdict::Refuse(Refusal::PayloadMismatch { original, changed }),
        },
    }
}

/// The same intent as the record's, at most with harmless differences.
fn decide_retry(record: &Record, contract: &Contract, now: Timestamp, differs: bool) -> Verdict {
    let run_again = Verdict::Run { over: Some(record.revision) };
    match &record.state {
        State::InProgress { .. } if record.is_live(now) => Verdict::Refuse(Refusal::Busy),
        State::InProgress { .. } | State::Unknown => match contract.on_crash {
            OnCrash::Retry => run_again,
            OnCrash::Hold => Verdict::Refuse(Refusal::OutcomeUnknown),
        },
        State::Completed(answer) => Verdict::Replay { answer: answer.clone(), differs },
        State::Failed => match contract.on_failure {
            OnFailure::Retry => run_again,
            OnFailure::Reject => Verdict::Refuse(Refusal::PreviousAttemptFailed),
        },
    }
}

#[cfg(test)]
mod tests;
