//! Which requests are the same operation.

use axum::Router;
use axum::extract::{Path, State};
use axum::http::Method;
use axum::routing::{any, get as on_get, post as on_post};
use idem_axum::idempotent;

use crate::support::{App, Ask, get, post};

#[idempotent]
async fn act(State(app): State<App>) -> String {
    format!("run {}", app.run())
}

#[idempotent]
async fn cancel(Path(order): Path<u64>, State(app): State<App>) -> String {
    format!("run {}: order {order} is cancelled", app.run())
}

#[tokio::test]
async fn a_key_belongs_to_one_concrete_path() {
    let app = App::new();
    let router = app.at("/orders/{order}/cancel", on_post(cancel));
    let first = post("/orders/1/cancel").key("k").to(&router).await.ran();
    let other = post("/orders/2/cancel").key("k").to(&router).await;
    other.problem(409, "operation-mismatch");
    assert!(!other.text().contains("order 1"), "nothing of the other answer is told");
    post("/orders/1/cancel").key("k").to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn a_path_that_is_refused_uses_up_no_key() {
    let app = App::new();
    let router = app.at("/orders/{order}/cancel", on_post(cancel));
    assert_eq!(post("/orders/x/cancel").key("k").to(&router).await.status, 400);
    assert_eq!(app.store.len(), 0);
    post("/orders/1/cancel").key("k").to(&router).await.ran();
}

#[tokio::test]
async fn one_route_under_two_prefixes_is_two_operations() {
    let app = App::new();
    let inner = || Router::new().route("/pay", on_post(act));
    let router = Router::new().nest("/v1", inner()).nest("/v2", inner()).with_state(app.clone());
    let first = post("/v1/pay").key("k").to(&router).await.ran();
    post("/v2/pay").key("k").to(&router).await.problem(409, "operation-mismatch");
    post("/v1/pay").key("k").to(&router).await.replays(&first);
    post("/v2/pay").key("j").to(&router).await.ran();
    assert_eq!(app.runs(), 2);
}

#[tokio::test]
async fn nothing_is_replayed_to_another_method() {
    let app = App::new();
    let router = app.at("/", on_get(act).post(act));
    let head = || Ask::new(Method::HEAD, "/").key("k");
    let first = head().to(&router).await.ran();
    get("/").key("k").to(&router).await.problem(409, "operation-mismatch");
    post("/").key("k").to(&router).await.problem(409, "operation-mismatch");
    head().to(&router).await.replays(&first);
    assert_eq!(app.runs(), 1);
}

#[tokio::test]
async fn all_methods_of_one_handler_are_apart() {
    let app = App::new();
    let router = app.at("/", any(act));
    for (run, method) in ["POST", "PUT", "PATCH", "DELETE"].into_iter().enumerate() {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let reply = Ask::new(method.clone(), "/").key(method.as_str()).to(&router).await.ran();
        assert_eq!(reply.text(), format!("run {}", run + 1));
        let other = Ask::new(Method::OPTIONS, "/").key(method.as_str()).to(&router).await;
        other.problem(409, "operation-mismatch");
    }
}

#[tokio::test]
async fn the_query_is_part_of_the_operation_and_its_order_is_not() {
    let app = App::new();
    let router = app.at("/pay", on_post(act));
    let table = [
        ("/pay?to=alice", "/pay?to=mallory", false),
        ("/pay?dry=1", "/pay", false),
        ("/pay", "/pay?dry=1", false),
        ("/pay?a=1&a=2", "/pay?a=2&a=1", false),
        ("/pay?a=1&b=2", "/pay?b=2&a=1", true),
        ("/pay?a=%7E+x", "/pay?a=~%20x", true),
        ("/pay?", "/pay", true),
    ];
    for (number, (first, second, same)) in table.into_iter().enumerate() {
        let key = number.to_string();
        let answer = post(first).key(&key).to(&router).await.ran();
        let reply = post(second).key(&key).to(&router).await;
        match same {
            true => reply.replays(&answer),
            false => reply.problem(409, "operation-mismatch"),
        }
    }
    assert_eq!(app.runs(), table.len());
}

/// A renamed or moved handler is still the operation that its route says.
#[idempotent(name = "act")]
async fn act_renamed(State(app): State<App>) -> String {
    format!("run {}", app.run())
}

#[tokio::test]
async fn renaming_the_function_does_not_turn_retries_into_conflicts() {
    let app = App::new();
    let first = post("/").key("k").to(&app.at("/", on_post(act))).await.ran();
    post("/").key("k").to(&app.at("/", on_post(act_renamed))).await.replays(&first);
}
