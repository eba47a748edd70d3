//! The right of one attempt to run the handler.

mod heartbeat;

use std::fmt;
use std::time::Duration;

pub(crate) use heartbeat::{Beat, Heartbeat};

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

/// Who holds a lease: 128 random bits, made by the attempt itself, so that it recognises a claim
/// whose answer was lost on the way.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Owner([u8; 16]);

impl Owner {
    /// A new owner that nobody can guess.
    ///
    /// # Panics
    /// When the operating system has no randomness to give.
    #[must_use]
    pub fn random() -> Self {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).expect("the operating system gives randomness");
        Self(bytes)
    }

    /// The owner whose bytes are already known, as read back from a store.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Debug for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Owner({:02x}{:02x}…)", self.0[0], self.0[1])
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
    /// How long the record is kept from each write.
    pub ttl: Duration,
}
