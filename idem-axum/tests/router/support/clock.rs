//! The runtime's time as the store's.

use idem_axum::core::clock::{Clock, Timestamp};
use tokio::time::Instant;

/// Where the runtime's time is paused, sleeping moves leases and retention as well.
pub(crate) struct RuntimeClock(Instant);

impl RuntimeClock {
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for RuntimeClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_800_000_000_000).after(self.0.elapsed())
    }
}
