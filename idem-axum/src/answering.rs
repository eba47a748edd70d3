//! From the request and the user's handler to the answer: one entry for each kind of policy.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::contract::{Contract, KeyRule};
use idem_core::store::ReviewStore;

use crate::accepted::{self, OnAccept};
use crate::caller::Caller;
use crate::captured::{Captured, Sent};
use crate::detach::Detached;
use crate::opening::Opening;
use crate::payload::Payload;
use crate::problem::Problem;
use crate::run::respond;
use crate::semantics::{Describe, Merging};
use crate::state::IdempotencyState;
use crate::work::{MergeableValue, Work};

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
        D: Describe<T> + Send + Sync + 'static,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        Answering::of(async move {
            let Admissible { sent, attempt } = self.admit(contract, &semantics, captured).await?;
            let handler = async move { handler(sent.value).await.into_response() };
            Ok(answer(contract, attempt, Work::AsSent(Box::pin(handler))).await)
        })
    }

    /// The same for a contract that merges.
    pub fn run_merging<T, S, F, Fut>(
        self,
        contract: &'static Contract,
        merging: Merging<T>,
        captured: Captured<T, S>,
        handler: F,
    ) -> Answering
    where
        T: Payload + Send + 'static,
        S: IdempotencyState + Clone,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        Answering::of(async move {
            let Merging { semantics, merges } = merging;
            let again = captured.again();
            let Admissible { sent, attempt } = self.admit(contract, &semantics, captured).await?;
            let attempt = attempt.map(|attempt| attempt.keeping(&sent));
            let Sent { value, body: sent, .. } = sent;
            let mergeable = MergeableValue { value, sent, merges, again, merged: None, handler };
            Ok(answer(contract, attempt, Work::Merging(Box::new(mergeable))).await)
        })
    }

    /// The same for a contract that holds conflicts for review.
    pub fn run_reviewed<T, S, D, F, Fut, A>(
        self,
        contract: &'static Contract,
        semantics: D,
        captured: Captured<T, S>,
        handler: F,
        on_accept: A,
    ) -> Answering
    where
        T: Send + 'static,
        S: IdempotencyState<Store: ReviewStore> + Clone,
        D: Describe<T> + Send + Sync + 'static,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
        A: OnAccept<T>,
    {
        Answering::of(async move {
            let idempotency = captured.state.idempotency();
            let queue = idempotency.review();
            accepted::register(idempotency.runners(), contract, on_accept, captured.bare());
            let Admissible { sent, attempt } = self.admit(contract, &semantics, captured).await?;
            let attempt = attempt.map(|attempt| attempt.keeping(&sent));
            let handler = async move { handler(sent.value).await.into_response() };
            Ok(answer(contract, attempt, Work::Reviewed(Box::pin(handler), queue)).await)
        })
    }

    /// Finds out who calls, for what and with which payload. Nothing is claimed yet: a request
    /// that is refused here uses up no key.
    async fn admit<T, S: IdempotencyState>(
        self,
        contract: &'static Contract,
        semantics: &(impl Describe<T> + Sync),
        mut captured: Captured<T, S>,
    ) -> Result<Admissible<T>, Response> {
        let caller = Caller::identify(&mut captured.parts, &captured.state).await?;
        let refuse = |problem: Problem| caller.wire.tell(problem);
        let key = self.key(contract).map_err(refuse)?;
        let sent = captured.extract().await?;
        if key.is_none() && contract.key == KeyRule::Optional {
            return Ok(Admissible { sent, attempt: None });
        }
        let (fingerprint, identity) = semantics
            .describe(&sent)
            .map_err(|error| refuse(Problem::payload_unreadable(&error)))?;
        let operation = self.operation(contract);
        let key = match key {
            Some(key) => key,
            None => semantics
                .key(&sent, &operation, identity.as_ref())
                .map_err(|error| refuse(Problem::derived_key_invalid(error)))?,
        };
        let (id, scope) = (RecordId::of(&caller.scope, &key), caller.scope.clone());
        let attempt = Attempt { id, scope, operation, fingerprint, identity, payload: None };
        Ok(Admissible { sent, attempt: Some(Protected { caller, attempt }) })
    }
}

impl Answering {
    fn of(answer: impl Future<Output = Result<Response, Response>> + Send + 'static) -> Self {
        Self(Box::pin(async move { answer.await.unwrap_or_else(|refusal| refusal) }))
    }
}

/// A request that nothing stands against so far.
struct Admissible<T> {
    sent: Sent<T>,
    /// `None` for one without a key, where none is required: it simply runs.
    attempt: Option<Protected>,
}

/// An attempt for the record of its caller and key.
struct Protected {
    caller: Caller,
    attempt: Attempt,
}

impl Protected {
    /// The same with its payload, for a contract that needs it.
    fn keeping<T>(mut self, sent: &Sent<T>) -> Self {
        self.attempt.payload = Some(sent.kept());
        self
    }
}

async fn answer(contract: &'static Contract, attempt: Option<Protected>, work: Work) -> Response {
    match attempt {
        None => work.into_handler(idem_core::decision::Cause::New).await,
        // From the claim on, the work belongs to the record, not to the connection.
        Some(Protected { caller, attempt }) => {
            Detached::new(respond(caller, Arc::new(attempt), contract, work)).await
        }
    }
}
