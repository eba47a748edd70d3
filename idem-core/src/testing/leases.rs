//! Rules of leases, fences and taking over.

use std::sync::Arc;

use super::{
    LEASE, MARGIN, Subject, answer, attempt, claim, claim_over, finish, granted, race, refused,
};
use crate::record::State;
use crate::store::{Outcome, Store, Written};

/// A outlives its lease, B takes over, A comes back: none of A's writes is done, B is untouched.
pub async fn a_stale_fence_can_write_nothing(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (stale, _) = granted(&store, &claim(&attempt)).await;
    subject.pass(LEASE + MARGIN).await;
    let lost = refused(&store, &claim(&attempt)).await;
    assert!(!lost.record.is_live(lost.now));
    let (lease, _) = granted(&store, &claim_over(&attempt, lost.record.revision)).await;

    assert_eq!(store.renew(&stale).await.expect("the store works"), Written::Fenced);
    assert_eq!(finish(&store, &stale, Outcome::Completed(answer())).await, Written::Fenced);
    assert_eq!(store.release(&stale).await.expect("the store works"), Written::Fenced);
    let found = refused(&store, &claim(&attempt)).await;
    assert!(found.record.is_live(found.now));
    assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Done);
    assert_eq!(finish(&store, &stale, Outcome::Completed(answer())).await, Written::Fenced);
    assert_eq!(refused(&store, &claim(&attempt)).await.record.state, State::Failed);
}

/// A holder that renews is never taken for dead.
pub async fn a_renewed_lease_stays_live(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    for _ in 0..4 {
        subject.pass(LEASE / 2).await;
        assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    }
    let found = refused(&store, &claim(&attempt)).await;
    assert!(found.record.is_live(found.now));
}

/// An ended execution has no lease left to renew.
pub async fn a_renewal_after_the_end_is_fenced(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Fenced);
    assert_eq!(refused(&store, &claim(&attempt)).await.record.state, State::Completed(answer()));
}

/// Compare-and-set: B saw a lost lease, A renews it, B's claim over what it saw is refused.
pub async fn only_the_revision_that_was_seen_is_taken_over(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &claim(&attempt)).await;
    subject.pass(LEASE + MARGIN).await;
    let seen = refused(&store, &claim(&attempt)).await.record.revision;
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    let found = refused(&store, &claim_over(&attempt, seen)).await;
    assert!(found.record.is_live(found.now));
    assert_ne!(found.record.revision, seen);
    assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Done);
    refused(&store, &claim_over(&attempt, found.record.revision)).await;
}

/// Fifty attempts saw the same failure: one runs.
pub async fn of_many_parallel_take_overs_one_is_granted(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    let attempt = attempt("k");
    let (lease, _) = granted(&*store, &claim(&attempt)).await;
    assert_eq!(finish(&*store, &lease, Outcome::Failed).await, Written::Done);
    let seen = refused(&*store, &claim(&attempt)).await.record.revision;
    assert_eq!(race(&store, claim_over(&attempt, seen)).await, 1);
}

/// Every execution of a record has a token greater than the one before.
pub async fn a_take_over_gets_a_greater_fence_and_is_counted(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (mut lease, _) = granted(&store, &claim(&attempt)).await;
    let created_at = refused(&store, &claim(&attempt)).await.record.created_at;
    for expected in 2..5 {
        assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Done);
        let failed = refused(&store, &claim(&attempt)).await.record;
        let (next, attempts) = granted(&store, &claim_over(&attempt, failed.revision)).await;
        assert_eq!(attempts, expected);
        assert!(next.fence > lease.fence);
        lease = next;
    }
    assert_eq!(refused(&store, &claim(&attempt)).await.record.created_at, created_at);
}
