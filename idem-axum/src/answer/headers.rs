//! Which headers are part of an answer.

use axum::http::{HeaderMap, HeaderName, header};
use bytes::Bytes;

/// Never stored: what belongs to one connection (RFC 9110, 7.6.1), to one client, to one moment,
/// or is computed anew.
const LEFT_OUT: [HeaderName; 12] = [
    header::CONNECTION,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    header::PROXY_AUTHENTICATE,
    header::PROXY_AUTHORIZATION,
    header::TE,
    header::TRAILER,
    header::TRANSFER_ENCODING,
    header::UPGRADE,
    header::SET_COOKIE,
    header::DATE,
    header::CONTENT_LENGTH,
];

/// The headers that a replay gives again, in order and with their multiplicity.
pub(super) fn stored_headers(headers: &HeaderMap) -> Vec<(Box<str>, Bytes)> {
    let kept = headers
        .iter()
        .filter(|(name, _)| !LEFT_OUT.contains(name) && !is_named_by_connection(headers, name));
    kept.map(|(name, value)| (name.as_str().into(), Bytes::copy_from_slice(value.as_bytes())))
        .collect()
}

/// `Connection` may name further headers that are for the next hop only.
fn is_named_by_connection(headers: &HeaderMap, name: &HeaderName) -> bool {
    let lists = headers.get_all(header::CONNECTION).iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|hop| hop.trim().eq_ignore_ascii_case(name.as_str()))
}
