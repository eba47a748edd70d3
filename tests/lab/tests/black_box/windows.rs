//! Another intent, judged by the time that has passed since the first.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep_until};

use crate::harness::{Call, Place};

fn pay(key: &str, amount: u32) -> Call {
    Call::to("/window").key(key).with(("amount", amount))
}

#[tokio::test]
async fn a_difference_is_suspicious_then_refused_then_an_operation_of_its_own() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let first = lab.send(&pay(key, 10)).await;
        let start = Instant::now();
        let after = |millis| sleep_until(start + Duration::from_millis(millis));

        let problem = lab.send(&pay(key, 20)).await.assert_problem(400, "suspicious-retry");
        assert_eq!(problem["changed"], json!(["amount"]));
        lab.send(&pay(key, 10)).await.assert_replays(&first);

        after(2_500).await;
        lab.send(&pay(key, 20)).await.assert_problem(409, "payload-mismatch");

        after(4_200).await;
        let fresh = lab.send(&pay(key, 20)).await;
        fresh.assert_ran();
        lab.send(&pay(key, 20)).await.assert_replays(&fresh);
        // The old operation is not lost, and the windows count from the new one now.
        lab.send(&pay(key, 10)).await.assert_replays(&first);
        lab.send(&pay(key, 30)).await.assert_problem(400, "suspicious-retry");
        assert_eq!(place.effects(key).len(), 2);
    }
}
