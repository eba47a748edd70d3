//! A handler through its router, in process: bare, fresh and replayed, on each store.

use std::cell::Cell;
use std::time::Duration;

use axum::body::Body;
use axum::extract::FromRef;
use axum::http::{Request, StatusCode, header};
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use criterion::Criterion;
use futures_util::future::join_all;
use http_body_util::BodyExt;
use idem_axum::core::store::Store;
use idem_axum::{Global, Idempotency, IdempotencyState, MemoryStore, SqliteStore, idempotent};
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// About 200 bytes, as a payment has.
const BODY: &str = r#"{"amount":12500,"currency":"EUR","recipient":"DE89370400440532013000","note":"invoice 2026-1187, second instalment of three, thank you for your patience with the earlier delivery","tags":["a","b"]}"#;

/// How many requests are in flight at once where that is measured.
const PARALLEL: usize = 32;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
    currency: String,
}

#[derive(Serialize)]
struct Receipt {
    amount: u64,
    currency: String,
}

async fn bare(Json(payment): Json<Payment>) -> (StatusCode, Json<Receipt>) {
    let Payment { amount, currency } = payment;
    (StatusCode::CREATED, Json(Receipt { amount, currency }))
}

/// Fresh keys in their millions: a short ttl lets the store sweep behind the run.
#[idempotent(critical = ["amount", "currency"], ttl = "2s", lease = "1s")]
async fn critical(payment: Json<Payment>) -> (StatusCode, Json<Receipt>) {
    bare(payment).await
}

/// The same with the whole payload critical.
#[idempotent(ttl = "2s", lease = "1s")]
async fn whole(payment: Json<Payment>) -> (StatusCode, Json<Receipt>) {
    bare(payment).await
}

/// Replays of one key for the length of the run.
#[idempotent(critical = ["amount", "currency"], ttl = "24h")]
async fn kept(payment: Json<Payment>) -> (StatusCode, Json<Receipt>) {
    bare(payment).await
}

struct App<St>(Idempotency<Global, St>);

impl<St> Clone for App<St> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<St> FromRef<App<St>> for Idempotency<Global, St> {
    fn from_ref(app: &App<St>) -> Self {
        app.0.clone()
    }
}

impl<St: Store> IdempotencyState for App<St> {
    type Principal = Global;
    type Store = St;

    fn idempotency(&self) -> &Idempotency<Global, St> {
        &self.0
    }
}

fn router<St: Store>(store: St) -> Router {
    Router::new()
        .route("/bare", post(bare))
        .route("/critical", post(critical))
        .route("/whole", post(whole))
        .route("/kept", post(kept))
        .with_state(App(Idempotency::global(store)))
}

/// Measures all rows of the handler table.
pub(crate) fn measure(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let memory = router(MemoryStore::new());
    let sqlite = runtime.block_on(SqliteStore::open(folder.path().join("idem.db")));
    let sqlite = router(sqlite.expect("the store opens"));

    let mut group = criterion.benchmark_group("handler");
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    let keys = Keys::default();
    for (row, app, path) in [
        ("bare", &memory, "/bare"),
        ("memory, fresh", &memory, "/critical"),
        ("memory, fresh, whole payload", &memory, "/whole"),
        ("sqlite, fresh", &sqlite, "/critical"),
    ] {
        group.bench_function(row, |bencher| {
            bencher.to_async(&runtime).iter(|| call(app, path, keys.fresh()));
        });
    }
    for (row, app) in [("memory, replay", &memory), ("sqlite, replay", &sqlite)] {
        let replay = || call(app, "/kept", "key".to_owned());
        runtime.block_on(replay());
        group.bench_function(row, |bencher| bencher.to_async(&runtime).iter(replay));
    }
    group.finish();

    let mut group = criterion.benchmark_group("handler, 32 at once");
    group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(3));
    for (row, app, path) in [("bare", &memory, "/bare"), ("sqlite, fresh", &sqlite, "/critical")] {
        group.bench_function(row, |bencher| {
            let calls = || join_all((0..PARALLEL).map(|_| call(app, path, keys.fresh())));
            bencher.to_async(&runtime).iter(calls);
        });
    }
    group.finish();
}

/// Where the keys of requests come from.
#[derive(Default)]
struct Keys(Cell<u64>);

impl Keys {
    fn fresh(&self) -> String {
        self.0.set(self.0.get() + 1);
        format!("key-{}", self.0.get())
    }
}

async fn call(app: &Router, path: &str, key: String) {
    let request = Request::post(path)
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", key)
        .body(Body::from(BODY))
        .expect("the request is valid");
    let Ok(response): Result<Response, _> = app.clone().oneshot(request).await;
    assert_eq!(response.status(), StatusCode::CREATED);
    let body = response.into_body().collect().await.expect("the body is whole");
    assert!(!body.to_bytes().is_empty());
}
