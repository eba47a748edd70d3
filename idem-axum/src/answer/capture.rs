//! From the handler's response to what is stored of it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use idem_core::engine::Settings;
use idem_core::record::Answer;
use idem_core::store::Outcome;

use super::body::{Kept, keep};
use super::headers::stored_headers;
use crate::media_type;
use crate::problem::{Dialect, Problem};

/// A handler that has ended: what its client gets, and what the record gets.
pub(crate) struct Ended {
    pub(crate) response: Response,
    pub(crate) outcome: Outcome,
}

/// Runs `handler` and keeps its response: headers and body up to the limit for answers, and what
/// comes of the body within one lease.
pub(crate) async fn capture(handler: impl Future<Output = Response>, settings: &Settings) -> Ended {
    let (parts, body) = handler.await.into_parts();
    if !is_final(parts.status) {
        return Ended { response: Response::from_parts(parts, body), outcome: Outcome::Failed };
    }
    let headers = stored_headers(&parts.headers);
    let status = parts.status.as_u16();
    let mut answer = Answer { status, headers, body: None };
    let kept = match settings.answer_limit.checked_sub(answer.len()) {
        Some(limit) if !media_type::is(&parts.headers, "text/event-stream") => {
            keep(body, limit, settings.lease).await
        }
        _ => Kept::Passing(body),
    };
    let (response, outcome) = match kept {
        Kept::Whole(bytes) => {
            answer.body = Some(bytes.clone());
            (Response::from_parts(parts, Body::from(bytes)), Outcome::Completed(Arc::new(answer)))
        }
        Kept::Passing(body) => {
            // Without its body nothing of the answer is ever given again.
            let answer = Answer { status, headers: Vec::new(), body: None };
            (Response::from_parts(parts, body), Outcome::Completed(Arc::new(answer)))
        }
        Kept::Broken(error) => {
            tracing::error!(%error, "the response broke off while it was read");
            (Problem::response_failed().into_response(Dialect::default()), Outcome::Unknown)
        }
    };
    Ended { response, outcome }
}

/// Whether a status is an answer for good: all but server errors and those that ask for another
/// try (408, 425, 429).
fn is_final(status: StatusCode) -> bool {
    let asks_again =
        [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !asks_again.contains(&status)
}
