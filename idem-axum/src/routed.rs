//! What is routed in the place of a handler: the types in its signature, as documentation and the
//! compiler's messages show them.
//!
//! `#[idempotent]` writes them; there is nothing in here to be called by hand, and all of it may
//! change. A handler that is routed takes what was sent ([`Opening`]), the handler's own extractors and
//! the request that is still to be read ([`Captured`]), and gives its answer on its way
//! ([`Answering`]).
// Here are the entries that handlers expand to, one for each kind of policy, and the way from the
// request to the answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::contract::{Contract, KeyRule, Policy};
use idem_core::decision::Cause;
use idem_core::key::IdempotencyKey;
use idem_core::review::Queue;
use idem_core::store::{ReviewStore, TransactionalStore};

use crate::accepted;
pub use crate::accepted::{AtOnce, ByRetry, OnAccept};
use crate::caller::Caller;
pub use crate::captured::Captured;
use crate::captured::{Again, Sent, Unread};
use crate::detach::Detached;
use crate::handling::{Call, Extracting};
use crate::merging::MergingCall;
pub use crate::opening::{Opening, OpeningWithHeaders};
use crate::problem::Problem;
use crate::run::{respond, respond_in_transaction};
use crate::semantics::{Described, Rules};
pub use crate::semantics::{Merging, Semantics, assert_has_critical, assert_json};
use crate::state::IdempotencyState;
use crate::transaction::{Enter, Opens, Place, Transactional};

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

impl Opening {
    /// Runs `handler` under `contract`, or answers in its place.
    pub fn run<T, S, F, Fut>(
        self,
        contract: &'static Contract,
        semantics: Semantics<T>,
        captured: Captured<T, S>,
        handler: F,
    ) -> Answering
    where
        T: Send + 'static,
        S: IdempotencyState,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        let (rules, Captured { request, extract }) = (semantics.rules, captured);
        let call = Call { extract, semantics, payload: None, handler: Some(handler) };
        self.answer(contract, rules, request, Box::new(call), Means::Alone)
    }

    /// The same for a handler that writes in the transaction `X` of its record.
    pub fn run_in_transaction<X, T, S, F, Fut>(
        self,
        contract: &'static Contract,
        semantics: Semantics<T>,
        captured: Captured<T, S>,
        handler: F,
    ) -> Answering
    where
        X: Transactional<Store: TransactionalStore>,
        T: Send + 'static,
        S: IdempotencyState<Store = X::Store>,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        let (rules, Captured { request, extract }) = (semantics.rules, captured);
        let store = Opens(request.state.idempotency().store().clone());
        let call = Call { extract, semantics, payload: None, handler: Some(handler) };
        self.answer(contract, rules, request, Box::new(call), Means::Transaction(Box::new(store)))
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
        T: Send + 'static,
        S: IdempotencyState + Clone,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
    {
        let Captured { request, extract } = captured;
        let Merging { semantics, merges } = merging;
        let rules = semantics.rules;
        let again = Again::of(request.parts.clone(), extract, &request.state);
        let call = Call { extract, semantics, payload: None, handler: Some(handler) };
        let call = MergingCall { call, merges, again, merged: None };
        self.answer(contract, rules, request, Box::new(call), Means::Alone)
    }

    /// The same for a contract that holds conflicts for review.
    pub fn run_reviewed<T, S, F, Fut, A>(
        self,
        contract: &'static Contract,
        semantics: Semantics<T>,
        captured: Captured<T, S>,
        handler: F,
        on_accept: A,
    ) -> Answering
    where
        T: Send + 'static,
        S: IdempotencyState<Store: ReviewStore> + Clone,
        F: FnOnce(T) -> Fut + Send + 'static,
        Fut: Future<Output: IntoResponse> + Send + 'static,
        A: OnAccept<T>,
    {
        let (rules, Captured { request, extract }) = (semantics.rules, captured);
        let idempotency = request.state.idempotency();
        let queue = idempotency.review();
        let again = || Again::bare(extract, &request.state);
        accepted::register(idempotency.runners(), contract, on_accept, again);
        let call = Call { extract, semantics, payload: None, handler: Some(handler) };
        self.answer(contract, rules, request, Box::new(call), Means::Queue(queue))
    }

    fn answer<S: IdempotencyState>(
        self,
        contract: &'static Contract,
        rules: Rules,
        request: Unread<S>,
        call: Box<dyn Extracting<S>>,
        means: Means,
    ) -> Answering {
        let answer = Asked { opening: self, contract, rules }.answer(request, call, means);
        Answering(Box::pin(async move { answer.await.unwrap_or_else(|refusal| refusal) }))
    }
}

