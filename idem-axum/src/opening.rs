//! What is taken from a request before anything of it is used: which key, and for what.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::header::AsHeaderName;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, Uri};
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::contract::{Contract, KeyRule};
use idem_core::key::{IdempotencyKey, KeyError};
use idem_core::operation::Operation;

use crate::caller::Caller;
use crate::captured::Captured;
use crate::problem::Problem;
use crate::run::Admitted;
use crate::semantics::Describe;
use crate::state::IdempotencyState;

/// The default header, as the wire spells it.
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The first extractor of an idempotent handler. What it holds was sent by the client: extractors
/// after it may change the request and do not change the record.
pub struct Opening<const HEADERS: bool = false> {
    method: Method,
    uri: Uri,
    /// What was sent in the default header.
    key: Presented,
    /// All that was sent, where that is asked for: most contracts do without the copy.
    headers: Option<HeaderMap>,
}

/// [`Opening`] for a contract with a header of its own name, which is not known yet.
pub type OpeningWithHeaders = Opening<true>;

enum Presented {
    Missing,
    Once(HeaderValue),
    Repeated,
}

/// The answer of an idempotent handler on its way.
///
/// A named type: that of an `async fn` would carry the bound on the state into axum's `Handler`,
/// where its failure is reported as a handler that is none.
#[must_use = "a handler does nothing until it is awaited"]
pub struct Answering(BoxFuture<'static, Response>);

impl Future for Answering {
    type Output = Response;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Response> {
        self.0.as_mut().poll(context)
    }
}

impl<S: Sync, const HEADERS: bool> FromRequestParts<S> for Opening<HEADERS> {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        // A nested router sees a shorter path; the operation is what the client named.
        let original = parts.extensions.get::<OriginalUri>();
        Ok(Self {
            method: parts.method.clone(),
            uri: original.map_or(&parts.uri, |OriginalUri(uri)| uri).clone(),
            key: Presented::under(&IDEMPOTENCY_KEY, &parts.headers),
            headers: HEADERS.then(|| parts.headers.clone()),
        })
    }
}

impl<const HEADERS: bool> Opening<HEADERS> {
    /// Runs `handler` under `contract`, or answers in its place.
    pub fn run<T, S, D, F, Fut>(
        self,
        contract: &'static Contract,
        semantics: D,
        captured: Captured<T, S>,
        handler: F,
    ) -> Answering
    where
        T: Send + 'static,
        S: IdempotencyState,
        D: Describe<T> + Send + 'static,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        Answering(Box::pin(async move {
            match self.admit(contract, semantics, captured).await {
                Ok((admitted, value)) => {
                    let handler = async move { handler(value).await.into_response() };
                    admitted.run(contract, Box::pin(handler)).await
                }
                Err(refusal) => refusal,
            }
        }))
    }

    /// Finds out who calls, for what and with which payload. Nothing is claimed yet: a request
    /// that is refused here uses up no key.
    async fn admit<T, S: IdempotencyState>(
        self,
        contract: &'static Contract,
        semantics: impl Describe<T>,
        mut captured: Captured<T, S>,
    ) -> Result<(Admitted, T), Response> {
        let caller = Caller::identify(&mut captured.parts, &captured.state).await?;
        let dialect = caller.dialect;
        let refuse = |problem: Problem| problem.into_response(dialect);
        let key = self.key(contract).map_err(refuse)?;
        let sent = captured.extract().await?;
        if key.is_none() && contract.key == KeyRule::Optional {
            return Ok((Admitted::unprotected(), sent.value));
        }
        let (fingerprint, identity) = semantics
            .describe(&sent)
            .map_err(|error| refuse(Problem::payload_unreadable(&error)))?;
        let operation =
            Operation::http(contract.name, self.method.as_str(), self.uri.path(), self.uri.query());
        let key = match key {
            Some(key) => key,
            None => semantics
                .key(&sent, &operation, identity.as_ref())
                .map_err(|error| refuse(Problem::derived_key_invalid(error)))?,
        };
        let id = RecordId::of(&caller.scope, &key);
        let attempt = Attempt { id, scope: caller.scope.clone(), operation, fingerprint, identity };
        Ok((Admitted::protected(caller, attempt), sent.value))
    }

    /// The key in the header, or `None` where the contract does without.
    fn key(&self, contract: &Contract) -> Result<Option<IdempotencyKey>, Problem> {
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
