//! Three clients on one key, in a thousand orders: whatever the order, the outcome is that of the
//! executions one after the other.
//!
//! Each order is drawn from a number, which is printed when it fails; `IDEM_INTERLEAVING=<number>`
//! draws the same order again.

#![cfg(feature = "memory")]
#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use idem_core::attempt::{Attempt, Payload, RecordId};
use idem_core::contract::{Contract, Policy};
use idem_core::decision::Refusal;
use idem_core::engine::{Admission, Engine, Execution, Finish, Settings};
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use idem_core::key::IdempotencyKey;
use idem_core::operation::Operation;
use idem_core::record::Answer;
use idem_core::review::{Filter, Queue, QueueError};
use idem_core::scope::Scope;
use idem_core::store::memory::MemoryStore;
use idem_core::store::{Outcome, Store};
use tokio::task::{JoinSet, yield_now};

const ORDERS: u64 = 1_000;
const CLIENTS: u64 = 3;
const PAYLOADS_OF_EACH: u64 = 3;

const MERGE: Contract = Contract::new("save").policy(Policy::Merge);
const LAST: Contract = Contract::new("save").policy(Policy::LastWriteWins);
const REVIEW: Contract = Contract::new("save").policy(Policy::Review);

/// What an execution ran with.
type Content = BTreeSet<u64>;

/// One key, and the executions it has seen.
struct Site {
    engine: Engine,
    store: MemoryStore,
    contract: Contract,
    is_running: AtomicBool,
    log: Mutex<Vec<Ran>>,
}

#[derive(Clone)]
struct Ran {
    fence: u64,
    note: u64,
    content: Content,
}

/// What a client is told.
enum Told {
    Run(Execution, Content),
    /// The note of the answer.
    Answered(u64),
    Busy,
}

/// How often a client lets the others go first, drawn from a number (SplitMix64).
struct Pace(u64);

impl Pace {
    async fn pause(&mut self) {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        for _ in 0..(mixed ^ (mixed >> 31)) % 4 {
            yield_now().await;
        }
    }
}

impl Site {
    fn new(contract: Contract) -> Arc<Self> {
        let store = MemoryStore::new();
        let engine = Engine::new(store.clone(), Settings::default());
        let (is_running, log) = (AtomicBool::new(false), Mutex::default());
        Arc::new(Self { engine, store, contract, is_running, log })
    }

    /// Sends a payload until it has run or been answered; whether it has run.
    async fn send(&self, note: u64, pace: &mut Pace) -> bool {
        let attempt = Arc::new(attempt(note));
        loop {
            pace.pause().await;
            match self.admit(&attempt, note, pace).await {
                Told::Run(execution, content) => {
                    self.run(execution, note, content, pace).await;
                    return true;
                }
                Told::Answered(answer) => {
                    assert_eq!(answer, note, "another payload's answer");
                    return false;
                }
                Told::Busy => {}
            }
        }
    }

    async fn admit(&self, attempt: &Arc<Attempt>, note: u64, pace: &mut Pace) -> Told {
        let own = Content::from([note]);
        let mut admission = self.engine.admit(attempt, &self.contract).await.unwrap();
        loop {
            match admission {
                Admission::Run(execution) => return Told::Run(execution, own),
                Admission::Merge(merging) => {
                    let content = &read(merging.base()) | &own;
                    pace.pause().await;
                    let merged = written(&content);
                    let claimed =
                        self.engine.admit_merged(attempt, &self.contract, merging, merged).await;
                    match claimed.unwrap() {
                        Admission::Run(execution) => return Told::Run(execution, content),
                        moved_on => admission = moved_on,
                    }
                }
                Admission::Replay { answer, .. } => {
                    let text = answer.body.as_ref().unwrap();
                    return Told::Answered(std::str::from_utf8(text).unwrap().parse().unwrap());
                }
                Admission::Refused(Refusal::Busy) => return Told::Busy,
                other => panic!("{other:?}"),
            }
        }
    }

