//! What is told of conflicts: attempts whose payload or operation is not the one the key stands
//! for, whatever was done with them.

mod conflict;

pub use conflict::{Arbitration, Conflict};

/// Hears of every conflict, on the path of its request: what takes time belongs elsewhere.
pub trait Observer: Send + Sync + 'static {
    /// A conflict has been decided.
    fn conflict(&self, conflict: &Conflict<'_>);
}

/// The observer of an engine that was given none: one line in the log for each conflict.
///
/// Differences that were declared harmless are logged at `debug`, what was merged, superseded or
/// otherwise let run at `info`, all others at `warn`.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogConflicts;

impl Observer for LogConflicts {
    fn conflict(&self, conflict: &Conflict<'_>) {
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    operation = conflict.operation,
                    scope = conflict.scope.id(),
                    record = %conflict.record,
                    arbitration = conflict.arbitration.word(),
                    changed = ?conflict.changed,
                    original = %conflict.original,
                    fingerprint = %conflict.fingerprint,
                    attempts = conflict.attempts,
                    "a key was used with something else",
                )
            };
        }
        match conflict.arbitration {
            Arbitration::DifferenceIgnored => line!(debug),
            Arbitration::Merged
            | Arbitration::Superseded
            | Arbitration::Fresh
            | Arbitration::Accepted => line!(info),
            Arbitration::PayloadMismatch
            | Arbitration::OperationMismatch
            | Arbitration::SuspiciousRetry
            | Arbitration::UnderReview
            | Arbitration::KeyInConflict => line!(warn),
        }
    }
}
