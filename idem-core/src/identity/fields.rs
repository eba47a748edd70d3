//! The critical fields of one payload, as names and digests.

use std::borrow::Cow;
use std::fmt;

use super::{IdentityValue, IdentityWriter};
use crate::digest::Digest;

/// The critical fields of one payload in order: the name of each and the digest of its value.
///
/// No value is kept, so an identity can be stored and its differences named to a client.
///
/// ```
/// use idem_core::identity::Identity;
///
/// let identity = |amount: i64| {
///     let mut identity = Identity::new();
///     identity.value("amount", &amount);
///     identity.value("currency", "EUR");
///     identity
/// };
/// assert_eq!(identity(100), identity(100));
/// assert_eq!(identity(100).changed_from(&identity(200)), ["amount"]);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Identity {
    fields: Vec<(Cow<'static, str>, Digest)>,
}

impl Identity {
    /// An identity without fields.
    #[must_use]
    pub const fn new() -> Self {
        Self { fields: Vec::new() }
    }

    /// Adds the field called `name` with this value. Names are distinct.
    pub fn value<V: IdentityValue + ?Sized>(&mut self, name: &'static str, value: &V) {
        self.field(name, |out| value.write(out));
    }

    /// Adds the field called `name`, whose value `value` writes. Names are distinct.
    pub fn field(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl FnOnce(&mut IdentityWriter<'_>),
    ) {
        let mut encoded = Vec::with_capacity(64);
        value(&mut IdentityWriter::new(&mut encoded));
        self.push_encoded(name.into(), &encoded);
    }

    /// Adds the fields that `fields` adds, under `prefix`: `last4` of `card` is `card.last4`.
    pub fn nested(&mut self, prefix: &'static str, fields: impl FnOnce(&mut Self)) {
        let mut inner = Self::new();
        fields(&mut inner);
        for (name, digest) in inner.fields {
            self.push(Cow::Owned(join(prefix, &name)), digest);
        }
    }

    /// Whether there is no field.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Whether a field that both sides have differs.
    #[must_use]
    pub fn contradicts(&self, other: &Self) -> bool {
        self.iter().any(|(name, digest)| other.get(name).is_some_and(|other| other != digest))
    }

    /// The names of the fields that differ, or exist on one side only: this side's in their
    /// order, then those of the other side alone.
    #[must_use]
    pub fn changed_from<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        let changed = self.iter().filter(|(name, digest)| other.get(name) != Some(*digest));
        let vanished = other.iter().filter(|(name, _)| self.get(name).is_none());
        changed.chain(vanished).map(|(name, _)| name).collect()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, Digest)> {
        self.fields.iter().map(|(name, digest)| (name.as_ref(), *digest))
    }

    fn get(&self, name: &str) -> Option<Digest> {
        self.iter().find(|(field, _)| *field == name).map(|(_, digest)| digest)
    }

    fn push_encoded(&mut self, name: Cow<'static, str>, encoded: &[u8]) {
        self.push(name, Digest::of(&[b"idem identity v1\n", encoded]));
    }

    fn push(&mut self, name: Cow<'static, str>, digest: Digest) {
        debug_assert!(self.get(&name).is_none(), "the critical field `{name}` is written twice");
        self.fields.push((name, digest));
    }
}

/// Paths read as in `critical = ["card?.last4", "items[].sku"]`.
fn join(prefix: &str, name: &str) -> String {
    let dot = if name.starts_with(['?', '[']) { "" } else { "." };
    [prefix, dot, name].concat()
}

/// The first byte of every stored identity.
const VERSION: u8 = 1;

/// The shape in which stores keep an identity.
impl Identity {
    /// The identity as bytes: a version, then for each field the length of its name in four
    /// bytes, its name and its digest.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        for (name, digest) in self.iter() {
            let length = u32::try_from(name.len()).expect("a field's name is a short path");
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(name.as_bytes());
            bytes.extend_from_slice(digest.as_bytes());
        }
        bytes
    }

    /// The identity that [`encode`](Self::encode) made; `None` for anything else.
    #[must_use]
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes.strip_prefix(&[VERSION])?;
        let mut identity = Self::new();
        while !rest.is_empty() {
            let (length, after) = rest.split_first_chunk()?;
            let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
            let (name, after) = after.split_at_checked(length)?;
            let (digest, after) = after.split_first_chunk()?;
            let name = Cow::Owned(String::from_utf8(name.to_vec()).ok()?);
            identity.fields.push((name, Digest::from_bytes(*digest)));
            rest = after;
        }
        Some(identity)
    }
}

/// Shows the names only: the digest of a short value can be guessed.
impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity of ")?;
        f.debug_list().entries(self.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payment(amount: i64, last4: Option<&str>) -> Identity {
        let mut identity = Identity::new();
        identity.value("amount", &amount);
        if let Some(last4) = last4 {
            identity.nested("card", |card| card.value("last4", last4));
        }
        identity
    }

    #[test]
    fn changed_names_the_fields_that_differ_or_stand_alone() {
        let (plain, card) = (payment(1, None), payment(1, Some("4242")));
        assert!(card.changed_from(&card).is_empty());
        assert_eq!(card.changed_from(&plain), ["card.last4"]);
        assert_eq!(plain.changed_from(&card), ["card.last4"]);
        assert_eq!(payment(2, Some("1")).changed_from(&card), ["amount", "card.last4"]);
    }

    #[test]
    fn debug_shows_names_and_no_digest() {
        let shown = format!("{:?}", payment(1, Some("4242")));
        assert_eq!(shown, r#"Identity of ["amount", "card.last4"]"#);
    }

    #[test]
    fn nested_names_read_like_paths() {
        assert_eq!(join("card", "last4"), "card.last4");
        assert_eq!(join("card", "?.last4"), "card?.last4");
        assert_eq!(join("items", "[].sku"), "items[].sku");
    }

    #[test]
    fn stored_identities_of_another_version_or_cut_short_are_not_decoded() {
        let bytes = payment(1, Some("4242")).encode();
        assert_eq!(Identity::decode(&bytes), Some(payment(1, Some("4242"))));
        assert_eq!(Identity::decode(&[VERSION]), Some(Identity::new()));
        assert_eq!(Identity::decode(&[]), None);
        assert_eq!(Identity::decode(&[&[2], &bytes[1..]].concat()), None);
        assert_eq!(Identity::decode(&bytes[..bytes.len() - 1]), None);
    }
}
