//! One request that arrives for a key, frozen as it was sent.

use std::fmt;

use bytes::Bytes;

use crate::digest::Digest;
use crate::fingerprint::Fingerprint;
use crate::identity::Identity;
use crate::key::IdempotencyKey;
use crate::operation::Operation;
use crate::scope::Scope;

/// The name of a record: the digest of its scope and key, so that no store holds a key in clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(Digest);

impl RecordId {
    /// The record of `key` in `scope`.
    #[must_use]
    pub fn of(scope: &Scope, key: &IdempotencyKey) -> Self {
        let scope: &[&[u8]; 2] = match scope.id() {
            None => &[b"global", b""],
            Some(id) => &[b"principal\n", id.as_bytes()],
        };
        // A key is visible ASCII: the line feed before it cannot be part of it.
        let parts = [b"idem record v1\n", scope[0], scope[1], b"\n", key.as_str().as_bytes()];
        Self(Digest::of(&parts))
    }

    /// The record whose digest is already known, as read back from a store.
    #[must_use]
    pub const fn from_digest(digest: Digest) -> Self {
        Self(digest)
    }

    /// The digest of scope and key.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.0
    }
}

/// Shows the first 16 hexadecimal digits: enough to follow one record through the logs.
impl fmt::Display for RecordId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_bytes()[..8].iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// What is known of a request before its handler runs; nothing later changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// The record that scope and key name.
    pub id: RecordId,
    /// Whose key it is.
    pub scope: Scope,
    /// Method, path and query.
    pub operation: Operation,
    /// The digest of the whole canonical payload.
    pub fingerprint: Fingerprint,
    /// The typed critical fields; `None` when none are declared.
    pub identity: Option<Identity>,
    /// The payload itself, where the contract needs it: to merge with it, or to show it to the
    /// people who decide.
    pub payload: Option<Payload>,
}

impl Attempt {
    /// Whether it carries the payload with this fingerprint and identity. A critical field that only
    /// one side has was added to the contract, or removed, since: that makes no other payload.
    #[must_use]
    pub fn is_same_payload(&self, fingerprint: &Fingerprint, identity: Option<&Identity>) -> bool {
        let contradicts = match (&self.identity, identity) {
            (Some(own), Some(other)) => own.contradicts(other),
            _ => false,
        };
        self.fingerprint == *fingerprint && !contradicts
    }
}

/// A payload as it was sent, with the media type it was sent as.
#[derive(Clone, PartialEq, Eq)]
pub struct Payload {
    /// The bytes of the body.
    pub bytes: Bytes,
    /// The `Content-Type`, where there was one in ASCII.
    pub media_type: Option<Box<str>>,
}

/// Shows how long it is and nothing of what it says.
impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Payload");
        shown.field("len", &self.bytes.len()).field("media_type", &self.media_type).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(scope: &Scope, key: &str) -> RecordId {
        RecordId::of(scope, &IdempotencyKey::parse(key.as_bytes()).unwrap())
    }

    #[test]
    fn scopes_and_keys_never_run_into_each_other() {
        let scopes = [
            Scope::GLOBAL,
            Scope::of("a").unwrap(),
            Scope::of("a\nk").unwrap(),
            Scope::of("global").unwrap(),
        ];
        let ids: std::collections::HashSet<_> =
            scopes.iter().flat_map(|scope| ["k", "a", "kk"].map(|key| id(scope, key))).collect();
        assert_eq!(ids.len(), 12);
    }
}
