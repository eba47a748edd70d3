use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::attempt::Attempt;
use crate::clock::ManualClock;
use crate::fingerprint::{Encoding, Fingerprint, Mask};
use crate::key::IdempotencyKey;
use crate::lease::Owner;
use crate::operation::Operation;
use crate::record::Answer;
use crate::scope::Scope;
use crate::store::Over;

const HOUR: Duration = Duration::from_secs(3600);

fn claim(number: usize, ttl: Duration) -> Claim {
    let key = IdempotencyKey::parse(format!("key-{number}").as_bytes()).unwrap();
    let attempt = Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", None),
        fingerprint: Fingerprint::of(Encoding::Raw, None, b"x", &Mask::NONE).unwrap(),
        identity: None,
        payload: None,
    };
    let (attempt, owner) = (Arc::new(attempt), Owner::random());
    Claim { attempt, owner, lease: ttl, ttl, over: None, history: 32, waits: false }
}

async fn complete(store: &MemoryStore, claim: &Claim, body: usize) {
    let Ok(Begun::Claimed { fence, .. }) = store.begin(claim).await else { panic!("not granted") };
    let answer = Answer { status: 200, headers: vec![], body: Some(vec![0; body].into()) };
    let written =
        store.finish(&claim.lease_with(fence), &Outcome::Completed(Arc::new(answer))).await;
    assert_eq!(written.unwrap(), Written::Done);
}

#[tokio::test]
async fn memory_stays_bounded_over_200_000_expired_keys() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone());
    for number in 0..200_000 {
        complete(&store, &claim(number, Duration::from_secs(1)), 10).await;
        clock.advance(Duration::from_millis(10));
    }
    // A second's worth is retained; each shard sweeps as it is used.
    assert!(store.len() < 1_000, "{} records are held", store.len());
}

#[tokio::test]
async fn a_full_store_refuses_new_keys_and_evicts_nothing() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone()).max_records(3);
    for number in 0..3 {
        complete(&store, &claim(number, HOUR), 10).await;
    }
    assert!(matches!(store.begin(&claim(3, HOUR)).await, Err(StoreError::Full { limit: 3, .. })));
    assert!(matches!(store.begin(&claim(0, HOUR)).await, Ok(Begun::Found(_))));
    clock.advance(HOUR);
    assert!(matches!(store.begin(&claim(3, HOUR)).await, Ok(Begun::Claimed { .. })));
    assert_eq!(store.len(), 1);
}

#[tokio::test]
async fn bytes_of_answers_are_counted_and_given_back() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone()).max_bytes(100);
    complete(&store, &claim(0, HOUR), 100).await;
    assert!(matches!(store.begin(&claim(1, HOUR)).await, Err(StoreError::Full { limit: 100, .. })));
    clock.advance(HOUR);
    complete(&store, &claim(1, HOUR), 100).await;
}

#[tokio::test]
async fn running_work_survives_any_sweep() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone());
    let running = Claim { lease: HOUR, ..claim(0, Duration::from_secs(1)) };
    assert!(matches!(store.begin(&running).await, Ok(Begun::Claimed { .. })));
    clock.advance(Duration::from_secs(60));
    assert_eq!(store.purge(u32::MAX).await.unwrap(), 0);
    clock.advance(HOUR);
    assert_eq!(store.purge(u32::MAX).await.unwrap(), 1);
    assert!(store.is_empty());
}

#[tokio::test]
async fn a_key_that_fails_for_days_takes_no_more_room_than_one_that_does_not() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone());
    let mut over = None;
    for _ in 0..10_000 {
        let claim = Claim { over, ..claim(0, HOUR) };
        let Ok(Begun::Claimed { fence, .. }) = store.begin(&claim).await else {
            panic!("not granted")
        };
        let failed = store.finish(&claim.lease_with(fence), &Outcome::Failed).await.unwrap();
        assert_eq!(failed, Written::Done);
        let failed = store.find(&claim.attempt.id).await.unwrap().unwrap().record;
        over = Some(Over::continuing(failed.revision));
        clock.advance(Duration::from_secs(60));
    }
    let looks: usize = (0..SHARDS).map(|shard| store.lock(shard).looks()).sum();
    assert!(looks <= 2, "{looks} entries wait for one record");
}

#[tokio::test]
async fn a_record_taken_over_for_a_shorter_time_is_purged_in_time() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone());
    let long = claim(0, HOUR);
    let Ok(Begun::Claimed { fence, .. }) = store.begin(&long).await else { panic!("not granted") };
    let failed = store.finish(&long.lease_with(fence), &Outcome::Failed).await.unwrap();
    assert_eq!(failed, Written::Done);
    let found = store.find(&long.attempt.id).await.unwrap();
    let over = found.map(|found| Over::continuing(found.record.revision));
    let short = Claim { over, ..claim(0, Duration::from_secs(1)) };
    assert!(matches!(store.begin(&short).await, Ok(Begun::Claimed { .. })));
    clock.advance(Duration::from_secs(2));
    assert_eq!(store.purge(u32::MAX).await.unwrap(), 1);
}
