//! What is taken from a request before anything of it is used: whose key, which key, for what.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use idem_core::contract::Contract;
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::operation::Operation;
use idem_core::scope::Scope;

use crate::captured::Captured;
use crate::idempotency::Shared;
use crate::principal::Principal;
use crate::problem::Problem;
use crate::run::run;
use crate::semantics::Describe;
use crate::state::IdempotencyState;

/// The default header, as the wire spells it.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The first extractor of an idempotent handler. What it holds was sent by the client: extractors
/// after it may change the request and do not change the record.
pub struct Opening<S> {
    sent: Sent,
    state: PhantomData<fn() -> S>,
}

/// [`Opening`] for a contract with a header of its own name.
pub struct OpeningWithHeaders<S> {
    opening: Opening<S>,
    headers: HeaderMap,
}

/// What was sent, without the payload.
pub(crate) struct Sent {
    pub(crate) shared: Shared,
    pub(crate) scope: Scope,
    method: Method,
    uri: Uri,
    key: Presented,
}

enum Presented {
    Missing,
    Once(HeaderValue),
    Repeated,
}

impl<S: IdempotencyState> FromRequestParts<S> for Opening<S> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let shared = state.idempotency().shared();
        // A nested router sees a shorter path; the operation is what the client named.
        let original = parts.extensions.get::<OriginalUri>();
        let uri = original.map_or(&parts.uri, |OriginalUri(uri)| uri).clone();
        let method = parts.method.clone();
        let key = Presented::under(&IDEMPOTENCY_KEY, &parts.headers);
        let principal = S::Principal::from_request_parts(parts, state).await;
        let scope = principal.map_err(IntoResponse::into_response)?.scope();
        let scope = scope.map_err(|_| Problem::principal_missing().into_response(shared.dialect))?;
        Ok(Self { sent: Sent { shared, scope, method, uri, key }, state: PhantomData })
    }
}

impl<S: IdempotencyState> FromRequestParts<S> for OpeningWithHeaders<S> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        let headers = parts.headers.clone();
        Ok(Self { opening: Opening::from_request_parts(parts, state).await?, headers })
    }
}

impl<S> Opening<S> {
    /// Runs `handler` under `contract`, or answers in its place.
    pub async fn run<T, D, F, Fut>(self, contract: &'static Contract, semantics: D, payload: Captured<T>, handler: F) -> Response
    where
        T: Send + 'static,
        D: Describe<T>,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        let description = semantics.describe(&payload);
        let value = payload.into_value();
        let handler: BoxFuture<'static, Response> = Box::pin(async move { handler(value).await.into_response() });
        run(self.sent, contract, description, handler).await
    }
}

impl<S> OpeningWithHeaders<S> {
    /// As [`Opening::run`], with the key from the contract's header.
    pub async fn run<T, D, F, Fut>(self, contract: &'static Contract, semantics: D, payload: Captured<T>, handler: F) -> Response
    where
        T: Send + 'static,
        D: Describe<T>,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        let Self { mut opening, headers } = self;
        opening.sent.key = Presented::under(contract.header, &headers);
        opening.run(contract, semantics, payload, handler).await
    }
}

impl Presented {
    fn under(header: impl axum::http::header::AsHeaderName, headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(header).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Missing,
            (Some(value), None) => Self::Once(value.clone()),
            (Some(_), Some(_)) => Self::Repeated,
        }
    }
}

impl Sent {
    /// The key, if there is one.
    pub(crate) fn key(&self) -> Result<Option<IdempotencyKey>, KeyError> {
        match &self.key {
            Presented::Missing => Ok(None),
            Presented::Once(value) => IdempotencyKey::parse(value.as_bytes()).map(Some),
            Presented::Repeated => Err(KeyError::GivenTwice),
        }
    }

    /// The operation that was asked for.
    pub(crate) fn operation(&self, name: &'static str) -> Operation {
        Operation::http(name, self.method.as_str(), self.uri.path(), self.uri.query())
    }
}
