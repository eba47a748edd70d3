use axum::Json;
use axum::extract::{FromRequest, Request};
use axum::response::{IntoResponse, Response};
use idem_axum::{Encoding, Payload, idempotent};
use serde::Deserialize;
use serde::de::DeserializeOwned;

struct Valid<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Valid<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let value = Json::from_request(request, state).await;
        value.map(|Json(value)| Self(value)).map_err(IntoResponse::into_response)
    }
}

impl<T> Payload for Valid<T> {
    type Value = T;
    const ENCODING: Encoding = Encoding::Json;

    fn value(&self) -> &T {
        &self.0
    }

    fn into_value(self) -> T {
        self.0
    }
}

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[idempotent(critical = ["amount"])]
async fn pay(Valid(payment): Valid<Payment>) -> String {
    payment.amount.to_string()
}

fn main() {
    ui::route(pay);
}
