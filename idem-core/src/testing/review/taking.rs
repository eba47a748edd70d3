//! Rules of running what was accepted.

use std::sync::Arc;

use super::{decide, decided, held, hold, holding, original, settle, shown};
use crate::review::{Conflict, ConflictId, ConflictState, Decided, Hold, Holding, Ruling};
use crate::store::{Claim, Outcome, ReviewStore, TakeOver, Written};
use crate::testing::{
    LEASE, MARGIN, Subject, answer, attempt, claim_by, claim_over, finish, found, granted, history,
    noted, numbered, paying, race, refused,
};

/// Fifty retries of an accepted payload: one runs.
pub async fn of_many_parallel_claims_of_an_accepted_payload_one_is_granted(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = Arc::new(subject.store().await);
    let (id, claim) = accepted(&*store).await;
    assert_eq!(race(&store, claim).await, 1);
    let taken = shown(&*store, id).await;
    assert_eq!((taken.state, taken.version), (ConflictState::Accepted, 3));
    assert!(taken.taken_at.is_some());
}

/// The key stands for the accepted payload now; what it stood for is remembered and built on, and
/// the conflict is taken in the same step.
pub async fn an_accepted_payload_takes_the_key_over(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let (id, claim) = accepted(&store).await;
    let before = found(&store, &attempt("k")).await.record;
    let pending = shown(&store, id).await;
    subject.pass(MARGIN).await;
    let (lease, attempts) = granted(&store, &claim).await;
    let record = found(&store, &attempt("k")).await;
    assert_eq!((attempts, record.record.created_at), (2, before.created_at));
    assert_eq!(
        (&record.record.accepted, &record.record.base),
        (&paying("k", 11), &before.accepted.payload)
    );
    assert!(record.record.conflicts.iter().all(|disputed| disputed.id == id && disputed.taken));
    assert_eq!(record.record.conflicts.len(), 1);
    let remembered = history(&store, &attempt("k")).await;
    assert_eq!(remembered.len(), 1);
    assert_eq!(remembered[0].answer, Some(numbered(0)));

    let taken = shown(&store, id).await;
    let taken_at = taken.taken_at.expect("it is taken");
    assert!(pending.held_at < taken_at && taken_at <= record.now);
    let expected = Conflict { version: 3, taken_at: Some(taken_at), ..pending };
    assert_eq!(taken, expected);
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    assert_eq!(shown(&store, id).await, expected);
}

/// A claim whose answer was lost is recognised when it is made again.
pub async fn the_same_claim_of_an_accepted_payload_takes_it_once(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let (id, claim) = accepted(&store).await;
    let first = granted(&store, &claim).await;
    let taken = shown(&store, id).await;
    assert_eq!(granted(&store, &claim).await, first);
    assert_eq!(shown(&store, id).await, taken);
    assert_eq!(history(&store, &attempt("k")).await.len(), 1);
}

/// Compare-and-set: a claim over what the record no longer is takes no conflict.
pub async fn a_refused_claim_takes_no_conflict(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let (id, claim) = accepted(&store).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    granted(&store, &claim_over(&noted("k", "next"), seen)).await;
    let found = refused(&store, &claim).await;
    assert!(found.record.conflicts.iter().all(|disputed| disputed.id == id && !disputed.taken));
    let conflict = shown(&store, id).await;
    assert_eq!((conflict.version, conflict.taken_at), (2, None));
}

/// A take-over of the usual kind leaves the conflicts as they are.
pub async fn conflicts_outlast_a_take_over(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    original(&store, "k").await;
    let id = held(&store, "k", 11).await;
    let before = shown(&store, id).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    granted(&store, &claim_over(&noted("k", "next"), seen)).await;
    assert_eq!(shown(&store, id).await, before);
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts.len(), 1);
}

/// An operation of its own begins without the open conflicts of the one before. What was decided
/// and done with stays as it is.
pub async fn a_fresh_take_over_ends_the_open_conflicts(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let (taken, claim) = accepted(&store).await;
    let (lease, _) = granted(&store, &claim).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    let [pending, accepted, kept] =
        [held(&store, "k", 12).await, held(&store, "k", 13).await, held(&store, "k", 14).await];
    settle(&store, accepted, Ruling::Accept).await;
    settle(&store, kept, Ruling::Keep).await;

    let seen = found(&store, &attempt("k")).await.record.revision;
    let fresh = claim_by(&paying("k", 15), seen, TakeOver::Fresh);
    granted(&store, &fresh).await;
    for (id, state) in [
        (pending, ConflictState::Expired),
        (accepted, ConflictState::Expired),
        (kept, ConflictState::Kept),
        (taken, ConflictState::Accepted),
    ] {
        assert_eq!(shown(&store, id).await.state, state);
        let told = decided(&store, &decide(id, Ruling::Accept)).await;
        assert!(matches!(told, Some(Decided::Stale(_))), "{told:?}");
    }
    let open = found(&store, &attempt("k")).await.record.conflicts;
    assert!(open.iter().all(|disputed| !disputed.is_open()), "{open:?}");
}

/// A fresh claim that is made again ends nothing that came after it.
pub async fn the_same_fresh_claim_twice_ends_conflicts_once(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    original(&store, "k").await;
    let before = held(&store, "k", 11).await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    let fresh = claim_by(&paying("k", 12), seen, TakeOver::Fresh);
    let first = granted(&store, &fresh).await;
    let after = held(&store, "k", 13).await;
    assert_eq!(granted(&store, &fresh).await, first);
    assert_eq!(shown(&store, before).await.state, ConflictState::Expired);
    assert_eq!(shown(&store, after).await.state, ConflictState::Pending);
}

/// What has run was accepted, however long ago.
pub async fn a_taken_conflict_does_not_expire(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    original(&store, "k").await;
    let seen = found(&store, &attempt("k")).await.record.revision;
    let hold = Hold { ttl: LEASE, ..hold(&paying("k", 11), seen.owner) };
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    settle(&store, hold.id, Ruling::Accept).await;
    granted(&store, &claim_by(&paying("k", 11), seen, TakeOver::Accepted(hold.id))).await;
    subject.pass(LEASE + MARGIN).await;
    assert_eq!(shown(&store, hold.id).await.state, ConflictState::Accepted);
}

/// A completed original of `k`, an accepted conflict about it, and the claim that runs it.
async fn accepted<S: ReviewStore>(store: &S) -> (ConflictId, Claim) {
    original(store, "k").await;
    let id = held(store, "k", 11).await;
    settle(store, id, Ruling::Accept).await;
    let seen = found(store, &attempt("k")).await.record.revision;
    (id, claim_by(&paying("k", 11), seen, TakeOver::Accepted(id)))
}
