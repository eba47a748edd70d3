//! What SQLite adds to the rules of every store.

mod history;
mod review;

use std::sync::Arc;

use sqlx::{ConnectOptions as _, SqliteConnection};
use tempfile::TempDir;

use super::*;
use crate::attempt::Attempt;
use crate::fingerprint::{Encoding, Fingerprint, Mask};
use crate::key::IdempotencyKey;
use crate::lease::Owner;
use crate::operation::Operation;
use crate::record::Answer;
use crate::scope::Scope;

#[tokio::test]
async fn a_newer_schema_is_refused_by_name() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    SqliteStore::open(&path).await.unwrap();
    let mut other = connect(&path).await;
    sqlx::query("INSERT INTO idem_schema (version) VALUES (99)").execute(&mut other).await.unwrap();
    let error = SqliteStore::open(&path).await.unwrap_err();
    assert!(error.to_string().contains("version 99"), "{error}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    std::fs::write(&path, vec![b'x'; 4096]).unwrap();
    assert!(SqliteStore::open(&path).await.is_err());
}

#[tokio::test]
async fn a_damaged_record_is_an_error_and_leaves_the_others_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let mut other = connect(&path).await;
    let id = RecordId::from_digest(crate::digest::Digest::of(&[b"damaged"]));
    sqlx::query(
        "INSERT INTO idem_record (id, operation_name, operation, method, path, fingerprint, state, owner, version, fence, attempts,
             taken_over, created_at, expires_at, history, disputed_until)
         VALUES (?1, 'pay', x'00', 'POST', '/pay', x'00', 1, x'00', 1, 1, 1, 0, 1, 9000000000000, 0, 0)",
    )
    .bind(&id.digest().as_bytes()[..])
    .execute(&mut other)
    .await
    .unwrap();
    assert!(matches!(store.find(&id).await, Err(StoreError::Damaged { .. })));
    let fine = RecordId::from_digest(crate::digest::Digest::of(&[b"fine"]));
    assert_eq!(store.find(&fine).await.unwrap(), None);
}

#[tokio::test]
async fn the_store_stays_useful_when_a_batch_fails() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store =
        SqliteStore::options(&path).busy_timeout(Duration::from_millis(50)).open().await.unwrap();
    let mut other = connect(&path).await;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();
    assert!(store.purge(1).await.unwrap_err().is_retryable());
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    assert_eq!(store.purge(1).await.unwrap(), 0);
}

#[tokio::test]
async fn a_lease_starts_after_the_wait_for_a_lock() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let mut other = connect(&path).await;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();

    let claim = Claim { lease: Duration::from_millis(400), ..claim("k") };
    let begun = tokio::spawn({
        let (store, claim) = (store.clone(), claim.clone());
        async move { store.begin(&claim).await }
    });
    tokio::time::sleep(Duration::from_millis(800)).await;
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    assert!(matches!(begun.await.unwrap().unwrap(), Begun::Claimed { .. }));
    let found = store.find(&claim.attempt.id).await.unwrap().unwrap();
    assert!(found.record.is_live(found.now), "the wait has eaten the lease");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_claims_over_two_connections_to_one_file_one_is_granted() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let stores = [SqliteStore::open(&path).await.unwrap(), SqliteStore::open(&path).await.unwrap()];
    for round in 0..10 {
        let contenders = (0..50).map(|number| {
            let (store, claim) = (stores[number % 2].clone(), claim(&format!("k{round}")));
            tokio::spawn(async move { store.begin(&claim).await.unwrap() })
        });
        let mut granted = 0;
        for contender in contenders.collect::<Vec<_>>() {
            granted += usize::from(matches!(contender.await.unwrap(), Begun::Claimed { .. }));
        }
        assert_eq!(granted, 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_instances_open_a_new_file_at_once() {
    let folder = TempDir::new().unwrap();
    for round in 0..30 {
        let path = folder.path().join(format!("{round}.db"));
        let openings = (0..8).map(|_| tokio::spawn(SqliteStore::open(path.clone())));
        for opening in openings.collect::<Vec<_>>() {
            opening.await.unwrap().unwrap();
        }
    }
}

#[tokio::test]
async fn a_file_that_stays_locked_is_not_waited_for_without_end() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let options = SqliteConnectOptions::new().filename(&path).create_if_missing(true);
    let mut other = sqlx::ConnectOptions::connect(&options).await.unwrap();
    sqlx::query("BEGIN EXCLUSIVE").execute(&mut other).await.unwrap();
    let opening = SqliteStore::options(&path).busy_timeout(Duration::from_millis(50)).open();
    assert!(opening.await.unwrap_err().is_retryable());
}

#[tokio::test]
async fn a_claim_whose_caller_left_during_the_wait_for_a_lock_is_not_made() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let mut other = connect(&path).await;
    sqlx::query("BEGIN IMMEDIATE").execute(&mut other).await.unwrap();

    let claim = claim("k");
    let begun = tokio::spawn({
        let (store, claim) = (store.clone(), claim.clone());
        async move { store.begin(&claim).await }
    });
    tokio::time::sleep(Duration::from_millis(200)).await;
    begun.abort();
    assert!(begun.await.unwrap_err().is_cancelled());
    sqlx::query("ROLLBACK").execute(&mut other).await.unwrap();
    // Comes after the claim in the writer's queue.
    store.purge(1).await.unwrap();
    assert_eq!(store.find(&claim.attempt.id).await.unwrap(), None);
}

#[tokio::test]
async fn what_an_owner_has_finished_is_not_granted_to_it_again() {
    let folder = TempDir::new().unwrap();
    let store = SqliteStore::open(folder.path().join("idem.db")).await.unwrap();
    let claim = claim("k");
    let Begun::Claimed { fence, .. } = store.begin(&claim).await.unwrap() else {
        panic!("not granted");
    };
    assert_eq!(
        store.finish(&claim.lease_with(fence), &Outcome::Failed).await.unwrap(),
        Written::Done
    );
    assert!(matches!(store.begin(&claim).await.unwrap(), Begun::Found(_)));
}

fn claim(key: &str) -> Claim {
    paying(key, "x")
}

fn paying(key: &str, payload: &str) -> Claim {
    let key = IdempotencyKey::parse(key.as_bytes()).unwrap();
    let attempt = Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", None),
        fingerprint: Fingerprint::of(Encoding::Raw, None, payload.as_bytes(), &Mask::NONE).unwrap(),
        identity: None,
        payload: None,
    };
    let hour = Duration::from_secs(3600);
    let (attempt, owner) = (Arc::new(attempt), Owner::random());
    Claim { attempt, owner, lease: hour, ttl: hour, over: None, history: 32, waits: false }
}

/// Another application on the same file.
async fn connect(path: &Path) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.unwrap()
}
