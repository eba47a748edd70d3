//! Claims that wait for others.

use std::time::Duration;

use idem_core::record::State;
use idem_core::store::{Begun, Claim, Opened, Store, TransactionalStore};
use tokio::time::sleep;

use crate::support::{claim, completed, duplicate, schema, store};

const LEASE: Duration = Duration::from_secs(1);
const LONGER: Duration = Duration::from_millis(1500);
const PATIENCE: Duration = Duration::from_secs(10);

/// A claim of a new key that waits for another, uncommitted one, which then ends.
async fn wait_for(is_committed: bool) -> Begun {
    let store = store(&schema().await).await;
    let first = claim("k");
    let opened = store.open(&first, PATIENCE).await.unwrap();
    let Opened::Claimed { transaction, fence, .. } = opened else { panic!("the key is new") };
    let second = Claim { lease: LEASE, ..duplicate(&first) };
    let waiting = tokio::spawn({
        let store = store.clone();
        async move {
            let begun = store.begin(&second).await;
            (begun, store.find(&second.attempt.id).await)
        }
    });
    sleep(LONGER).await;
    assert!(!waiting.is_finished());
    if is_committed {
        store.commit(transaction, &first.lease_with(fence), &completed()).await.unwrap();
    } else {
        drop(transaction);
    }
    let (begun, found) = waiting.await.unwrap();
    let found = found.unwrap().expect("there is a record either way");
    if let State::InProgress { lease_until } = found.record.state {
        // Almost all of it is left, although more than all of it was waited.
        assert!(found.now.after(LEASE * 3 / 4) < lease_until, "{found:?}");
        assert!(found.record.created_at.after(LEASE / 4) > found.now, "{found:?}");
    }
    begun.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lease_begins_after_the_wait_for_a_claim_that_is_rolled_back() {
    assert!(matches!(wait_for(false).await, Begun::Claimed { attempts: 1, .. }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_claim_that_loses_against_one_it_has_waited_for_finds_its_record() {
    let Begun::Found(found) = wait_for(true).await else { panic!("the first has the key") };
    assert!(matches!(found.record.state, State::Completed(_)));
}
