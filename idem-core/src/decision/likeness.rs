//! How much one payload is like another of the same operation.

use crate::attempt::Attempt;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;

/// What the comparison of two payloads says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    /// The same canonical payload.
    Same,
    /// Another payload with the same critical fields: the same intent.
    Equivalent,
    /// Another intent, with the critical fields in which it differs, where they are known.
    Different { changed: Vec<String> },
}

impl Likeness {
    /// Compares the payload of `attempt` with one that was seen before. Without critical fields on
    /// both sides all of the payload is critical, where `whole` says so, or none of it.
    pub(super) fn of(
        fingerprint: &Fingerprint,
        identity: Option<&Identity>,
        attempt: &Attempt,
        whole: bool,
    ) -> Self {
        let same_payload = *fingerprint == attempt.fingerprint;
        match (identity, &attempt.identity) {
            // A critical field may lie outside the fingerprint: ignored there by mistake, or read
            // from a header. It counts all the same. One that only one side has was added to the
            // contract, or removed, since: that alone turns no retry into a conflict.
            (Some(first), Some(second)) if same_payload && !second.contradicts(first) => Self::Same,
            (Some(first), Some(second)) if first == second => Self::Equivalent,
            (Some(first), Some(second)) => {
                let changed = second.changed_from(first);
                Self::Different { changed: changed.into_iter().map(str::to_owned).collect() }
            }
            _ if same_payload => Self::Same,
            (None, None) if !whole => Self::Equivalent,
            _ => Self::Different { changed: Vec::new() },
        }
    }
}
