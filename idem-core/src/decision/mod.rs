//! What is done with an attempt: one pure, total function of record, attempt, contract and time.

mod another;
mod likeness;
mod retry;
mod verdict;

pub use verdict::{Cause, Refusal, Verdict};

use likeness::Likeness;

use crate::attempt::Attempt;
use crate::clock::Timestamp;
use crate::contract::Contract;
use crate::record::Record;

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
        _ => return Verdict::Run { over: None, cause: Cause::New },
    };
    let original = record.accepted.fingerprint;
    if record.accepted.operation != attempt.operation {
        return Verdict::Refuse(Refusal::OperationMismatch { original });
    }
    let (accepted, whole) = (&record.accepted, contract.policy.guards_whole_payload());
    match Likeness::of(&accepted.fingerprint, accepted.identity.as_ref(), attempt, whole) {
        Likeness::Same if contract.wait.is_some() && record.is_live(now) => Verdict::Wait,
        Likeness::Same => retry::of_intent(record, contract, now, false),
        likeness => match replay_of_superseded(record, attempt) {
            Some(replay) => replay,
            None => match likeness {
                Likeness::Different { changed } => {
                    another::intent(record, attempt, contract, now, changed)
                }
                _ => another::payload(record, contract, now),
            },
        },
    }
}

/// The answer to a retry of a payload that others have taken the place of since: its own.
fn replay_of_superseded(record: &Record, attempt: &Attempt) -> Option<Verdict> {
    let superseded = record.superseded.as_ref()?;
    if !attempt.is_same_payload(&superseded.fingerprint, superseded.identity.as_ref()) {
        return None;
    }
    let answer = superseded.answer.clone()?;
    Some(Verdict::Replay { answer, differs: false })
}

#[cfg(test)]
mod tests;
