//! Clients and other janitors on the same store.

use std::sync::Arc;
use std::time::Duration;

use idem_core::clock::ManualClock;
use idem_core::janitor::{Janitor, JanitorHandle};
use idem_core::store::Store;
use idem_core::store::memory::MemoryStore;

use crate::records::{add_brief, claim};

/// On a store whose time is real, a first round that comes soon.
const SOON: Duration = Duration::from_millis(20);

/// Waits until a round of each janitor that began from now on has ended.
async fn whole_round(janitors: &[JanitorHandle]) {
    for janitor in janitors {
        let (mut progress, before) = (janitor.progress(), janitor.stats().rounds);
        while progress.changed().await.unwrap().rounds < before + 2 {}
    }
}

#[tokio::test(start_paused = true)]
async fn two_janitors_remove_each_record_once() {
    let clock = Arc::new(ManualClock::default());
    let store = MemoryStore::with_clock(clock.clone());
    add_brief(&store, 3_000).await;
    store.begin(&claim("kept")).await.unwrap();
    clock.advance(Duration::from_secs(60));

    let janitors = [(); 2].map(|()| Janitor::new(store.clone()).every(SOON).batch(7).spawn());
    whole_round(&janitors).await;
    let removed = janitors.each_ref().map(|janitor| janitor.stats().purged);
    assert_eq!(removed.iter().sum::<u64>(), 3_000, "{removed:?}");
    assert!(removed.iter().all(|removed| *removed > 0), "both have worked: {removed:?}");
    assert_eq!(store.len(), 1);
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use idem_core::store::Begun;
    use idem_core::store::sqlite::SqliteStore;
    use tempfile::TempDir;

    use super::*;

    const EXPIRED: u32 = 2_000;

    #[tokio::test(flavor = "multi_thread")]
    async fn two_janitors_of_two_instances_remove_each_record_once() {
        let folder = TempDir::new().unwrap();
        let open = || SqliteStore::open(folder.path().join("idem.db"));
        let stores = [open().await.unwrap(), open().await.unwrap()];
        add_brief(&stores[0], EXPIRED).await;

        let janitor = |store: &SqliteStore| Janitor::new(store.clone()).every(SOON).batch(20);
        let janitors = stores.each_ref().map(|store| janitor(store).spawn());
        whole_round(&janitors).await;
        let removed = janitors.each_ref().map(|janitor| janitor.stats().purged);
        assert_eq!(removed.iter().sum::<u64>(), u64::from(EXPIRED), "{removed:?}");
        assert!(removed.iter().all(|removed| *removed > 0), "both have worked: {removed:?}");
        for janitor in janitors {
            assert_eq!(janitor.stats().failures, 0);
            janitor.stop().await;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn claims_of_clients_go_on_between_batches() {
        let folder = TempDir::new().unwrap();
        let store = SqliteStore::open(folder.path().join("idem.db")).await.unwrap();
        add_brief(&store, EXPIRED).await;

        let janitor = Janitor::new(store.clone()).every(SOON).batch(20).spawn();
        let mut granted = 0;
        while janitor.stats().rounds == 0 {
            let claim = claim(&format!("client-{granted}"));
            assert!(matches!(store.begin(&claim).await.unwrap(), Begun::Claimed { .. }));
            granted += 1;
        }
        let stats = janitor.stats();
        assert_eq!(stats.purged, u64::from(EXPIRED));
        // A hundred batches, with a pause after each: whoever claims all the time is not kept
        // waiting for more than a few of them.
        assert!(granted >= 50, "{granted} claims in a round of {:?}", stats.last_round);
    }
}
