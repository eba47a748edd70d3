use std::fmt::Display;

use axum::Json;
use idem_axum::{SemanticIdentity, idempotent};
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize, SemanticIdentity)]
struct Payment<Id> {
    #[idem(critical)]
    amount: u64,
    meta: Meta<Id>,
}

#[derive(Deserialize)]
struct Meta<Id> {
    request_id: Id,
}

#[idempotent(key = field("meta.request_id"))]
async fn by_field(Json(payment): Json<Payment<String>>) -> String {
    payment.meta.request_id
}

#[idempotent(key = field("0"), critical = ["1"])]
async fn by_number(Json((id, amount)): Json<(u64, u64)>) -> String {
    format!("{id} {amount}")
}

#[idempotent(key = identity)]
async fn by_derive(Json(payment): Json<Payment<u64>>) -> String {
    payment.amount.to_string()
}

#[idempotent(key = identity, critical = ["meta.request_id"])]
async fn by_list(Json(payment): Json<Payment<u64>>) -> String {
    payment.meta.request_id.to_string()
}

#[idempotent(key = identity)]
async fn generic_by_derive<Id>(Json(payment): Json<Payment<Id>>) -> String
where
    Id: DeserializeOwned + Send + Display + 'static,
{
    format!("{} {}", payment.amount, payment.meta.request_id)
}

#[idempotent(key = field("meta.request_id"))]
async fn generic_by_field<Id>(Json(payment): Json<Payment<Id>>) -> String
where
    Id: DeserializeOwned + Send + Display + 'static,
{
    payment.meta.request_id.to_string()
}

fn main() {
    ui::route(by_field);
    ui::route(by_number);
    ui::route(by_derive);
    ui::route(by_list);
    ui::route(generic_by_derive::<u64>);
    ui::route(generic_by_field::<String>);
}
