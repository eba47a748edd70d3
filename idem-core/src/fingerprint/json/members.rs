//! Objects: members in the byte-wise order of their names, each name once.

use std::ops::Range;

use super::{Reader, unexpected};
use crate::fingerprint::{Mask, PayloadFault};

/// The members of all objects that are open at this place, the innermost last.
pub(super) struct Members {
    open: Vec<Member>,
    /// Where the members of one object are put in order.
    sorted: Vec<u8>,
}

/// One member that was read.
struct Member {
    name: Name,
    /// The first eight bytes of its name, as a number that compares as they do: most names differ
    /// there, and comparing two numbers is no call.
    head: u64,
    /// Where its name stands in the body, for errors.
    at: usize,
    /// Its canonical text in the output; empty when it is left out.
    text: Range<usize>,
}

/// A name without its escapes.
pub(super) enum Name {
    /// It has none: it is this part of the body.
    InBody(Range<usize>),
    /// It was decoded to this part of [`Reader::unescaped`].
    Unescaped(Range<usize>),
}

impl Default for Members {
    fn default() -> Self {
        Self { open: Vec::with_capacity(16), sorted: Vec::new() }
    }
}

impl Reader<'_> {
    /// Reads an object after its bracket.
    pub(super) fn object(&mut self, mask: &Mask) -> Result<(), PayloadFault> {
        if self.next_token() == Some(b'}') {
            return self.close(b'}');
        }
        let (first, unescaped, start) =
            (self.members.open.len(), self.unescaped.len(), self.out.len());
        let mut in_order = true;
        loop {
            in_order &= self.member(mask, first, start)?;
            match self.next_token() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                other => return Err(unexpected(other)),
            }
        }
        if !in_order {
            self.sort(first, start)?;
        }
        self.members.open.truncate(first);
        self.unescaped.truncate(unescaped);
        self.close(b'}')
    }

    /// Reads one member of the object whose members are those from `first` on, written from
    /// `start` on. Says whether its name comes after the one before.
    fn member(&mut self, mask: &Mask, first: usize, start: usize) -> Result<bool, PayloadFault> {
        match self.next_token() {
            Some(b'"') => {}
            other => return Err(unexpected(other)),
        }
        let (at, before) = (self.at, self.out.len());
        if before > start {
            self.out.push(b',');
        }
        let text = self.out.len();
        let name = self.name()?;
        match self.next_token() {
            Some(b':') => self.at += 1,
            other => return Err(unexpected(other)),
        }
        self.out.push(b':');
        let bytes = name.bytes(self.body, &self.unescaped);
        let head = head(bytes);
        let in_order = match self.members.open[first..].last() {
            Some(last) if last.head == head => last.name.bytes(self.body, &self.unescaped) < bytes,
            Some(last) => last.head < head,
            None => true,
        };
        let mask = mask.of_member(bytes);
        self.value(mask.unwrap_or(&Mask::NONE))?;
        if mask.is_none() {
            self.out.truncate(before);
        }
        let text = text.min(self.out.len())..self.out.len();
        self.members.open.push(Member { name, head, at, text });
        Ok(in_order)
    }

    /// Puts the members from `first` on, written from `start` on, in order.
    fn sort(&mut self, first: usize, start: usize) -> Result<(), PayloadFault> {
        let Members { open, sorted } = &mut self.members;
        let bytes = |member: &Member| member.name.bytes(self.body, &self.unescaped);
        let members = &mut open[first..];
        members.sort_unstable_by(|left, right| {
            let by_name = || bytes(left).cmp(bytes(right)).then(left.at.cmp(&right.at));
            left.head.cmp(&right.head).then_with(by_name)
        });
        let pairs = members.windows(2);
        let repeated =
            pairs.filter(|pair| pair[0].head == pair[1].head && bytes(&pair[0]) == bytes(&pair[1]));
        if let Some(at) = repeated.map(|pair| pair[1].at).min() {
            self.at = at;
            return Err(PayloadFault::DuplicateName);
        }
        sorted.reserve(self.out.len() - start);
        for member in members.iter().filter(|member| !member.text.is_empty()) {
            if !sorted.is_empty() {
                sorted.push(b',');
            }
            sorted.extend_from_slice(&self.out[member.text.clone()]);
        }
        self.out.truncate(start);
        self.out.append(sorted);
        Ok(())
    }
}

impl Name {
    #[inline]
    fn bytes<'n>(&self, body: &'n [u8], unescaped: &'n [u8]) -> &'n [u8] {
        match self {
            Self::InBody(range) => &body[range.clone()],
            Self::Unescaped(range) => &unescaped[range.clone()],
        }
    }
}

/// Shorter names are filled up with zeros, which sort before any byte of a longer one; names that
/// are equal here are compared in full.
#[inline]
fn head(name: &[u8]) -> u64 {
    let mut head = [0; 8];
    let length = name.len().min(8);
    head[..length].copy_from_slice(&name[..length]);
    u64::from_be_bytes(head)
}
