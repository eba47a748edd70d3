//! From the handler's response to what is stored of it.

use std::sync::Arc;

use axum::body::Body;
use axum::http::{StatusCode, header};
use axum::response::Response;
use bytes::{Bytes, BytesMut};
use futures_util::stream::{self, StreamExt};
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use idem_core::record::Answer;
use idem_core::store::Outcome;

use super::headers::stored_headers;
use crate::problem::{Dialect, Problem};

/// A handler that has ended: what its client gets, and what the record gets.
pub(crate) struct Ended {
    pub(crate) response: Response,
    pub(crate) outcome: Outcome,
}

/// How much of a body there was to keep.
enum Kept {
    /// All of it.
    Whole(Bytes),
    /// It is over the limit or has no end in sight; the client gets it as it comes.
    Passing(Body),
    /// It broke off.
    Broken(axum::Error),
}

/// Runs `handler` and keeps its response, up to `limit` bytes.
pub(crate) async fn capture(handler: impl Future<Output = Response>, limit: usize) -> Ended {
    let (parts, body) = handler.await.into_parts();
    if !is_final(parts.status) {
        return Ended { response: Response::from_parts(parts, body), outcome: Outcome::Failed };
    }
    let headers = stored_headers(&parts.headers);
    let mut answer = Answer { status: parts.status.as_u16(), headers, body: None };
    let kept = if is_event_stream(&parts.headers) {
        Kept::Passing(body)
    } else {
        keep(body, limit.saturating_sub(answer.len())).await
    };
    match kept {
        Kept::Whole(bytes) => {
            answer.body = Some(bytes.clone());
            let response = Response::from_parts(parts, Body::from(bytes));
            Ended { response, outcome: Outcome::Completed(Arc::new(answer)) }
        }
        Kept::Passing(body) => {
            let response = Response::from_parts(parts, body);
            Ended { response, outcome: Outcome::Completed(Arc::new(answer)) }
        }
        Kept::Broken(error) => {
            tracing::error!(%error, "the response broke off while it was read");
            let response = Problem::response_failed().into_response(Dialect::default());
            Ended { response, outcome: Outcome::Unknown }
        }
    }
}

/// Whether a status is an answer for good: all but server errors and those that ask for another
/// try (408, 425, 429).
fn is_final(status: StatusCode) -> bool {
    let asks_again =
        [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    !status.is_server_error() && !asks_again.contains(&status)
}

fn is_event_stream(headers: &axum::http::HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE);
    media_type.is_some_and(|value| value.as_bytes().starts_with(b"text/event-stream"))
}

async fn keep(mut body: Body, limit: usize) -> Kept {
    let mut first = Bytes::new();
    let mut more = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let data = match frame.map(Frame::into_data) {
            Ok(Ok(data)) => data,
            // Trailers cannot be stored; the client gets them after what was read.
            Ok(Err(trailers)) => return Kept::Passing(resume(joined(first, more), trailers, body)),
            Err(error) => return Kept::Broken(error),
        };
        if first.len() + more.len() + data.len() > limit {
            return Kept::Passing(resume(joined(first, more), Frame::data(data), body));
        }
        // Most bodies are one frame, which is kept without a copy.
        if first.is_empty() && more.is_empty() {
            first = data;
        } else {
            more.reserve(first.len() + data.len());
            more.extend_from_slice(&std::mem::take(&mut first));
            more.extend_from_slice(&data);
        }
    }
    Kept::Whole(joined(first, more))
}

fn joined(first: Bytes, more: BytesMut) -> Bytes {
    if more.is_empty() { first } else { more.freeze() }
}

/// What was read already, the frame that ended the reading, and the rest.
fn resume(read: Bytes, frame: Frame<Bytes>, rest: Body) -> Body {
    let before = stream::iter([Ok(Frame::data(read)), Ok(frame)]);
    let after = http_body_util::BodyStream::new(rest);
    Body::new(StreamBody::new(before.chain(after)))
}
