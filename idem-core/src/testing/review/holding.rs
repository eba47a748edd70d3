//! Rules of holding an attempt.

use std::collections::HashSet;
use std::sync::Arc;

use super::{held, hold, holding, list, original, seen, settle, shown};
use crate::attempt::{Attempt, Payload};
use crate::clock::Timestamp;
use crate::lease::Owner;
use crate::review::{
    Conflict, ConflictId, ConflictState, Disputed, Filter, Hold, Holding, Original, Ruling,
};
use crate::scope::Scope;
use crate::store::{Claim, Found, Outcome, ReviewStore, Store, Written};
use crate::testing::{
    MARGIN, SHORT, Subject, answer, assert_same_words, attempt, claim, complete, finish, found,
    granted, noted, paying, refused, take,
};

/// The attempt with its payload, what it differs from and in what, and the times.
pub async fn a_held_attempt_is_read_back_whole(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let whole = paying("whole", 11);
    let raw = Attempt { identity: None, payload: no_text(), ..(*paying("raw", 11)).clone() };
    let scope = Scope::of("account-7").expect("it has an identifier");
    let bare = Attempt { scope, payload: None, ..(*paying("bare", 11)).clone() };
    for (disputed, payload, changed) in [
        (whole, noted("any", "text").payload.clone(), vec!["amount", "items[].größe"]),
        (raw.into(), None, vec![]),
        (bare.into(), no_text(), vec![""]),
    ] {
        let Attempt { id, ref scope, .. } = *disputed;
        let original = Attempt { id, scope: scope.clone(), payload, ..(*attempt("any")).clone() };
        let original = Arc::new(original);
        complete(&store, &original, &answer()).await;
        let changed = changed.into_iter().map(str::to_owned).collect();
        let hold = Hold { changed, ..hold(&disputed, seen(&store, &original).await) };
        assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));

        let conflict = shown(&store, hold.id).await;
        assert_eq!(conflict, first_version(&hold, &original, conflict.held_at));
        assert_same_words(&conflict.disputed.operation, &disputed.operation);
        assert_eq!(conflict.disputed.operation.name(), disputed.operation.name());
        let Found { record, now } = found(&store, &original).await;
        assert!(record.created_at <= conflict.held_at && conflict.held_at <= now);
        assert!(list(&store, &Filter::default()).await.contains(&conflict));
    }
}

fn first_version(hold: &Hold, original: &Attempt, held_at: Timestamp) -> Conflict {
    let (fingerprint, payload) = (original.fingerprint, original.payload.clone());
    Conflict {
        id: hold.id,
        version: 1,
        state: ConflictState::Pending,
        disputed: hold.attempt.clone(),
        original: Original { fingerprint, payload },
        changed: hold.changed.clone(),
        held_at,
        expires_at: held_at.after(hold.ttl),
        taken_at: None,
        decision: None,
    }
}

/// A repeated hold, and one of a retry, name the conflict that there is.
pub async fn a_payload_is_held_once(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let first = hold(&paying("k", 11), original(&store, "k").await);
    let again = Hold { id: ConflictId::random(), ..first.clone() };
    for hold in [&first, &first, &again] {
        assert_eq!(holding(&store, hold).await, Holding::Held(first.id));
    }
    assert_eq!(store.conflict(&again.id).await.expect("the store works"), None);
    for (amount, ruling) in [(12, Ruling::Keep), (13, Ruling::Accept)] {
        let id = held(&store, "k", amount).await;
        settle(&store, id, ruling).await;
        let again = hold(&paying("k", amount), first.seen);
        assert_eq!(holding(&store, &again).await, Holding::Held(id), "decided, and not run out");
    }
}

/// The same bytes with other critical fields are another payload, and so is another note.
pub async fn other_payloads_are_other_conflicts(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let one = paying("k", 11);
    let identity = Attempt { identity: paying("k", 12).identity.clone(), ..(*one).clone() };
    let fingerprint = noted("k", "other").fingerprint;
    let noted = Attempt { fingerprint, ..(*one).clone() };
    let others = [one, identity.into(), noted.into()];
    for disputed in &others {
        let hold = hold(disputed, owner);
        assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    }
    assert_eq!(list(&store, &Filter::default()).await.len(), others.len());
}

/// Fifty retries of one payload: one conflict, which all of them are told.
pub async fn of_many_parallel_holds_of_a_payload_one_is_kept(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = Arc::new(subject.store().await);
    let owner = original(&*store, "k").await;
    let told = hold_at_once(&store, |_| hold(&paying("k", 11), owner)).await;
    let kept = list(&*store, &Filter::default()).await;
    assert_eq!(kept.len(), 1);
    assert!(told.iter().all(|told| *told == Holding::Held(kept[0].id)));
}

