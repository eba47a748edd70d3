//! Why two payloads could not be merged.

/// Why two payloads could not be merged.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// One of them is not JSON, or a member is not what the function that merges it takes.
    #[error("the payload cannot be merged with the one that this key stands for")]
    Unreadable(#[from] serde_json::Error),
}
