//! The application under test: an engine on a probed store, and a tally of what handlers did.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::routing::MethodRouter;
use idem_axum::core::clock::{Clock, SystemClock};
use idem_axum::{Global, Idempotency, IdempotencyState};

use super::{Gate, ProbedStore, log};

#[derive(Clone, IdempotencyState)]
pub(crate) struct App {
    pub(crate) idempotency: Idempotency<Global, ProbedStore>,
    pub(crate) store: ProbedStore,
    pub(crate) gate: Gate,
    runs: Arc<AtomicUsize>,
}

impl App {
    pub(crate) fn new() -> Self {
        Self::on(SystemClock::default())
    }

    /// An application whose store reads `clock`.
    pub(crate) fn on(clock: impl Clock) -> Self {
        Self::with(ProbedStore::on(clock))
    }

    /// An application whose store holds no more than `records`.
    pub(crate) fn limited_to(records: usize) -> Self {
        Self::with(ProbedStore::on(SystemClock::default()).limited_to(records))
    }

    fn with(store: ProbedStore) -> Self {
        log::install();
        let idempotency = Idempotency::global(store.clone());
        Self { idempotency, store, gate: Gate::default(), runs: Arc::default() }
    }

    /// The same application in another process, as far as its engine can tell: they share the
    /// store, and nothing else that an engine has.
    pub(crate) fn elsewhere(&self) -> Self {
        Self { idempotency: Idempotency::global(self.store.clone()), ..self.clone() }
    }

    /// Changes a setting of the engine.
    pub(crate) fn set(
        self,
        change: impl FnOnce(Idempotency<Global, ProbedStore>) -> Idempotency<Global, ProbedStore>,
    ) -> Self {
        Self { idempotency: change(self.idempotency), ..self }
    }

    /// Counts one run of a handler, and says which it is, from 1.
    pub(crate) fn run(&self) -> usize {
        self.runs.fetch_add(1, Ordering::SeqCst) + 1
    }

    /// How often handlers have run.
    pub(crate) fn runs(&self) -> usize {
        self.runs.load(Ordering::SeqCst)
    }

    /// A router with one route.
    pub(crate) fn at(&self, path: &str, handlers: MethodRouter<Self>) -> Router {
        Router::new().route(path, handlers).with_state(self.clone())
    }
}
