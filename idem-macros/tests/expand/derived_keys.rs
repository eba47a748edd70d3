#[idempotent(key = identity)]
async fn settle(Json(invoice): Json<Invoice>) -> StatusCode {
    books::settle(invoice).await
}

#[idempotent(key = field("meta.request_id"))]
async fn pay(Json(payment): Json<Payment>) -> StatusCode {
    bank::pay(payment).await
}
