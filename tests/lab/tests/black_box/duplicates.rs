//! The same request, many times at once or later.

use futures_util::future::join_all;
use serde_json::json;

use crate::harness::{Call, Place, script};

#[tokio::test]
async fn fifty_parallel_first_requests_over_two_processes_have_one_effect() {
    let place = Place::new();
    let labs = [place.lab(&[]), place.lab(&[])];
    let call = Call::to("/reject").key("k").with(script(json!({ "sleep_ms": 100 })));
    let replies = join_all((0..50).map(|number| labs[number % 2].send(&call))).await;

    assert_eq!(place.effects("k").len(), 1);
    let (answers, refusals): (Vec<_>, Vec<_>) =
        replies.iter().partition(|reply| reply.status == 201);
    let ran = answers.iter().filter(|reply| !reply.is_replay()).collect::<Vec<_>>();
    assert_eq!(ran.len(), 1);
    for replayed in answers.iter().filter(|reply| reply.is_replay()) {
        replayed.assert_replays(ran[0]);
    }
    for refused in refusals {
        refused.assert_busy();
    }
    for lab in &labs {
        lab.send(&call).await.assert_replays(ran[0]);
    }
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn twenty_parallel_operations_all_finish() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let call = |number: u32| {
        let pause = script(json!({ "sleep_ms": 50 }));
        Call::to("/reject").key(format!("k{number}")).with(pause)
    };
    let calls = (0..20).map(call).collect::<Vec<_>>();
    for reply in join_all(calls.iter().map(|call| lab.send(call))).await {
        reply.assert_ran();
    }
    for number in 0..20 {
        assert_eq!(place.effects(&format!("k{number}")).len(), 1);
    }
}

#[tokio::test]
async fn a_retry_gets_the_first_answer_byte_for_byte() {
    let place = Place::new();
    for lab in [place.lab_in_memory(&[]), place.lab(&[])] {
        let call = Call::to("/reject").key("k").with(("note", "a\u{0}\u{2028}\u{e9}"));
        let first = lab.send(&call).await;
        first.assert_ran();
        assert!(first.header("location").is_some_and(|path| path.starts_with("/payments/")));
        for _ in 0..3 {
            lab.send(&call).await.assert_replays(&first);
        }
    }
    assert_eq!(place.effects("k").len(), 2, "one for each store");
}

#[tokio::test]
async fn a_request_that_calls_itself_a_replay_is_not_believed() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let call = Call::to("/reject").key("k").header("idempotent-replayed", "true");
    lab.send(&call).await.assert_ran();
    assert_eq!(place.effects("k").len(), 1);
}
