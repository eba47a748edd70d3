//! One conflict: what differs, and what was done about it. Never a value.

use crate::attempt::{Attempt, RecordId};
use crate::decision::{Refusal, Verdict};
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
    pub changed: &'a [String],
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
}

impl Arbitration {
    /// The word for logs and metrics; that of the problem where there is one.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::OperationMismatch => "operation-mismatch",
            Self::PayloadMismatch => "payload-mismatch",
            Self::DifferenceIgnored => "difference-ignored",
        }
    }
}

impl<'a> Conflict<'a> {
    /// The conflict that `verdict` has decided; `None` where the attempt was like the record's.
    pub(crate) fn of(
        record: &'a Record,
        attempt: &'a Attempt,
        verdict: &'a Verdict,
    ) -> Option<Self> {
        let (arbitration, changed) = match verdict {
            Verdict::Replay { differs: true, .. } => (Arbitration::DifferenceIgnored, &[][..]),
            Verdict::Refuse(Refusal::OperationMismatch { .. }) => {
                (Arbitration::OperationMismatch, &[][..])
            }
            Verdict::Refuse(Refusal::PayloadMismatch { changed, .. }) => {
                (Arbitration::PayloadMismatch, &changed[..])
            }
            _ => return None,
        };
        Some(Self {
            operation: attempt.operation.name(),
            scope: &attempt.scope,
            record: attempt.id,
            arbitration,
            changed,
            original: record.accepted.fingerprint,
            fingerprint: attempt.fingerprint,
            attempts: record.attempts,
        })
    }
}
