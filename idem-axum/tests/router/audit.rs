//! What an observer hears of conflicts.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::State;
use axum::routing::post as on_post;
use axum::{Json, Router};
use idem_axum::core::clock::ManualClock;
use idem_axum::review::Filter;
use idem_axum::{Arbitration, Conflict, Merge, Observer, idempotent};
use serde::Deserialize;

use crate::support::{App, Log, post};

/// Writes down what it hears, as an audit would.
#[derive(Clone, Default)]
struct Audit(Arc<Mutex<Vec<Entry>>>);

#[derive(Debug, PartialEq)]
struct Entry {
    operation: String,
    arbitration: Arbitration,
    changed: Vec<String>,
    attempts: u32,
    differs: bool,
}

impl Observer for Audit {
    fn conflict(&self, conflict: &Conflict<'_>) {
        self.0.lock().unwrap().push(Entry {
            operation: conflict.operation.to_owned(),
            arbitration: conflict.arbitration,
            changed: conflict.changed.iter().map(|&name| name.to_owned()).collect(),
            attempts: conflict.attempts,
            differs: conflict.original != conflict.fingerprint,
        });
    }
}

impl Audit {
    fn entries(&self) -> Vec<Entry> {
        std::mem::take(&mut self.0.lock().unwrap())
    }
}

#[derive(Deserialize, Merge)]
struct Payment {
    amount: u64,
    recipient: String,
}

#[idempotent(critical = ["amount", "recipient"], name = "payments.create")]
async fn pay(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

fn paid(app: &App, payment: &Payment) -> String {
    format!("run {}: {} to {}", app.run(), payment.amount, payment.recipient)
}

fn app() -> (Audit, Router) {
    let audit = Audit::default();
    let app = App::new().set(|idempotency| idempotency.observer(audit.clone()));
    (audit, app.at("/", on_post(pay)))
}

fn entry(arbitration: Arbitration, changed: &[&str]) -> Entry {
    let changed = changed.iter().map(|name| (*name).to_owned()).collect();
    let differs = arbitration != Arbitration::OperationMismatch;
    Entry { operation: "payments.create".to_owned(), arbitration, changed, attempts: 1, differs }
}

const FIRST: &str = r#"{"amount":1,"recipient":"alice","note":"dinner"}"#;

#[tokio::test]
async fn every_conflict_is_heard_with_its_names_and_what_was_done() {
    let (audit, router) = app();
    let send = |uri, body: &'static str| post(uri).key("k").json(body).to(&router);
    send("/", FIRST).await.ran();
    send("/", r#"{"amount":2,"recipient":"mallory","note":"dinner"}"#).await;
    send("/", r#"{"amount":1,"recipient":"alice","note":"lunch"}"#).await;
    send("/?dry=1", FIRST).await;
    let heard = [
        entry(Arbitration::PayloadMismatch, &["amount", "recipient"]),
        entry(Arbitration::DifferenceIgnored, &[]),
        entry(Arbitration::OperationMismatch, &[]),
    ];
    assert_eq!(audit.entries(), heard);
}

#[idempotent(policy = "merge", name = "payments.create")]
async fn merge(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

#[idempotent(policy = "last_write_wins", name = "payments.create")]
async fn write(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

#[idempotent(critical = ["amount"], suspicious_within = "1m", name = "payments.create")]
async fn hurry(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

#[idempotent(critical = ["amount"], fresh_after = "1s", lease = "500ms", name = "payments.create")]
async fn late(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

#[idempotent(critical = ["amount"], policy = "review", max_conflicts = 1, name = "payments.create")]
async fn review(State(app): State<App>, Json(payment): Json<Payment>) -> String {
    paid(&app, &payment)
}

const DOUBLED: &str = r#"{"amount":2,"recipient":"alice","note":"dinner"}"#;
const TRIPLED: &str = r#"{"amount":3,"recipient":"alice","note":"dinner"}"#;

#[tokio::test]
async fn whatever_a_policy_or_a_window_makes_of_a_conflict_is_heard() {
    for (handler, heard) in [
        (on_post(merge), entry(Arbitration::Merged, &[])),
        (on_post(write), entry(Arbitration::Superseded, &[])),
        (on_post(hurry), entry(Arbitration::SuspiciousRetry, &["amount"])),
        (on_post(late), entry(Arbitration::Fresh, &["amount"])),
    ] {
        let (audit, clock) = (Audit::default(), Arc::new(ManualClock::default()));
        let app = App::on(clock.clone()).set(|idempotency| idempotency.observer(audit.clone()));
        let router = app.at("/", handler);
        post("/").key("k").json(FIRST).to(&router).await.ran();
        clock.advance(Duration::from_secs(1));
        post("/").key("k").json(DOUBLED).to(&router).await;
        assert_eq!(audit.entries(), [heard]);
        assert!(post("/").key("k").json(FIRST).to(&router).await.is_replay());
        assert_eq!(audit.entries(), []);
    }
}

#[tokio::test]
async fn a_review_is_heard_from_the_holding_to_the_run() {
    let audit = Audit::default();
    let app = App::new().set(|idempotency| idempotency.observer(audit.clone()));
    let router = app.at("/", on_post(review));
    let send = |body: &'static str| post("/").key("k").json(body).to(&router);
    send(FIRST).await.ran();
    for body in [DOUBLED, DOUBLED, TRIPLED] {
        send(body).await;
    }
    let queue = app.idempotency.review();
    let conflict = queue.list(&Filter::default()).await.unwrap().remove(0);
    queue.accept(conflict.id, conflict.version, "mara", "called back").await.unwrap();
    send(DOUBLED).await.ran();
    let heard = [
        entry(Arbitration::UnderReview, &["amount"]),
        entry(Arbitration::UnderReview, &["amount"]),
        entry(Arbitration::KeyInConflict, &["amount"]),
        entry(Arbitration::Accepted, &["amount"]),
    ];
    assert_eq!(audit.entries(), heard);
}

#[tokio::test]
async fn retries_that_are_alike_are_no_conflict() {
    let (audit, router) = app();
    for body in [FIRST, FIRST, r#"{"recipient":"alice", "amount":1.0, "note":"dinner"}"#] {
        post("/").key("k").json(body).to(&router).await;
    }
    post("/").key("other").json(FIRST).to(&router).await.ran();
    assert_eq!(audit.entries(), []);
}

#[tokio::test]
async fn without_an_observer_conflicts_are_logged_and_no_value_is() {
    let router = App::new().at("/", on_post(pay));
    let log = Log::capture();
    post("/").key("secret-key").json(FIRST).to(&router).await.ran();
    let other = r#"{"amount":77777,"recipient":"mallory"}"#;
    post("/").key("secret-key").json(other).to(&router).await.problem(409, "payload-mismatch");
    let text: String = log.lines().into_iter().map(|line| line.text).collect();
    assert!(text.contains("payload-mismatch") && text.contains("recipient"), "{text}");
    for value in ["secret-key", "77777", "mallory", "alice"] {
        assert!(!text.contains(value), "{value} is in the log: {text}");
    }
}
