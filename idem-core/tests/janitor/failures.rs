//! A store that is away.

use std::time::Duration;

use idem_core::janitor::Janitor;
use tokio::time::sleep;

use crate::backlog::{Backlog, Fault};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const TICK: Duration = Duration::from_millis(2);

#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_is_asked_again_after_growing_pauses() {
    let store = Backlog::of(1);
    store.fail(Fault::Away);
    let _janitor = Janitor::new(store.clone()).every(MINUTE).spawn();
    sleep(MINUTE * 20).await;
    let pauses = store.intervals();
    for (number, pause) in pauses.iter().take(9).enumerate() {
        let mean = Duration::from_secs(1 << number);
        assert!(*pause >= mean * 3 / 4 && *pause <= mean * 5 / 4 + TICK, "{number}: {pause:?}");
    }
    assert!(pauses.len() >= 9 && pauses[..9].is_sorted(), "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_a_day_costs_few_calls_and_does_not_end_the_janitor() {
    let store = Backlog::of(1_200);
    store.fail(Fault::Away);
    let janitor = Janitor::new(store.clone()).spawn();
    sleep(DAY).await;
    let asked = store.asked();
    assert!((230..=400).contains(&asked), "every five minutes, about: {asked}");
    assert_eq!(janitor.stats().failures, asked as u64);
    assert_eq!((janitor.stats().rounds, janitor.stats().last_round), (0, None));

    store.heal();
    sleep(MINUTE * 7).await;
    assert_eq!(store.len(), 0);
    assert_eq!(janitor.stats().purged, 1_200);
    assert!(janitor.stats().rounds >= 1);
}

#[tokio::test(start_paused = true)]
async fn a_failure_in_the_middle_of_a_round_loses_nothing() {
    let store = Backlog::of(5_000);
    store.batch_takes(Duration::from_secs(1));
    let janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(6).await;
    store.fail(Fault::Away);
    store.asked_for(10).await;
    assert_eq!((janitor.stats().purged, janitor.stats().failures), (3_000, 4));
    store.heal();
    sleep(MINUTE * 2).await;
    assert_eq!((store.len(), janitor.stats().purged), (0, 5_000));
}

#[tokio::test(start_paused = true)]
async fn pauses_begin_anew_after_a_batch_that_did_not_fail() {
    let store = Backlog::of(5_000);
    store.fail(Fault::Away);
    let _janitor = Janitor::new(store.clone()).spawn();
    store.asked_for(7).await;
    store.heal();
    store.asked_for(9).await;
    assert_eq!(store.len(), 4_000);
    store.fail(Fault::Away);
    store.asked_for(11).await;
    let pauses = store.intervals();
    assert!(pauses[5] >= Duration::from_secs(24), "{pauses:?}");
    assert!(pauses[9] <= Duration::from_millis(1_250) + TICK, "{pauses:?}");
}

#[tokio::test(start_paused = true)]
async fn a_batch_that_hangs_is_given_up_and_asked_for_again() {
    let store = Backlog::of(7);
    store.fail(Fault::Hangs);
    let janitor = Janitor::new(store.clone()).store_timeout(Duration::from_secs(3)).spawn();
    sleep(MINUTE * 2).await;
    let given_up = janitor.stats().failures;
    assert!((5..=8).contains(&given_up), "{given_up}");
    let pause = store.intervals()[0] - Duration::from_secs(3);
    assert!(pause >= Duration::from_millis(750), "{pause:?}");
    store.heal();
    sleep(MINUTE * 3).await;
    assert_eq!((store.len(), janitor.stats().purged), (0, 7));
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_no_retry_mends_does_not_end_the_janitor_either() {
    let store = Backlog::of(7);
    store.fail(Fault::Damaged);
    let janitor = Janitor::new(store.clone()).spawn();
    sleep(MINUTE * 2).await;
    assert!(janitor.stats().failures >= 4);
    store.heal();
    sleep(MINUTE * 3).await;
    assert_eq!((store.len(), janitor.stats().purged), (0, 7));
}
