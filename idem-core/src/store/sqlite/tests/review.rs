//! What SQLite adds to the rules of review, which every store keeps.

use super::*;
use crate::review::Ruling;

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_holds_over_two_connections_to_one_file_one_is_kept() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let stores = [SqliteStore::open(&path).await.unwrap(), SqliteStore::open(&path).await.unwrap()];
    let owner = begun(&stores[0], "k").await;
    let contenders = (0..50).map(|number| {
        let (store, hold) = (stores[number % 2].clone(), hold("k", owner));
        tokio::spawn(async move { store.hold(&hold).await.unwrap() })
    });
    let mut held = std::collections::HashSet::new();
    for contender in contenders.collect::<Vec<_>>() {
        let Holding::Held(id) = contender.await.unwrap() else { panic!("not held") };
        held.insert(id);
    }
    assert_eq!(held.len(), 1);
}

#[tokio::test]
async fn a_damaged_conflict_is_not_decided_and_leaves_the_others_alone() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("idem.db");
    let store = SqliteStore::open(&path).await.unwrap();
    let [damaged, fine] = [held(&store, "damaged").await, held(&store, "fine").await];
    let mut other = connect(&path).await;
    sqlx::query("UPDATE idem_conflict SET changed = 'amount' WHERE id = ?1")
        .bind(&damaged.as_bytes()[..])
        .execute(&mut other)
        .await
        .unwrap();
    let decide = |id| Decide {
        id,
        version: 1,
        ruling: Ruling::Accept,
        by: "mara".to_owned(),
        reason: "called".to_owned(),
    };
    let refused = store.decide(&decide(damaged)).await;
    assert!(matches!(refused, Err(StoreError::Damaged { column: "changed" })));
    assert!(matches!(store.decide(&decide(fine)).await, Ok(Some(Decided::Done(_)))));
    let version: i64 = sqlx::query_scalar("SELECT version FROM idem_conflict WHERE id = ?1")
        .bind(&damaged.as_bytes()[..])
        .fetch_one(&mut other)
        .await
        .unwrap();
    assert_eq!(version, 1);
}

async fn held(store: &SqliteStore, key: &str) -> ConflictId {
    let hold = hold(key, begun(store, key).await);
    assert_eq!(store.hold(&hold).await.unwrap(), Holding::Held(hold.id));
    hold.id
}

/// Claims `key` and says who holds it.
async fn begun(store: &SqliteStore, key: &str) -> Owner {
    let claim = claim(key);
    assert!(matches!(store.begin(&claim).await.unwrap(), Begun::Claimed { .. }));
    claim.owner
}

/// Another payload for `key` than that of [`claim`].
fn hold(key: &str, seen: Owner) -> Hold {
    let Claim { attempt, ttl, .. } = paying(key, "y");
    Hold { id: ConflictId::random(), attempt, seen, changed: vec![], ttl, limit: 8 }
}
