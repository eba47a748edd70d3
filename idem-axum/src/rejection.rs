//! What clients are told when a handler's own extractor refuses their body.

use axum::body::{Body, to_bytes};
use axum::http::{StatusCode, header, response};
use axum::response::Response;
use bytes::Bytes;
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};

use crate::media_type;
use crate::problem::{Dialect, Problem};

/// The rejection of the user's extractor. One in plain text that says what is wrong with the body,
/// as axum's own do, becomes a problem document with the same headers beside; any other is the
/// application's and stays as it is.
pub(crate) async fn explained(rejection: Response, encoding: Encoding, body: &Bytes) -> Response {
    if !is_about_the_body(rejection.status()) || !media_type::is(rejection.headers(), "text/plain")
    {
        return rejection;
    }
    let (response::Parts { status, mut headers, .. }, text) = rejection.into_parts();
    let problem = match status {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::payload_too_large(),
        _ => invalid(status, text, encoding, body).await,
    };
    let mut explained = problem.into_response(Dialect::default());
    headers.remove(header::CONTENT_LENGTH);
    headers.extend(std::mem::take(explained.headers_mut()));
    *explained.headers_mut() = headers;
    explained
}

/// The statuses of axum's own rejections of bodies.
fn is_about_the_body(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::PAYLOAD_TOO_LARGE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
    )
}

/// What is wrong with the body: our own words where it is malformed, else those of the extractor.
async fn invalid(status: StatusCode, text: Body, encoding: Encoding, body: &Bytes) -> Problem {
    let malformed = Fingerprint::of(encoding, None, body, &Mask::NONE).err();
    if let (Some(error), false) = (malformed, status == StatusCode::UNSUPPORTED_MEDIA_TYPE) {
        return Problem::payload_invalid(StatusCode::BAD_REQUEST, error.to_string());
    }
    let text = to_bytes(text, 16 * 1024).await.unwrap_or_default();
    Problem::payload_invalid(status, String::from_utf8_lossy(&text).into_owned())
}
