//! What is asked of a store about conflicts.

use std::sync::Arc;
use std::time::Duration;

use super::{Conflict, ConflictId, ConflictState};
use crate::attempt::{Attempt, RecordId};
use crate::clock::Timestamp;
use crate::lease::Owner;
use crate::scope::Scope;

/// The wish to hold an attempt for review.
#[derive(Clone, Debug)]
pub struct Hold {
    /// The name of the conflict, if it becomes one.
    pub id: ConflictId,
    /// The disputed attempt, with its payload.
    pub attempt: Arc<Attempt>,
    /// Whose execution the record was at when the attempt was compared with it.
    pub seen: Owner,
    /// The names of the critical fields that differ.
    pub changed: Vec<String>,
    /// How long it can be decided.
    pub ttl: Duration,
    /// How many open conflicts the key may have.
    pub limit: u32,
}

/// The answer to a [`Hold`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holding {
    /// The attempt is held, by this conflict: a new one, or that of the same payload.
    Held(ConflictId),
    /// The key has as many open conflicts as it may have.
    Full,
    /// The record is not what the attempt was compared with.
    Moved,
}

/// What people say about a conflict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decide {
    /// Which conflict.
    pub id: ConflictId,
    /// The version they have seen.
    pub version: u64,
    /// What they say.
    pub ruling: Ruling,
    /// Who says it.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// One of the two things that can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ruling {
    /// The disputed payload may run.
    Accept,
    /// The key stays with what it stands for.
    Keep,
}

impl Ruling {
    /// The state of a conflict that was decided so.
    #[must_use]
    pub const fn state(self) -> ConflictState {
        match self {
            Self::Accept => ConflictState::Accepted,
            Self::Keep => ConflictState::Kept,
        }
    }
}

/// The answer to a [`Decide`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It counts; this is the conflict now.
    Done(Conflict),
    /// The conflict was decided before, has expired, or has another version: this is how it is.
    Stale(Conflict),
}

/// Who decided a conflict, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// When, by the store's clock.
    pub at: Timestamp,
}

/// Which conflicts to list; the default lists all, in pages of 100.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Those that stand so.
    pub state: Option<ConflictState>,
    /// Those of the operation of this name.
    pub operation: Option<String>,
    /// Those of this scope.
    pub scope: Option<Scope>,
    /// Those about this record.
    pub record: Option<RecordId>,
    /// Those that come after this one, newest first: where the page before has ended.
    pub before: Option<(Timestamp, ConflictId)>,
    /// At most so many.
    pub limit: u32,
}

impl Default for Filter {
    fn default() -> Self {
        Self { state: None, operation: None, scope: None, record: None, before: None, limit: 100 }
    }
}
