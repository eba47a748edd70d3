//! The stored answer of a completed execution.

use bytes::Bytes;

/// An answer as it is replayed: status, headers in order with their multiplicity, body bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Header names in lower case with their values, in order.
    pub headers: Vec<(Box<str>, Bytes)>,
    /// The body; `None` when it was not stored, over the limit or a stream without an end.
    pub body: Option<Bytes>,
}

impl Answer {
    /// How many bytes the answer takes.
    #[must_use]
    pub fn len(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.len() + value.len());
        headers.sum::<usize>() + self.body.as_ref().map_or(0, Bytes::len)
    }

    /// Whether there is neither header nor body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The headers as one byte string, for a store's column: length-prefixed names and values.
    #[must_use]
    pub fn encode_headers(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (name, value) in &self.headers {
            for part in [name.as_bytes(), value] {
                let length = u32::try_from(part.len()).expect("a header is smaller than 4 GiB");
                out.extend_from_slice(&length.to_be_bytes());
                out.extend_from_slice(part);
            }
        }
        out
    }

    /// Reads back what [`encode_headers`](Self::encode_headers) wrote; `None` when it is cut or
    /// damaged.
    #[must_use]
    pub fn decode_headers(bytes: &[u8]) -> Option<Vec<(Box<str>, Bytes)>> {
        let mut rest = bytes;
        let mut headers = Vec::new();
        while !rest.is_empty() {
            let name = std::str::from_utf8(take_part(&mut rest)?).ok()?;
            let value = Bytes::copy_from_slice(take_part(&mut rest)?);
            headers.push((name.into(), value));
        }
        Some(headers)
    }
}

fn take_part<'b>(rest: &mut &'b [u8]) -> Option<&'b [u8]> {
    let (length, after) = rest.split_first_chunk::<4>()?;
    let (part, after) = after.split_at_checked(u32::from_be_bytes(*length) as usize)?;
    *rest = after;
    Some(part)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn headers_survive_the_column(
            headers in prop::collection::vec(("[a-z-]{1,12}", prop::collection::vec(any::<u8>(), 0..20)), 0..6),
            cut in any::<prop::sample::Index>(),
        ) {
            let headers = headers.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
            let answer = Answer { status: 201, headers, body: None };
            let column = answer.encode_headers();
            let read = Answer::decode_headers(&column);
            prop_assert_eq!(read.as_ref(), Some(&answer.headers));
            let cut = cut.index(column.len() + 1);
            prop_assert!(Answer::decode_headers(&column[..cut]).is_none_or(|read| read.len() <= answer.headers.len()));
        }
    }
}