/// Fifty payloads for one key: as many as the limit allows are held.
pub async fn of_many_parallel_holds_the_limit_is_kept(subject: &impl Subject<Store: ReviewStore>) {
    let store = Arc::new(subject.store().await);
    let owner = original(&*store, "k").await;
    let told = hold_at_once(&store, |number| hold(&paying("k", 100 + number), owner)).await;
    let kept = list(&*store, &Filter::default()).await;
    assert_eq!(kept.len(), 8);
    let full = told.iter().filter(|told| **told == Holding::Full).count();
    assert_eq!(full, 42);
    assert!(kept.iter().all(|kept| told.contains(&Holding::Held(kept.id))));
}

/// What an attempt was compared with must still be there: nothing is held against a record that is
/// absent, expired, or at another execution.
pub async fn nothing_is_held_against_a_record_that_has_moved_on(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let moved = async |attempt: &Arc<Attempt>, owner| {
        let hold = hold(attempt, owner);
        assert_eq!(holding(&store, &hold).await, Holding::Moved);
        assert_eq!(store.conflict(&hold.id).await.expect("the store works"), None);
    };
    moved(&paying("absent", 11), Owner::random()).await;

    let before = original(&store, "taken-over").await;
    take(&store, &noted("taken-over", "next")).await;
    moved(&paying("taken-over", 11), before).await;

    let short = Claim { ttl: SHORT, ..claim(&attempt("expired")) };
    let (lease, _) = granted(&store, &short).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    subject.pass(SHORT + MARGIN).await;
    moved(&paying("expired", 11), lease.owner).await;
}

/// A hold while the first runs: it renews and ends as if nothing had been, and no attempt that had
/// seen the record has to look again.
pub async fn holding_does_not_disturb_the_holder(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let lease = take(&store, &attempt("k")).await;
    let before = found(&store, &attempt("k")).await.record;
    held(&store, "k", 11).await;
    let after = found(&store, &attempt("k")).await.record;
    assert_eq!((after.revision, &after.state), (before.revision, &before.state));
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    held(&store, "k", 12).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    held(&store, "k", 13).await;
    assert_eq!(list(&store, &Filter::default()).await.len(), 3);
}

/// The limit counts what waits for people or for its run, of one key.
pub async fn a_key_has_only_so_many_open_conflicts(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    for key in ["k", "other"] {
        original(&store, key).await;
    }
    let [kept, accepted] = [held(&store, "k", 11).await, held(&store, "k", 12).await];
    let third = Hold { limit: 2, ..hold(&paying("k", 13), seen(&store, &attempt("k")).await) };
    let elsewhere =
        Hold { limit: 1, ..hold(&paying("other", 13), seen(&store, &attempt("other")).await) };
    assert_eq!(holding(&store, &third).await, Holding::Full);
    assert_eq!(store.conflict(&third.id).await.expect("the store works"), None);
    let second = Hold { attempt: paying("k", 12), ..third.clone() };
    assert_eq!(holding(&store, &second).await, Holding::Held(accepted), "it is held already");
    assert_eq!(holding(&store, &elsewhere).await, Holding::Held(elsewhere.id));
    settle(&store, accepted, Ruling::Accept).await;
    assert_eq!(holding(&store, &third).await, Holding::Full, "what was accepted has not run");
    settle(&store, kept, Ruling::Keep).await;
    assert_eq!(holding(&store, &third).await, Holding::Held(third.id));
}

/// Claims and reads learn of the conflicts about their key, and of no others.
pub async fn a_record_tells_of_its_conflicts(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    for key in ["k", "other"] {
        original(&store, key).await;
    }
    let ids = [held(&store, "k", 11).await, held(&store, "k", 12).await];
    let told = refused(&store, &claim(&paying("k", 11))).await.record.conflicts;
    assert_eq!(told, found(&store, &attempt("k")).await.record.conflicts);
    assert_eq!(told.iter().map(|told| told.id).collect::<HashSet<_>>(), HashSet::from(ids));
    for (id, amount) in ids.into_iter().zip([11, 12]) {
        let Attempt { fingerprint, identity, .. } = (*paying("k", amount)).clone();
        let state = ConflictState::Pending;
        assert!(told.contains(&Disputed { id, fingerprint, identity, state, taken: false }));
    }
    assert_eq!(found(&store, &attempt("other")).await.record.conflicts, []);
}

/// Holds fifty attempts at once.
async fn hold_at_once<S: ReviewStore>(store: &Arc<S>, hold: impl Fn(u64) -> Hold) -> Vec<Holding> {
    let contenders = (0..50).map(|number| {
        let (store, hold) = (store.clone(), hold(number));
        tokio::spawn(async move { holding(&*store, &hold).await })
    });
    let mut told = Vec::new();
    for contender in contenders.collect::<Vec<_>>() {
        told.push(contender.await.expect("no panic"));
    }
    told
}

fn no_text() -> Option<Payload> {
    let bytes = b"{\"z\":\"\\u0000\"}\x00\xff".to_vec();
    Some(Payload { bytes: bytes.into(), media_type: Some("application/json".into()) })
}
