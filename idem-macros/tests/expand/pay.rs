/// Takes a payment.
#[idempotent(critical = ["amount", "currency"], policy = "reject", ttl = "72h")]
pub async fn pay(
    State(bank): State<Bank>,
    Json(payment): Json<Payment>,
) -> Result<(StatusCode, Json<Receipt>), BankError> {
    bank.pay(payment).await
}
