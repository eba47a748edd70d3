use axum::Json;
use idem_axum::idempotent;
use tracing::instrument;

#[idempotent]
#[instrument(skip_all, fields(amount))]
async fn below(Json(amount): Json<u64>) -> String {
    tracing::Span::current().record("amount", amount);
    amount.to_string()
}

#[instrument(skip(amount))]
#[idempotent(critical = ["0"])]
async fn above(amount: Json<(u64,)>) -> Result<String, String> {
    Ok(amount.0.0.to_string())
}

fn main() {
    ui::route(below);
    ui::route(above);
}
