//! The library under test: two engines on one memory store, whose clock the history moves.

use std::sync::Arc;
use std::time::Duration;

use idem_core::attempt::{self, Attempt, RecordId};
use idem_core::clock::{Clock, ManualClock};
use idem_core::contract::{self, Contract, OnCrash, OnFailure};
use idem_core::decision::Refusal;
use idem_core::engine::{Admission, Engine, Execution, Settings};
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use idem_core::identity::Identity;
use idem_core::key::IdempotencyKey;
use idem_core::operation::Operation;
use idem_core::record::{Answer, State, Superseded};
use idem_core::review::{Conflict, ConflictId, Filter, Queue, QueueError};
use idem_core::scope::Scope;
use idem_core::store::memory::MemoryStore;
use idem_core::store::{Outcome, Store};

use super::history::{
    self, End, FRESH_AFTER, MAX_CONFLICTS, Payload, Policy, Request, SUSPICIOUS_WITHIN, Slot, Terms,
};
use super::rules::{Content, Told};

pub(crate) struct Subject {
    clock: Arc<ManualClock>,
    store: MemoryStore,
    engines: [Engine; 2],
    queue: Queue,
    /// The conflicts there were, in the order in which they were first told of.
    conflicts: Vec<ConflictId>,
}

impl Subject {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(ManualClock::default());
        let store = MemoryStore::with_clock(clock.clone());
        let engines = [(); 2].map(|()| Engine::new(store.clone(), Settings::default()));
        let queue = Queue::new(Arc::new(store.clone()));
        Self { clock, store, engines, queue, conflicts: Vec::new() }
    }

    pub(crate) fn now(&self) -> i64 {
        self.clock.now().as_millis()
    }

    pub(crate) fn pass(&self, millis: u64) {
        self.clock.advance(Duration::from_millis(millis));
    }

    pub(crate) async fn admit(
        &mut self,
        process: usize,
        request: Request,
        terms: Terms,
    ) -> (Told, Option<Execution>) {
        let engine = self.engines[process].clone();
        let (attempt, contract) = (Arc::new(attempt(request)), contract(request.slot, terms));
        let mut content = Content::from([request.payload.note]);
        match engine.admit(&attempt, &contract).await.unwrap() {
            Admission::Run(run) => (Told::Run { attempts: run.attempts(), content }, Some(run)),
            Admission::Merge(merging) => {
                content.extend(read(merging.base()));
                let merged = written(&content);
                let merged = engine.admit_merged(&attempt, &contract, merging, merged).await;
                let Admission::Run(run) = merged.unwrap() else { panic!("nobody came between") };
                (Told::Run { attempts: run.attempts(), content }, Some(run))
            }
            Admission::Hold(dispute) => {
                let held = engine.hold(&attempt, &contract, dispute, &self.queue).await.unwrap();
                (self.told(held.expect("nobody came between")), None)
            }
            Admission::Replay { answer, differs } => {
                (Told::Replay { execution: execution_of(&answer), differs }, None)
            }
            Admission::Refused(refusal) => (self.told(refusal), None),
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
        let found = self.store.find(&record_id(request.slot)).await.unwrap();
        found.is_some_and(|found| {
            found.record.fence == fence && found.record.state == State::Unknown
        })
    }

    /// Decides a conflict at the version it has, or at another; whether that counts.
    pub(crate) async fn decide(&self, conflict: usize, accept: bool, stale: bool) -> bool {
        let id = self.conflicts[conflict];
        let seen = match self.queue.show(id).await {
            Ok(conflict) => conflict.version,
            Err(QueueError::NotFound) => return false,
            Err(error) => panic!("{error}"),
        };
        let version = seen + u64::from(stale);
        let decided = if accept {
            self.queue.accept(id, version, "mara", "called back").await
        } else {
            self.queue.keep(id, version, "mara", "typed twice").await
        };
        match decided {
            Ok(_) => true,
            Err(QueueError::Stale(_)) => false,
            Err(error) => panic!("{error}"),
        }
    }

    pub(crate) async fn conflict(&self, number: usize) -> Option<Conflict> {
        self.queue.show(self.conflicts[number]).await.ok()
    }

    /// How many conflicts the queue lists about a key.
    pub(crate) async fn listed(&self, slot: Slot) -> Vec<ConflictId> {
        let filter = Filter { record: Some(record_id(slot)), limit: u32::MAX, ..Filter::default() };
        let listed = self.queue.list(&filter).await.unwrap();
        listed.into_iter().map(|conflict| conflict.id).collect()
    }

    /// Superseded payloads with the executions whose answers they have, newest first.
    pub(crate) async fn past(&self, slot: Slot) -> Vec<(Payload, bool, Option<usize>)> {
        let past = self.engines[0].history(record_id(slot)).await.unwrap();
        let shown = |Superseded { fingerprint, identity, answer, .. }| {
            let answered = answer.map(|answer| execution_of(&answer));
            (payload_of(fingerprint), identity.is_some(), answered)
        };
        past.into_iter().map(shown).collect()
    }

    /// Deletes what is expired, and says how much is left.
    pub(crate) async fn purge(&self) -> usize {
        self.store.purge(u32::MAX).await.unwrap();
        self.store.len()
    }

    fn told(&mut self, refusal: Refusal) -> Told {
        match refusal {
            Refusal::Busy => Told::Busy,
            Refusal::OperationMismatch { original } => {
                Told::OtherOperation { original: payload_of(original) }
            }
            Refusal::PayloadMismatch { original, changed } => {
                let amount_changed = amount_changed(&changed);
                Told::OtherIntent { original: payload_of(original), amount_changed }
            }
            Refusal::Suspicious { original, changed } => {
                let amount_changed = amount_changed(&changed);
                Told::Suspicious { original: payload_of(original), amount_changed }
            }
            Refusal::UnderReview { conflict, .. } => Told::Held { conflict: self.number(conflict) },
            Refusal::KeyInConflict { .. } => Told::KeyInConflict,
            Refusal::OutcomeUnknown => Told::OutcomeUnknown,
            Refusal::PreviousAttemptFailed => Told::PreviousFailed,
        }
    }

    fn number(&mut self, id: ConflictId) -> usize {
        self.conflicts.iter().position(|known| *known == id).unwrap_or_else(|| {
            self.conflicts.push(id);
            self.conflicts.len() - 1
        })
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

fn amount_changed(changed: &[String]) -> bool {
    let amount_changed = changed == ["amount"];
    assert!(amount_changed || changed.is_empty(), "{changed:?} is no critical field");
    amount_changed
}

fn contract(slot: Slot, terms: Terms) -> Contract {
    let Terms { reruns_failed, reruns_crashed, lease, ttl, windows } = terms;
    let contract = Contract::new("pay")
        .policy(match slot.policy() {
            Policy::Reject => contract::Policy::Reject,
            Policy::Merge => contract::Policy::Merge,
            Policy::LastWriteWins => contract::Policy::LastWriteWins,
            Policy::Review => contract::Policy::Review,
        })
        .on_failure(if reruns_failed { OnFailure::Retry } else { OnFailure::Reject })
        .on_crash(if reruns_crashed { OnCrash::Retry } else { OnCrash::Hold })
        .max_conflicts(u32::try_from(MAX_CONFLICTS).unwrap())
        .lease_millis(lease)
        .ttl_millis(ttl);
    if !windows {
        return contract;
    }
    contract.suspicious_within_millis(SUSPICIOUS_WITHIN).fresh_after_millis(FRESH_AFTER)
}

fn attempt(request: Request) -> Attempt {
    let Request { slot, operation, payload, narrow } = request;
    let path = match operation {
        history::Operation::Pay => "/pay",
        history::Operation::Refund => "/refund",
    };
    let keeps = matches!(slot.policy(), Policy::Merge | Policy::Review);
    Attempt {
        id: record_id(slot),
        scope: scope(slot),
        operation: Operation::http("pay", "POST", path, None),
        fingerprint: fingerprint(payload),
        identity: narrow.then(|| {
            let mut identity = Identity::new();
            identity.field("amount", |out| out.value(&payload.amount));
            identity
        }),
        payload: keeps.then(|| written(&Content::from([payload.note]))),
    }
}

/// The text of a merged payload: its notes.
fn written(content: &Content) -> attempt::Payload {
    let notes: Vec<String> = content.iter().map(u64::to_string).collect();
    attempt::Payload { bytes: notes.join(",").into(), media_type: None }
}

fn read(payload: &attempt::Payload) -> Content {
    let text = std::str::from_utf8(&payload.bytes).unwrap();
    text.split(',').map(|note| note.parse().unwrap()).collect()
}

fn record_id(slot: Slot) -> RecordId {
    let key = IdempotencyKey::parse(format!("key-{}", slot.key).as_bytes()).unwrap();
    RecordId::of(&scope(slot), &key)
}

fn scope(slot: Slot) -> Scope {
    Scope::of(["alice", "bob"][slot.scope]).unwrap()
}

fn fingerprint(payload: Payload) -> Fingerprint {
    let body = format!("{{\"amount\":{},\"note\":{}}}", payload.amount, payload.note);
    Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE).unwrap()
}

fn payload_of(found: Fingerprint) -> Payload {
    let all = (0..4).flat_map(|amount| (0..3).map(move |note| Payload { amount, note }));
    all.into_iter().find(|payload| fingerprint(*payload) == found).unwrap()
}
