//! From a stored answer to the response of a retry.

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::Response;
use idem_core::record::Answer;

const IDEMPOTENT_REPLAYED: HeaderName = HeaderName::from_static("idempotent-replayed");
/// Says what was made of a payload that differs from the first.
pub(crate) const IDEMPOTENCY_VERDICT: HeaderName = HeaderName::from_static("idempotency-verdict");

/// The same status, headers and body bytes, marked as replayed; `None` when the body was not
/// stored. A payload that differs in harmless fields is marked as well.
pub(crate) fn replay(answer: &Answer, differs: bool) -> Option<Response> {
    let body = answer.body.clone()?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(answer.status).ok()?;
    let headers = response.headers_mut();
    headers.reserve(answer.headers.len() + 2);
    for (name, value) in &answer.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        headers.append(name, HeaderValue::from_maybe_shared(value.clone()).ok()?);
    }
    headers.insert(IDEMPOTENT_REPLAYED, HeaderValue::from_static("true"));
    if differs {
        headers.insert(IDEMPOTENCY_VERDICT, HeaderValue::from_static("difference-ignored"));
    }
    Some(response)
}
