//! The last extractor of an idempotent handler: the user's own, over a body that is kept.

use std::convert::Infallible;
use std::marker::PhantomData;

use axum::RequestExt;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header, response};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use idem_core::attempt::Payload as Kept;
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};

use crate::media_type;
use crate::payload::Payload;
use crate::problem::{Dialect, Problem};

/// The request with its body unread, and how the user's last extractor `T` is made of it.
///
/// The extraction waits until the caller and the key are known. It also keeps the engine out of
/// the bounds that axum's `Handler` looks at: a state `S` without one is then reported as just
/// that, by the bound of the handler itself, and not as a handler that is none.
pub struct Captured<T, S> {
    pub(crate) parts: Parts,
    pub(crate) state: S,
    body: Body,
    extract: Extract<T, S>,
}

/// The way from a body to the user's last extractor, to be gone once more.
pub(crate) struct Again<T, S> {
    parts: Parts,
    pub(crate) state: S,
    extract: Extract<T, S>,
}

type Extract<T, S> = fn(Parts, Bytes, S) -> BoxFuture<'static, Result<T, Response>>;

/// The user's last extractor beside the bytes it was made from.
pub struct Sent<T> {
    pub(crate) value: T,
    pub(crate) body: Bytes,
    media_type: Option<HeaderValue>,
}

impl<T, S> Captured<T, S> {
    /// Reads the body within axum's limit and runs the extractor on it.
    pub(crate) async fn extract(self) -> Result<Sent<T>, Response> {
        let body = read(self.body).await?;
        let media_type = self.parts.headers.get(header::CONTENT_TYPE).cloned();
        let value = (self.extract)(self.parts, body.clone(), self.state).await?;
        Ok(Sent { value, body, media_type })
    }
}

impl<T, S: Clone> Captured<T, S> {
    /// How the extractor can be run on another body of the same request.
    pub(crate) fn again(&self) -> Again<T, S> {
        let mut parts = self.parts.clone();
        parts.headers.remove(header::CONTENT_LENGTH);
        Again { parts, state: self.state.clone(), extract: self.extract }
    }

    /// How the extractor can be run on a body without its request.
    pub(crate) fn bare(&self) -> Again<T, S> {
        let (parts, _) = Request::new(Body::empty()).into_parts();
        Again { parts, state: self.state.clone(), extract: self.extract }
    }
}

impl<T, S: Clone> Again<T, S> {
    /// Runs the extractor on `body`.
    pub(crate) async fn extract(&self, body: Bytes) -> Result<T, Response> {
        (self.extract)(self.parts.clone(), body, self.state.clone()).await
    }

    /// The same for a body of this media type.
    pub(crate) fn of_type(mut self, media_type: Option<&str>) -> Self {
        if let Some(value) = media_type.and_then(|text| HeaderValue::from_str(text).ok()) {
            self.parts.headers.insert(header::CONTENT_TYPE, value);
        }
        self
    }
}

impl<T, S: Clone> Clone for Again<T, S> {
    fn clone(&self) -> Self {
        Self { parts: self.parts.clone(), state: self.state.clone(), extract: self.extract }
    }
}

impl<T> Sent<T> {
    pub(crate) fn media_type(&self) -> Option<&str> {
        self.media_type.as_ref().and_then(|value| value.to_str().ok())
    }

    /// The payload as it is kept with a record.
    pub(crate) fn kept(&self) -> Kept {
        Kept { bytes: self.body.clone(), media_type: self.media_type().map(Into::into) }
    }
}

/// How a last extractor is run: over the body, or without it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the last parameter of an idempotent handler",
    label = "neither a payload nor an extractor of request parts",
    note = "take the body as `Json<T>`, `Form<T>`, `Bytes` or `String`, or implement `idem_axum::Payload` for your extractor",
    note = "a streaming body cannot be fingerprinted before it has been read"
)]
pub trait Capture<S, Via>: Sized {
    /// Runs the extractor.
    fn capture(
        parts: Parts,
        body: Bytes,
        state: &S,
    ) -> impl Future<Output = Result<Self, Response>> + Send;
}

/// The extractor reads the body.
pub enum ViaBody {}

/// The extractor reads the parts of the request only; the body is fingerprinted as raw bytes.
pub enum ViaParts {}

/// Tells axum that the whole request is taken, in either way.
pub struct ByCapture<Via>(PhantomData<Via>);

impl<S, T, Via> FromRequest<S, ByCapture<Via>> for Captured<T, S>
where
    S: Clone + Send + Sync + 'static,
    T: Capture<S, Via> + 'static,
{
    type Rejection = Infallible;

    async fn from_request(request: Request, state: &S) -> Result<Self, Infallible> {
        let (parts, body) = request.with_limited_body().into_parts();
        let extract = |parts, body, state: S| -> BoxFuture<'static, Result<T, Response>> {
            Box::pin(async move { T::capture(parts, body, &state).await })
        };
        Ok(Self { parts, body, state: state.clone(), extract })
    }
}

impl<S, T> Capture<S, ViaBody> for T
where
    S: Send + Sync,
    T: Payload + FromRequest<S> + Send,
{
    async fn capture(parts: Parts, body: Bytes, state: &S) -> Result<Self, Response> {
        let request = Request::from_parts(parts, Body::from(body.clone()));
        let extracted = T::from_request(request, state).await.map_err(IntoResponse::into_response);
        let rejection = match extracted {
            Ok(value) => return Ok(value),
            Err(rejection) => rejection,
        };
        Err(explained(rejection, T::ENCODING, &body).await)
    }
}

impl<S, T> Capture<S, ViaParts> for T
where
    S: Send + Sync,
    T: FromRequestParts<S>,
{
    async fn capture(mut parts: Parts, _: Bytes, state: &S) -> Result<Self, Response> {
        T::from_request_parts(&mut parts, state).await.map_err(IntoResponse::into_response)
    }
}

/// The whole body, or the answer to one that is too long, cut off, or not in its encoding.
async fn read(body: Body) -> Result<Bytes, Response> {
    let error = match to_bytes(body, usize::MAX).await {
        Ok(body) => return Ok(body),
        Err(error) => error,
    };
    let mut cause: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return Err(Problem::payload_too_large().into_response(Dialect::default()));
        }
        cause = error.source();
    }
    let detail =
        "the body could not be read to its end: send it whole, in the encoding its headers name";
    Err(Problem::payload_invalid(StatusCode::BAD_REQUEST, detail).into_response(Dialect::default()))
}

/// The rejection of the user's extractor. One in plain text that says what is wrong with the body,
/// as axum's own do, becomes a problem document with the same headers beside; any other is the
/// application's and stays as it is.
async fn explained(rejection: Response, encoding: Encoding, body: &Bytes) -> Response {
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
