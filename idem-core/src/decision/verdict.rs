//! The outcomes of a decision.

use std::sync::Arc;

use crate::attempt::Payload;
use crate::fingerprint::Fingerprint;
use crate::record::Answer;
use crate::review::ConflictId;
use crate::store::Over;

/// What is done with an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The handler runs with the payload as it was sent.
    Run {
        /// The record that is taken over, if there is one: compared and set by the store. When it
        /// has moved on, the decision is made anew.
        over: Option<Over>,
        /// Why it may run.
        cause: Cause,
    },
    /// The payload is merged into `base`, and the handler runs with what comes out.
    Merge {
        /// The record that is taken over, as above.
        over: Over,
        /// The payload to merge it into.
        base: Payload,
    },
    /// The attempt is kept for people to decide.
    Hold {
        /// The names of the critical fields that differ; empty when the whole payload is critical.
        changed: Vec<String>,
    },
    /// The stored answer is given again.
    Replay {
        /// The answer of the first execution with this intent.
        answer: Arc<Answer>,
        /// Whether the payload differs from the first in fields that are not critical.
        differs: bool,
    },
    /// The answer of the first execution, which is running, is worth waiting for: then it is
    /// decided again.
    Wait,
    /// None of these.
    Refuse(Refusal),
}

/// Why an attempt may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The key is new, or its record has expired.
    New,
    /// The execution before it failed or vanished, and the contract allows another.
    Retry,
    /// Its payload takes the place of another: the last write wins.
    Superseding,
    /// Its payload was merged into another.
    Merging,
    /// It was disputed, and people have accepted it.
    Accepted,
    /// What the key stood for is so old that another intent is an operation of its own.
    Fresh,
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
    /// Another intent came so soon after the first that it is more likely a fault than a wish.
    Suspicious {
        /// The fingerprint of the payload the key stands for.
        original: Fingerprint,
        /// The names of the critical fields that differ; empty when the whole payload is critical.
        changed: Vec<String>,
    },
    /// The attempt is held until people have decided.
    UnderReview {
        /// The conflict that holds it.
        conflict: ConflictId,
        /// The fingerprint of the payload the key stands for.
        original: Fingerprint,
        /// The names of the critical fields that differ; empty when the whole payload is critical.
        changed: Vec<String>,
    },
    /// The key has as many undecided conflicts as it may have.
    KeyInConflict {
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
