#![deny(unused)]

use axum::Json;
use axum::extract::{FromRef, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use idem_axum::idempotent;
use serde::Deserialize;
use ui::AppState;

#[derive(Deserialize)]
struct Payment {
    amount: u64,
}

#[derive(Clone)]
struct Bank;

impl FromRef<AppState> for Bank {
    fn from_ref(_: &AppState) -> Self {
        Self
    }
}

/// What an accepted payment runs.
mod desk {
    use super::*;

    pub async fn settle(payment: Payment) -> String {
        payment.amount.to_string()
    }

    pub async fn transfer(
        _: Bank,
        _: AppState,
        payment: Payment,
    ) -> Result<impl IntoResponse, StatusCode> {
        Ok((StatusCode::CREATED, payment.amount.to_string()))
    }

    pub async fn any<T: ToString>(_: Bank, payment: Payment) -> String {
        payment.amount.to_string()
    }
}

#[idempotent(policy = "review", max_conflicts = 2, max_history = 4)]
async fn by_retry(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[idempotent(critical = ["amount"], policy = "review", on_accept = desk::settle)]
async fn pay(Json(payment): Json<Payment>) -> String {
    payment.amount.to_string()
}

#[idempotent(policy = "review", on_accept = desk::transfer)]
async fn transfer(
    State(bank): State<Bank>,
    headers: HeaderMap,
    #[cfg(not(unix))] State(never): State<AppState>,
    #[cfg(all())] axum::extract::State(state): axum::extract::State<AppState>,
    Json(payment): Json<Payment>,
) -> impl IntoResponse {
    (headers.len().to_string(), desk::transfer(bank, state, payment).await.into_response()).1
}

#[idempotent(policy = "review", on_accept = desk::any::<T>)]
async fn generic<T>(State(_): State<Bank>, Json(payment): Json<Payment>) -> String
where
    T: ToString + Send + Sync + 'static,
{
    payment.amount.to_string()
}

fn main() {
    ui::route(by_retry);
    ui::route(pay);
    ui::route(transfer);
    ui::route(generic::<u64>);
}
