//! The idempotency key as the client sends it.

use std::fmt;

use crate::digest::Digest;
use crate::identity::Identity;
use crate::operation::Operation;

/// A client's key: 1 to 255 visible ASCII characters, compared byte for byte.
///
/// The quoted string of the IETF draft and the bare form are the same key. White space around the
/// value belongs to HTTP and is not part of it; white space inside is refused.
///
/// ```
/// use idem_core::key::IdempotencyKey;
///
/// let bare = IdempotencyKey::parse(b"order-81f2")?;
/// let quoted = IdempotencyKey::parse(b" \"order-81f2\" ")?;
/// assert_eq!(bare, quoted);
/// assert_ne!(bare, IdempotencyKey::parse(b"ORDER-81f2")?);
/// # Ok::<(), idem_core::key::KeyError>(())
/// ```
///
/// Neither `Debug` nor any error shows the key: it may be a customer's reference.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey(Box<str>);

/// Why a value is no idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// There is nothing between the ends of the value.
    #[error("the key is empty: send 1 to 255 visible ASCII characters, such as a UUID")]
    Empty,
    /// The key is longer than [`IdempotencyKey::MAX_LEN`].
    #[error("the key has {length} characters: send at most 255")]
    TooLong {
        /// How many characters were sent.
        length: usize,
    },
    /// A space, a control character or a character beyond ASCII.
    #[error(
        "the key has a character that is not visible ASCII: send letters, digits and punctuation only"
    )]
    NotVisibleAscii,
    /// A quoted string that does not end with its quote, or has an unknown escape in it.
    #[error(
        "the key starts with a quote but is no quoted string: close it, and escape only \\\" and \\\\"
    )]
    BadQuoting,
    /// More than one key came with one request.
    #[error("the key was given more than once: send it once")]
    GivenTwice,
}

impl IdempotencyKey {
    /// The most characters a key may have.
    pub const MAX_LEN: usize = 255;

    /// Reads a header value, bare or as the quoted string of the IETF draft.
    ///
    /// # Errors
    /// [`KeyError`] says which rule the value breaks; it does not repeat the value.
    pub fn parse(value: &[u8]) -> Result<Self, KeyError> {
        let value = value.trim_ascii();
        match value.split_first() {
            None => Err(KeyError::Empty),
            Some((b'"', rest)) => Self::checked(unquote(rest)?),
            Some(_) => Self::checked(value.to_vec()),
        }
    }

    /// Takes a value that is not a header's, such as a field of a payload, exactly as it is: quotes
    /// and white space are not taken off.
    ///
    /// ```
    /// use idem_core::key::{IdempotencyKey, KeyError};
    ///
    /// assert_eq!(IdempotencyKey::bare("k")?, IdempotencyKey::parse(b"k")?);
    /// assert_eq!(IdempotencyKey::bare(" k"), Err(KeyError::NotVisibleAscii));
    /// # Ok::<(), KeyError>(())
    /// ```
    ///
    /// # Errors
    /// [`KeyError`] says which rule the value breaks; it does not repeat the value.
    pub fn bare(value: impl Into<String>) -> Result<Self, KeyError> {
        Self::checked(value.into().into_bytes())
    }

    /// The key of an intent: `identity-v1:` and 64 hexadecimal digits, the SHA-256 of the operation
    /// and the encoded identity.
    ///
    /// The operation is part of it, since the same fields mean another thing elsewhere: a payment
    /// and a refund of 10 EUR are two intents.
    #[must_use]
    pub fn of_intent(operation: &Operation, identity: &Identity) -> Self {
        let (operation, identity) = (operation.digest(), identity.encode());
        let digest = Digest::of(&[b"idem key v1\n", operation.as_bytes(), &identity]);
        Self(format!("identity-v1:{digest}").into_boxed_str())
    }

    /// The key itself. It may be a customer's reference: keep it out of logs.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn checked(key: Vec<u8>) -> Result<Self, KeyError> {
        if key.is_empty() {
            return Err(KeyError::Empty);
        }
        if key.len() > Self::MAX_LEN {
            return Err(KeyError::TooLong { length: key.len() });
        }
        if !key.iter().all(u8::is_ascii_graphic) {
            return Err(KeyError::NotVisibleAscii);
        }
        let key = String::from_utf8(key).map_err(|_| KeyError::NotVisibleAscii)?;
        Ok(Self(key.into_boxed_str()))
    }
}

