//! The last extractor of an idempotent handler: the user's own, over a body that is kept.

use std::convert::Infallible;
use std::marker::PhantomData;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::RequestExt;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::future::BoxFuture;
use idem_core::attempt::Payload as Kept;
use pin_project_lite::pin_project;

use crate::payload::Payload;
use crate::problem::{Dialect, Problem};

/// The request with its body unread, and how the user's last extractor `T` is made of it.
///
/// The extraction waits until the caller and the key are known. It also keeps the engine out of
/// the bounds that axum's `Handler` looks at: a state `S` without one is then reported as just
/// that, by the bound of the handler itself, and not as a handler that is none.
pub struct Captured<T, S> {
    pub(crate) request: Unread<S>,
    pub(crate) extract: Extract<T, S>,
}

/// A request with its body unread, and the state of the router that it came to.
pub(crate) struct Unread<S> {
    pub(crate) parts: Parts,
    pub(crate) body: Body,
    pub(crate) state: S,
}

/// Makes the user's last extractor of a request whose body is all there, and puts it into the
/// place for it: so the future is of one type for all handlers. The error is the rejection.
pub(crate) type Extract<T, S> =
    for<'a> fn(Request, &'a S, &'a mut Option<T>) -> BoxFuture<'a, Result<(), Response>>;

/// The way from a body to the user's last extractor, to be gone once more.
pub(crate) struct Again<T, S> {
    parts: Parts,
    pub(crate) state: S,
    extract: Extract<T, S>,
}

impl<T, S: Clone> Again<T, S> {
    /// How the extractor can be run on another body of a request with these parts.
    pub(crate) fn of(mut parts: Parts, extract: Extract<T, S>, state: &S) -> Self {
        parts.headers.remove(header::CONTENT_LENGTH);
        Self { parts, state: state.clone(), extract }
    }

    /// How the extractor can be run on a body without its request.
    pub(crate) fn bare(extract: Extract<T, S>, state: &S) -> Self {
        let (parts, _) = Request::new(Body::empty()).into_parts();
        Self::of(parts, extract, state)
    }

    /// Runs the extractor on `body`.
    pub(crate) async fn extract(&self, body: Bytes) -> Result<T, Response> {
        let request = Request::from_parts(self.parts.clone(), Body::from(body));
        let mut payload = None;
        (self.extract)(request, &self.state, &mut payload).await?;
        Ok(payload.expect("an extraction without an error has a payload"))
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
        let (parts, state) = (self.parts.clone(), self.state.clone());
        Self { parts, state, extract: self.extract }
    }
}

/// A body as it was sent.
pub(crate) struct Sent {
    pub(crate) body: Bytes,
    media_type: Option<HeaderValue>,
}

impl Sent {
    /// Reads a body within axum's limit.
    pub(crate) async fn read(parts: &Parts, body: Body) -> Result<Self, Response> {
        let media_type = parts.headers.get(header::CONTENT_TYPE).cloned();
        Ok(Self { body: read(body).await?, media_type })
    }

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
    /// Runs the extractor, see [`Extract`].
    fn extract<'a>(
        request: Request,
        state: &'a S,
        into: &'a mut Option<Self>,
    ) -> BoxFuture<'a, Result<(), Response>>;
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
    T: Capture<S, Via>,
{
    type Rejection = Infallible;

    // What can be done at once is kept out of the future: each handler has its own.
    fn from_request(
        request: Request,
        state: &S,
    ) -> impl Future<Output = Result<Self, Infallible>> + Send {
        let captured = Self { request: Unread::of(request, state), extract: T::extract };
        async { Ok(captured) }
    }
}

impl<S: Clone> Unread<S> {
    fn of(request: Request, state: &S) -> Self {
        let (parts, body) = request.with_limited_body().into_parts();
        Self { parts, body, state: state.clone() }
    }
}

impl<S, T> Capture<S, ViaBody> for T
where
    S: Send + Sync,
    T: Payload + FromRequest<S> + Send,
{
    fn extract<'a>(
        request: Request,
        state: &'a S,
        into: &'a mut Option<T>,
    ) -> BoxFuture<'a, Result<(), Response>> {
        Box::pin(Extraction { extracted: T::from_request(request, state), into })
    }
}

impl<S, T> Capture<S, ViaParts> for T
where
    S: Send + Sync,
    T: FromRequestParts<S> + Send,
{
    fn extract<'a>(
        request: Request,
        state: &'a S,
        into: &'a mut Option<T>,
    ) -> BoxFuture<'a, Result<(), Response>> {
        let (mut parts, _) = request.into_parts();
        let extracted = async move { T::from_request_parts(&mut parts, state).await };
        Box::pin(Extraction { extracted, into })
    }
}

pin_project! {
    /// An extraction, and the place for its outcome.
    struct Extraction<'a, F, T> {
        #[pin]
        extracted: F,
        into: &'a mut Option<T>,
    }
}

impl<F, T, R> Future for Extraction<'_, F, T>
where
    F: Future<Output = Result<T, R>>,
    R: IntoResponse,
{
    type Output = Result<(), Response>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        match this.extracted.poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Err(rejection)) => Poll::Ready(Err(rejection.into_response())),
            Poll::Ready(Ok(payload)) => {
                **this.into = Some(payload);
                Poll::Ready(Ok(()))
            }
        }
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
