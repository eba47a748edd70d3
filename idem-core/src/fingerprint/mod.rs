//! The digest of a whole payload: equal for two spellings of the same payload, for nothing else.
//!
//! The rules are written for other languages in `docs/FINGERPRINTS.md`, with test vectors in
//! `docs/fingerprint-vectors.json`.

mod error;
mod form;
mod json;
mod mask;
mod raw;

use std::fmt;

pub use error::{PayloadError, PayloadFault};
pub use form::canonical_query;
pub use json::MAX_DEPTH;
pub use mask::{Mask, Member};

use crate::digest::Digest;

/// How a payload is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// JSON: member order, white space, escapes and number spelling do not count.
    Json,
    /// `application/x-www-form-urlencoded`: the order of different names and escapes do not count.
    Form,
    /// Anything else: every byte counts, and so does the media type.
    Raw,
}

impl Encoding {
    /// The canonical text of `body`: two payloads are the same when this is.
    ///
    /// ```
    /// use idem_core::fingerprint::{Encoding, Mask};
    ///
    /// let body = br#"{"currency": "EUR", "amount": 10.00}"#;
    /// let text = Encoding::Json.canonical(None, body, &Mask::NONE)?;
    /// assert_eq!(text, br#"{"amount":1e1,"currency":"EUR"}"#);
    /// # Ok::<(), idem_core::fingerprint::PayloadError>(())
    /// ```
    ///
    /// # Errors
    /// [`PayloadError`] when `body` is not what it claims to be.
    pub fn canonical(
        self,
        media_type: Option<&str>,
        body: &[u8],
        mask: &Mask,
    ) -> Result<Vec<u8>, PayloadError> {
        match self {
            Self::Json => json::canonical(body, mask),
            Self::Form => Ok(form::canonical(body, mask)),
            Self::Raw => Ok([&raw::header(media_type), body].concat()),
        }
    }
}

/// The rules a fingerprint was made by; a record keeps the rules it was made with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Version {
    /// The rules of `docs/FINGERPRINTS.md`.
    V1,
}

/// The versioned digest of a whole payload, shown as `v1:` and 64 hexadecimal digits.
///
/// ```
/// use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
///
/// let of = |body: &str| Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE);
/// assert_eq!(of(r#"{"amount":10,"to":"bob"}"#)?, of(r#"{"to":"b\u006fb","amount":1e1}"#)?);
/// assert_ne!(of(r#"{"amount":10}"#)?, of(r#"{"amount":"10"}"#)?);
/// # Ok::<(), idem_core::fingerprint::PayloadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    version: Version,
    digest: Digest,
}

impl Fingerprint {
    /// The fingerprint of `body`, by the newest rules. The media type counts for
    /// [`Encoding::Raw`] only, the mask for the others only.
    ///
    /// # Errors
    /// [`PayloadError`] when `body` is not what it claims to be.
    pub fn of(
        encoding: Encoding,
        media_type: Option<&str>,
        body: &[u8],
        mask: &Mask,
    ) -> Result<Self, PayloadError> {
        let digest = match encoding {
            Encoding::Json => {
                Digest::of(&[b"idem fingerprint v1 json\n", &json::canonical(body, mask)?])
            }
            Encoding::Form => {
                Digest::of(&[b"idem fingerprint v1 form\n", &form::canonical(body, mask)])
            }
            Encoding::Raw => {
                Digest::of(&[b"idem fingerprint v1 raw\n", &raw::header(media_type), body])
            }
        };
        Ok(Self { version: Version::V1, digest })
    }

    /// The rules it was made by.
    #[must_use]
    pub const fn version(self) -> Version {
        self.version
    }

    /// The digest without its version.
    #[must_use]
    pub const fn digest(self) -> Digest {
        self.digest
    }

    /// The shape in which stores keep a fingerprint: the version, then the digest.
    #[must_use]
    pub fn to_bytes(self) -> [u8; 33] {
        let mut bytes = [1; 33];
        bytes[1..].copy_from_slice(self.digest.as_bytes());
        bytes
    }

    /// The fingerprint that [`to_bytes`](Self::to_bytes) wrote; `None` for anything else.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (1, digest) => {
                let digest = Digest::from_bytes(digest.try_into().ok()?);
                Some(Self { version: Version::V1, digest })
            }
            _ => None,
        }
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            Version::V1 => write!(f, "v1:{}", self.digest),
        }
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_fingerprints_read_back_and_unknown_versions_do_not() {
        let fingerprint = Fingerprint::of(Encoding::Raw, None, b"x", &Mask::NONE).unwrap();
        let mut bytes = fingerprint.to_bytes();
        assert_eq!(Fingerprint::from_bytes(&bytes), Some(fingerprint));
        assert_eq!(Fingerprint::from_bytes(&bytes[..32]), None);
        assert_eq!(Fingerprint::from_bytes(&[]), None);
        bytes[0] = 2;
        assert_eq!(Fingerprint::from_bytes(&bytes), None);
    }

    #[test]
    fn a_fingerprint_shows_its_version_and_digest() {
        let fingerprint = Fingerprint::of(Encoding::Form, None, b"a=1", &Mask::NONE).unwrap();
        assert_eq!(format!("{fingerprint:?}"), format!("v1:{}", fingerprint.digest()));
    }

    #[test]
    fn the_same_bytes_read_differently_are_different_payloads() {
        let of = |encoding| Fingerprint::of(encoding, None, b"1", &Mask::NONE).unwrap();
        assert_ne!(of(Encoding::Json), of(Encoding::Form));
        assert_ne!(of(Encoding::Json), of(Encoding::Raw));
        assert_ne!(of(Encoding::Form), of(Encoding::Raw));
    }
}
