//! Handles, and tasks of one's own.

use std::time::Duration;

use idem_core::janitor::Janitor;
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

use crate::backlog::{Backlog, Fault};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(60 * 60);
const AT_ONCE: Duration = Duration::ZERO;

#[tokio::test(start_paused = true)]
async fn a_stop_before_the_first_round_is_immediate() {
    let store = Backlog::of(1);
    let janitor = Janitor::new(store.clone()).every(HOUR).spawn();
    let started = Instant::now();
    janitor.stop().await;
    assert_eq!(started.elapsed(), AT_ONCE);
    sleep(HOUR * 2).await;
    assert_eq!(store.asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_stop_between_batches_is_immediate() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(4));
    let janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(1).await;
    // In the middle of the pause that follows.
    sleep(Duration::from_secs(6)).await;
    assert_eq!((store.asked(), janitor.stats().purged), (1, 500));
    let stopping = Instant::now();
    janitor.stop().await;
    assert_eq!(stopping.elapsed(), AT_ONCE);
    sleep(HOUR).await;
    assert_eq!(store.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stop_between_rounds_is_immediate() {
    let store = Backlog::of(1);
    let janitor = Janitor::new(store.clone()).every(HOUR).spawn();
    store.asked_for(1).await;
    sleep(MINUTE).await;
    let stopping = Instant::now();
    janitor.stop().await;
    assert_eq!(stopping.elapsed(), AT_ONCE);
}

#[tokio::test(start_paused = true)]
async fn a_stop_while_the_store_is_away_is_immediate() {
    let store = Backlog::of(1);
    store.fail(Fault::Away);
    let janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(7).await;
    sleep(Duration::from_secs(1)).await;
    let stopping = Instant::now();
    janitor.stop().await;
    assert_eq!(stopping.elapsed(), AT_ONCE);
    assert_eq!(store.asked(), 7);
}

#[tokio::test(start_paused = true)]
async fn a_stop_waits_for_the_batch_under_way_and_for_no_other() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(4));
    let janitor = Janitor::new(store.clone()).spawn();
    let progress = janitor.progress();
    store.asked_for(3).await;
    sleep(Duration::from_secs(1)).await;
    janitor.stop().await;
    let batches = store.batches();
    assert_eq!(batches.len(), 3);
    assert_eq!(batches[2].ended, Some(Instant::now()), "the batch was done, and nothing else");
    assert_eq!((progress.stats().purged, store.len()), (1_500, 3_500));
    assert_eq!(progress.stats().rounds, 0, "a round that was stopped has not ended");
}

#[tokio::test(start_paused = true)]
async fn a_stop_is_over_within_the_time_limit_of_a_store_that_hangs() {
    let store = Backlog::of(1);
    store.fail(Fault::Hangs);
    let janitor = Janitor::new(store.clone()).store_timeout(Duration::from_secs(3)).spawn();
    store.asked_for(1).await;
    timeout(Duration::from_millis(3_010), janitor.stop()).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_not_waited_for_stops_all_the_same() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(4));
    let janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(1).await;
    assert!(timeout(Duration::from_secs(1), janitor.stop()).await.is_err(), "a batch is under way");
    sleep(HOUR).await;
    assert_eq!((store.asked(), store.len()), (1, 4_500));
}

#[tokio::test(start_paused = true)]
async fn a_handle_that_is_dropped_stops_the_janitor_after_the_batch_under_way() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(4));
    let janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(2).await;
    drop(janitor);
    sleep(HOUR).await;
    assert_eq!((store.asked(), store.len()), (2, 4_000));
}

#[tokio::test(start_paused = true)]
async fn a_detached_janitor_goes_on_and_can_still_be_watched() {
    let store = Backlog::of(1);
    let janitor = Janitor::new(store.clone()).every(MINUTE).spawn();
    let progress = janitor.progress();
    janitor.detach();
    sleep(HOUR).await;
    let rounds = progress.stats().rounds;
    assert!((45..=80).contains(&rounds), "{rounds}");
    assert_eq!(progress.stats().purged, 1);
}

#[tokio::test(start_paused = true)]
async fn a_janitor_runs_in_a_task_of_ones_own_until_it_is_dropped() {
    let store = Backlog::of(1);
    let janitor = Janitor::new(store.clone()).every(MINUTE);
    let progress = janitor.progress();
    assert!(timeout(MINUTE * 2, janitor.run()).await.is_err(), "it runs on");
    assert_eq!(progress.stats().purged, 1);
    let asked = store.asked();
    sleep(HOUR).await;
    assert_eq!(store.asked(), asked);
}

#[tokio::test(start_paused = true)]
async fn a_janitor_in_a_task_of_ones_own_ends_after_its_batch() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(4));
    let (stop, stopped) = oneshot::channel::<()>();
    let task = tokio::spawn(Janitor::new(store.clone()).run_until(async {
        let _ = stopped.await;
    }));
    store.asked_for(2).await;
    drop(stop);
    task.await.unwrap();
    assert_eq!(store.batches()[1].ended, Some(Instant::now()));
    assert_eq!((store.asked(), store.len()), (2, 4_000));
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_the_numbers_hears_of_each_change_and_of_the_end() {
    let store = Backlog::of(700);
    let janitor = Janitor::new(store.clone()).every(HOUR).spawn();
    let mut progress = janitor.progress();
    let mut heard = Vec::new();
    while heard.last() != Some(&(700, 1)) {
        let stats = progress.changed().await.unwrap();
        heard.push((stats.purged, stats.rounds));
    }
    assert_eq!(heard[0], (500, 0));
    janitor.stop().await;
    assert_eq!(progress.changed().await, None);
    assert_eq!(progress.stats().purged, 700);
}
