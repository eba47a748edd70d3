//! Another request under the same key.

use serde_json::{Value, json};

use crate::harness::{Call, Place, script};

fn pay() -> Call {
    Call::to("/reject").key("k")
}

#[tokio::test]
async fn a_doubled_amount_is_refused_by_name_and_never_answered() {
    let place = Place::new();
    for lab in [place.lab_in_memory(&[]), place.lab(&[])] {
        let first = lab.send(&pay().with(("amount", "4711.25"))).await;
        let reply = lab.send(&pay().with(("amount", "9422.50"))).await;
        let problem = reply.assert_problem(409, "payload-mismatch");
        assert_eq!(problem["changed"], json!(["amount"]));
        assert_ne!(problem["fingerprint"], problem["original_fingerprint"]);
        assert_eq!(reply.header("stripe-should-retry"), Some("false"));
        // Neither the first payment nor its answer can be read from the refusal.
        let id = first.json()["id"].as_str().unwrap().to_owned();
        for secret in ["4711", "9422", "EUR", "alice", &id] {
            assert!(!problem.to_string().contains(secret), "{problem}");
        }
        lab.send(&pay().with(("amount", "4711.25"))).await.assert_replays(&first);
    }
    assert_eq!(place.effects("k").len(), 2, "one for each store");
    assert_eq!(place.effects("k")[0].amount, "4711.25");
}

#[tokio::test]
async fn all_changed_fields_are_named() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    lab.send(&pay()).await.assert_ran();
    let other = pay().with(("amount", 11)).with(("recipient", "mallory")).with(("note", "x"));
    let problem = lab.send(&other).await.assert_problem(409, "payload-mismatch");
    assert_eq!(problem["changed"], json!(["amount", "recipient"]));
}

#[tokio::test]
async fn a_changed_note_is_answered_and_marked() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let first = lab.send(&pay().with(("note", "rent"))).await;
    let reply = lab.send(&pay().with(("note", "rent, May"))).await;
    reply.assert_replays(&first);
    assert_eq!(reply.header("idempotency-verdict"), Some("difference-ignored"));
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn ignored_fields_make_no_difference() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    for (path, key) in [("/reject", "r"), ("/strict", "s")] {
        let pay = || Call::to(path).key(key);
        let first = lab.send(&pay().with(("client_ts", "10:00"))).await;
        let later = pay().with(("client_ts", 11)).with(script(json!({ "panic": true })));
        let reply = lab.send(&later).await;
        reply.assert_replays(&first);
        assert_eq!(reply.header("idempotency-verdict"), None);
        assert_eq!(place.effects(key).len(), 1);
    }
}

#[tokio::test]
async fn one_amount_may_be_written_in_many_ways() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let first = lab.send(&pay()).await;
    for amount in [json!("10"), json!("10.000"), json!(10), json!(10.0)] {
        lab.send(&pay().with(("amount", amount))).await.assert_replays(&first);
    }
    let (cents, large) = (json!("10.01"), Value::from(9_007_199_254_740_993_u64));
    for amount in [cents, large] {
        let reply = lab.send(&pay().with(("amount", amount))).await;
        reply.assert_problem(409, "payload-mismatch");
    }
}

#[tokio::test]
async fn without_critical_fields_any_difference_conflicts() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let pay = || Call::to("/strict").key("k");
    lab.send(&pay()).await.assert_ran();
    for (name, value) in [("note", "x"), ("amount", "10.0"), ("recipient", "bob")] {
        let problem = lab.send(&pay().with((name, value))).await;
        let problem = problem.assert_problem(409, "payload-mismatch");
        assert_eq!(problem.get("changed"), None);
    }
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn the_ietf_dialect_refuses_a_difference_with_422() {
    let place = Place::new();
    let lab = place.lab_in_memory(&["--dialect", "ietf"]);
    let slow = pay().with(script(json!({ "sleep_ms": 300 })));
    let first = lab.begin(&slow).await;
    lab.send(&slow).await.assert_busy();
    let other = pay().with(("amount", "20.00"));
    lab.send(&other).await.assert_problem(422, "payload-mismatch");
    first.await.unwrap().unwrap().assert_ran();
    lab.send(&other).await.assert_problem(422, "payload-mismatch");
    let elsewhere = Call::to("/strict").key("k");
    lab.send(&elsewhere).await.assert_problem(422, "operation-mismatch");
    lab.send(&Call::to("/reject")).await.assert_problem(400, "idempotency-key-missing");
}

#[tokio::test]
async fn a_mismatch_beats_busy() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let slow = pay().with(script(json!({ "sleep_ms": 800 })));
    let first = lab.begin(&slow).await;
    let doubled = lab.send(&pay().with(("amount", "20.00"))).await;
    let same = lab.send(&slow).await;
    let noted = lab.send(&pay().with(("note", "x"))).await;
    assert!(!first.is_finished(), "the first was to run meanwhile");
    assert_eq!(doubled.assert_problem(409, "payload-mismatch")["changed"], json!(["amount"]));
    same.assert_busy();
    noted.assert_busy();
    let first = first.await.unwrap().unwrap();
    first.assert_ran();
    lab.send(&pay().with(("note", "x"))).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn another_path_or_query_is_another_operation() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let to = |path| Call::to(path).key("k");
    let first = lab.send(&to("/accounts/7/transfers?a=1&b=2")).await;
    first.assert_ran();
    for path in ["/accounts/8/transfers?a=1&b=2", "/accounts/7/transfers?a=1", "/reject"] {
        let reply = lab.send(&to(path)).await;
        reply.assert_problem(409, "operation-mismatch");
        assert_eq!(reply.header("stripe-should-retry"), Some("false"));
    }
    lab.send(&to("/accounts/7/transfers?b=2&a=1")).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
    assert_eq!(place.effects("k")[0].route, "/accounts/7/transfers");
}
