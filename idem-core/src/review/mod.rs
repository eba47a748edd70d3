//! Attempts that were held for people to decide: the conflicts themselves, and the queue in which
//! they wait.

mod conflict;
mod id;
mod queue;
mod ruling;

pub use conflict::{Conflict, ConflictState, Disputed, Original};
pub use id::ConflictId;
pub use queue::{Queue, QueueError, RunAccepted, Runners};
pub use ruling::{Decide, Decided, Decision, Filter, Hold, Holding, Ruling};
