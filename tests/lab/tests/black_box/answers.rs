//! What is stored of an answer.

use serde_json::json;

use crate::harness::{Call, Place, script};

const TEN_MEGABYTES: usize = 10 << 20;

#[tokio::test]
async fn an_answer_of_ten_megabytes_arrives_whole_and_never_runs_twice() {
    let place = Place::new();
    for (lab, key) in [(place.lab_in_memory(&[]), "m"), (place.lab(&[]), "s")] {
        let call =
            Call::to("/reject").key(key).with(script(json!({ "respond_bytes": TEN_MEGABYTES })));
        let first = lab.send(&call).await;
        first.assert_ran();
        assert!(first.body.len() >= TEN_MEGABYTES);
        assert_eq!(first.json()["recipient"], "alice");
        for _ in 0..2 {
            let reply = lab.send(&call).await;
            reply.assert_problem(409, "response-not-stored");
            assert_eq!(reply.header("stripe-should-retry"), Some("false"));
        }
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn an_answer_within_the_limit_is_stored_whole() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let long = script(json!({ "respond_bytes": 500_000 }));
    let call = Call::to("/reject").key("k").with(long);
    let first = lab.send(&call).await;
    assert!(first.body.len() >= 500_000);
    lab.send(&call).await.assert_replays(&first);
}
