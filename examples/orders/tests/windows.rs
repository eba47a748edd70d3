//! What becomes of a cart that is ordered again, by the time that has passed.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use http_body_util::BodyExt;
use idem_axum::core::clock::ManualClock;
use idem_axum::{Idempotency, MemoryStore};
use orders::api::{AppState, router};
use orders::ledger::Ledger;
use serde_json::{Value, json};
use tempfile::TempDir;
use tower::ServiceExt;

/// A shop whose keys live by a clock that the test moves.
struct Shop {
    _folder: TempDir,
    clock: Arc<ManualClock>,
    router: Router,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Value,
}

impl Shop {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let ledger = Ledger::open(&folder.path().join("orders.db")).await.expect("it opens");
        let clock = Arc::new(ManualClock::default());
        let idempotency = Idempotency::global(MemoryStore::with_clock(clock.clone()));
        Self { _folder: folder, clock, router: router(AppState { ledger, idempotency }) }
    }

    async fn order(&self, count: u32) -> Answer {
        self.send_order(teas(count)).await
    }

    async fn send_order(&self, order: Value) -> Answer {
        let request = Request::post("/orders").header("content-type", "application/json");
        self.send(request.body(Body::from(order.to_string())).expect("a request")).await
    }

    async fn ordered(&self) -> Value {
        let request = Request::get("/carts/c1").body(Body::empty()).expect("a request");
        self.send(request).await.body
    }

    async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.router.clone().oneshot(request).await.expect("a router never fails");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the whole body").to_bytes();
        let body = serde_json::from_slice(&bytes).expect("JSON");
        Answer { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    fn pass(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }
}

fn teas(count: u32) -> Value {
    let items = json!([{ "sku": "tea", "count": count }]);
    json!({ "cart": "c1", "items": items, "total": 450 * count, "note": null })
}

/// An order as it is answered.
fn placed(number: u32, mut order: Value) -> Value {
    order["number"] = json!(number);
    order
}

impl Answer {
    fn is_replayed(&self) -> bool {
        self.headers.contains_key("idempotent-replayed")
    }
}

#[tokio::test]
async fn pressing_twice_orders_once() {
    let shop = Shop::open().await;
    let first = shop.order(1).await;
    assert_eq!(first.status, 201);
    let second = shop.order(1).await;
    assert!(second.is_replayed());
    assert_eq!(second.body, first.body);
    assert_eq!(shop.ordered().await, json!([placed(1, teas(1))]));
}

#[tokio::test]
async fn an_empty_cart_uses_up_no_key() {
    let shop = Shop::open().await;
    let empty = shop.send_order(json!({ "cart": "c1", "items": [], "total": 0 })).await;
    assert_eq!((empty.status, &empty.body["code"]), (422, &json!("payload-invalid")));
    assert!(empty.body["detail"].to_string().contains("the cart is empty"), "{}", empty.body);
    assert_eq!(shop.order(1).await.status, 201);
}

#[tokio::test]
async fn all_of_an_order_is_kept() {
    let shop = Shop::open().await;
    let mut order = teas(2);
    order["note"] = json!("gift");
    let answer = shop.send_order(order.clone()).await;
    assert_eq!(answer.body, placed(1, order.clone()));
    assert_eq!(shop.ordered().await, json!([placed(1, order)]));
}

#[tokio::test]
async fn a_cart_that_changes_at_once_is_suspicious() {
    let shop = Shop::open().await;
    shop.order(1).await;
    shop.pass(9);
    let changed = shop.order(2).await;
    assert_eq!((changed.status, &changed.body["code"]), (400, &json!("suspicious-retry")));
    assert_eq!(changed.body["changed"], json!(["items[].count", "total"]));
    assert_eq!(shop.ordered().await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_cart_that_changes_within_the_hour_is_refused() {
    let shop = Shop::open().await;
    shop.order(1).await;
    for seconds in [10, 3_589] {
        shop.pass(seconds);
        let changed = shop.order(2).await;
        assert_eq!((changed.status, &changed.body["code"]), (409, &json!("payload-mismatch")));
    }
    assert_eq!(shop.ordered().await.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_cart_that_changes_later_is_the_next_order_and_the_first_is_remembered() {
    let shop = Shop::open().await;
    let first = shop.order(1).await;
    shop.pass(3_600);
    let next = shop.order(2).await;
    assert_eq!(next.status, 201);
    assert!(!next.is_replayed());
    assert_eq!(next.body, placed(2, teas(2)));

    let late = shop.order(1).await;
    assert!(late.is_replayed());
    assert_eq!(late.body, first.body);
    assert_eq!(shop.ordered().await.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn another_note_is_the_same_order_at_any_time() {
    let shop = Shop::open().await;
    let first = shop.order(1).await;
    for _ in 0..3 {
        shop.pass(3_000);
        let mut noted = teas(1);
        noted["note"] = json!("gift");
        assert_eq!(shop.send_order(noted).await.body, first.body);
    }
}
