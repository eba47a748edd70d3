#[idempotent(critical = ["amount", "card?.last4", "items[].sku", "rows[][]?", "0"])]
async fn order(Json(order): Json<Order>) -> StatusCode {
    shop::order(order).await
}
