//! Keys that no header carries: they are taken from the payload.

use idem_core::identity::Identity;
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::operation::Operation;

/// Where in a payload of type `V` its key is.
pub(crate) enum DerivedKey<V> {
    /// It is the text of a field.
    Field(fn(&V) -> String),
    /// It is made of the critical fields.
    Identity,
}

impl<V> DerivedKey<V> {
    /// The key of one payload.
    pub(crate) fn derive(
        &self,
        value: &V,
        operation: &Operation,
        identity: Option<&Identity>,
    ) -> Result<IdempotencyKey, KeyError> {
        match self {
            Self::Field(text) => IdempotencyKey::bare(text(value)),
            Self::Identity => identity
                .map(|identity| IdempotencyKey::of_intent(operation, identity))
                .ok_or(KeyError::Empty),
        }
    }
}
