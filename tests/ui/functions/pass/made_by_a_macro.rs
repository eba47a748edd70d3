use axum::Json;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;

macro_rules! handler {
    ($name:ident, $field:ident, $text:literal, $ty:ty) => {
        #[derive(Deserialize, SemanticIdentity)]
        struct Payment {
            #[idem(critical)]
            $field: $ty,
        }

        #[idempotent(critical = [$text])]
        async fn $name(Json(payment): Json<Payment>) -> String {
            payment.$field.to_string()
        }
    };
}

handler!(pay, amount, "amount", u64);

fn main() {
    ui::route(pay);
}
