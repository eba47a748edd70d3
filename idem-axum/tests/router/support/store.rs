//! A memory store that counts its calls and fails on demand.

use std::collections::HashMap;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use idem_axum::MemoryStore;
use idem_axum::core::attempt::RecordId;
use idem_axum::core::clock::Clock;
use idem_axum::core::lease::Lease;
use idem_axum::core::record::Superseded;
use idem_axum::core::store::{
    Begun, Claim, Found, Listener, Outcome, ReviewStore, Store, StoreError, Written,
};
use idem_axum::review::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Verb {
    Begin,
    Renew,
    Finish,
    Release,
    Find,
    Purge,
    History,
    Hold,
    Conflict,
    Conflicts,
    Decide,
}

/// What happens to a call.
#[derive(Clone, Copy)]
pub(crate) enum Fault {
    /// It fails without an effect.
    Unavailable,
    /// It never returns and has no effect.
    Hang,
    /// It has its effect, and fails.
    ReplyLost,
    /// The next call is well, and those after it have [`ReplyLost`](Self::ReplyLost).
    LaterReplyLost,
    /// It has its effect, and never returns.
    ReplyHangs,
    /// It takes this long, and then has its effect.
    Slow(Duration),
    /// It has its effect at once, and says so after this long.
    ReplySlow(Duration),
}

#[derive(Clone)]
pub(crate) struct ProbedStore {
    inner: MemoryStore,
    probe: Arc<Mutex<Probe>>,
}

#[derive(Default)]
struct Probe {
    calls: Vec<Verb>,
    faults: HashMap<Verb, Fault>,
}

impl ProbedStore {
    /// What the driver says when it fails: it must not reach any log.
    pub(crate) const DRIVER_MESSAGE: &str = "postgres://admin:hunter2@db refused the connection";

    pub(crate) fn on(clock: impl Clock) -> Self {
        Self { inner: MemoryStore::with_clock(clock), probe: Arc::default() }
    }

    pub(crate) fn limited_to(self, records: usize) -> Self {
        Self { inner: self.inner.max_records(records), ..self }
    }

    /// From now on `verb` has `fault`.
    pub(crate) fn fail(&self, verb: Verb, fault: Fault) {
        self.probe.lock().unwrap().faults.insert(verb, fault);
    }

    /// From now on all is well.
    pub(crate) fn heal(&self) {
        self.probe.lock().unwrap().faults.clear();
    }

    /// The calls since the last look.
    pub(crate) fn calls(&self) -> Vec<Verb> {
        std::mem::take(&mut self.probe.lock().unwrap().calls)
    }

    /// How many records there are.
    pub(crate) fn len(&self) -> usize {
        self.inner.len()
    }

    async fn call<T>(
        &self,
        verb: Verb,
        effect: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        match self.note(verb) {
            None | Some(Fault::LaterReplyLost) => effect.await,
            Some(Fault::Unavailable) => Err(unavailable()),
            Some(Fault::Hang) => pending().await,
            Some(Fault::ReplyLost) => effect.await.and(Err(unavailable())),
            Some(Fault::ReplyHangs) => {
                let _ = effect.await;
                pending().await
            }
            Some(Fault::ReplySlow(by)) => {
                let reply = effect.await;
                tokio::time::sleep(by).await;
                reply
            }
            Some(Fault::Slow(by)) => {
                tokio::time::sleep(by).await;
                effect.await
            }
        }
    }

    fn note(&self, verb: Verb) -> Option<Fault> {
        let mut probe = self.probe.lock().unwrap();
        probe.calls.push(verb);
        match probe.faults.get(&verb).copied() {
            Some(Fault::LaterReplyLost) => {
                probe.faults.insert(verb, Fault::ReplyLost);
                None
            }
            fault => fault,
        }
    }
}

fn unavailable() -> StoreError {
    let source = ProbedStore::DRIVER_MESSAGE.into();
    StoreError::Unavailable { reason: "the connection was refused", source }
}

impl Store for ProbedStore {
    async fn begin(&self, claim: &Claim) -> Result<Begun, StoreError> {
        self.call(Verb::Begin, self.inner.begin(claim)).await
    }

    async fn renew(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.call(Verb::Renew, self.inner.renew(lease)).await
    }

    async fn finish(&self, lease: &Lease, outcome: &Outcome) -> Result<Written, StoreError> {
        self.call(Verb::Finish, self.inner.finish(lease, outcome)).await
    }

    async fn release(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.call(Verb::Release, self.inner.release(lease)).await
    }

    async fn find(&self, id: &RecordId) -> Result<Option<Found>, StoreError> {
        self.call(Verb::Find, self.inner.find(id)).await
    }

    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        self.call(Verb::Purge, self.inner.purge(limit)).await
    }

    async fn history(&self, id: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        self.call(Verb::History, self.inner.history(id)).await
    }

    fn listen(&self, listener: Listener) {
        self.inner.listen(listener);
    }
}

impl ReviewStore for ProbedStore {
    async fn hold(&self, hold: &Hold) -> Result<Holding, StoreError> {
        self.call(Verb::Hold, self.inner.hold(hold)).await
    }

    async fn conflict(&self, id: &ConflictId) -> Result<Option<Conflict>, StoreError> {
        self.call(Verb::Conflict, self.inner.conflict(id)).await
    }

    async fn conflicts(&self, filter: &Filter) -> Result<Vec<Conflict>, StoreError> {
        self.call(Verb::Conflicts, self.inner.conflicts(filter)).await
    }

    async fn decide(&self, decide: &Decide) -> Result<Option<Decided>, StoreError> {
        self.call(Verb::Decide, self.inner.decide(decide)).await
    }
}
