//! All that is stored for one scope and key.

mod answer;
mod superseded;

use std::sync::Arc;

pub use answer::Answer;
pub use superseded::Superseded;

use crate::attempt::{Attempt, Payload};
use crate::clock::Timestamp;
use crate::lease::{Fence, Owner};
use crate::review::Disputed;

/// One record, as a store returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The attempt whose payload the key stands for.
    pub accepted: Arc<Attempt>,
    /// Where the execution is.
    pub state: State,
    /// Which write this is: what compare-and-set compares.
    pub revision: Revision,
    /// The fencing token of the latest execution.
    pub fence: Fence,
    /// How many executions have begun.
    pub attempts: u32,
    /// When the key was first claimed.
    pub created_at: Timestamp,
    /// When the record is as if it had never been, unless a live lease holds it.
    pub expires_at: Timestamp,
    /// The payload of the last execution that completed before the accepted one: what a merge
    /// builds on when that has failed.
    pub base: Option<Payload>,
    /// How many superseded executions are remembered.
    pub history: u32,
    /// The superseded execution of the payload that asks, if it is remembered. Looked up by
    /// [`Store::begin`](crate::store::Store::begin) alone.
    pub superseded: Option<Superseded>,
    /// The conflicts about this key whose time has not run out, decided ones among them.
    pub conflicts: Vec<Disputed>,
}

/// Where the execution of a record is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// An attempt holds the right to run until `lease_until`, and renews it while it runs.
    InProgress {
        /// When the lease runs out.
        lease_until: Timestamp,
    },
    /// It ended, and this is the answer of every identical retry.
    Completed(Arc<Answer>),
    /// It ended without a final answer.
    Failed,
    /// It ended in a way that nobody can tell.
    Unknown,
}

/// One write of one record. The owner makes it unique even when the record was purged and made
/// anew, where a bare counter would start again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Revision {
    /// Who claimed the record last.
    pub owner: Owner,
    /// How often the record was written since it was made.
    pub version: u64,
}

impl Record {
    /// The payload that a merge builds on: that of the last execution that completed.
    #[must_use]
    pub fn settled(&self) -> Option<&Payload> {
        match self.state {
            State::Completed(_) => self.accepted.payload.as_ref(),
            _ => self.base.as_ref(),
        }
    }

    /// Whether the record is past its retention; one with a live lease never is.
    #[must_use]
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at <= now && !self.is_live(now)
    }

    /// Whether an attempt holds an unexpired lease: half-open, it ends at `lease_until` itself.
    #[must_use]
    pub fn is_live(&self, now: Timestamp) -> bool {
        matches!(self.state, State::InProgress { lease_until } if now < lease_until)
    }
}
