//! The canonical text of JSON, written while it is read: no tree is built.

mod members;
mod number;
mod string;

use members::Members;

use super::{Mask, PayloadError, PayloadFault};

/// How many arrays and objects may be inside each other, as in `serde_json`.
pub const MAX_DEPTH: usize = 127;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The canonical text of `body` without the members that `mask` ignores.
pub(super) fn canonical(body: &[u8], mask: &Mask) -> Result<Vec<u8>, PayloadError> {
    if body.starts_with(BYTE_ORDER_MARK) {
        return Err(PayloadError::at(PayloadFault::ByteOrderMark, body, 0));
    }
    if let Err(error) = str::from_utf8(body) {
        return Err(PayloadError::at(PayloadFault::NotUtf8, body, error.valid_up_to()));
    }
    let mut reader = Reader::new(body);
    match reader.document(mask) {
        Ok(()) => Ok(reader.out),
        Err(fault) => Err(PayloadError::at(fault, body, reader.at)),
    }
}

/// A place in the body, and all that was written until there. After a fault, `at` is its place.
struct Reader<'a> {
    body: &'a [u8],
    at: usize,
    depth: usize,
    out: Vec<u8>,
    /// Strings without their escapes, for as long as they are needed.
    unescaped: Vec<u8>,
    members: Members,
}

impl<'a> Reader<'a> {
    fn new(body: &'a [u8]) -> Self {
        Self {
            body,
            at: 0,
            depth: 0,
            out: Vec::with_capacity(body.len()),
            unescaped: Vec::new(),
            members: Members::default(),
        }
    }

    fn document(&mut self, mask: &Mask) -> Result<(), PayloadFault> {
        self.value(mask)?;
        match self.next_token() {
            None => Ok(()),
            Some(_) => Err(PayloadFault::TrailingContent),
        }
    }

    fn value(&mut self, mask: &Mask) -> Result<(), PayloadFault> {
        match self.next_token() {
            Some(b'"') => self.string(),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b'{') => self.nested(|reader| reader.object(mask)),
            Some(b'[') => self.nested(|reader| reader.array(mask)),
            Some(b't') => self.literal(b"true"),
            Some(b'f') => self.literal(b"false"),
            Some(b'n') => self.literal(b"null"),
            other => Err(unexpected(other)),
        }
    }

    /// Reads an array or object one level deeper, from its bracket on.
    fn nested(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<(), PayloadFault>,
    ) -> Result<(), PayloadFault> {
        if self.depth == MAX_DEPTH {
            return Err(PayloadFault::TooDeep);
        }
        self.depth += 1;
        self.out.push(self.body[self.at]);
        self.at += 1;
        read(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn array(&mut self, mask: &Mask) -> Result<(), PayloadFault> {
        if self.next_token() == Some(b']') {
            return self.close(b']');
        }
        loop {
            self.value(mask)?;
            match self.next_token() {
                Some(b',') => self.at += 1,
                Some(b']') => return self.close(b']'),
                other => return Err(unexpected(other)),
            }
            self.out.push(b',');
        }
    }

    fn close(&mut self, bracket: u8) -> Result<(), PayloadFault> {
        self.at += 1;
        self.out.push(bracket);
        Ok(())
    }

    fn literal(&mut self, literal: &'static [u8]) -> Result<(), PayloadFault> {
        for expected in literal {
            match self.peek() {
                Some(byte) if byte == *expected => self.at += 1,
                other => return Err(unexpected(other)),
            }
        }
        self.out.extend_from_slice(literal);
        Ok(())
    }

    /// Skips white space and looks at the byte after it.
    #[inline]
    fn next_token(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.peek() {
            self.at += 1;
        }
        self.peek()
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.body.get(self.at).copied()
    }
}

fn unexpected(byte: Option<u8>) -> PayloadFault {
    match byte {
        None => PayloadFault::UnexpectedEnd,
        Some(_) => PayloadFault::UnexpectedCharacter,
    }
}

#[cfg(test)]
mod tests;
