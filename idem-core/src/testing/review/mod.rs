//! Rules of conflicts that are held for people.

mod deciding;
mod holding;
mod listing;
mod retention;
mod taking;

use std::sync::Arc;

pub use deciding::*;
pub use holding::*;
pub use listing::*;
pub use retention::*;
pub use taking::*;

use super::{TTL, complete, found, noted, numbered, paying};
use crate::attempt::Attempt;
use crate::lease::Owner;
use crate::review::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding, Ruling};
use crate::store::ReviewStore;

/// The wish to hold `attempt` against an execution of `seen`.
fn hold(attempt: &Arc<Attempt>, seen: Owner) -> Hold {
    let (id, attempt, changed) = (ConflictId::random(), attempt.clone(), vec!["amount".to_owned()]);
    Hold { id, attempt, seen, changed, ttl: TTL, limit: 8 }
}

/// Completes the original payload of `key`, and says whose execution it was.
async fn original<S: ReviewStore>(store: &S, key: &str) -> Owner {
    let original = noted(key, "original");
    complete(store, &original, &numbered(0)).await;
    seen(store, &original).await
}

/// Whose execution the record of `attempt` is at.
async fn seen<S: ReviewStore>(store: &S, attempt: &Attempt) -> Owner {
    found(store, attempt).await.record.revision.owner
}

async fn holding<S: ReviewStore>(store: &S, hold: &Hold) -> Holding {
    store.hold(hold).await.expect("the store works")
}

/// Holds a payment of `amount` for `key` against its record as it is.
async fn held<S: ReviewStore>(store: &S, key: &str, amount: u64) -> ConflictId {
    let attempt = paying(key, amount);
    let hold = hold(&attempt, seen(store, &attempt).await);
    assert_eq!(holding(store, &hold).await, Holding::Held(hold.id));
    hold.id
}

async fn shown<S: ReviewStore>(store: &S, id: ConflictId) -> Conflict {
    store.conflict(&id).await.expect("the store works").expect("there is such a conflict")
}

async fn list<S: ReviewStore>(store: &S, filter: &Filter) -> Vec<Conflict> {
    store.conflicts(filter).await.expect("the store works")
}

/// What is decided about a conflict that was seen at version 1.
fn decide(id: ConflictId, ruling: Ruling) -> Decide {
    Decide { id, version: 1, ruling, by: "mara".into(), reason: "typed twice".into() }
}

async fn decided<S: ReviewStore>(store: &S, decide: &Decide) -> Option<Decided> {
    store.decide(decide).await.expect("the store works")
}

/// Decides a conflict that nobody has decided yet.
async fn settle<S: ReviewStore>(store: &S, id: ConflictId, ruling: Ruling) -> Conflict {
    match decided(store, &decide(id, ruling)).await {
        Some(Decided::Done(conflict)) => conflict,
        other => panic!("not decided: {other:?}"),
    }
}
