use axum::Json;
use facade::web::idem::{IdempotencyState, IdentityValue, SemanticIdentity, idempotent};
use serde::Deserialize;

/// A facade that re-exports the crate under a name of its own.
mod facade {
    pub mod web {
        pub use idem_axum as idem;
    }
}

#[derive(Deserialize, SemanticIdentity)]
#[idem(crate = facade::web::idem)]
struct Payment {
    #[idem(critical)]
    amount: u64,
    #[idem(critical)]
    currency: Currency,
}

#[derive(Deserialize, IdentityValue)]
#[idem(crate = facade::web::idem)]
struct Currency(String);

#[derive(Clone, IdempotencyState)]
#[idem(crate = facade::web::idem)]
struct AppState {
    engine:
        facade::web::idem::Idempotency<facade::web::idem::Global, facade::web::idem::MemoryStore>,
}

#[idempotent(crate = facade::web::idem, ttl = "72h")]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.currency.0
}

fn main() {
    fn is_state<S: facade::web::idem::IdempotencyState>() {}
    is_state::<AppState>();
    ui::route(pay);
}
