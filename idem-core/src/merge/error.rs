//! Why two payloads could not be merged.

use crate::fingerprint::MAX_DEPTH;

/// Why two payloads could not be merged. Shows nothing of either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// One of them is not JSON, or a member is not what the function that merges it takes.
    #[error("the payload cannot be merged with the one that this key stands for")]
    Unreadable,
    /// A JSON Merge Patch has more objects inside each other than [`MAX_DEPTH`] allows.
    #[error(
        "the payload cannot be merged: it nests too deeply; nest at most {MAX_DEPTH} arrays and \
         objects"
    )]
    TooDeep,
}

impl From<serde_json::Error> for MergeError {
    /// The error itself is dropped, because its words quote the payload.
    fn from(_: serde_json::Error) -> Self {
        Self::Unreadable
    }
}
