//! What the rules are told in: attempts, claims, and what comes of them.

use std::sync::Arc;
use std::time::Duration;

use crate::attempt::{Attempt, Payload, RecordId};
use crate::fingerprint::{Encoding, Fingerprint, Mask};
use crate::identity::Identity;
use crate::key::IdempotencyKey;
use crate::lease::{Lease, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Revision, Superseded};
use crate::scope::Scope;
use crate::store::{Begun, Claim, Found, Outcome, Over, Store, TakeOver, Written};

/// Long enough for a slow machine to act within it, on a store whose time is real.
pub(super) const LEASE: Duration = Duration::from_millis(700);
pub(super) const TTL: Duration = Duration::from_secs(3600);
/// A retention that a test waits for.
pub(super) const SHORT: Duration = Duration::from_millis(300);
pub(super) const MARGIN: Duration = Duration::from_millis(50);

pub(super) fn attempt(key: &str) -> Arc<Attempt> {
    let key = IdempotencyKey::parse(key.as_bytes()).expect("test keys are valid");
    let body = br#"{"amount": 10, "currency": "EUR"}"#;
    Arc::new(Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", Some("dry=1")),
        fingerprint: Fingerprint::of(Encoding::Json, None, body, &Mask::NONE)
            .expect("test bodies are valid"),
        identity: Some(identity(10)),
        payload: None,
    })
}

/// Another payload for `key`, of the same intent as [`attempt`]'s: a note is not critical.
pub(super) fn noted(key: &str, note: &str) -> Arc<Attempt> {
    with_payload(
        &attempt(key),
        &format!(r#"{{"amount": 10, "currency": "EUR", "note": "{note}"}}"#),
    )
}

/// A payload of another intent for `key`.
pub(super) fn paying(key: &str, amount: u64) -> Arc<Attempt> {
    let attempt = Attempt { identity: Some(identity(amount)), ..(*attempt(key)).clone() };
    with_payload(&attempt, &format!(r#"{{"amount": {amount}, "currency": "EUR"}}"#))
}

fn identity(amount: u64) -> Identity {
    let mut identity = Identity::new();
    identity.value("amount", &amount);
    identity.value("currency", "EUR");
    identity
}

fn with_payload(attempt: &Attempt, body: &str) -> Arc<Attempt> {
    let fingerprint = Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE);
    let media_type = Some("application/json".into());
    Arc::new(Attempt {
        fingerprint: fingerprint.expect("test bodies are valid"),
        payload: Some(Payload { bytes: body.to_owned().into(), media_type }),
        ..attempt.clone()
    })
}

pub(super) fn claim(attempt: &Arc<Attempt>) -> Claim {
    let (attempt, owner) = (attempt.clone(), Owner::random());
    Claim { attempt, owner, lease: LEASE, ttl: TTL, over: None, history: 3, waits: false }
}

pub(super) fn claim_over(attempt: &Arc<Attempt>, over: Revision) -> Claim {
    Claim { over: Some(Over::continuing(over)), ..claim(attempt) }
}

/// Like [`claim_over`], in one of the other ways.
pub(super) fn claim_by(attempt: &Arc<Attempt>, revision: Revision, how: TakeOver) -> Claim {
    Claim { over: Some(Over { revision, how }), ..claim(attempt) }
}

pub(super) fn answer() -> Arc<Answer> {
    let headers = vec![
        ("link".into(), "</a>; rel=a".into()),
        ("etag".into(), "\"1\"".into()),
        ("link".into(), b"\xff".to_vec().into()),
    ];
    let body = b"{\"b\":1,\"a\":2.0,\"z\":\"\\u0000\"}\x00\xff".to_vec();
    Arc::new(Answer { status: 201, headers, body: Some(body.into()) })
}

pub(super) async fn granted<S: Store>(store: &S, claim: &Claim) -> (Lease, u32) {
    match store.begin(claim).await.expect("the store works") {
        Begun::Claimed { fence, attempts } => (claim.lease_with(fence), attempts),
        Begun::Found(found) => panic!("not granted: {found:?}"),
    }
}

pub(super) async fn refused<S: Store>(store: &S, claim: &Claim) -> Found {
    match store.begin(claim).await.expect("the store works") {
        Begun::Found(found) => found,
        Begun::Claimed { .. } => panic!("granted although the record is not free"),
    }
}

pub(super) async fn finish<S: Store>(store: &S, lease: &Lease, outcome: Outcome) -> Written {
    store.finish(lease, &outcome).await.expect("the store works")
}

/// An answer that is told apart from others by its `number`.
pub(super) fn numbered(number: usize) -> Arc<Answer> {
    let body = format!("answer {number}");
    Arc::new(Answer { status: 200, headers: vec![], body: Some(body.into()) })
}

/// The record as it is.
pub(super) async fn found<S: Store>(store: &S, attempt: &Attempt) -> Found {
    store.find(&attempt.id).await.expect("the store works").expect("there is a record")
}

pub(super) async fn history<S: Store>(store: &S, attempt: &Attempt) -> Vec<Superseded> {
    store.history(&attempt.id).await.expect("the store works")
}

/// Two operations are one by their digest alone: the words for people are compared apart.
pub(super) fn assert_same_words(left: &Operation, right: &Operation) {
    let words = |operation: &Operation| {
        [operation.name(), operation.method(), operation.path()].map(str::to_owned)
    };
    assert_eq!(words(left), words(right));
}

/// Claims the record, taking it over as it is if there is one.
pub(super) async fn take<S: Store>(store: &S, attempt: &Arc<Attempt>) -> Lease {
    let found = store.find(&attempt.id).await.expect("the store works");
    let over = found.map(|found| Over::continuing(found.record.revision));
    granted(store, &Claim { over, ..claim(attempt) }).await.0
}

/// Claims the record as [`take`] does, and completes the execution.
pub(super) async fn complete<S: Store>(store: &S, attempt: &Arc<Attempt>, answer: &Arc<Answer>) {
    let lease = take(store, attempt).await;
    let completed = Outcome::Completed(answer.clone());
    assert_eq!(finish(store, &lease, completed).await, Written::Done);
}

/// Runs fifty copies of `claim`, each of an owner of its own, and counts those that are granted.
pub(super) async fn race<S: Store>(store: &Arc<S>, claim: Claim) -> usize {
    let contenders = (0..50).map(|_| {
        let (store, claim) = (store.clone(), Claim { owner: Owner::random(), ..claim.clone() });
        tokio::spawn(async move { store.begin(&claim).await.expect("the store works") })
    });
    let mut granted = 0;
    for contender in contenders.collect::<Vec<_>>() {
        granted += usize::from(matches!(contender.await.expect("no panic"), Begun::Claimed { .. }));
    }
    granted
}