/// A value whose text can be a key: everything with `Display`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no text that could be an idempotency key",
    label = "no `Display`",
    note = "the key is the text of the field: take a `String`, a `Uuid`, a number, or implement `Display` for your own type",
    note = "an `Option` has no text: every request needs a key, so make the field required"
)]
pub trait KeyText {
    /// The text, to be checked by [`IdempotencyKey::bare`].
    fn key_text(&self) -> String;
}

#[diagnostic::do_not_recommend]
impl<T: fmt::Display + ?Sized> KeyText for T {
    fn key_text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digest = Digest::of(&[self.0.as_bytes()]).to_string();
        write!(f, "IdempotencyKey(sha256:{}…)", &digest[..8])
    }
}

/// The content of a structured-field string (RFC 9651) whose opening quote has been read.
fn unquote(rest: &[u8]) -> Result<Vec<u8>, KeyError> {
    let mut key = Vec::with_capacity(rest.len());
    let mut bytes = rest.iter();
    loop {
        match bytes.next() {
            Some(b'"') if bytes.as_slice().is_empty() => return Ok(key),
            Some(b'\\') => match bytes.next() {
                Some(&escaped @ (b'"' | b'\\')) => key.push(escaped),
                _ => return Err(KeyError::BadQuoting),
            },
            None | Some(b'"') => return Err(KeyError::BadQuoting),
            Some(&byte) => key.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(value: &[u8]) -> Result<IdempotencyKey, KeyError> {
        IdempotencyKey::parse(value)
    }

    #[test]
    fn quoted_and_bare_forms_are_one_key() {
        assert_eq!(key(b"k").unwrap(), key(b"\"k\"").unwrap());
        assert_eq!(key(br#""a\"b\\c""#).unwrap().as_str(), r#"a"b\c"#);
    }

    #[test]
    fn case_counts_and_outer_white_space_does_not() {
        assert_ne!(key(b"Key-A").unwrap(), key(b"key-a").unwrap());
        assert_eq!(key(b" k \t").unwrap(), key(b"k").unwrap());
    }

    #[test]
    fn what_is_no_key_is_refused_with_its_reason() {
        let long = [b'x'; 256];
        let table: &[(&[u8], KeyError)] = &[
            (b"", KeyError::Empty),
            (b"   ", KeyError::Empty),
            (b"\"\"", KeyError::Empty),
            (&long, KeyError::TooLong { length: 256 }),
            (b"a b", KeyError::NotVisibleAscii),
            (b"\"a b\"", KeyError::NotVisibleAscii),
            ("a\u{2026}".as_bytes(), KeyError::NotVisibleAscii),
            (b"a\xff", KeyError::NotVisibleAscii),
            (b"\"a", KeyError::BadQuoting),
            (b"\"a\"b", KeyError::BadQuoting),
            (b"\"a\\", KeyError::BadQuoting),
            (b"\"a\\n\"", KeyError::BadQuoting),
            (b"\"a\";p=1", KeyError::BadQuoting),
        ];
        for (value, error) in table {
            assert_eq!(key(value), Err(*error), "{:?}", String::from_utf8_lossy(value));
        }
        assert!(key(&[b'x'; 255]).is_ok());
    }

    #[test]
    fn a_bare_value_is_the_key_as_it_is() {
        assert_eq!(IdempotencyKey::bare("\"k\"").unwrap().as_str(), "\"k\"");
        assert_eq!(IdempotencyKey::bare(""), Err(KeyError::Empty));
        assert_eq!(IdempotencyKey::bare("k "), Err(KeyError::NotVisibleAscii));
        let long = IdempotencyKey::bare("x".repeat(256));
        assert_eq!(long, Err(KeyError::TooLong { length: 256 }));
    }

    #[test]
    fn intents_have_one_key_each_and_it_is_a_key() {
        let intent = |path, amount: i64| {
            let mut identity = Identity::new();
            identity.value("amount", &amount);
            IdempotencyKey::of_intent(&Operation::http("pay", "POST", path, None), &identity)
        };
        assert_eq!(intent("/pay", 1), intent("/pay", 1));
        assert_ne!(intent("/pay", 1), intent("/pay", 2));
        assert_ne!(intent("/pay", 1), intent("/refund", 1));
        let key = intent("/pay", 1);
        assert!(key.as_str().starts_with("identity-v1:"));
        assert_eq!(IdempotencyKey::bare(key.as_str()), Ok(key));
    }

    #[test]
    fn debug_does_not_show_the_key() {
        assert!(!format!("{:?}", key(b"invoice-77").unwrap()).contains("invoice"));
    }
}
