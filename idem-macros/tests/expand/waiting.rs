#[idempotent(concurrent = "wait")]
async fn pay(Json(payment): Json<Payment>) -> Json<Receipt> {
    bank::pay(payment).await
}
