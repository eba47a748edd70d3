//! Servers that die.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::harness::{Call, Lab, Place, Reply, script};

/// Long enough for a restart on a busy machine, with a third of it gone since the last renewal.
const LEASE: [&str; 2] = ["--lease", "3s"];

/// What can be left of the lease after a crash, and two seconds for a busy machine.
const LONGEST: Duration = Duration::from_secs(5);

#[tokio::test]
async fn a_crash_that_is_held_is_an_unknown_outcome_once_its_lease_has_run_out() {
    let place = Place::new();
    let call = Call::to("/crash-hold").key("k");
    let (lab, _) = crashed_and_restarted(&place, &call).await;
    let decided = decided(&lab, &call).await;
    decided.assert_problem(409, "outcome-unknown");
    assert_eq!(decided.header("stripe-should-retry"), Some("false"));
    lab.send(&call).await.assert_problem(409, "outcome-unknown");
    let doubled = call.clone().with(("amount", "20.00"));
    lab.send(&doubled).await.assert_problem(409, "payload-mismatch");
    assert!(place.effects("k").is_empty());
}

#[tokio::test]
async fn a_crash_that_is_retried_runs_under_a_greater_fence_once_its_lease_has_run_out() {
    let place = Place::new();
    let call = Call::to("/crash-retry").key("k");
    let (lab, fence_of_the_dead) = crashed_and_restarted(&place, &call).await;
    let answer = decided(&lab, &call).await;
    answer.assert_ran();
    assert!(answer.fence() > fence_of_the_dead);
    lab.send(&call).await.assert_replays(&answer);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn answers_survive_the_death_of_their_server() {
    let place = Place::new();
    let call = Call::to("/reject").key("k");
    let lab = place.lab(&[]);
    let first = lab.send(&call).await;
    first.assert_ran();
    lab.kill();
    let lab = place.lab(&[]);
    lab.send(&call).await.assert_replays(&first);
    let doubled = call.with(("amount", "20.00"));
    lab.send(&doubled).await.assert_problem(409, "payload-mismatch");
    assert_eq!(place.effects("k").len(), 1);
}

/// Kills a lab in the middle of `call` and starts another. Returns that, and the fencing token of
/// the execution that died.
async fn crashed_and_restarted(place: &Place, call: &Call) -> (Lab, u64) {
    let lab = place.lab(&LEASE);
    let endless = call.clone().with(script(json!({ "sleep_ms": 60_000 })));
    let reply = lab.begin(&endless).await;
    let fence = lab.last_fence();
    lab.kill();
    assert!(reply.await.expect("nothing panicked").is_none(), "a dead server answers nothing");
    (place.lab(&LEASE), fence)
}

/// The first reply that does not say busy. The very first does: the lease is still running.
async fn decided(lab: &Lab, call: &Call) -> Reply {
    let restarted = Instant::now();
    lab.send(call).await.assert_busy();
    let reply = lab.send_until_decided(call).await;
    assert!(restarted.elapsed() < LONGEST, "{:?}", restarted.elapsed());
    reply
}
