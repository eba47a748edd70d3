//! The outcomes of a decision.

use std::sync::Arc;

use crate::fingerprint::Fingerprint;
use crate::record::{Answer, Revision};

/// What is done with an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The handler runs; `over` is the revision of the record it takes over, if there is one.
    Run {
        /// Compared and set by the store: when the record has moved on, the decision is made anew.
        over: Option<Revision>,
    },
    /// The stored answer is given again.
    Replay {
        /// The answer of the first execution.
        answer: Arc<Answer>,
        /// Whether the payload differs from the first in fields that are not critical.
        differs: bool,
    },
    /// The answer of the first execution, which is running, is worth waiting for: then it is
    /// decided again.
    Wait,
    /// Neither.
    Refuse(Refusal),
}

/// Why an attempt neither runs nor gets an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Another attempt is running; a later retry is decided by its end.
    Busy,
    /// The key was used for another operation.
    OperationMismatch {
        /// The fingerprint of the payload the key stands for.
        original: Fingerprint,
    },
    /// The key was used with a payload of another intent.
    PayloadMismatch {
        /// The fingerprint of the payload the key stands for.
        original: Fingerprint,
        /// The names of the critical fields that differ; empty when the whole payload is critical.
        changed: Vec<String>,
    },
    /// The execution before this attempt vanished, and nobody knows how far it came.
    OutcomeUnknown,
    /// The execution before this attempt failed, and the contract forbids another.
    PreviousAttemptFailed,
}
