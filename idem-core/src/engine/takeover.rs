//! What an attempt has seen of a record that stands in its way.

use std::fmt;
use std::sync::Arc;

use super::Engine;
use crate::attempt::{Attempt, Payload};
use crate::contract::Contract;
use crate::decision::{Cause, Refusal};
use crate::observe::{Arbitration, Conflict};
use crate::record::{Record, State};
use crate::review::{ConflictId, Hold, Holding, Queue};
use crate::store::{Outcome, Over, StoreError};

/// An earlier execution that an attempt takes over.
pub(super) struct TakenOver {
    pub(super) over: Over,
    pub(super) cause: Cause,
    pub(super) record: Record,
}

/// A payload that is to be merged before its attempt can be admitted.
pub struct Merging {
    pub(super) taken_over: Box<TakenOver>,
    pub(super) base: Payload,
}

/// An attempt that is to be held for people to decide.
pub struct Dispute {
    pub(super) record: Box<Record>,
    pub(super) changed: Vec<String>,
}

impl TakenOver {
    /// How it ended, to be put back if nothing runs in its place after all. One that had completed
    /// is remembered by the record and answers its own retries; what took its place has failed.
    pub(super) fn ended(&self) -> Outcome {
        match self.record.state {
            State::Completed(_) | State::Failed => Outcome::Failed,
            State::InProgress { .. } | State::Unknown => Outcome::Unknown,
        }
    }
}

impl Merging {
    /// The payload to merge the attempt's into.
    #[must_use]
    pub fn base(&self) -> &Payload {
        &self.base
    }
}

impl Engine {
    /// Holds an attempt in `queue`, and says what it is told; `None` when the record has moved on,
    /// and the attempt is to be admitted anew.
    ///
    /// # Errors
    /// When the store fails or does not answer in time. The attempt may be held all the same: its
    /// retry finds it.
    pub async fn hold(
        &self,
        attempt: &Arc<Attempt>,
        contract: &Contract,
        dispute: Dispute,
        queue: &Queue,
    ) -> Result<Option<Refusal>, StoreError> {
        let Dispute { record, changed } = dispute;
        let original = record.accepted.fingerprint;
        let hold = Hold {
            id: ConflictId::random(),
            attempt: attempt.clone(),
            seen: record.revision.owner,
            changed: changed.clone(),
            ttl: contract.ttl,
            limit: contract.max_conflicts,
        };
        let (refusal, arbitration) = match queue.hold(hold).await? {
            Holding::Held(conflict) => {
                (Refusal::UnderReview { conflict, original, changed }, Arbitration::UnderReview)
            }
            Holding::Full => {
                (Refusal::KeyInConflict { original, changed }, Arbitration::KeyInConflict)
            }
            Holding::Moved => return Ok(None),
        };
        self.report(&record, attempt, Some(arbitration));
        Ok(Some(refusal))
    }

    /// Tells the observer of a conflict, where `arbitration` is what was made of one.
    pub(super) fn report(
        &self,
        record: &Record,
        attempt: &Attempt,
        arbitration: Option<Arbitration>,
    ) {
        let conflict = arbitration.and_then(|made| Conflict::of(record, attempt, made));
        if let Some(conflict) = conflict {
            self.inner.observer.conflict(&conflict);
        }
    }
}

impl fmt::Debug for Merging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Merging").field("over", &self.taken_over.over).finish_non_exhaustive()
    }
}

impl fmt::Debug for Dispute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispute").field("changed", &self.changed).finish_non_exhaustive()
    }
}
