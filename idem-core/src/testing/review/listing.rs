//! Rules of listing conflicts.

use std::collections::HashSet;
use std::sync::Arc;

use super::{held, hold, holding, list, original, seen, settle, shown};
use crate::attempt::Attempt;
use crate::clock::Timestamp;
use crate::operation::Operation;
use crate::review::{Conflict, ConflictId, ConflictState, Filter, Hold, Holding, Ruling};
use crate::scope::Scope;
use crate::store::ReviewStore;
use crate::testing::{MARGIN, SHORT, Subject, attempt, complete, noted, numbered, paying};

/// By state, where what has expired is no longer pending.
pub async fn conflicts_are_listed_by_state(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let expired = Hold { ttl: SHORT, ..hold(&paying("k", 11), owner) };
    holding(&store, &expired).await;
    let [pending, accepted, kept] =
        [held(&store, "k", 12).await, held(&store, "k", 13).await, held(&store, "k", 14).await];
    settle(&store, accepted, Ruling::Accept).await;
    settle(&store, kept, Ruling::Keep).await;
    subject.pass(SHORT + MARGIN).await;
    for (state, id) in [
        (ConflictState::Pending, pending),
        (ConflictState::Accepted, accepted),
        (ConflictState::Kept, kept),
        (ConflictState::Expired, expired.id),
    ] {
        let filter = Filter { state: Some(state), ..Filter::default() };
        assert_eq!(list(&store, &filter).await, [shown(&store, id).await], "{state:?}");
    }
}

/// By the name of the operation, by scope and by record, and by all of them together.
pub async fn conflicts_are_listed_by_operation_scope_and_record(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let scope = |name| Scope::of(name).expect("it has an identifier");
    let conflicts = [
        (Operation::http("pay", "POST", "/pay", None), Scope::GLOBAL),
        (Operation::http("pay", "POST", "/pay", None), scope("a")),
        (Operation::http("refund", "POST", "/refund", None), scope("a")),
        (Operation::http("refund", "POST", "/refund", None), scope("b")),
    ];
    let mut ids = Vec::new();
    for (number, (operation, scope)) in conflicts.into_iter().enumerate() {
        ids.push(disputed(&store, &format!("k{number}"), operation, scope).await);
    }
    let all = Filter::default();
    let operation = |name: &str| Some(name.to_owned());
    let record = Some(attempt("k2").id);
    for (filter, expected) in [
        (Filter { operation: operation("pay"), ..all.clone() }, vec![0, 1]),
        (Filter { operation: operation("pa"), ..all.clone() }, vec![]),
        (Filter { scope: Some(scope("a")), ..all.clone() }, vec![1, 2]),
        (Filter { scope: Some(Scope::GLOBAL), ..all.clone() }, vec![0]),
        (Filter { record, ..all.clone() }, vec![2]),
        (
            Filter { operation: operation("refund"), scope: Some(scope("b")), ..all.clone() },
            vec![3],
        ),
        (Filter { record, scope: Some(scope("b")), ..all.clone() }, vec![]),
        (all, vec![0, 1, 2, 3]),
    ] {
        let expected: HashSet<_> = expected.into_iter().map(|number: usize| ids[number]).collect();
        let listed = list(&store, &filter).await.into_iter().map(|conflict| conflict.id);
        assert_eq!(listed.collect::<HashSet<_>>(), expected, "{filter:?}");
    }
}

/// Those of one instant are ordered by their names.
pub async fn conflicts_are_listed_newest_first(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let ids = many(subject, &store).await;
    let listed = list(&store, &Filter::default()).await;
    assert_eq!(listed.len(), ids.len());
    assert!(listed.is_sorted_by(|newer, older| place(newer) > place(older)));
    let few = list(&store, &Filter { limit: 3, ..Filter::default() }).await;
    assert_eq!(few, listed[..3]);
    assert_eq!(list(&store, &Filter { limit: 0, ..Filter::default() }).await, []);
}

/// Page by page, although others come and are decided meanwhile.
pub async fn paging_shows_each_conflict_once(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let ids = many(subject, &store).await;
    for limit in [1, 2, 3, 100] {
        let mut seen = Vec::new();
        let mut filter = Filter { limit, ..Filter::default() };
        for _ in 0..=ids.len() {
            let page = list(&store, &filter).await;
            let Some(last) = page.last() else { break };
            assert!(page.len() <= limit as usize);
            filter.before = Some(place(last));
            seen.extend(page.into_iter().map(|conflict| conflict.id));
        }
        assert_eq!(seen.len(), ids.len());
        assert_eq!(seen.into_iter().collect::<HashSet<_>>(), ids.iter().copied().collect());
    }
}

/// A page after one that was seen holds neither what came later nor what the filter leaves out.
pub async fn a_page_holds_what_came_before_and_passes_the_filter(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let ids = many(subject, &store).await;
    settle(&store, ids[0], Ruling::Keep).await;
    settle(&store, ids[4], Ruling::Keep).await;
    let before = Some(place(&shown(&store, ids[4]).await));
    subject.pass(MARGIN).await;
    held(&store, "k", 99).await;
    let kept = Filter { state: Some(ConflictState::Kept), before, ..Filter::default() };
    let page = list(&store, &kept).await.into_iter().map(|conflict| conflict.id);
    assert_eq!(page.collect::<Vec<_>>(), [ids[0]]);
}

/// Where a conflict stands in the order of the list.
fn place(conflict: &Conflict) -> (Timestamp, ConflictId) {
    (conflict.held_at, conflict.id)
}

/// Six conflicts about `k` in the order in which they came, some of them at one instant.
async fn many<S: Subject<Store: ReviewStore>>(subject: &S, store: &S::Store) -> Vec<ConflictId> {
    original(store, "k").await;
    let mut ids = Vec::new();
    for amount in 11..17 {
        if amount % 3 == 0 {
            subject.pass(MARGIN).await;
        }
        ids.push(held(store, "k", amount).await);
    }
    ids
}

/// A conflict about `key`, of this operation and scope.
async fn disputed<S: ReviewStore>(
    store: &S,
    key: &str,
    operation: Operation,
    scope: Scope,
) -> ConflictId {
    let of = |attempt: Arc<Attempt>| {
        Arc::new(Attempt {
            operation: operation.clone(),
            scope: scope.clone(),
            ..(*attempt).clone()
        })
    };
    let original = of(noted(key, "original"));
    complete(store, &original, &numbered(0)).await;
    let hold = hold(&of(paying(key, 11)), seen(store, &original).await);
    assert_eq!(holding(store, &hold).await, Holding::Held(hold.id));
    hold.id
}
