//! The canonical text of `application/x-www-form-urlencoded`.

use percent_encoding::{percent_decode, percent_encode_byte};

use super::Mask;

/// A query string in the order of its names, each pair percent-encoded in the one way that the
/// URL standard serialises forms. An absent query is an empty one.
///
/// ```
/// use idem_core::fingerprint::canonical_query;
///
/// assert_eq!(canonical_query(Some("b=2&a=%7e&a=x+y")), b"a=%7E&a=x+y&b=2");
/// assert_eq!(canonical_query(None), b"");
/// ```
#[must_use]
pub fn canonical_query(query: Option<&str>) -> Vec<u8> {
    canonical(query.unwrap_or_default().as_bytes(), &Mask::NONE)
}

/// The pairs of `body` in the order of their names, without those that `mask` ignores.
pub(super) fn canonical(body: &[u8], mask: &Mask) -> Vec<u8> {
    let pairs = body.split(|byte| *byte == b'&').filter(|pair| !pair.is_empty());
    let mut pairs: Vec<(Vec<u8>, &[u8])> = pairs
        .map(split_pair)
        .map(|(name, value)| (decoded(name).collect(), value))
        .filter(|(name, _): &(Vec<u8>, _)| mask.of_member(name).is_some())
        .collect();
    pairs.sort_by(|(left, _), (right, _)| left.cmp(right));

    let mut out = Vec::with_capacity(body.len());
    for (name, value) in pairs {
        if !out.is_empty() {
            out.push(b'&');
        }
        encode(name, &mut out);
        out.push(b'=');
        encode(decoded(value), &mut out);
    }
    out
}

fn split_pair(pair: &[u8]) -> (&[u8], &[u8]) {
    match pair.iter().position(|byte| *byte == b'=') {
        Some(at) => (&pair[..at], &pair[at + 1..]),
        None => (pair, &[]),
    }
}

/// `+` is a space, `%XX` a byte; a percent sign without two digits after it is itself.
fn decoded(text: &[u8]) -> impl Iterator<Item = u8> {
    text.split(|byte| *byte == b'+').enumerate().flat_map(|(index, part)| {
        let space = (index > 0).then_some(b' ');
        space.into_iter().chain(percent_decode(part))
    })
}

fn encode(bytes: impl IntoIterator<Item = u8>, out: &mut Vec<u8>) {
    for byte in bytes {
        match byte {
            b' ' => out.push(b'+'),
            b'*' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => out.push(byte),
            _ => out.extend_from_slice(percent_encode_byte(byte).as_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fingerprint::Member;

    fn form(body: &str) -> String {
        String::from_utf8(canonical(body.as_bytes(), &Mask::NONE)).unwrap()
    }

    #[test]
    fn names_are_sorted_and_equal_names_keep_their_order() {
        assert_eq!(form("b=1&a=2&b=0&a=1"), "a=2&a=1&b=1&b=0");
        assert_ne!(form("a=1&a=2"), form("a=2&a=1"));
    }

    #[test]
    fn spellings_of_one_pair_are_one_pair() {
        for spelling in ["a+b=%c3%a9", "a%20b=é", "%61+b=%C3%A9", "&a+b=%C3%A9&&"] {
            assert_eq!(form(spelling), "a+b=%C3%A9", "{spelling}");
        }
        assert_eq!(form("a"), form("a="));
        assert_eq!(form("a=1=2"), "a=1%3D2");
    }

    #[test]
    fn bytes_that_are_no_text_stay_different() {
        assert_eq!(form("a=%ff"), "a=%FF");
        assert_ne!(form("a=%ff"), form("a=%fe"));
        assert_eq!(form("a=100%&b=%zz&c=%4"), "a=100%25&b=%25zz&c=%254");
        assert_ne!(form("a=1%2B1"), form("a=1+1"));
    }

    #[test]
    fn separators_inside_values_stay_inside() {
        assert_ne!(form("a=1%26b%3D2"), form("a=1&b=2"));
    }

    #[test]
    fn ignored_names_are_left_out_however_they_are_spelled() {
        const META: Mask = Mask::new(&[Member::ignored(&["trace"])]);
        const MASK: Mask =
            Mask::new(&[Member::ignored(&["at", "seen at"])]).with_flattened(&[&META]);
        assert_eq!(canonical(b"at=1&a=2&seen+at=3&%61t=4&trace=5&b", &MASK), b"a=2&b=");
    }
}
