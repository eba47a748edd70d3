//! Rules of retention and purging.

use super::{LEASE, MARGIN, SHORT, Subject, TTL, answer, attempt, claim, finish, granted, refused};
use crate::store::{Claim, Outcome, Store, Written};

/// After its ttl a key is new, and its fences still grow.
pub async fn an_expired_record_is_as_if_it_had_never_been(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (first, _) = granted(&store, &Claim { ttl: SHORT, ..claim(&attempt) }).await;
    assert_eq!(finish(&store, &first, Outcome::Completed(answer())).await, Written::Done);
    subject.pass(SHORT + MARGIN).await;
    assert_eq!(store.find(&attempt.id).await.expect("the store works"), None);
    let (second, attempts) = granted(&store, &claim(&attempt)).await;
    assert_eq!(attempts, 1);
    assert!(second.fence > first.fence);
}

/// A zombie from before the expiry does not write over the key's new life.
pub async fn a_holder_whose_record_expired_is_fenced(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let short = Claim { ttl: SHORT, lease: SHORT, ..claim(&attempt) };
    let (zombie, _) = granted(&store, &short).await;
    subject.pass(SHORT + SHORT + MARGIN).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 1);
    granted(&store, &claim(&attempt)).await;
    assert_eq!(finish(&store, &zombie, Outcome::Completed(answer())).await, Written::Fenced);
    assert_eq!(store.renew(&zombie).await.expect("the store works"), Written::Fenced);
}

/// Lease and retention are separate times.
pub async fn a_live_lease_outlives_its_ttl(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let long = Claim { ttl: SHORT, lease: TTL, ..claim(&attempt) };
    let (lease, _) = granted(&store, &long).await;
    subject.pass(SHORT + MARGIN).await;
    let found = refused(&store, &claim(&attempt)).await;
    assert!(found.record.is_live(found.now));
    assert_eq!(store.purge(10).await.expect("the store works"), 0);
    assert!(store.find(&attempt.id).await.expect("the store works").is_some());
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
}

/// A ttl shorter than the lease does not make a crash look like a new key.
pub async fn a_crash_is_remembered_for_a_whole_ttl(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &Claim { lease: LEASE, ttl: SHORT, ..claim(&attempt) }).await;
    subject.pass(LEASE / 2).await;
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    subject.pass(LEASE + MARGIN).await;
    let found = refused(&store, &claim(&attempt)).await;
    assert!(!found.record.is_live(found.now));
    subject.pass(SHORT).await;
    granted(&store, &claim(&attempt)).await;
}

/// A handler that ran almost as long as its ttl leaves an answer that is kept for a whole ttl.
pub async fn the_retention_counts_from_the_last_write(subject: &impl Subject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (lease, _) = granted(&store, &Claim { ttl: LEASE, ..claim(&attempt) }).await;
    subject.pass(LEASE / 2).await;
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    subject.pass(LEASE / 2).await;
    assert_eq!(finish(&store, &lease, Outcome::Completed(answer())).await, Written::Done);
    subject.pass(LEASE / 2).await;
    refused(&store, &claim(&attempt)).await;
}

/// Retained and running records survive every purge.
pub async fn purging_takes_what_is_expired_and_nothing_else(subject: &impl Subject) {
    let store = subject.store().await;
    let short = |key| Claim { ttl: SHORT, ..claim(&attempt(key)) };
    let (done, _) = granted(&store, &short("done")).await;
    assert_eq!(finish(&store, &done, Outcome::Completed(answer())).await, Written::Done);
    let (kept, _) = granted(&store, &claim(&attempt("kept"))).await;
    assert_eq!(finish(&store, &kept, Outcome::Completed(answer())).await, Written::Done);
    granted(&store, &Claim { lease: TTL, ..short("running") }).await;
    granted(&store, &Claim { lease: SHORT, ..short("crashed") }).await;
    subject.pass(SHORT + SHORT + MARGIN).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 2);
    for (key, there) in [("done", false), ("kept", true), ("running", true), ("crashed", false)] {
        let found = store.find(&attempt(key).id).await.expect("the store works");
        assert_eq!(found.is_some(), there, "{key}");
    }
}

/// A purge is a batch of a size that the caller chooses.
pub async fn purging_stops_at_its_limit(subject: &impl Subject) {
    let store = subject.store().await;
    for number in 0..5 {
        let attempt = attempt(&format!("k{number}"));
        granted(&store, &Claim { ttl: SHORT, lease: SHORT, ..claim(&attempt) }).await;
    }
    subject.pass(SHORT + SHORT + MARGIN).await;
    let mut purged = Vec::new();
    for _ in 0..3 {
        purged.push(store.purge(2).await.expect("the store works"));
    }
    assert_eq!(purged, [2, 2, 1]);
}
