#[idempotent(
    critical = ["0.type"],
    policy = "review",
    on_accept = settle,
    suspicious_within = "10s",
    fresh_after = "12h",
    max_history = 16,
    max_conflicts = 4,
    ttl = "1d12h",
    lease = "1500ms",
    on_failure = "reject",
    on_crash = "retry",
    concurrent = "wait",
    wait = "750ms",
    name = "shop.move",
    header = "X-Retry-Key",
    key = "optional",
    crate = crate::facade::idem
)]
async fn r#move(Json(order): Json<(Order,)>) -> StatusCode {
    shop::r#move(order).await
}