    async fn run(&self, execution: Execution, note: u64, content: Content, pace: &mut Pace) {
        assert!(!self.is_running.swap(true, Ordering::SeqCst), "two executions at once");
        pace.pause().await;
        let fence = execution.fence().get();
        self.log.lock().unwrap().push(Ran { fence, note, content });
        self.is_running.store(false, Ordering::SeqCst);
        let body = Some(note.to_string().into());
        let answer = Arc::new(Answer { status: 200, headers: vec![], body });
        assert_eq!(execution.finish(Outcome::Completed(answer)).await, Finish::Recorded);
    }

    /// The note of the answer that a retry gets.
    async fn answer_of(&self, note: u64) -> u64 {
        match self.admit(&Arc::new(attempt(note)), note, &mut Pace(0)).await {
            Told::Answered(answer) => answer,
            Told::Run(..) | Told::Busy => panic!("it has not been answered"),
        }
    }

    /// Checks what holds of every order under both policies, and returns the executions.
    async fn checked(&self) -> Vec<Ran> {
        let log = self.log.lock().unwrap().clone();
        let all: Content = (0..CLIENTS * PAYLOADS_OF_EACH).collect();
        assert_eq!(log.iter().map(|ran| ran.note).collect::<Content>(), all);
        assert_eq!(log.len(), all.len(), "each payload runs once");
        assert!(log.is_sorted_by_key(|ran| ran.fence), "the tokens grow");
        for note in all {
            assert_eq!(self.answer_of(note).await, note, "each payload has its own answer");
        }
        let last = log.last().unwrap();
        let accepted = self.store.find(&record_id()).await.unwrap().unwrap().record.accepted;
        assert_eq!(accepted.fingerprint, fingerprint(last.note));
        let history = self.engine.history(record_id()).await.unwrap();
        let superseded = log.iter().rev().skip(1).map(|ran| fingerprint(ran.note));
        let remembered: Vec<_> = history.iter().map(|entry| entry.fingerprint).collect();
        assert_eq!(remembered, superseded.collect::<Vec<_>>(), "newest first");
        assert!(history.is_sorted_by(|newer, older| newer.version > older.version));
        log
    }
}

/// Lets the clients send their payloads, each once more than it must.
async fn play(site: &Arc<Site>, order: u64) {
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let (site, mut pace) = (site.clone(), Pace(order.wrapping_mul(CLIENTS) + client));
        clients.spawn(async move {
            for number in 0..PAYLOADS_OF_EACH {
                let note = client * PAYLOADS_OF_EACH + number;
                assert!(site.send(note, &mut pace).await, "it has not run before");
                assert!(!site.send(note, &mut pace).await, "a retry never runs");
            }
        });
    }
    while let Some(client) = clients.join_next().await {
        client.unwrap();
    }
}

fn assert_merged(log: &[Ran]) {
    let mut content = Content::new();
    for ran in log {
        content.insert(ran.note);
        assert_eq!(ran.content, content, "each builds on all before it");
    }
}

fn orders() -> Vec<u64> {
    match std::env::var("IDEM_INTERLEAVING") {
        Ok(order) => vec![order.parse().expect("IDEM_INTERLEAVING is a number")],
        Err(_) => (0..ORDERS).collect(),
    }
}

#[tokio::test]
async fn a_thousand_orders_of_merges_lose_nothing() {
    for order in orders() {
        println!("IDEM_INTERLEAVING={order}");
        let site = Site::new(MERGE);
        play(&site, order).await;
        assert_merged(&site.checked().await);
    }
}

