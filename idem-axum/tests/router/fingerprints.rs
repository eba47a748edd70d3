//! Which payloads are the same payload.

use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::routing::post as on_post;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;
use serde_json::Value;

use crate::support::{App, post};

#[idempotent]
async fn take(State(app): State<App>, Json(value): Json<Value>) -> String {
    format!("run {}: {value}", app.run())
}

/// Sends `first` and `second` under one key.
async fn pair(app: &App, router: &Router, first: &str, second: &str) -> crate::support::Reply {
    let key = format!("pair-{}", app.runs());
    post("/take").key(&key).json(first.to_owned()).to(router).await.ran();
    post("/take").key(&key).json(second.to_owned()).to(router).await
}

#[tokio::test]
async fn spellings_of_one_payload_are_one_payload() {
    let table = [
        (r#"{"amount":10}"#, r#"{"amount":10.0}"#),
        (r#"{"amount":10}"#, r#"{ "amount" : 10.00 }"#),
        (r#"{"amount":10}"#, r#"{"amount":1e1}"#),
        (r#"{"amount":10,"to":"bob"}"#, r#"{"to":"bob","amount":10}"#),
        (r#"{"to":"bob"}"#, r#"{"to":"b\u006fb"}"#),
        (r#"{"v":0}"#, r#"{"v":-0}"#),
        (r#"{"v":0}"#, r#"{"v":-0.0}"#),
        (r#"{"v":9007199254740991.0}"#, r#"{"v":9007199254740991}"#),
        ("{\"\u{fb33}\":1,\"\u{1f600}\":2}", "{\"\u{1f600}\":2,\"\\ufb33\":1}"),
        (r#"["\u007f\u2028\/"]"#, "[\"\u{7f}\u{2028}/\"]"),
    ];
    let app = App::new();
    let router = app.at("/take", on_post(take));
    for (first, second) in table {
        let reply = pair(&app, &router, first, second).await;
        assert!(reply.is_replay(), "{first} {second} {reply:?}");
    }
    assert_eq!(app.runs(), table.len());
}

#[tokio::test]
async fn different_payloads_are_never_taken_for_one() {
    let table = [
        (r#"{"amount":10}"#, r#"{"amount":20}"#),
        (r#"{"amount":10.00}"#, r#"{"amount":"10.00"}"#),
        (r#"{"v":333333333.33333329}"#, r#"{"v":333333333.3333333}"#),
        (r#"{"v":9007199254740993}"#, r#"{"v":9007199254740992}"#),
        (r#"{"v":"\u00e9"}"#, r#"{"v":"e\u0301"}"#),
        (r#"{"v":null}"#, "{}"),
        (r#"{"v":[1,2]}"#, r#"{"v":[2,1]}"#),
        (r#"{"v":true}"#, r#"{"v":"true"}"#),
        ("[]", "{}"),
    ];
    let app = App::new();
    let router = app.at("/take", on_post(take));
    for (first, second) in table {
        pair(&app, &router, first, second).await.problem(409, "payload-mismatch");
    }
    assert_eq!(app.runs(), table.len());
}

#[tokio::test]
async fn the_handler_sees_the_characters_that_were_sent() {
    let app = App::new();
    let router = app.at("/take", on_post(take));
    for sent in ["\u{e9}", "e\u{301}"] {
        let reply = post("/take").key(&format!("{}", sent.len())).json(format!("\"{sent}\""));
        assert!(reply.to(&router).await.text().ends_with(&format!("\"{sent}\"")));
    }
}

#[tokio::test]
async fn a_member_given_twice_is_refused_and_claims_nothing() {
    let app = App::new();
    let router = app.at("/take", on_post(take));
    for body in [r#"{"amount":1,"amount":2}"#, r#"{"a":[{"b":1,"\u0062":1}]}"#] {
        let reply = post("/take").key("k").json(body).to(&router).await;
        reply.problem(400, "payload-invalid");
        assert!(reply.document()["detail"].as_str().unwrap().contains("two members"));
    }
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    post("/take").key("k").json(r#"{"amount":1}"#).to(&router).await.ran();
}

fn nested(depth: usize) -> String {
    "[".repeat(depth) + &"]".repeat(depth)
}

#[tokio::test]
async fn nesting_has_a_limit_that_is_no_crash() {
    let app = App::new();
    let router = app.at("/take", on_post(take));
    post("/take").key("127").json(nested(127)).to(&router).await.ran();
    for depth in [128, 10_000, 500_000] {
        let reply = post("/take").key("deep").json(nested(depth)).to(&router).await;
        reply.problem(400, "payload-invalid");
    }
    assert_eq!((app.runs(), app.store.len()), (1, 1));
}

#[derive(Deserialize)]
struct Reading {
    value: f64,
}

#[idempotent]
async fn read(State(app): State<App>, Json(reading): Json<Reading>) -> String {
    format!("run {}: {}", app.run(), reading.value)
}

#[tokio::test]
async fn a_number_that_the_handler_cannot_hold_claims_nothing() {
    let app = App::new();
    let router = app.at("/read", on_post(read));
    let reply = post("/read").key("k").json(r#"{"value":1e400}"#).to(&router).await;
    reply.problem(400, "payload-invalid");
    assert_eq!((app.runs(), app.store.len()), (0, 0));
    post("/read").key("k").json(r#"{"value":1e40}"#).to(&router).await.ran();
}

/// A depth that `serde_json` does not see: it skips unknown members without counting.
#[tokio::test]
async fn nesting_in_a_member_that_nobody_reads_has_the_same_limit() {
    let app = App::new();
    let router = app.at("/read", on_post(read));
    for depth in [127, 100_000] {
        let body = format!(r#"{{"value":1,"extra":{}}}"#, nested(depth));
        let reply = post("/read").key("k").json(body).to(&router).await;
        reply.problem(400, "payload-invalid");
    }
    let body = format!(r#"{{"value":1,"extra":{}}}"#, nested(126));
    post("/read").key("k").json(body).to(&router).await.ran();
}

#[derive(Deserialize, SemanticIdentity)]
#[serde(rename_all = "camelCase")]
#[allow(dead_code)]
struct Event {
    name: String,
    #[idem(ignore)]
    #[serde(alias = "ts", default)]
    client_time: Option<u64>,
    #[idem(nested)]
    #[serde(default)]
    source: Option<Source>,
}

#[derive(Deserialize, SemanticIdentity)]
#[allow(dead_code)]
struct Source {
    host: String,
    #[idem(ignore)]
    #[serde(default)]
    trace: Option<String>,
}

#[idempotent]
async fn record(State(app): State<App>, Json(event): Json<Event>) -> String {
    format!("run {}: {}", app.run(), event.name)
}

#[tokio::test]
async fn ignored_members_do_not_count_under_any_of_their_names() {
    let app = App::new();
    let router = app.at("/events", on_post(record));
    let send = |body: &'static str| post("/events").key("k").json(body).to(&router);
    let first = send(r#"{"name":"a","clientTime":1,"source":{"host":"h","trace":"x"}}"#);
    let first = first.await.ran();
    for retry in [
        r#"{"name":"a","clientTime":2,"source":{"host":"h","trace":"y"}}"#,
        r#"{"name":"a","ts":3,"source":{"host":"h"}}"#,
        r#"{"source":{"host":"h"},"name":"a"}"#,
    ] {
        let reply = send(retry).await;
        reply.replays(&first);
        assert_eq!(reply.header("idempotency-verdict"), None, "{retry}");
    }
    for other in [
        r#"{"name":"b","clientTime":1,"source":{"host":"h","trace":"x"}}"#,
        r#"{"name":"a","clientTime":1,"source":{"host":"i","trace":"x"}}"#,
        // On the wire it is called `clientTime`: this is a member that nobody has declared.
        r#"{"name":"a","client_time":1,"source":{"host":"h"}}"#,
    ] {
        send(other).await.problem(409, "payload-mismatch");
    }
    assert_eq!(app.runs(), 1);
}
