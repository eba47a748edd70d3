//! Rules of how long conflicts, and the records they are about, are kept.

use super::{decide, decided, held, hold, holding, list, original, settle, shown};
use crate::lease::Lease;
use crate::review::{ConflictState, Decided, Filter, Hold, Holding, Ruling};
use crate::store::{Claim, Outcome, ReviewStore, Store, Written};
use crate::testing::{
    LEASE, MARGIN, SHORT, Subject, answer, attempt, claim, claim_over, finish, found, granted,
    noted, paying, refused,
};

/// A record that would have expired is kept for what may still be decided about it.
pub async fn a_record_outlives_its_conflict(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let short = ended_soon(&store).await;
    let hold = Hold { ttl: LEASE * 2, ..hold(&paying("k", 11), short.owner) };
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    subject.pass(SHORT + MARGIN).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 0);
    let record = found(&store, &attempt("k")).await.record;
    assert!(record.expires_at >= shown(&store, hold.id).await.expires_at);
    subject.pass(LEASE - SHORT).await;
    assert!(matches!(
        decided(&store, &decide(hold.id, Ruling::Accept)).await,
        Some(Decided::Done(_))
    ));
    subject.pass(LEASE + MARGIN).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 0);
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts.len(), 1);
}

/// However short the retention is that its holder asks for after the attempt was held.
pub async fn a_record_outlives_its_conflict_whatever_is_written_after_it(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let (lease, _) = granted(&store, &Claim { ttl: SHORT, ..claim(&attempt("k")) }).await;
    let hold = hold(&paying("k", 11), lease.owner);
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    let expires_at = shown(&store, hold.id).await.expires_at;
    assert_eq!(store.renew(&lease).await.expect("the store works"), Written::Done);
    assert!(found(&store, &attempt("k")).await.record.expires_at >= expires_at);
    assert_eq!(finish(&store, &lease, Outcome::Failed).await, Written::Done);
    let failed = found(&store, &attempt("k")).await.record;
    assert!(failed.expires_at >= expires_at);
    let again = Claim { ttl: SHORT, ..claim_over(&attempt("k"), failed.revision) };
    granted(&store, &again).await;
    assert!(found(&store, &attempt("k")).await.record.expires_at >= expires_at);
}

/// A conflict does not make a record live shorter.
pub async fn a_conflict_of_a_short_time_leaves_its_record_as_it_is(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let before = found(&store, &attempt("k")).await.record;
    let hold = Hold { ttl: SHORT, ..hold(&paying("k", 11), owner) };
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    assert_eq!(found(&store, &attempt("k")).await.record.expires_at, before.expires_at);
    subject.pass(SHORT + MARGIN).await;
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts, []);
}

/// For one ttl it is still shown as expired, and not for longer.
pub async fn a_conflict_is_purged_one_ttl_after_it_expired(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    let hold = Hold { ttl: LEASE, ..hold(&paying("k", 11), owner) };
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    subject.pass(LEASE + MARGIN).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 0);
    assert_eq!(shown(&store, hold.id).await.state, ConflictState::Expired);
    subject.pass(LEASE).await;
    assert_eq!(store.purge(10).await.expect("the store works"), 1);
    assert_eq!(store.conflict(&hold.id).await.expect("the store works"), None);
    assert_eq!(list(&store, &Filter::default()).await, []);
    assert_eq!(decided(&store, &decide(hold.id, Ruling::Accept)).await, None);
    assert!(store.find(&attempt("k").id).await.expect("the store works").is_some());
}

/// Conflicts count to the size of a batch like records.
pub async fn purging_counts_conflicts_to_its_limit(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let owner = original(&store, "k").await;
    for amount in 11..14 {
        let hold = Hold { ttl: SHORT, ..hold(&paying("k", amount), owner) };
        assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    }
    granted(&store, &Claim { lease: SHORT, ttl: SHORT, ..claim(&attempt("vanished")) }).await;
    subject.pass(SHORT + SHORT + MARGIN).await;
    let mut purged = Vec::new();
    for _ in 0..3 {
        purged.push(store.purge(2).await.expect("the store works"));
    }
    assert_eq!(purged, [2, 2, 0]);
}

/// A key whose record has expired begins a life of its own; the old conflict is shown as expired
/// for a while and concerns it no more.
pub async fn a_new_life_of_a_key_has_no_conflicts(subject: &impl Subject<Store: ReviewStore>) {
    let store = subject.store().await;
    let short = ended_soon(&store).await;
    let hold = Hold { ttl: LEASE, ..hold(&paying("k", 11), short.owner) };
    assert_eq!(holding(&store, &hold).await, Holding::Held(hold.id));
    subject.pass(LEASE + MARGIN).await;
    let (_, attempts) = granted(&store, &claim(&noted("k", "new"))).await;
    assert_eq!(attempts, 1);
    let record = refused(&store, &claim(&paying("k", 11))).await.record;
    assert_eq!(record.conflicts, []);
    assert_eq!(shown(&store, hold.id).await.state, ConflictState::Expired);
    let told = decided(&store, &decide(hold.id, Ruling::Accept)).await;
    assert!(matches!(told, Some(Decided::Stale(_))), "{told:?}");
}

/// A claim that is as if it had never been made has no conflicts: there is nothing left to decide
/// about, and what was decided does not count for the next claim.
pub async fn a_released_claim_ends_the_conflicts_about_it(
    subject: &impl Subject<Store: ReviewStore>,
) {
    let store = subject.store().await;
    let (lease, _) = granted(&store, &claim(&attempt("k"))).await;
    let [pending, kept] = [held(&store, "k", 11).await, held(&store, "k", 12).await];
    settle(&store, kept, Ruling::Keep).await;
    assert_eq!(store.release(&lease).await.expect("the store works"), Written::Done);
    assert_eq!(shown(&store, pending).await.state, ConflictState::Expired);
    assert_eq!(shown(&store, kept).await.state, ConflictState::Kept);
    let told = decided(&store, &decide(pending, Ruling::Accept)).await;
    assert!(matches!(told, Some(Decided::Stale(_))), "{told:?}");
    granted(&store, &claim(&attempt("k"))).await;
    assert_eq!(found(&store, &attempt("k")).await.record.conflicts, []);
    for amount in [11, 12] {
        held(&store, "k", amount).await;
    }
}

/// An answer of `k` that is retained for a short time.
async fn ended_soon<S: ReviewStore>(store: &S) -> Lease {
    let short = Claim { ttl: SHORT, ..claim(&noted("k", "original")) };
    let (lease, _) = granted(store, &short).await;
    assert_eq!(finish(store, &lease, Outcome::Completed(answer())).await, Written::Done);
    lease
}
