//! What a store hears of other processes.

use std::sync::Arc;

use crate::attempt::RecordId;

/// News of executions in other processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// One of this record has ended.
    One(RecordId),
    /// Any may have: the store could not listen for a while.
    Any,
}

/// Who is told of it. It does not block.
pub type Listener = Arc<dyn Fn(Ended) + Send + Sync>;
