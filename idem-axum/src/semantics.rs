//! What a handler's payload type says of itself, found by the attribute without being told, and
//! what the attribute adds to it.

use std::marker::PhantomData;

use bytes::Bytes;
use idem_core::fingerprint::{Encoding, Fingerprint, Mask, PayloadError};
use idem_core::identity::{Identity, SemanticIdentity};
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::merge::{Merge, MergeError, merge};
use idem_core::operation::Operation;

use crate::captured::Sent;
use crate::derived_key::DerivedKey;
use crate::payload::Payload;

/// What the fingerprint leaves out, which fields are critical, and whether the key is one of them.
pub struct Semantics<T: Payload> {
    mask: &'static Mask,
    critical: Option<fn(&T::Value, &mut Identity)>,
    key: Option<DerivedKey<T::Value>>,
}

impl<T: Payload> Semantics<T> {
    /// Takes the critical fields from the handler's attribute instead of the type's derive.
    #[must_use]
    pub fn critical(self, critical: fn(&T::Value, &mut Identity)) -> Self {
        Self { critical: Some(critical), ..self }
    }

    /// Takes the key from a field of the payload.
    #[must_use]
    pub fn keyed_by(self, field: fn(&T::Value) -> String) -> Self {
        Self { key: Some(DerivedKey::Field(field)), ..self }
    }

    /// Makes the key of the critical fields, which the attribute has made sure there are.
    #[must_use]
    pub fn keyed_by_identity(self) -> Self {
        Self { key: Some(DerivedKey::Identity), ..self }
    }
}

impl<T: Payload> Semantics<T> {
    /// Lets payloads that differ be merged, as the type's derive says.
    #[must_use]
    pub fn merging(self) -> Merging<T>
    where
        T::Value: Merge,
    {
        const {
            assert!(
                matches!(T::ENCODING, Encoding::Json),
                "only JSON payloads can be merged: take the body as `Json<T>`"
            );
        }
        let merges =
            Merges { merge: merge::<T::Value>, check: |payload: &T| payload.value().check() };
        Merging { semantics: self, merges }
    }
}

/// [`Semantics`] of a payload that can be merged.
pub struct Merging<T: Payload> {
    pub(crate) semantics: Semantics<T>,
    pub(crate) merges: Merges<T>,
}

/// How two payloads become one, and whether that one is sound.
pub(crate) struct Merges<T> {
    pub(crate) merge: fn(&[u8], &[u8]) -> Result<Bytes, MergeError>,
    pub(crate) check: fn(&T) -> Result<(), String>,
}

/// A handler without a payload: its body, if one is sent all the same, counts as raw bytes.
pub struct NoPayload;

impl NoPayload {
    /// Takes the place of [`Semantics::critical`], so that a missing payload is one error only.
    #[must_use]
    pub fn critical<F>(self, _: F) -> Self {
        self
    }

    /// Takes the place of [`Semantics::keyed_by`].
    #[must_use]
    pub fn keyed_by<F>(self, _: F) -> Self {
        self
    }

    /// Takes the place of [`Semantics::merging`].
    #[must_use]
    pub fn merging<T>(self) -> Merging<T>
    where
        T: Payload<Value: Merge>,
    {
        Semantics { mask: &Mask::NONE, critical: None, key: None }.merging()
    }

    /// Takes the place of [`Semantics::keyed_by_identity`].
    #[must_use]
    pub fn keyed_by_identity(self) -> Self {
        self
    }
}

/// A payload as it was sent: its fingerprint, and its identity if fields are critical.
pub(crate) type Description = (Fingerprint, Option<Identity>);

/// Describes the payload of one request.
pub trait Describe<T> {
    /// # Errors
    /// When the bytes are not what the payload's encoding says.
    fn describe(&self, payload: &Sent<T>) -> Result<(Fingerprint, Option<Identity>), PayloadError>;

    /// The key, where no header carries it.
    ///
    /// # Errors
    /// When what stands in the key's place is no key.
    fn key(
        &self,
        payload: &Sent<T>,
        operation: &Operation,
        identity: Option<&Identity>,
    ) -> Result<IdempotencyKey, KeyError>;
}

impl<T: Payload> Describe<T> for Semantics<T> {
    fn describe(&self, payload: &Sent<T>) -> Result<Description, PayloadError> {
        let fingerprint =
            Fingerprint::of(T::ENCODING, payload.media_type(), &payload.body, self.mask)?;
        let identity = self.critical.map(|critical| {
            let mut identity = Identity::new();
            critical(payload.value.value(), &mut identity);
            identity
        });
        Ok((fingerprint, identity))
    }

    fn key(
        &self,
        payload: &Sent<T>,
        operation: &Operation,
        identity: Option<&Identity>,
    ) -> Result<IdempotencyKey, KeyError> {
        let key = self.key.as_ref().ok_or(KeyError::Empty)?;
        key.derive(payload.value.value(), operation, identity)
    }
}

impl<T> Describe<T> for NoPayload {
    fn describe(&self, payload: &Sent<T>) -> Result<Description, PayloadError> {
        let fingerprint =
            Fingerprint::of(Encoding::Raw, payload.media_type(), &payload.body, &Mask::NONE)?;
        Ok((fingerprint, None))
    }

    fn key(
        &self,
        _: &Sent<T>,
        _: &Operation,
        _: Option<&Identity>,
    ) -> Result<IdempotencyKey, KeyError> {
        Err(KeyError::Empty)
    }
}

/// Asks what is known of `T` by method resolution: `(&&&Probe::<T>::NEW).semantics()` takes the
/// first of the three traits that applies, from the most references to the fewest.
pub struct Probe<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The question.
    pub const NEW: Self = Self(PhantomData);
}

/// `T`'s value derives [`SemanticIdentity`].
pub trait ByDerive {
    /// The payload.
    type Payload: Payload;
    /// What the derive says.
    fn semantics(&self) -> Semantics<Self::Payload>;
}

impl<T: Payload<Value: SemanticIdentity>> ByDerive for &&Probe<T> {
    type Payload = T;

    fn semantics(&self) -> Semantics<T> {
        let critical: fn(&T::Value, &mut Identity) =
            |value, identity| value.write_critical(identity);
        let critical = T::Value::HAS_CRITICAL.then_some(critical);
        Semantics { mask: T::Value::MASK, critical, key: None }
    }
}

/// `T` is a payload: all of it counts.
pub trait ByPayload {
    /// The payload.
    type Payload: Payload;
    /// Nothing is left out, and the whole payload is critical.
    fn semantics(&self) -> Semantics<Self::Payload>;
}

impl<T: Payload> ByPayload for &Probe<T> {
    type Payload = T;

    fn semantics(&self) -> Semantics<T> {
        Semantics { mask: &Mask::NONE, critical: None, key: None }
    }
}

/// `T` is an extractor of request parts.
pub trait ByAnything {
    /// There is no payload.
    fn semantics(&self) -> NoPayload;
}

impl<T> ByAnything for Probe<T> {
    fn semantics(&self) -> NoPayload {
        NoPayload
    }
}
