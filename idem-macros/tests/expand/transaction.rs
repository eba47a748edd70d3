/// Moves money in the transaction of its record.
#[idempotent(critical = ["amount"], ttl = "72h")]
pub async fn transfer(
    mut tx: Tx<PostgresStore>,
    Json(transfer): Json<Transfer>,
) -> Result<Json<Receipt>, BankError> {
    transfer.book(&mut tx).await
}
