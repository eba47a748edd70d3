use axum::Json;
use axum::body::Bytes;
use idem_axum::idempotent;
use serde::Deserialize;

/// Hands on whatever it is given, attributes included.
macro_rules! unchanged {
    ($($item:item)*) => { $($item)* };
}

/// Takes the handler apart and puts it together again.
macro_rules! wrapped {
    ($(#[$attribute:meta])* async fn $name:ident($argument:ident: $ty:ty) -> $answer:ty $body:block) => {
        $(#[$attribute])*
        async fn $name($argument: $ty) -> $answer $body
    };
}

/// Writes the attribute around values that come from outside.
macro_rules! with_contract {
    ($ttl:literal, $policy:literal, $name:ident, $payload:ty) => {
        #[idempotent(ttl = $ttl, policy = $policy, critical = ["amount"])]
        async fn $name(payload: Json<$payload>) -> String {
            payload.0.amount.to_string()
        }
    };
}

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

unchanged! {
    #[idempotent(critical = ["amount"])]
    async fn pay(Json(payment): Json<Payment>) -> String {
        payment.amount.to_string()
    }
}

wrapped! {
    #[idempotent(lease = "1m")]
    async fn upload(body: Bytes) -> usize_text::Text {
        usize_text::Text(body.len())
    }
}

mod usize_text {
    pub struct Text(pub usize);

    impl axum::response::IntoResponse for Text {
        fn into_response(self) -> axum::response::Response {
            self.0.to_string().into_response()
        }
    }
}

with_contract!("72h", "reject", refund, Payment);

fn main() {
    ui::route(pay);
    ui::route(upload);
    ui::route(refund);
}
