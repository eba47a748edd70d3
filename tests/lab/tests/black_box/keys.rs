//! Which keys are keys, and which are the same.

use crate::harness::{Call, Place};

#[tokio::test]
async fn the_quoted_and_the_bare_form_are_one_key() {
    let place = Place::new();
    let lab = place.lab(&[]);
    let first = lab.send(&Call::to("/reject").key("\"k\"")).await;
    first.assert_ran();
    lab.send(&Call::to("/reject").key("k")).await.assert_replays(&first);
    assert_eq!(place.effects("k").len(), 1);
}

#[tokio::test]
async fn keys_that_differ_in_case_are_two() {
    let place = Place::new();
    for lab in [place.lab_in_memory(&[]), place.lab(&[])] {
        lab.send(&Call::to("/reject").key("Key-A")).await.assert_ran();
        lab.send(&Call::to("/reject").key("key-a")).await.assert_ran();
    }
}

#[tokio::test]
async fn the_longest_key_is_protected() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let call = Call::to("/reject").key("x".repeat(255));
    let first = lab.send(&call).await;
    lab.send(&call).await.assert_replays(&first);
    assert_eq!(place.effects(&"x".repeat(255)).len(), 1);
}

#[tokio::test]
async fn what_is_no_key_is_refused_and_nothing_happens() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let table = [
        ("missing", Call::to("/reject"), "idempotency-key-missing"),
        ("given twice", Call::to("/reject").key("k").key("k"), "idempotency-key-invalid"),
        ("too long", Call::to("/reject").key("x".repeat(256)), "idempotency-key-invalid"),
        ("far too long", Call::to("/reject").key("x".repeat(10_000)), "idempotency-key-invalid"),
        ("not ASCII", Call::to("/reject").key("order\u{2026}"), "idempotency-key-invalid"),
        ("not UTF-8", Call::to("/reject").key(b"k\xff"), "idempotency-key-invalid"),
        ("empty", Call::to("/reject").key(""), "idempotency-key-invalid"),
        ("an unclosed quote", Call::to("/reject").key("\"k"), "idempotency-key-invalid"),
        ("invalid though optional", Call::to("/optional").key("a b"), "idempotency-key-invalid"),
    ];
    for (name, call, code) in table {
        let reply = lab.send(&call).await;
        println!("{name}");
        let problem = reply.assert_problem(400, code);
        assert!(problem["suggestion"].as_str().unwrap().contains("UUID"), "{problem}");
        let is_missing = code == "idempotency-key-missing";
        assert_eq!(reply.header("link").is_some(), is_missing);
    }
    for key in ["k", "-", &"x".repeat(256)] {
        assert!(place.effects(key).is_empty(), "{key}");
    }
}
