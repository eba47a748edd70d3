//! Batches, pauses, and the time between rounds.

use std::time::Duration;

use idem_core::janitor::{Janitor, JanitorHandle, JanitorStats};
use tokio::time::{Instant, sleep};

use crate::backlog::Backlog;

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);

/// Timers fire in the millisecond after their time.
const TICK: Duration = Duration::from_millis(2);

/// The numbers at the end of the first round.
async fn first_round(janitor: &JanitorHandle) -> JanitorStats {
    let mut progress = janitor.progress();
    loop {
        let stats = progress.changed().await.unwrap();
        if stats.rounds == 1 {
            return stats;
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_round_removes_batch_after_batch_until_one_is_not_full() {
    let store = Backlog::of(1_200);
    let janitor = Janitor::new(store.clone()).spawn();
    let stats = first_round(&janitor).await;
    assert_eq!(store.len(), 0);
    assert_eq!(store.batches().iter().map(|batch| batch.limit).collect::<Vec<_>>(), [500; 3]);
    assert_eq!((stats.purged, stats.failures), (1_200, 0));
}

#[tokio::test(start_paused = true)]
async fn a_last_batch_that_is_full_is_followed_by_an_empty_one() {
    let store = Backlog::of(1_000);
    let janitor = Janitor::new(store.clone()).spawn();
    assert_eq!(first_round(&janitor).await.purged, 1_000);
    assert_eq!(store.asked(), 3);
}

#[tokio::test(start_paused = true)]
async fn at_most_half_of_the_time_of_a_round_goes_into_removing() {
    let store = Backlog::of(5_000);
    let batch = Duration::from_millis(40);
    store.batch_takes(batch);
    let janitor = Janitor::new(store.clone()).spawn();
    let took = first_round(&janitor).await.last_round.unwrap();
    let batches = store.batches();
    assert_eq!(batches.len(), 11);
    for pair in batches.windows(2) {
        let pause = pair[1].began - pair[0].ended.unwrap();
        assert!(pause >= batch && pause <= batch + TICK, "{pause:?}");
    }
    assert!(took >= batch * 21 && took <= (batch + TICK) * 21, "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn a_pause_follows_a_batch_that_took_no_time() {
    let store = Backlog::of(5_000);
    let janitor = Janitor::new(store.clone()).spawn();
    first_round(&janitor).await;
    assert_eq!(store.asked(), 11);
    let intervals = store.intervals();
    assert!(intervals.iter().all(|pause| *pause >= Duration::from_millis(1)), "{intervals:?}");
}

#[tokio::test(start_paused = true)]
async fn the_time_between_rounds_varies_by_a_quarter() {
    let store = Backlog::default();
    let _janitor = Janitor::new(store.clone()).every(MINUTE).spawn();
    sleep(2 * HOUR).await;
    let intervals = store.intervals();
    let (shortest, longest) = (intervals.iter().min().unwrap(), intervals.iter().max().unwrap());
    assert!(*shortest >= MINUTE * 3 / 4, "{shortest:?}");
    assert!(*longest <= MINUTE * 5 / 4 + TICK, "{longest:?}");
    // Of more than ninety draws, none in one of the outer quarters: once in 10^11 runs.
    assert!(*shortest < MINUTE * 7 / 8 && *longest > MINUTE * 9 / 8, "{shortest:?} {longest:?}");
}

#[tokio::test(start_paused = true)]
async fn instances_that_start_together_do_not_run_together() {
    let started = Instant::now();
    let stores: Vec<_> = (0..60).map(|_| Backlog::default()).collect();
    let _janitors: Vec<_> =
        stores.iter().map(|store| Janitor::new(store.clone()).spawn()).collect();
    sleep(MINUTE + TICK).await;
    let first = stores.iter().map(|store| store.batches()[0].began - started);
    // Sixty draws, none of which is in a given quarter of the minute: once in 10^7 runs.
    let mut in_quarter = [0; 4];
    first.for_each(|time| in_quarter[(time.as_millis() * 4 / 60_100) as usize] += 1);
    assert!(in_quarter.iter().all(|instances| *instances > 0), "{in_quarter:?}");
}

#[tokio::test(start_paused = true)]
async fn records_that_expire_later_are_removed_by_a_later_round() {
    let store = Backlog::of(3);
    let janitor = Janitor::new(store.clone()).every(MINUTE).spawn();
    assert_eq!(first_round(&janitor).await.purged, 3);
    store.add(4);
    sleep(MINUTE * 5 / 4 + TICK).await;
    assert_eq!(janitor.stats().purged, 7);
}

#[tokio::test(start_paused = true)]
async fn settings_that_would_keep_it_busy_are_raised() {
    let store = Backlog::of(3);
    let janitor = Janitor::new(store.clone()).every(Duration::ZERO).batch(0).spawn();
    sleep(Duration::from_secs(1)).await;
    assert_eq!(store.len(), 0);
    assert!(store.batches().iter().all(|batch| batch.limit == 1));
    let rounds = janitor.stats().rounds;
    assert!((50..=130).contains(&rounds), "{rounds} rounds of about 10 ms in a second");
}
