//! One conflict: what differs, and what was done about it. Never a value.

use crate::attempt::{Attempt, RecordId};
use crate::decision::{Cause, Refusal, Verdict};
use crate::fingerprint::Fingerprint;
use crate::record::Record;
use crate::scope::Scope;

/// An attempt that differs from what its key stands for.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conflict<'a> {
    /// The name of the operation that was asked for.
    pub operation: &'a str,
    /// Whose key it is.
    pub scope: &'a Scope,
    /// The digest of scope and key.
    pub record: RecordId,
    /// What was done.
    pub arbitration: Arbitration,
    /// The names of the critical fields that differ; empty where none do, or none are declared.
    pub changed: Vec<&'a str>,
    /// The fingerprint of the payload the key stands for.
    pub original: Fingerprint,
    /// The fingerprint of the payload that came.
    pub fingerprint: Fingerprint,
    /// How many executions the record has seen.
    pub attempts: u32,
}

/// What was done with a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Arbitration {
    /// It was refused: the key belongs to another operation.
    OperationMismatch,
    /// It was refused: the key belongs to another intent.
    PayloadMismatch,
    /// It got the first answer: what differs was declared harmless.
    DifferenceIgnored,
    /// It was merged into the first, and ran.
    Merged,
    /// It took the place of the first, and ran.
    Superseded,
    /// It was refused: it came so soon after the first that it is more likely a fault than a wish.
    SuspiciousRetry,
    /// It ran as an operation of its own: the first is long past.
    Fresh,
    /// It is held until people have decided.
    UnderReview,
    /// It was refused: the key has as many undecided conflicts as it may have.
    KeyInConflict,
    /// People have accepted it, and it ran.
    Accepted,
}

impl Arbitration {
    /// The word for logs and metrics; that of the problem where there is one.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OperationMismatch => "operation-mismatch",
            Self::PayloadMismatch => "payload-mismatch",
            Self::DifferenceIgnored => "difference-ignored",
            Self::Merged => "merged",
            Self::Superseded => "superseded",
            Self::SuspiciousRetry => "suspicious-retry",
            Self::Fresh => "fresh",
            Self::UnderReview => "conflict-under-review",
            Self::KeyInConflict => "key-in-conflict",
            Self::Accepted => "accepted",
        }
    }
}

impl<'a> Conflict<'a> {
    /// The conflict of `attempt` with `record`, of which `arbitration` was made; `None` where both
    /// have the same payload, so that there is none.
    pub(crate) fn of(
        record: &'a Record,
        attempt: &'a Attempt,
        arbitration: Arbitration,
    ) -> Option<Self> {
        let accepted = &*record.accepted;
        let is_same = accepted.is_same_payload(&attempt.fingerprint, attempt.identity.as_ref());
        if is_same && accepted.operation == attempt.operation {
            return None;
        }
        let changed = match (&accepted.identity, &attempt.identity) {
            _ if arbitration == Arbitration::OperationMismatch => Vec::new(),
            (Some(first), Some(second)) => second.changed_from(first),
            _ => Vec::new(),
        };
        Some(Self {
            operation: attempt.operation.name(),
            scope: &attempt.scope,
            record: attempt.id,
            arbitration,
            changed,
            original: accepted.fingerprint,
            fingerprint: attempt.fingerprint,
            attempts: record.attempts,
        })
    }
}

impl Arbitration {
    /// What `verdict` makes of a conflict; `None` where it has decided none.
    pub(crate) fn of(verdict: &Verdict) -> Option<Self> {
        match verdict {
            Verdict::Run { cause, .. } => Self::by(*cause),
            Verdict::Merge { .. } => Some(Self::Merged),
            Verdict::Hold { .. } => Some(Self::UnderReview),
            Verdict::Replay { differs, .. } => differs.then_some(Self::DifferenceIgnored),
            Verdict::Wait => None,
            Verdict::Refuse(refusal) => match refusal {
                Refusal::OperationMismatch { .. } => Some(Self::OperationMismatch),
                Refusal::PayloadMismatch { .. } => Some(Self::PayloadMismatch),
                Refusal::Suspicious { .. } => Some(Self::SuspiciousRetry),
                Refusal::UnderReview { .. } => Some(Self::UnderReview),
                Refusal::KeyInConflict { .. } => Some(Self::KeyInConflict),
                Refusal::Busy | Refusal::OutcomeUnknown | Refusal::PreviousAttemptFailed => None,
            },
        }
    }

    /// What it means for a conflict that an attempt runs for this cause.
    pub(crate) const fn by(cause: Cause) -> Option<Self> {
        match cause {
            Cause::New | Cause::Retry => None,
            Cause::Superseding => Some(Self::Superseded),
            Cause::Merging => Some(Self::Merged),
            Cause::Accepted => Some(Self::Accepted),
            Cause::Fresh => Some(Self::Fresh),
        }
    }
}
