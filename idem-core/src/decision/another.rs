//! An attempt with another payload than its key stands for: of the same intent, or of another.

use super::likeness::Likeness;
use super::retry::of_intent;
use super::{Cause, Refusal, Verdict};
use crate::attempt::Attempt;
use crate::clock::Timestamp;
use crate::contract::{Contract, OnCrash, Policy};
use crate::record::{Record, State};
use crate::review::{ConflictState, Disputed};
use crate::store::{Over, TakeOver};

/// Another payload of the same intent.
pub(super) fn payload(record: &Record, contract: &Contract, now: Timestamp) -> Verdict {
    match contract.policy {
        Policy::Reject | Policy::Review => of_intent(record, contract, now, true),
        Policy::Merge | Policy::LastWriteWins => match &record.state {
            // Executions of one key never overlap.
            State::InProgress { .. } if record.is_live(now) => Verdict::Refuse(Refusal::Busy),
            State::InProgress { .. } | State::Unknown if contract.on_crash == OnCrash::Hold => {
                Verdict::Refuse(Refusal::OutcomeUnknown)
            }
            _ => run(record, contract),
        },
    }
}

/// Runs the payload over what the key stood for.
fn run(record: &Record, contract: &Contract) -> Verdict {
    let over = Over::continuing(record.revision);
    match (contract.policy, record.settled()) {
        (Policy::Merge, Some(base)) => Verdict::Merge { over, base: base.clone() },
        // Completed under a contract that did not keep payloads: what is not known cannot be merged.
        (Policy::Merge, None) if matches!(record.state, State::Completed(_)) => {
            let original = record.accepted.fingerprint;
            Verdict::Refuse(Refusal::PayloadMismatch { original, changed: Vec::new() })
        }
        // Nothing has completed that it could be merged into.
        (Policy::Merge, None) => Verdict::Run { over: Some(over), cause: Cause::Retry },
        _ => Verdict::Run { over: Some(over), cause: Cause::Superseding },
    }
}

/// A payload of another intent, which differs in the critical fields `changed`.
pub(super) fn intent(
    record: &Record,
    attempt: &Attempt,
    contract: &Contract,
    now: Timestamp,
    changed: Vec<String>,
) -> Verdict {
    let original = record.accepted.fingerprint;
    if let Some(disputed) = dispute_of(record, attempt, contract) {
        return decided(record, disputed, now, changed);
    }
    if let Some(verdict) = by_age(record, contract, now, &changed) {
        return verdict;
    }
    match contract.policy {
        // Executions of one key never overlap; what comes of this one is decided by its end.
        Policy::Merge | Policy::LastWriteWins if record.is_live(now) => {
            Verdict::Refuse(Refusal::Busy)
        }
        Policy::Reject | Policy::Merge | Policy::LastWriteWins => {
            Verdict::Refuse(Refusal::PayloadMismatch { original, changed })
        }
        Policy::Review if is_full(record, contract) => {
            Verdict::Refuse(Refusal::KeyInConflict { original, changed })
        }
        Policy::Review => Verdict::Hold { changed },
    }
}

/// The conflict about this payload, or about one with the same intent. One that has expired is as
/// if it had never been.
fn dispute_of<'r>(
    record: &'r Record,
    attempt: &Attempt,
    contract: &Contract,
) -> Option<&'r Disputed> {
    let whole = contract.policy.guards_whole_payload();
    let is_about_it = |disputed: &&Disputed| {
        let Disputed { fingerprint, identity, state, .. } = disputed;
        let likeness = Likeness::of(fingerprint, identity.as_ref(), attempt, whole);
        *state != ConflictState::Expired && !matches!(likeness, Likeness::Different { .. })
    };
    record.conflicts.iter().find(is_about_it)
}

/// What people have said about a disputed payload, or that they have not yet.
fn decided(record: &Record, disputed: &Disputed, now: Timestamp, changed: Vec<String>) -> Verdict {
    let (original, conflict) = (record.accepted.fingerprint, disputed.id);
    match disputed.state {
        ConflictState::Pending => {
            Verdict::Refuse(Refusal::UnderReview { conflict, original, changed })
        }
        ConflictState::Accepted if !disputed.taken && record.is_live(now) => {
            Verdict::Refuse(Refusal::Busy)
        }
        ConflictState::Accepted if !disputed.taken => {
            let over = Over { revision: record.revision, how: TakeOver::Accepted(conflict) };
            Verdict::Run { over: Some(over), cause: Cause::Accepted }
        }
        // It had its run, and another that was accepted later has taken the key since.
        ConflictState::Accepted | ConflictState::Kept | ConflictState::Expired => {
            Verdict::Refuse(Refusal::PayloadMismatch { original, changed })
        }
    }
}

/// The windows go over the policy. Both are half-open and counted from the first claim: the
/// instant at which one begins belongs to it, the instant at which it ends does not.
fn by_age(
    record: &Record,
    contract: &Contract,
    now: Timestamp,
    changed: &[String],
) -> Option<Verdict> {
    let passed = |window| record.created_at.after(window) <= now;
    if contract.suspicious_within.is_some_and(|window| !passed(window)) {
        let (original, changed) = (record.accepted.fingerprint, changed.to_vec());
        return Some(Verdict::Refuse(Refusal::Suspicious { original, changed }));
    }
    if !contract.fresh_after.is_some_and(passed) {
        return None;
    }
    Some(if record.is_live(now) {
        Verdict::Refuse(Refusal::Busy)
    } else {
        let over = Over { revision: record.revision, how: TakeOver::Fresh };
        Verdict::Run { over: Some(over), cause: Cause::Fresh }
    })
}

fn is_full(record: &Record, contract: &Contract) -> bool {
    let open = record.conflicts.iter().filter(|disputed| disputed.is_open()).count();
    open >= usize::try_from(contract.max_conflicts).unwrap_or(usize::MAX)
}
