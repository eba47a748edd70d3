//! The right of one attempt to run the handler.

mod heartbeat;
mod owner;

use std::fmt;
use std::time::Duration;

pub(crate) use heartbeat::{Beat, Heartbeat};
pub use owner::Owner;

use crate::attempt::RecordId;

/// A fencing token: of two executions of one key, the later has the greater.
///
/// Hand it to whatever the handler writes to, and let that refuse a token smaller than one it has
/// seen: then even an execution that was taken for dead cannot overwrite its successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fence(u64);

impl Fence {
    /// The token of number `number`.
    #[must_use]
    pub const fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number of the token.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Fence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the holder shows to renew, finish or release: a store writes nothing for a lease whose
/// owner or fence is no longer the record's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The record that is held.
    pub id: RecordId,
    /// Who holds it.
    pub owner: Owner,
    /// The fencing token of this execution.
    pub fence: Fence,
    /// How long the lease lasts from each sign of life.
    pub duration: Duration,
    /// How long the record is kept from its end, be it a recorded one or that of the lease.
    pub ttl: Duration,
}

impl Lease {
    /// How long the record is kept from a sign of life on, if it was the last.
    #[must_use]
    pub fn retention(&self) -> Duration {
        self.duration.saturating_add(self.ttl)
    }
}
