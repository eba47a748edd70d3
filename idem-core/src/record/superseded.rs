//! What is remembered of an execution when another payload takes its key over.

use std::sync::Arc;

use super::Answer;
use crate::clock::Timestamp;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;

/// An execution whose payload the key no longer stands for. A retry of it is still answered with
/// what it was answered first, and never runs again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superseded {
    /// The fingerprint of its payload.
    pub fingerprint: Fingerprint,
    /// Its critical fields.
    pub identity: Option<Identity>,
    /// The version of the record when it was superseded.
    pub version: u64,
    /// When it was superseded.
    pub superseded_at: Timestamp,
    /// Its answer, if it had completed.
    pub answer: Option<Arc<Answer>>,
}
