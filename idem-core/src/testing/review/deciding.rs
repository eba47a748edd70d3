//! Rules of decisions.

use std::sync::Arc;

use super::{decide, decided, held, hold, holding, list, original, settle, shown};
use crate::review::{
    ConflictId, ConflictState, Decide, Decided, Decision, Filter, Hold, Holding, Ruling,
};
use crate::store::ReviewStore;
use crate::testing::{LEASE, MARGIN, SHORT, Subject, TTL, attempt, claim, found, paying, refused};

/// Who, why and when; the conflict is at its next version, and its time begins anew.
pub async fn a_decision_is_read_back_whole(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    original(&store, "k").await;
    for (amount, ruling, by, reason) in
        [(11, Ruling::Accept, "mara@example.com", "Größe bestätigt"), (12, Ruling::Keep, "", "")]
    {
        let id = held(&store, "k", amount).await;
        let before = shown(&store, id).await;
        subject.pass(MARGIN).await;
        let decide = Decide { by: by.into(), reason: reason.into(), ..decide(id, ruling) };
        let Some(Decided::Done(conflict)) = decided(&store, &decide).await else {
            panic!("not decided");
        };
        assert_eq!(shown(&store, id).await, conflict);
        assert_eq!((conflict.version, conflict.state), (2, ruling.state()));
        let at = conflict.decision.as_ref().map(|decision| decision.at).expect("it is decided");
        let (by, reason) = (by.to_owned(), reason.to_owned());
        assert_eq!(conflict.decision, Some(Decision { by, reason, at }));
        assert!(before.held_at < at && at <= found(&store, &attempt("k")).await.now);
        assert_eq!(conflict.expires_at, at.after(TTL));
        assert_eq!((conflict.taken_at, conflict.held_at), (None, before.held_at));
        assert_eq!((&conflict.disputed, &conflict.original), (&before.disputed, &before.original));
    }
}

/// Fifty people decide at once, half of them this way and half the other: the first counts, and the
/// others are shown what was decided.
pub async fn of_many_parallel_decisions_one_counts(subject: &impl Subject<Store: ReviewStore>) {
    let store = Arc::new(subject.store().await);
    original(&*store, "k").await;
    let id = held(&*store, "k", 11).await;
    let people = (0..50).map(|number| {
        let ruling = if number % 2 == 0 { Ruling::Accept } else { Ruling::Keep };
        let (store, by) = (store.clone(), format!("person {number}"));
        let decide = Decide { by, ..decide(id, ruling) };
        tokio::spawn(async move { decided(&*store, &decide).await })
    });
    let (mut done, mut stale) = (Vec::new(), Vec::new());
    for person in people.collect::<Vec<_>>() {
        match person.await.expect("no panic").expect("there is a conflict") {
            Decided::Done(conflict) => done.push(conflict),
            Decided::Stale(conflict) => stale.push(conflict),
        }
    }
    assert_eq!((done.len(), stale.len()), (1, 49));
    assert!(stale.iter().all(|conflict| *conflict == done[0]));
    assert_eq!(shown(&*store, id).await, done[0]);
}

/// Neither an older nor a newer version, nor a second word on what is decided.
pub async fn a_decision_over_another_version_is_refused(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    original(&store, "k").await;
    let id = held(&store, "k", 11).await;
    let pending = shown(&store, id).await;
    for version in [0, 2, u64::MAX >> 1] {
        let decide = Decide { version, ..decide(id, Ruling::Accept) };
        assert_eq!(decided(&store, &decide).await, Some(Decided::Stale(pending.clone())));
    }
    let kept = settle(&store, id, Ruling::Keep).await;
    for version in [1, 2] {
        let decide = Decide { version, ..decide(id, Ruling::Accept) };
        assert_eq!(decided(&store, &decide).await, Some(Decided::Stale(kept.clone())));
    }
    assert_eq!(shown(&store, id).await, kept);
}

/// A name that nobody has given out.
pub async fn an_unknown_conflict_is_none(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    original(&store, "k").await;
    held(&store, "k", 11).await;
    let unknown = ConflictId::random();
    assert_eq!(decided(&store, &decide(unknown, Ruling::Accept)).await, None);
    assert_eq!(store.conflict(&unknown).await.expect("the store works"), None);
}

/// The next attempt finds what was decided; the record itself is not written.
pub async fn a_decision_is_seen_by_the_next_claim(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    original(&store, "k").await;
    let before = found(&store, &attempt("k")).await.record;
    for (amount, ruling) in [(11, Ruling::Accept), (12, Ruling::Keep)] {
        let id = held(&store, "k", amount).await;
        settle(&store, id, ruling).await;
        let record = refused(&store, &claim(&paying("k", amount))).await.record;
        let disputed = record.conflicts.iter().find(|disputed| disputed.id == id);
        let disputed = disputed.expect("the record tells of it");
        assert_eq!((disputed.state, disputed.taken), (ruling.state(), false));
        assert_eq!((record.revision, record.state), (before.revision, before.state.clone()));
    }
}

/// Its time has run out: it is shown so, the record no longer tells of it, and its payload may be
/// held anew, under another name.
pub async fn an_expired_conflict_cannot_be_decided(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let short = Hold { ttl: SHORT, limit: 1, ..hold(&paying("k", 11), owner) };
    assert_eq!(holding(&store, &short).await, Holding::Held(short.id));
    subject.pass(SHORT + MARGIN).await;
    let expired = shown(&store, short.id).await;
    assert_eq!((expired.state, expired.version), (ConflictState::Expired, 1));
    for ruling in [Ruling::Accept, Ruling::Keep] {
        let told = decided(&store, &decide(short.id, ruling)).await;
        assert_eq!(told, Some(Decided::Stale(expired.clone())));
    }
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts, []);
    let anew = Hold { id: ConflictId::random(), ttl: TTL, ..short };
    assert_eq!(holding(&store, &anew).await, Holding::Held(anew.id));
    assert_eq!(list(&store, &Filter::default()).await.len(), 2);
}

/// From the decision on there is a whole ttl again: for the run of what was accepted, and to
/// refuse what was not. Then what was accepted and has not run expires; a refusal stays one.
pub async fn a_decision_lets_the_time_run_anew(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let mut conflicts = Vec::new();
    for (amount, ruling) in [(11, Ruling::Accept), (12, Ruling::Keep)] {
        let hold = Hold { ttl: LEASE * 2, ..hold(&paying("k", amount), owner) };
        assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
        conflicts.push((hold.id, ruling));
    }
    subject.pass(LEASE).await;
    for (id, ruling) in &conflicts {
        settle(&store, *id, *ruling).await;
    }
    subject.pass(LEASE + MARGIN).await;
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts.len(), 2);
    for (id, ruling) in &conflicts {
        assert_eq!(shown(&store, *id).await.state, ruling.state());
    }
    subject.pass(LEASE + MARGIN).await;
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts, []);
    let states = [ConflictState::Expired, ConflictState::Kept];
    for ((id, _), state) in conflicts.iter().zip(states) {
        assert_eq!(shown(&store, *id).await.state, state);
    }
}
