//! Times: how long a handler may run, and how long a record is kept.

use std::time::Duration;

use serde_json::json;
use tokio::time::{sleep, timeout};

use crate::harness::{Call, Place, script};

#[tokio::test]
async fn a_handler_of_three_leases_stays_exclusive() {
    let place = Place::new();
    let labs = [place.lab(&["--lease", "1s"]), place.lab(&["--lease", "1s"])];
    let call = Call::to("/crash-retry").key("k").with(script(json!({ "sleep_ms": 3_000 })));
    let first = labs[0].begin(&call).await;
    for _ in 0..2 {
        sleep(Duration::from_millis(1_250)).await;
        for lab in &labs {
            lab.send(&call).await.assert_busy();
        }
    }
    let first = first.await.unwrap().unwrap();
    first.assert_ran();
    labs[1].send(&call).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn an_expired_record_is_as_if_it_had_never_been() {
    let place = Place::new();
    let labs = [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")];
    let call = |key: &str| Call::to("/short").key(key);
    let mut fences = Vec::new();
    for (lab, key) in &labs {
        let first = lab.send(&call(key)).await;
        first.assert_ran();
        lab.send(&call(key)).await.assert_replays(&first);
        fences.push(first.fence());
    }
    sleep(Duration::from_millis(2_200)).await;
    for ((lab, key), fence) in labs.iter().zip(fences) {
        // Not even its payload is remembered.
        let again = call(key).with(("amount", "20.00"));
        let second = lab.send(&again).await;
        second.assert_ran();
        assert!(second.fence() > fence);
        lab.send(&again).await.assert_replays(&second);
        assert_eq!(place.effects(key).len(), 2);
    }
}

#[tokio::test]
async fn expired_records_leave_the_database_while_two_servers_share_it() {
    let place = Place::new();
    let labs = [(); 2].map(|()| place.lab(&["--purge-every", "50ms"]));
    let kept = Call::to("/reject").key("kept");
    let first = labs[0].send(&kept).await;
    for number in 0..6 {
        let call = Call::to("/short").key(format!("brief-{number}"));
        labs[number % 2].send(&call).await.assert_ran();
    }
    assert!(place.records().await > 1, "they are kept for their ttl");
    let all_but_one = async {
        while place.records().await > 1 {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(Duration::from_secs(20), all_but_one).await.expect("expired records are removed");
    for lab in labs {
        lab.send(&kept).await.assert_replays(&first);
        lab.terminate();
        assert!(lab.ended().await.0.success());
    }
}

#[tokio::test]
async fn a_handler_longer_than_the_retention_is_not_forgotten_while_it_runs() {
    let place = Place::new();
    let labs = [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")];
    let call = |key: &str| Call::to("/short").key(key).with(script(json!({ "sleep_ms": 3_200 })));
    let mut running = Vec::new();
    for (lab, key) in &labs {
        running.push(lab.begin(&call(key)).await);
    }
    sleep(Duration::from_millis(2_500)).await;
    for (lab, key) in &labs {
        lab.send(&call(key)).await.assert_busy();
    }
    for ((lab, key), first) in labs.iter().zip(running) {
        let first = first.await.unwrap().unwrap();
        first.assert_ran();
        lab.send(&call(key)).await.assert_replays(&first);
        assert_eq!(place.effects(key).len(), 1);
    }
}
