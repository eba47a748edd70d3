//! Why a store could not do its part.

use std::time::Duration;

/// A failure of the store itself; never a statement about a record.
///
/// The messages hold no keys, payloads or passwords.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store could not be reached or refused to work.
    #[error("the store is unavailable: {reason}")]
    Unavailable {
        /// What was being done.
        reason: &'static str,
        /// What the driver says.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The store did not answer in time.
    #[error("the store did not answer within {} ms", after.as_millis())]
    TimedOut {
        /// How long it was waited for.
        after: Duration,
    },
    /// The limit that was set for the store is reached, and running or retained records are not
    /// evicted to make room.
    #[error(
        "the store is full ({limit} {unit}): raise its limit or shorten the ttl of the contracts"
    )]
    Full {
        /// The limit.
        limit: usize,
        /// What it counts.
        unit: &'static str,
    },
    /// A stored record cannot be read.
    #[error("a stored record is damaged: its {column} cannot be read")]
    Damaged {
        /// The part that cannot be read.
        column: &'static str,
    },
    /// The store was opened on something it cannot work with.
    #[error("the store cannot be used: {reason}")]
    Unusable {
        /// What is wrong, and what to do.
        reason: String,
    },
}

impl StoreError {
    /// Whether what was asked for may have been done all the same: only its answer is missing.
    pub(crate) fn may_have_taken_effect(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::TimedOut { .. })
    }

    /// Whether the same request may succeed later without anybody changing anything.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::TimedOut { .. } | Self::Full { .. })
    }
}
