//! What may be set for all handlers of an engine.

use std::time::Duration;

/// The limits of an engine; contracts may set their own lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// How long an execution may go without a sign of life; 30 seconds. Running executions renew
    /// their lease every third of it.
    pub lease: Duration,
    /// How long one call of the store may take; 5 seconds.
    pub store_timeout: Duration,
    /// The most bytes of an answer, headers and body, that are stored; 1 MiB.
    pub answer_limit: usize,
    /// The most bytes of a merged payload; 2 MiB. A merge that comes to more is refused, so that no
    /// number of merges makes a record grow without end.
    pub merged_limit: usize,
    /// The most executions at once, those whose clients have left among them; 100,000. Beyond it
    /// attempts are refused before they claim anything.
    pub max_running: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lease: Duration::from_secs(30),
            store_timeout: Duration::from_secs(5),
            answer_limit: 1024 * 1024,
            merged_limit: 2 * 1024 * 1024,
            max_running: 100_000,
        }
    }
}
