//! Requests, and how they are sent in process.

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, header};
use http_body_util::BodyExt;
use tower::ServiceExt;

use super::Reply;

/// A request that is being put together.
pub(crate) struct Ask(Request<Body>);

pub(crate) fn get(uri: &str) -> Ask {
    Ask::new(Method::GET, uri)
}

pub(crate) fn post(uri: &str) -> Ask {
    Ask::new(Method::POST, uri)
}

impl Ask {
    pub(crate) fn new(method: Method, uri: &str) -> Self {
        Self(Request::builder().method(method).uri(uri).body(Body::empty()).unwrap())
    }

    pub(crate) fn key(self, key: &str) -> Self {
        self.header("idempotency-key", key)
    }

    /// Adds a header beside those of the same name.
    pub(crate) fn header(mut self, name: &'static str, value: impl AsRef<[u8]>) -> Self {
        let value = HeaderValue::from_bytes(value.as_ref()).unwrap();
        self.0.headers_mut().append(name, value);
        self
    }

    pub(crate) fn body(mut self, media_type: &'static str, body: impl Into<Body>) -> Self {
        *self.0.body_mut() = body.into();
        self.0.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
        self
    }

    pub(crate) fn json(self, body: impl Into<Body>) -> Self {
        self.body("application/json", body)
    }

    pub(crate) fn form(self, body: impl Into<Body>) -> Self {
        self.body("application/x-www-form-urlencoded", body)
    }

    /// Sends it and reads the whole reply.
    pub(crate) async fn to(self, router: &Router) -> Reply {
        let (parts, body) = router.clone().oneshot(self.0).await.unwrap().into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    /// Sends it from a client of its own.
    pub(crate) fn spawn(self, router: &Router) -> tokio::task::JoinHandle<Reply> {
        let router = router.clone();
        tokio::spawn(async move { self.to(&router).await })
    }

    pub(crate) fn into_request(self) -> Request<Body> {
        self.0
    }
}
