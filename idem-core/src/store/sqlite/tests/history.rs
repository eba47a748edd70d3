//! Rows beside those of records, and reads that need more than one.

use super::*;
use crate::store::Over;

const SHORT: Duration = Duration::from_millis(100);

#[tokio::test]
async fn what_a_record_remembers_is_deleted_with_it() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    superseded(&store, "k").await;
    assert_eq!(rows(&path).await, 1);
    tokio::time::sleep(SHORT * 3).await;
    assert_eq!(store.purge(10).await.unwrap(), 1);
    assert_eq!(rows(&path).await, 0);
}

#[tokio::test]
async fn a_key_that_is_used_again_before_the_purge_leaves_no_rows_behind() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    superseded(&store, "k").await;
    tokio::time::sleep(SHORT * 3).await;
    assert!(matches!(store.begin(&claim("k")).await.unwrap(), Begun::Claimed { attempts: 1, .. }));
    assert_eq!(rows(&path).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_read_sees_a_payload_between_its_record_and_its_history() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let [writing, reading] =
        [SqliteStore::open(&path).await.unwrap(), SqliteStore::open(&path).await.unwrap()];
    let [one, other] = ["x", "y"].map(|payload| paying("k", payload));
    run(&writing, one.clone()).await;
    let flips = tokio::spawn({
        let one = one.clone();
        async move {
            for _ in 0..50 {
                run(&writing, other.clone()).await;
                run(&writing, one.clone()).await;
            }
        }
    });
    while !flips.is_finished() {
        let asking = Claim { owner: Owner::random(), over: None, ..one.clone() };
        let Begun::Found(Found { record, .. }) = reading.begin(&asking).await.unwrap() else {
            panic!("granted although the record is not free");
        };
        let stands_for_it = record.accepted.is_same_payload(&one.attempt.fingerprint, None);
        assert!(stands_for_it || record.superseded.is_some());
        assert!(!stands_for_it || record.superseded.is_none());
    }
    flips.await.unwrap();
}

/// Runs `x`, then `y` over it, which leaves one superseded execution.
async fn superseded(store: &SqliteStore, key: &str) {
    for payload in ["x", "y"] {
        run(store, Claim { lease: SHORT, ttl: SHORT, ..paying(key, payload) }).await;
    }
}

/// Completes an execution of `claim`, over whatever is there.
async fn run(store: &SqliteStore, claim: Claim) {
    let found = store.find(&claim.attempt.id).await.unwrap();
    let over = found.map(|found| Over::continuing(found.record.revision));
    let claim = Claim { owner: Owner::random(), over, ..claim };
    let Begun::Claimed { fence, .. } = store.begin(&claim).await.unwrap() else {
        panic!("not granted");
    };
    let answer = Arc::new(Answer { status: 200, headers: vec![], body: None });
    let written = store.finish(&claim.lease_with(fence), &Outcome::Completed(answer)).await;
    assert_eq!(written.unwrap(), Written::Done);
}

async fn rows(path: &Path) -> i64 {
    let count = sqlx::query_scalar("SELECT count(*) FROM idem_history");
    count.fetch_one(&mut connect(path).await).await.unwrap()
}