#[tokio::test]
async fn in_a_thousand_orders_of_writes_the_last_one_stands() {
    for order in orders() {
        println!("IDEM_INTERLEAVING={order}");
        let site = Site::new(LAST);
        play(&site, order).await;
        site.checked().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_two_threads_the_orders_are_the_machines_own() {
    for order in 0..200 {
        let [merging, writing] = [Site::new(MERGE), Site::new(LAST)];
        tokio::join!(play(&merging, order), play(&writing, order));
        assert_merged(&merging.checked().await);
        writing.checked().await;
    }
}

/// A queue with one conflict, about a payload that came after another.
async fn disputed(site: &Site) -> Queue {
    let queue = Queue::new(Arc::new(site.store.clone()));
    assert!(site.send(0, &mut Pace(0)).await);
    let second = Arc::new(attempt(1));
    let Admission::Hold(dispute) = site.engine.admit(&second, &REVIEW).await.unwrap() else {
        panic!("it is another intent")
    };
    site.engine.hold(&second, &REVIEW, dispute, &queue).await.unwrap();
    queue
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_parallel_retries_of_an_accepted_payload_one_runs() {
    for order in 0..200 {
        let site = Site::new(REVIEW);
        let queue = disputed(&site).await;
        let conflict = queue.list(&Filter::default()).await.unwrap().remove(0);
        queue.accept(conflict.id, conflict.version, "mara", "called back").await.unwrap();
        let retries = [order, order + 1_000].map(|order| {
            let site = site.clone();
            tokio::spawn(async move { site.send(1, &mut Pace(order)).await })
        });
        let mut runs = 0;
        for retry in retries {
            runs += usize::from(retry.await.unwrap());
        }
        assert_eq!(runs, 1);
        assert_eq!(site.answer_of(1).await, 1);
        assert_eq!(site.answer_of(0).await, 0, "the first keeps its answer");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_accept_and_keep_at_the_same_instant_one_wins() {
    for _ in 0..200 {
        let site = Site::new(REVIEW);
        let queue = disputed(&site).await;
        let conflict = queue.list(&Filter::default()).await.unwrap().remove(0);
        let (id, version) = (conflict.id, conflict.version);
        let (accepting, keeping) = (queue.clone(), queue.clone());
        let accept = tokio::spawn(async move { accepting.accept(id, version, "mara", "").await });
        let keep = tokio::spawn(async move { keeping.keep(id, version, "theo", "").await });
        let (accepted, kept) = (accept.await.unwrap(), keep.await.unwrap());
        let accepted_wins = accepted.is_ok();
        assert_ne!(accepted_wins, kept.is_ok());
        let refused = accepted.err().or(kept.err()).unwrap();
        assert!(matches!(refused, QueueError::Stale(_)), "{refused}");
        let retry = site.engine.admit(&Arc::new(attempt(1)), &REVIEW).await.unwrap();
        match retry {
            Admission::Run(_) => assert!(accepted_wins),
            Admission::Refused(Refusal::PayloadMismatch { .. }) => assert!(!accepted_wins),
            other => panic!("{other:?}"),
        }
    }
}

fn attempt(note: u64) -> Attempt {
    Attempt {
        id: record_id(),
        scope: Scope::GLOBAL,
        operation: Operation::http("save", "PUT", "/note", None),
        fingerprint: fingerprint(note),
        identity: None,
        payload: Some(written(&Content::from([note]))),
    }
}

fn record_id() -> RecordId {
    RecordId::of(&Scope::GLOBAL, &IdempotencyKey::parse(b"k").unwrap())
}

fn fingerprint(note: u64) -> Fingerprint {
    Fingerprint::of(Encoding::Raw, None, note.to_string().as_bytes(), &Mask::NONE).unwrap()
}

fn written(content: &Content) -> Payload {
    let notes: Vec<String> = content.iter().map(u64::to_string).collect();
    Payload { bytes: notes.join(",").into(), media_type: None }
}

fn read(payload: &Payload) -> Content {
    let text = std::str::from_utf8(&payload.bytes).unwrap();
    text.split(',').map(|note| note.parse().unwrap()).collect()
}
