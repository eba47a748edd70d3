//! A conflict as it is kept.

use std::sync::Arc;

use super::{ConflictId, Decision};
use crate::attempt::{Attempt, Payload};
use crate::clock::Timestamp;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;

/// An attempt with another intent than its key stands for, kept until people decide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Its name.
    pub id: ConflictId,
    /// How often it was written: what a decision is compared with.
    pub version: u64,
    /// Where it stands.
    pub state: ConflictState,
    /// The attempt that is disputed, with its payload.
    pub disputed: Arc<Attempt>,
    /// What the key stood for when it came.
    pub original: Original,
    /// The names of the critical fields that differ; empty when the whole payload is critical.
    pub changed: Vec<String>,
    /// When it came.
    pub held_at: Timestamp,
    /// Until when it can be decided and, once accepted, run.
    pub expires_at: Timestamp,
    /// When the accepted payload was run, or began to.
    pub taken_at: Option<Timestamp>,
    /// Who decided, and why.
    pub decision: Option<Decision>,
}

/// The payload that a disputed one differs from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Original {
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The payload itself.
    pub payload: Option<Payload>,
}

/// Where a conflict stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConflictState {
    /// Nobody has decided.
    Pending,
    /// The disputed payload may run, once.
    Accepted,
    /// The key stays with what it stood for.
    Kept,
    /// Its time ran out before it was decided, or before what was accepted had run.
    Expired,
}

/// What a record says of a conflict about its key: enough to decide on an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disputed {
    /// The name of the conflict.
    pub id: ConflictId,
    /// The fingerprint of the disputed payload.
    pub fingerprint: Fingerprint,
    /// Its critical fields.
    pub identity: Option<Identity>,
    /// Where the conflict stands.
    pub state: ConflictState,
    /// Whether the accepted payload was run, or began to.
    pub taken: bool,
}

impl Disputed {
    /// Whether it counts to the limit of one key: it waits for people, or for its run.
    #[must_use]
    pub fn is_open(&self) -> bool {
        match self.state {
            ConflictState::Pending => true,
            ConflictState::Accepted => !self.taken,
            ConflictState::Kept | ConflictState::Expired => false,
        }
    }
}

impl ConflictState {
    /// The word for people, programs and stores.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Kept => "kept",
            Self::Expired => "expired",
        }
    }
}

impl Conflict {
    /// Where a conflict stands at `now` that was last written as `written`.
    #[must_use]
    pub fn state_at(
        written: ConflictState,
        taken: bool,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> ConflictState {
        match written {
            ConflictState::Pending if expires_at <= now => ConflictState::Expired,
            ConflictState::Accepted if expires_at <= now && !taken => ConflictState::Expired,
            state => state,
        }
    }
}
