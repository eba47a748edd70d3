//! From the handler's response to what is stored of it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::response::Parts;
use axum::response::Response;
use idem_core::engine::Settings;
use idem_core::record::Answer;
use idem_core::store;

use super::body::{Kept, keep};
use super::headers::stored_headers;
use crate::media_type;
use crate::outcome::Outcome;
use crate::problem::{Dialect, Problem};

/// A handler that has ended: what its client gets, and what the record gets.
pub(crate) struct Ended {
    pub(crate) response: Response,
    pub(crate) outcome: store::Outcome,
}

/// Runs `handler` and keeps its response, if that is an answer for good.
pub(crate) async fn capture(handler: impl Future<Output = Response>, settings: &Settings) -> Ended {
    let (parts, body) = handler.await.into_parts();
    let outcome = match Outcome::of(&parts) {
        Outcome::Final => return complete(parts, body, settings).await,
        Outcome::Transient => store::Outcome::Failed,
        Outcome::Indeterminate => {
            let status = parts.status.as_u16();
            tracing::warn!(status, "the handler cannot tell how the operation ended");
            store::Outcome::Unknown
        }
    };
    Ended { response: Response::from_parts(parts, body), outcome }
}

/// Keeps headers and body up to the limit for answers, and what comes of the body within one
/// lease.
async fn complete(parts: Parts, body: Body, settings: &Settings) -> Ended {
    let headers = stored_headers(&parts.headers);
    let status = parts.status.as_u16();
    let mut answer = Answer { status, headers, body: None };
    let kept = match settings.answer_limit.checked_sub(answer.len()) {
        Some(limit) if !media_type::is(&parts.headers, "text/event-stream") => {
            keep(body, limit, settings.lease).await
        }
        _ => Kept::Passing(body),
    };
    let (response, answer) = match kept {
        Kept::Whole(bytes) => {
            answer.body = Some(bytes.clone());
            (Response::from_parts(parts, Body::from(bytes)), answer)
        }
        Kept::Passing(body) => {
            // Without its body nothing of the answer is ever given again.
            let answer = Answer { status, headers: Vec::new(), body: None };
            (Response::from_parts(parts, body), answer)
        }
        Kept::Broken(error) => {
            tracing::error!(%error, "the response broke off while it was read");
            let response = Problem::response_failed().into_response(Dialect::default());
            return Ended { response, outcome: store::Outcome::Unknown };
        }
    };
    Ended { response, outcome: store::Outcome::Completed(Arc::new(answer)) }
}
