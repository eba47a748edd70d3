//! The name of a conflict.

use std::fmt;
use std::str::FromStr;

use crate::lease::Owner;

/// The name of a conflict: 128 random bits, written as 32 hexadecimal digits, so that nobody finds
/// one by counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConflictId([u8; 16]);

/// The text is not the name of a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a conflict is named by 32 hexadecimal digits")]
pub struct ConflictIdError;

impl ConflictId {
    /// A new name that nobody can guess.
    ///
    /// # Panics
    /// When the operating system has no randomness to give.
    #[must_use]
    pub fn random() -> Self {
        Self(*Owner::random().as_bytes())
    }

    /// The name whose bytes are already known, as read back from a store.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for ConflictId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl FromStr for ConflictId {
    type Err = ConflictIdError;

    fn from_str(text: &str) -> Result<Self, ConflictIdError> {
        let is_name = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_name.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        number.map(|number| Self(number.to_be_bytes())).ok_or(ConflictIdError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_read_back_as_it_was_written() {
        let id = ConflictId::random();
        assert_eq!(id.to_string().parse(), Ok(id));
        let small = ConflictId::from_bytes([0; 16]);
        assert_eq!(small.to_string().parse(), Ok(small));
    }

    #[test]
    fn anything_else_is_no_name() {
        let digits = "0123456789abcdef0123456789abcdef";
        for text in ["", &digits[1..], &format!("{digits}0"), &format!("+{}", &digits[1..])] {
            assert_eq!(text.parse::<ConflictId>(), Err(ConflictIdError), "{text}");
        }
    }
}
