//! What a handler's payload type says of itself, found by the attribute without being told, and
//! what the attribute adds to it.

use std::marker::PhantomData;
use std::ops::Deref;

use axum::response::Response;
use bytes::Bytes;
use idem_core::fingerprint::{Encoding, Fingerprint, Mask, PayloadError};
use idem_core::identity::{Identity, SemanticIdentity};
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::merge::{Merge, MergeError, merge};
use idem_core::operation::Operation;

use crate::captured::Sent;
use crate::payload::Payload;
use crate::rejection::explained;

/// What the fingerprint leaves out, which fields are critical, and whether the key is one of them.
pub struct Semantics<T> {
    pub(crate) rules: Rules,
    critical: Option<fn(&T, &mut Identity)>,
    key: Option<fn(&T) -> String>,
}

impl<T> Semantics<T> {
    /// Takes the critical fields from the handler's attribute instead of the type's derive.
    #[must_use]
    pub fn critical(self, critical: fn(&T, &mut Identity)) -> Self {
        Self { critical: Some(critical), ..self }
    }

    /// Takes the key from a field of the payload.
    #[must_use]
    pub fn keyed_by(self, field: fn(&T) -> String) -> Self {
        Self { key: Some(field), ..self }
    }

    /// Makes the key of the critical fields, which the attribute has made sure there are.
    #[must_use]
    pub fn keyed_by_identity(self) -> Self {
        Self { rules: Rules { keyed_by_identity: true, ..self.rules }, ..self }
    }

    /// Lets payloads that differ be merged, as the type's derive says.
    #[must_use]
    pub fn merging(self) -> Merging<T>
    where
        T: Payload<Value: Merge>,
    {
        let merges =
            Merges { merge: merge::<T::Value>, check: |payload: &T| payload.value().check() };
        Merging { semantics: self, merges }
    }

    /// Describes one payload.
    pub(crate) fn describe(&self, payload: &T, described: &mut Described) {
        if let Some(critical) = self.critical {
            critical(payload, described.identity.get_or_insert_default());
        }
        if let Some(text) = self.key {
            described.key = Some(text(payload));
        }
    }
}

/// [`Semantics`] of a payload that can be merged.
pub struct Merging<T> {
    pub(crate) semantics: Semantics<T>,
    pub(crate) merges: Merges<T>,
}

/// How two payloads become one, and whether that one is sound.
pub(crate) struct Merges<T> {
    pub(crate) merge: fn(&[u8], &[u8]) -> Result<Bytes, MergeError>,
    pub(crate) check: fn(&T) -> Result<(), String>,
}

/// What holds of the payloads of a handler, whatever their type: how their bytes are read, and
/// whether the key is made of them.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// `None` for an extractor of request parts: a body, if one is sent all the same, counts as
    /// raw bytes.
    encoding: Option<Encoding>,
    mask: &'static Mask,
    keyed_by_identity: bool,
}

impl Rules {
    const fn of(encoding: Option<Encoding>, mask: &'static Mask) -> Self {
        Self { encoding, mask, keyed_by_identity: false }
    }

    /// The fingerprint of the payload as it was sent.
    ///
    /// # Errors
    /// When the bytes are not what the payload's encoding says.
    pub(crate) fn fingerprint(&self, sent: &Sent) -> Result<Fingerprint, PayloadError> {
        let encoding = self.encoding.unwrap_or(Encoding::Raw);
        Fingerprint::of(encoding, sent.media_type(), &sent.body, self.mask)
    }

    /// The key in a payload, where no header carries it.
    ///
    /// # Errors
    /// When what stands in the key's place is no key.
    pub(crate) fn key(
        &self,
        described: &Described,
        operation: &Operation,
    ) -> Result<IdempotencyKey, KeyError> {
        match &described.identity {
            Some(identity) if self.keyed_by_identity => {
                Ok(IdempotencyKey::of_intent(operation, identity))
            }
            _ => IdempotencyKey::bare(described.key.as_deref().unwrap_or_default()),
        }
    }

    /// The answer to a body that the handler's own extractor has refused.
    pub(crate) async fn explain(&self, rejection: Response, body: &Bytes) -> Response {
        match self.encoding {
            Some(encoding) => explained(rejection, encoding, body).await,
            None => rejection,
        }
    }
}

/// What counts of one payload, whatever its type.
#[derive(Default)]
pub(crate) struct Described {
    pub(crate) identity: Option<Identity>,
    /// The text of the field that holds the key.
    key: Option<String>,
}

/// Asks what is known of `T` by method resolution: in `Probe::<T>::NEW.semantics()` the method is
/// the first that applies to `T`, on the way from here along [`Deref`].
pub struct Probe<T>(AnyPayload<T>);

/// Where a probe looks when `T`'s value derives nothing.
pub struct AnyPayload<T>(Anything<T>);

/// Where a probe looks when `T` is no payload.
pub struct Anything<T>(PhantomData<fn() -> T>);

impl<T> Probe<T> {
    /// The question.
    pub const NEW: Self = Self(AnyPayload(Anything(PhantomData)));
}

impl<T: Payload<Value: SemanticIdentity>> Probe<T> {
    /// The payload derives [`SemanticIdentity`]: what the derive says.
    pub fn semantics(&self) -> Semantics<T> {
        let critical: fn(&T, &mut Identity) =
            |payload, identity| payload.value().write_critical(identity);
        let critical = T::Value::HAS_CRITICAL.then_some(critical);
        Semantics { rules: Rules::of(Some(T::ENCODING), T::Value::MASK), critical, key: None }
    }
}

impl<T: Payload> AnyPayload<T> {
    /// A payload of which all counts.
    pub fn semantics(&self) -> Semantics<T> {
        let rules = Rules::of(Some(T::ENCODING), &Mask::NONE);
        Semantics { rules, critical: None, key: None }
    }
}

impl<T> Anything<T> {
    /// An extractor of request parts.
    pub fn semantics(&self) -> Semantics<T> {
        Semantics { rules: Rules::of(None, &Mask::NONE), critical: None, key: None }
    }
}

impl<T> Deref for Probe<T> {
    type Target = AnyPayload<T>;

    fn deref(&self) -> &AnyPayload<T> {
        &self.0
    }
}

impl<T> Deref for AnyPayload<T> {
    type Target = Anything<T>;

    fn deref(&self) -> &Anything<T> {
        &self.0
    }
}

/// Checks that the key can be made of the critical fields.
///
/// # Panics
/// While the handler is compiled, at the word that asks for it.
#[track_caller]
pub const fn assert_has_critical<T: Payload<Value: SemanticIdentity>>() {
    assert!(
        T::Value::HAS_CRITICAL,
        "the key is made of the critical fields, and the payload has none\nhelp: mark fields with `#[idem(critical)]`, or write `critical = [\"amount\"]`"
    );
}

/// Checks that the payload can be merged, member by member.
///
/// # Panics
/// While the handler is compiled, at the policy's word.
#[track_caller]
pub const fn assert_json<T: Payload>() {
    assert!(
        matches!(T::ENCODING, Encoding::Json),
        "only JSON payloads can be merged\nhelp: take the body as `Json<T>`, or choose another policy"
    );
}
