//! From the request and the user's handler to the answer: one entry for each kind of policy.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::response::{IntoResponse, Response};
use futures_util::future::BoxFuture;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::contract::{Contract, KeyRule, Policy};
use idem_core::key::IdempotencyKey;
use idem_core::review::Queue;
use idem_core::store::ReviewStore;

use crate::accepted::{self, OnAccept};
use crate::caller::Caller;
use crate::captured::{Again, Captured, Sent};
use crate::detach::Detached;
use crate::handling::{Gate, Handler, Handling, Said, Told};
use crate::merging::merged;
use crate::opening::Opening;
use crate::problem::Problem;
use crate::run::respond;
use crate::semantics::{Described, Merging, Rules, Semantics};
use crate::state::IdempotencyState;

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
        let rules = semantics.rules;
        let gate = captured.gate.clone();
        let handler = Box::pin(handled(captured, semantics, handler));
        self.answer(contract, rules, gate, handler, None)
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
        let rules = merging.semantics.rules;
        let gate = captured.gate.clone();
        let handler = Box::pin(merged(captured, merging, handler));
        self.answer(contract, rules, gate, handler, None)
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
        let rules = semantics.rules;
        let gate = captured.gate.clone();
        let idempotency = gate.state.idempotency();
        let queue = idempotency.review();
        let again = Again::bare(captured.extract, &gate.state);
        accepted::register(idempotency.runners(), contract, on_accept, again);
        let handler = Box::pin(handled(captured, semantics, handler));
        self.answer(contract, rules, gate, handler, Some(queue))
    }

    fn answer<S: IdempotencyState>(
        self,
        contract: &'static Contract,
        rules: Rules,
        gate: Arc<Gate<S>>,
        handler: Handler,
        queue: Option<Queue>,
    ) -> Answering {
        let answer = Call { opening: self, contract, rules }.answer(gate, handler, queue);
        Answering(Box::pin(async move { answer.await.unwrap_or_else(|refusal| refusal) }))
    }
}

/// A request for an operation under a contract.
struct Call {
    opening: Opening,
    contract: &'static Contract,
    rules: Rules,
}

impl Call {
    /// Finds out who calls, for what and with which payload, and has it answered. Until then
    /// nothing is claimed: a request that is refused here uses up no key.
    async fn answer<S: IdempotencyState>(
        self,
        gate: Arc<Gate<S>>,
        handler: Handler,
        queue: Option<Queue>,
    ) -> Result<Response, Response> {
        let (mut parts, body) = gate.take();
        let caller = Caller::identify(&mut parts, &gate.state).await?;
        let key = self.opening.key(self.contract).map_err(|problem| caller.wire.tell(problem))?;
        let sent = Sent::read(&parts, body).await?;
        gate.put(parts, sent.body.clone());
        let mut handling = Handling::new(handler, gate);
        let described = match handling.stop().await {
            Ok(Said::Described(described)) => described,
            Ok(Said::Merged(_)) => unreachable!("nothing was to be merged yet"),
            Err(rejection) => return Err(self.rules.explain(rejection, &sent.body).await),
        };
        if key.is_none() && self.contract.key == KeyRule::Optional {
            return Ok(handling.run(Told::Run).await);
        }
        let attempt = self.attempt(&caller, key, &sent, described);
        let attempt = Arc::new(attempt.map_err(|problem| caller.wire.tell(problem))?);
        // From the claim on, the work belongs to the record, not to the connection.
        Ok(Detached::new(respond(caller, attempt, self.contract, handling, queue)).await)
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

/// A handler from its request to its response.
async fn handled<T, S, F, Fut>(
    captured: Captured<T, S>,
    semantics: Semantics<T>,
    handler: F,
) -> Response
where
    F: FnOnce(T) -> Fut,
    Fut: Future<Output: IntoResponse>,
{
    let Captured { gate, extract } = captured;
    let mut payload = None;
    if let Err(rejection) = extract(gate.request(), &gate.state, &mut payload).await {
        return rejection;
    }
    let payload = payload.expect("an extraction without an error has a payload");
    let told = gate.described(&|described| semantics.describe(&payload, described));
    told.await;
    handler(payload).await.into_response()
}

/// Whether a record keeps the payload, for a later merge or decision.
fn keeps_payload(policy: Policy) -> bool {
    matches!(policy, Policy::Merge | Policy::Review)
}
