//! The rules that every store must keep, as tests for any store, ours and yours.
//!
//! ```
//! use std::sync::Arc;
//! use std::time::Duration;
//! use idem_core::clock::ManualClock;
//! use idem_core::store::memory::MemoryStore;
//! use idem_core::testing::Subject;
//!
//! #[derive(Default)]
//! struct Memory(Arc<ManualClock>);
//!
//! impl Subject for Memory {
//!     type Store = MemoryStore;
//!
//!     async fn store(&self) -> MemoryStore {
//!         MemoryStore::with_clock(self.0.clone())
//!     }
//!
//!     async fn pass(&self, time: Duration) {
//!         self.0.advance(time);
//!     }
//! }
//!
//! // One test for each rule; needs tokio with `macros` and `rt-multi-thread`.
//! idem_core::store_conformance!(Memory::default());
//! ```

mod claims;
mod leases;
mod retention;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

pub use claims::*;
pub use leases::*;
pub use retention::*;

use crate::attempt::{Attempt, RecordId};
use crate::fingerprint::{Encoding, Fingerprint, Mask};
use crate::identity::Identity;
use crate::key::IdempotencyKey;
use crate::lease::{Lease, Owner};
use crate::operation::Operation;
use crate::record::{Answer, Revision};
use crate::scope::Scope;
use crate::store::{Begun, Claim, Found, Outcome, Store, Written};

/// A store under test, with its time.
pub trait Subject: Send + Sync {
    /// The kind of store.
    type Store: Store;

    /// A new, empty store.
    fn store(&self) -> impl Future<Output = Self::Store> + Send;

    /// Lets at least `time` pass on the store's clock.
    fn pass(&self, time: Duration) -> impl Future<Output = ()> + Send;
}

/// Makes one `#[tokio::test]` of each rule, on the [`Subject`] that the expression makes.
#[macro_export]
macro_rules! store_conformance {
    ($subject:expr) => {
        $crate::store_conformance!(@rules $subject;
            the_first_claim_is_granted_and_the_second_finds_it
            the_same_claim_twice_is_one_claim
            the_same_claim_made_twice_at_once_is_one_claim
            of_many_parallel_claims_one_is_granted
            what_was_claimed_is_read_back_whole
            an_answer_is_read_back_byte_for_byte
            failed_and_unknown_ends_are_told_apart
            finishing_twice_is_finishing_once
            a_released_claim_is_as_if_never_made
            a_take_over_cannot_be_released
            keys_do_not_touch_each_other
            a_stale_fence_can_write_nothing
            a_renewed_lease_stays_live
            a_renewal_after_the_end_is_fenced
            only_the_revision_that_was_seen_is_taken_over
            of_many_parallel_take_overs_one_is_granted
            a_take_over_gets_a_greater_fence_and_is_counted
            an_expired_record_is_as_if_it_had_never_been
            a_holder_whose_record_expired_is_fenced
            a_live_lease_outlives_its_ttl
            a_crash_is_remembered_for_a_whole_ttl
            the_retention_counts_from_the_last_write
            purging_takes_what_is_expired_and_nothing_else
            purging_stops_at_its_limit
        );
    };
    (@rules $subject:expr; $($rule:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $rule() {
                $crate::testing::$rule(&$subject).await;
            }
        )*
    };
}

/// Long enough for a slow machine to act within it, on a store whose time is real.
const LEASE: Duration = Duration::from_millis(700);
const TTL: Duration = Duration::from_secs(3600);
/// A retention that a test waits for.
const SHORT: Duration = Duration::from_millis(300);
const MARGIN: Duration = Duration::from_millis(50);

fn attempt(key: &str) -> Arc<Attempt> {
    let key = IdempotencyKey::parse(key.as_bytes()).expect("test keys are valid");
    let body = br#"{"amount": 10, "currency": "EUR"}"#;
    let mut identity = Identity::new();
    identity.field("amount", |out| out.value(&10_u64));
    identity.field("currency", |out| out.value("EUR"));
    Arc::new(Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", Some("dry=1")),
        fingerprint: Fingerprint::of(Encoding::Json, None, body, &Mask::NONE)
            .expect("test bodies are valid"),
        identity: Some(identity),
    })
}

fn claim(attempt: &Arc<Attempt>) -> Claim {
    Claim { attempt: attempt.clone(), owner: Owner::random(), lease: LEASE, ttl: TTL, over: None }
}

fn claim_over(attempt: &Arc<Attempt>, over: Revision) -> Claim {
    Claim { over: Some(over), ..claim(attempt) }
}

fn answer() -> Arc<Answer> {
    let headers = vec![
        ("link".into(), "</a>; rel=a".into()),
        ("etag".into(), "\"1\"".into()),
        ("link".into(), b"\xff".to_vec().into()),
    ];
    let body = b"{\"b\":1,\"a\":2.0,\"z\":\"\\u0000\"}\x00\xff".to_vec();
    Arc::new(Answer { status: 201, headers, body: Some(body.into()) })
}

async fn granted<S: Store>(store: &S, claim: &Claim) -> (Lease, u32) {
    match store.begin(claim).await.expect("the store works") {
        Begun::Claimed { fence, attempts } => (claim.lease_with(fence), attempts),
        Begun::Found(found) => panic!("not granted: {found:?}"),
    }
}

async fn refused<S: Store>(store: &S, claim: &Claim) -> Found {
    match store.begin(claim).await.expect("the store works") {
        Begun::Found(found) => found,
        Begun::Claimed { .. } => panic!("granted although the record is not free"),
    }
}

async fn finish<S: Store>(store: &S, lease: &Lease, outcome: Outcome) -> Written {
    store.finish(lease, &outcome).await.expect("the store works")
}

/// Runs fifty copies of `claim`, each of an owner of its own, and counts those that are granted.
async fn race<S: Store>(store: &Arc<S>, claim: Claim) -> usize {
    let contenders = (0..50).map(|_| {
        let (store, claim) = (store.clone(), Claim { owner: Owner::random(), ..claim.clone() });
        tokio::spawn(async move { store.begin(&claim).await.expect("the store works") })
    });
    let mut granted = 0;
    for contender in contenders.collect::<Vec<_>>() {
        granted += usize::from(matches!(contender.await.expect("no panic"), Begun::Claimed { .. }));
    }
    granted
}
