//! Bodies that cannot be read use up no key.

use crate::harness::{Call, Place};

const PAYMENT: &str = r#"{"amount":"10.00","currency":"EUR","recipient":"alice"}"#;

#[tokio::test]
async fn after_an_unreadable_body_the_right_one_runs() {
    let place = Place::new();
    let lab = place.lab(&[]);
    // One byte beyond the limit: the server has read it all when it refuses, and its refusal is not
    // lost in a connection that breaks.
    let long = "x".repeat((2 << 20) + 1);
    let twice = format!(r#"{{"amount":"1",{}"#, &PAYMENT[1..]);
    let json = "application/json";
    let table = [
        ("malformed", json, r#"{"amount":"#.to_owned(), 400, "payload-invalid"),
        ("empty", json, String::new(), 400, "payload-invalid"),
        ("a member twice", json, twice, 400, "payload-invalid"),
        (
            "a number beyond all",
            json,
            PAYMENT.replace("\"10.00\"", "1e400"),
            400,
            "payload-invalid",
        ),
        ("a member missing", json, r#"{"amount":1}"#.to_owned(), 422, "payload-invalid"),
        ("a wrong media type", "text/plain", PAYMENT.to_owned(), 415, "payload-invalid"),
        ("too long", json, long, 413, "payload-too-large"),
    ];
    for (number, (name, media_type, body, status, code)) in (0..).zip(table) {
        println!("{name}");
        let key = format!("k{number}");
        let wrong = Call::to("/reject").key(&key).body(media_type, body);
        lab.send(&wrong).await.assert_problem(status, code);
        assert!(place.effects(&key).is_empty());
        lab.send(&Call::to("/reject").key(&key)).await.assert_ran();
        assert_eq!(place.effects(&key).len(), 1);
    }
}

#[tokio::test]
async fn nesting_beyond_the_limit_is_refused() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let nested = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let body = format!(r#"{{"client_ts":{nested},{}"#, &PAYMENT[1..]);
    let deep = Call::to("/reject").key("k").body("application/json", body);
    lab.send(&deep).await.assert_problem(400, "payload-invalid");
    lab.send(&Call::to("/reject").key("k")).await.assert_ran();
}

#[tokio::test]
async fn members_may_come_in_any_order() {
    let place = Place::new();
    let lab = place.lab_in_memory(&[]);
    let send = |body: &'static str| Call::to("/strict").key("k").body("application/json", body);
    let first = lab.send(&send(PAYMENT)).await;
    let turned = send(r#" { "recipient" : "\u0061lice", "currency":"EUR", "amount":"10.00" } "#);
    let reply = lab.send(&turned).await;
    reply.assert_replays(&first);
    assert_eq!(reply.header("idempotency-verdict"), None);
}
