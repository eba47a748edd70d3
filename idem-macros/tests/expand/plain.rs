#[idempotent]
async fn refresh() -> &'static str {
    "done"
}

#[idempotent]
async fn cancel(Path(order): Path<u64>) -> StatusCode {
    shop::cancel(order).await
}
