#[idempotent(critical = ["amount"], policy = "merge", max_history = 4)]
async fn order(Json(order): Json<Order>) -> StatusCode {
    shop::order(order).await
}

#[idempotent(policy = "last_write_wins", suspicious_within = "10s", fresh_after = "12h")]
async fn profile(Json(profile): Json<Profile>) -> StatusCode {
    people::save(profile).await
}

#[idempotent(policy = "review", max_conflicts = 2)]
async fn pay(State(bank): State<Bank>, Json(payment): Json<Payment>) -> StatusCode {
    bank.pay(payment).await
}

#[idempotent(policy = "review", on_accept = desk::settle)]
async fn transfer(
    State(bank): State<Bank>,
    headers: HeaderMap,
    #[cfg(feature = "audit")] State(audit): axum::extract::State<Audit>,
    Json(payment): Json<Payment>,
) -> StatusCode {
    bank.transfer(payment).await
}
