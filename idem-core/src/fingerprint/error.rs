//! Why a payload cannot be fingerprinted.

use std::fmt;

/// A payload that is not what it claims to be: the fault and its place, never its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at line {line}, column {column} (byte {offset}): {}", fault.what(), fault.remedy())]
pub struct PayloadError {
    fault: PayloadFault,
    offset: usize,
    line: usize,
    column: usize,
}

impl PayloadError {
    pub(super) fn at(fault: PayloadFault, body: &[u8], offset: usize) -> Self {
        let before = &body[..offset.min(body.len())];
        let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        Self { fault, offset, line, column: 1 + before.len() - line_start }
    }

    /// What is wrong.
    #[must_use]
    pub const fn fault(&self) -> PayloadFault {
        self.fault
    }

    /// Where it is wrong, in bytes from the start of the payload.
    #[must_use]
    pub const fn offset(&self) -> usize {
        self.offset
    }

    /// Where it is wrong: the line, counted from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.line
    }

    /// Where it is wrong: the byte within its line, counted from 1.
    #[must_use]
    pub const fn column(&self) -> usize {
        self.column
    }
}

/// What can be wrong with a JSON payload; shown as the word that the test vectors use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PayloadFault {
    /// A byte that belongs to no UTF-8 character.
    NotUtf8,
    /// A byte order mark before the payload.
    ByteOrderMark,
    /// The payload ends before its value does, or is empty.
    UnexpectedEnd,
    /// A character that the grammar of JSON does not have at this place.
    UnexpectedCharacter,
    /// Something after the end of the value.
    TrailingContent,
    /// A number with a leading zero, or without a digit where one must be.
    InvalidNumber,
    /// A number whose last digit is further than 10^15 places from the decimal point.
    NumberOutOfRange,
    /// A control character inside a string.
    ControlCharacter,
    /// A backslash with something after it that is no escape.
    InvalidEscape,
    /// Half of a surrogate pair.
    LoneSurrogate,
    /// More arrays and objects inside each other than [`MAX_DEPTH`](super::MAX_DEPTH).
    TooDeep,
    /// A second member of the same name in one object.
    DuplicateName,
}

impl PayloadFault {
    /// The fault in one word, the same in every version.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotUtf8 => "not-utf8",
            Self::ByteOrderMark => "byte-order-mark",
            Self::UnexpectedEnd => "unexpected-end",
            Self::UnexpectedCharacter => "unexpected-character",
            Self::TrailingContent => "trailing-content",
            Self::InvalidNumber => "invalid-number",
            Self::NumberOutOfRange => "number-out-of-range",
            Self::ControlCharacter => "control-character",
            Self::InvalidEscape => "invalid-escape",
            Self::LoneSurrogate => "lone-surrogate",
            Self::TooDeep => "too-deep",
            Self::DuplicateName => "duplicate-name",
        }
    }

    const fn what(self) -> &'static str {
        match self {
            Self::NotUtf8 => "the JSON payload is not UTF-8",
            Self::ByteOrderMark => "the JSON payload starts with a byte order mark",
            Self::UnexpectedEnd => "the JSON payload ends too early",
            Self::UnexpectedCharacter => "the JSON payload has an unexpected character",
            Self::TrailingContent => "the JSON payload goes on after its value",
            Self::InvalidNumber => "the JSON payload has a malformed number",
            Self::NumberOutOfRange => "the JSON payload has a number out of range",
            Self::ControlCharacter => "the JSON payload has a control character in a string",
            Self::InvalidEscape => "the JSON payload has an unknown escape in a string",
            Self::LoneSurrogate => "the JSON payload has half of a surrogate pair in a string",
            Self::TooDeep => "the JSON payload nests too deeply",
            Self::DuplicateName => "the JSON payload has two members of one name in an object",
        }
    }

    const fn remedy(self) -> &'static str {
        match self {
            Self::NotUtf8 => "encode it as UTF-8",
            Self::ByteOrderMark => "send it without the mark",
            Self::UnexpectedEnd => "send the whole value",
            Self::UnexpectedCharacter => "send JSON as RFC 8259 defines it",
            Self::TrailingContent => "send one value",
            Self::InvalidNumber => {
                "write it without leading zeros and with digits on both sides of the point"
            }
            Self::NumberOutOfRange => "keep its exponent within 10^15",
            Self::ControlCharacter => "escape it",
            Self::InvalidEscape => r#"escape with one of \" \\ \/ \b \f \n \r \t \uXXXX"#,
            Self::LoneSurrogate => "send both halves, or the character itself",
            Self::TooDeep => "nest at most 127 arrays and objects",
            Self::DuplicateName => "send each name once",
        }
    }
}

impl fmt::Display for PayloadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_says_what_where_and_what_to_do() {
        let error = PayloadError::at(PayloadFault::DuplicateName, b"{\"a\":1,\n \"a\":2}", 9);
        assert_eq!(
            error.to_string(),
            "the JSON payload has two members of one name in an object at line 2, column 2 \
             (byte 9): send each name once"
        );
    }
}
