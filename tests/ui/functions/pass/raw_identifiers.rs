use axum::Json;
use axum::extract::Path;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;

#[derive(Deserialize, SemanticIdentity)]
struct Order {
    #[idem(critical)]
    r#type: String,
}

#[idempotent(critical = ["type"])]
async fn r#move(Path(r#match): Path<String>, Json(r#struct): Json<Order>) -> String {
    r#match + &r#struct.r#type
}

fn main() {
    ui::route(r#move);
}
