//! What is taken from a request before anything of it is used: which key, and for what.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::header::AsHeaderName;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use idem_core::contract::{Contract, KeyRule};
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::operation::Operation;

use crate::captured::Captured;
use crate::problem::Problem;

/// The default header, as the wire spells it.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Extracted beside the first parameter of an idempotent handler. What it holds was sent by the
/// client: extractors after it may change the request and do not change the record.
pub struct Opening {
    method: Method,
    uri: Uri,
    /// What was sent in the default header.
    key: Presented,
    /// All that was sent, where that is asked for: most contracts do without the copy.
    headers: Option<HeaderMap>,
}

/// [`Opening`] for a contract with a header of its own name, which is not known yet.
pub struct OpeningWithHeaders(pub Opening);

enum Presented {
    Missing,
    Once(HeaderValue),
    Repeated,
}

impl<S: Sync> FromRequestParts<S> for Opening {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::read(parts))
    }
}

impl<S: Sync> FromRequestParts<S> for OpeningWithHeaders {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self(Opening::read(parts).with(parts)))
    }
}

impl Opening {
    /// What stands in a request that no other extractor has seen.
    pub fn of<T, S>(captured: &Captured<T, S>) -> Self {
        Self::read(&captured.request.parts)
    }

    /// The same for a contract with a header of its own name.
    pub fn with_headers_of<T, S>(captured: &Captured<T, S>) -> Self {
        Self::of(captured).with(&captured.request.parts)
    }

    fn read(parts: &Parts) -> Self {
        // A nested router sees a shorter path; the operation is what the client named.
        let original = parts.extensions.get::<OriginalUri>();
        Self {
            method: parts.method.clone(),
            uri: original.map_or(&parts.uri, |OriginalUri(uri)| uri).clone(),
            key: Presented::under(&IDEMPOTENCY_KEY, &parts.headers),
            headers: None,
        }
    }

    fn with(self, parts: &Parts) -> Self {
        Self { headers: Some(parts.headers.clone()), ..self }
    }

    /// What the request is for.
    pub(crate) fn operation(&self, contract: &Contract) -> Operation {
        Operation::http(contract.name, self.method.as_str(), self.uri.path(), self.uri.query())
    }

    /// The key in the header, or `None` where the contract does without.
    pub(crate) fn key(&self, contract: &Contract) -> Result<Option<IdempotencyKey>, Problem> {
        if contract.key == KeyRule::Derived {
            return Ok(None);
        }
        let own = self.headers.as_ref().map(|headers| Presented::under(contract.header, headers));
        match own.as_ref().unwrap_or(&self.key) {
            Presented::Once(value) => {
                IdempotencyKey::parse(value.as_bytes()).map(Some).map_err(Problem::key_invalid)
            }
            Presented::Repeated => Err(Problem::key_invalid(KeyError::GivenTwice)),
            Presented::Missing => match contract.key {
                KeyRule::Required => Err(Problem::key_missing(contract.header)),
                KeyRule::Optional | KeyRule::Derived => Ok(None),
            },
        }
    }
}

impl Presented {
    fn under(header: impl AsHeaderName, headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Missing,
            (Some(value), None) => Self::Once(value.clone()),
            (Some(_), Some(_)) => Self::Repeated,
        }
    }
}
