//! Strings: shortest escapes, everything else as sent.

use std::ops::Range;

use super::members::Name;
use super::{Reader, unexpected};
use crate::fingerprint::PayloadFault;

impl Reader<'_> {
    /// Reads a string value from its quote on.
    pub(super) fn string(&mut self) -> Result<(), PayloadFault> {
        if let Name::Unescaped(range) = self.name()? {
            self.unescaped.truncate(range.start);
        }
        Ok(())
    }

    /// Reads a string from its quote on, and keeps its unescaped form.
    pub(super) fn name(&mut self) -> Result<Name, PayloadFault> {
        let start = self.at + 1;
        self.at = start + plain_length(&self.body[start..]);
        match self.peek() {
            Some(b'"') => {
                self.at += 1;
                self.out.extend_from_slice(&self.body[start - 1..self.at]);
                Ok(Name::InBody(start..self.at - 1))
            }
            Some(b'\\') => {
                let range = self.unescape(start)?;
                escape(&self.unescaped[range.clone()], &mut self.out);
                Ok(Name::Unescaped(range))
            }
            Some(_) => Err(PayloadFault::ControlCharacter),
            None => Err(PayloadFault::UnexpectedEnd),
        }
    }

    /// Decodes the string whose content starts at `start`, and which has an escape.
    fn unescape(&mut self, start: usize) -> Result<Range<usize>, PayloadFault> {
        let first = self.unescaped.len();
        self.at = start;
        loop {
            let plain = plain_length(&self.body[self.at..]);
            self.unescaped.extend_from_slice(&self.body[self.at..self.at + plain]);
            self.at += plain;
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape_sequence()?,
                Some(_) => return Err(PayloadFault::ControlCharacter),
                None => return Err(PayloadFault::UnexpectedEnd),
            }
        }
        self.at += 1;
        Ok(first..self.unescaped.len())
    }

    /// Decodes one escape from its backslash on.
    fn escape_sequence(&mut self) -> Result<(), PayloadFault> {
        let byte = match self.body.get(self.at + 1) {
            Some(byte @ (b'"' | b'\\' | b'/')) => *byte,
            Some(b'b') => b'\x08',
            Some(b'f') => b'\x0c',
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let character = self.unicode_escape()?;
                self.unescaped.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            Some(_) => return Err(PayloadFault::InvalidEscape),
            None => return self.ends(),
        };
        self.unescaped.push(byte);
        self.at += 2;
        Ok(())
    }

    /// Decodes `\uXXXX`, or two of them that are a surrogate pair.
    fn unicode_escape(&mut self) -> Result<char, PayloadFault> {
        let start = self.at;
        let first = self.code_unit()?;
        let second = match first {
            0xd800..=0xdbff if self.body[self.at..].starts_with(b"\\u") => Some(self.code_unit()?),
            _ => None,
        };
        let character = char::decode_utf16([first].into_iter().chain(second)).next();
        character.and_then(Result::ok).ok_or_else(|| {
            self.at = start;
            PayloadFault::LoneSurrogate
        })
    }

    /// Reads the four digits of `\uXXXX`.
    fn code_unit(&mut self) -> Result<u16, PayloadFault> {
        let digits = self.body[self.at + 2..].iter().take(4);
        let digits = digits.map_while(|digit| char::from(*digit).to_digit(16));
        let (count, unit) =
            digits.fold((0, 0), |(count, unit), digit| (count + 1, unit << 4 | digit));
        if count == 4 {
            self.at += 6;
            return Ok(u16::try_from(unit).expect("four hexadecimal digits are 16 bits"));
        }
        if self.at + 2 + count == self.body.len() {
            return self.ends();
        }
        Err(PayloadFault::InvalidEscape)
    }

    fn ends<T>(&mut self) -> Result<T, PayloadFault> {
        self.at = self.body.len();
        Err(unexpected(None))
    }
}

/// Writes `text` as a string with the shortest escapes.
fn escape(mut text: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    loop {
        let (plain, rest) = text.split_at(plain_length(text));
        out.extend_from_slice(plain);
        let Some((special, rest)) = rest.split_first() else {
            break;
        };
        let short = match special {
            b'\x08' => b'b',
            b'\x0c' => b'f',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            byte @ (b'"' | b'\\') => *byte,
            control => {
                out.extend_from_slice(b"\\u00");
                out.extend(
                    [control >> 4, control & 0xf]
                        .map(|digit| b"0123456789abcdef"[usize::from(digit)]),
                );
                text = rest;
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', short]);
        text = rest;
    }
    out.push(b'"');
}

/// How many bytes come before the next quote, backslash or control character.
#[inline]
pub(super) fn plain_length(bytes: &[u8]) -> usize {
    let (chunks, rest) = bytes.as_chunks();
    for (index, chunk) in chunks.iter().enumerate() {
        let special = special_bytes(u64::from_le_bytes(*chunk));
        if special != 0 {
            return index * 8 + special.trailing_zeros() as usize / 8;
        }
    }
    let special = |byte: &u8| matches!(byte, b'"' | b'\\' | ..b' ');
    chunks.len() * 8 + rest.iter().position(special).unwrap_or(rest.len())
}

/// The high bit of the lowest special byte among eight is set, and none below it.
#[inline]
fn special_bytes(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let quotes = zeros(eight ^ (ONES * b'"' as u64));
    let backslashes = zeros(eight ^ (ONES * b'\\' as u64));
    let controls = eight.wrapping_sub(ONES * 0x20) & !eight & HIGH;
    quotes | backslashes | controls
}
