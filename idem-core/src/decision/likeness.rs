//! How much one attempt is like another of the same operation.

use crate::attempt::Attempt;

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
    /// Compares the payload of `attempt` with the `accepted` one.
    pub(super) fn of(accepted: &Attempt, attempt: &Attempt) -> Self {
        if accepted.fingerprint == attempt.fingerprint {
            return Self::Same;
        }
        match (&accepted.identity, &attempt.identity) {
            (Some(first), Some(second)) if first == second => Self::Equivalent,
            (Some(first), Some(second)) => {
                let changed = second.changed_from(first);
                Self::Different { changed: changed.into_iter().map(str::to_owned).collect() }
            }
            // Without critical fields on both sides the whole payload is critical.
            _ => Self::Different { changed: Vec::new() },
        }
    }
}
