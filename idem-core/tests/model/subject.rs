//! The library under test: two engines on one memory store, whose clock the history moves.

use std::sync::Arc;
use std::time::Duration;

use idem_core::attempt::{Attempt, RecordId};
use idem_core::clock::{Clock, ManualClock};
use idem_core::contract::{Contract, OnCrash, OnFailure};
use idem_core::decision::Refusal;
use idem_core::engine::{Admission, Engine, Execution, Settings};
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use idem_core::identity::Identity;
use idem_core::key::IdempotencyKey;
use idem_core::operation::Operation;
use idem_core::record::{Answer, State};
use idem_core::scope::Scope;
use idem_core::store::memory::MemoryStore;
use idem_core::store::{Outcome, Store};

use super::history::{self, End, Payload, Request, Terms};
use super::rules::Told;

pub(crate) struct Subject {
    clock: Arc<ManualClock>,
    store: MemoryStore,
    engines: [Engine; 2],
}

impl Subject {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let store = MemoryStore::with_clock(clock.clone());
        let engines = [(); 2].map(|()| Engine::new(store.clone(), Settings::default()));
        Self { clock, store, engines }
    }

    pub(crate) fn now(&self) -> i64 {
        self.clock.now().as_millis()
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.clock.advance(Duration::from_millis(millis));
    }

    pub(crate) async fn admit(
        &self,
        process: usize,
        request: Request,
        terms: Terms,
    ) -> (Told, Option<Execution>) {
        let attempt = Arc::new(attempt(request));
        match self.engines[process].admit(&attempt, &contract(terms)).await.unwrap() {
            Admission::Run(run) => (Told::Run { attempts: run.attempts() }, Some(run)),
            Admission::Replay { answer, differs } => {
                (Told::Replay { execution: execution_of(&answer), differs }, None)
            }
            Admission::Refused(refusal) => (told(refusal), None),
            other => panic!("{other:?} under policy reject"),
        }
    }

    /// Drops a running execution, and says whether its record has become unknown by it.
    pub(crate) async fn drop(&self, request: Request, execution: Execution) -> bool {
        let fence = execution.fence();
        drop(execution);
        // The task that records it has only been spawned.
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        let found = self.store.find(&record_id(request)).await.unwrap();
        found.is_some_and(|found| {
            found.record.fence == fence && found.record.state == State::Unknown
        })
    }

    /// Deletes what is expired, and says how many records are left.
    pub(crate) async fn purge(&self) -> usize {
        self.store.purge(u32::MAX).await.unwrap();
        self.store.len()
    }
}

/// What the handler of `execution` ended with: no two give the same answer.
pub(crate) fn outcome(end: End, execution: usize) -> Outcome {
    match end {
        End::Completed => {
            let body = Some(execution.to_string().into());
            Outcome::Completed(Arc::new(Answer { status: 201, headers: vec![], body }))
        }
        End::Failed => Outcome::Failed,
        End::Unknown | End::Dropped | End::Vanished => Outcome::Unknown,
    }
}

fn execution_of(answer: &Answer) -> usize {
    let body = answer.body.as_ref().unwrap();
    std::str::from_utf8(body).unwrap().parse().unwrap()
}

fn told(refusal: Refusal) -> Told {
    match refusal {
        Refusal::Busy => Told::Busy,
        Refusal::OperationMismatch { original } => {
            Told::OtherOperation { original: payload_of(original) }
        }
        Refusal::PayloadMismatch { original, changed } => {
            let amount_changed = changed == ["amount"];
            assert!(amount_changed || changed.is_empty(), "{changed:?} is no critical field");
            Told::OtherIntent { original: payload_of(original), amount_changed }
        }
        Refusal::OutcomeUnknown => Told::OutcomeUnknown,
        Refusal::PreviousAttemptFailed => Told::PreviousFailed,
        other => panic!("{other:?} under policy reject"),
    }
}

fn contract(terms: Terms) -> Contract {
    let Terms { reruns_failed, reruns_crashed, lease, ttl } = terms;
    Contract::new("pay")
        .on_failure(if reruns_failed { OnFailure::Retry } else { OnFailure::Reject })
        .on_crash(if reruns_crashed { OnCrash::Retry } else { OnCrash::Hold })
        .lease_millis(lease)
        .ttl_millis(ttl)
}

fn attempt(request: Request) -> Attempt {
    let Request { operation, payload, narrow, .. } = request;
    let path = match operation {
        history::Operation::Pay => "/pay",
        history::Operation::Refund => "/refund",
    };
    Attempt {
        id: record_id(request),
        scope: scope(request),
        operation: Operation::http("pay", "POST", path, None),
        fingerprint: fingerprint(payload),
        identity: narrow.then(|| {
            let mut identity = Identity::new();
            identity.field("amount", |out| out.value(&payload.amount));
            identity
        }),
        payload: None,
    }
}

fn record_id(request: Request) -> RecordId {
    let key = IdempotencyKey::parse(format!("key-{}", request.slot.key).as_bytes()).unwrap();
    RecordId::of(&scope(request), &key)
}

fn scope(request: Request) -> Scope {
    Scope::of(["alice", "bob"][request.slot.scope]).unwrap()
}

fn fingerprint(payload: Payload) -> Fingerprint {
    let body = format!("{{\"amount\":{},\"note\":{}}}", payload.amount, payload.note);
    Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE).unwrap()
}

fn payload_of(found: Fingerprint) -> Payload {
    let all = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(amount, note)| Payload { amount, note });
    all.into_iter().find(|payload| fingerprint(*payload) == found).unwrap()
}