/// What a handler needs of its store beside the record.
enum Means {
    Alone,
    /// Where attempts are held for people to decide.
    Queue(Queue),
    /// Where its transactions come from.
    Transaction(Box<dyn Enter>),
}

/// What a request asks for, under a contract.
struct Asked {
    opening: Opening,
    contract: &'static Contract,
    rules: Rules,
}

impl Asked {
    /// Finds out who calls, for what and with which payload, and has it answered. Until then
    /// nothing is claimed: a request that is refused here uses up no key.
    async fn answer<S: IdempotencyState>(
        self,
        request: Unread<S>,
        mut call: Box<dyn Extracting<S>>,
        means: Means,
    ) -> Result<Response, Response> {
        let Unread { mut parts, body, state } = request;
        let caller = Caller::identify(&mut parts, &state).await?;
        let key = self.opening.key(self.contract).map_err(|problem| caller.wire.tell(problem))?;
        let sent = Sent::read(&parts, body).await?;
        let place = parts.extensions.get::<Place>().cloned().unwrap_or_default();
        let request = Request::from_parts(parts, Body::from(sent.body.clone()));
        if let Err(rejection) = call.extract(request, &state).await {
            return Err(self.rules.explain(rejection, &sent.body).await);
        }
        if key.is_none() && self.contract.key == KeyRule::Optional {
            return Ok(call.run(Cause::New).await);
        }
        let mut described = Described::default();
        call.describe(&mut described);
        let attempt = self.attempt(&caller, key, &sent, described);
        let attempt = Arc::new(attempt.map_err(|problem| caller.wire.tell(problem))?);
        // From the claim on, the work belongs to the record, not to the connection.
        let contract = self.contract;
        Ok(match means {
            Means::Alone => Detached::new(respond(caller, attempt, contract, call, None)).await,
            Means::Queue(queue) => {
                Detached::new(respond(caller, attempt, contract, call, Some(queue))).await
            }
            Means::Transaction(store) => {
                let transaction = (store, place);
                let responding =
                    respond_in_transaction(caller, attempt, contract, call, transaction);
                Detached::new(responding).await
            }
        })
    }

    /// The request as it was sent, frozen.
    fn attempt(
        &self,
        caller: &Caller,
        key: Option<IdempotencyKey>,
        sent: &Sent,
        described: Described,
    ) -> Result<Attempt, Problem> {
        let fingerprint =
            self.rules.fingerprint(sent).map_err(|error| Problem::payload_unreadable(&error))?;
        let operation = self.opening.operation(self.contract);
        let derived = || self.rules.key(&described, &operation);
        let key = key.map_or_else(derived, Ok).map_err(Problem::derived_key_invalid)?;
        Ok(Attempt {
            id: RecordId::of(&caller.scope, &key),
            scope: caller.scope.clone(),
            operation,
            fingerprint,
            identity: described.identity,
            payload: keeps_payload(self.contract.policy).then(|| sent.kept()),
        })
    }
}

/// Whether a record keeps the payload, for a later merge or decision.
fn keeps_payload(policy: Policy) -> bool {
    matches!(policy, Policy::Merge | Policy::Review)
}
