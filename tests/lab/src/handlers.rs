//! One handler per contract. They differ in their attributes only.

use axum::extract::{Path, State};
use axum::response::Response;
use axum::{Form, Json, body::Bytes};
use idem_axum::{PostgresStore, SqliteStore, Tx, idempotent};

use crate::call::Call;
use crate::carry_out::{carry_out, carry_out_with};
use crate::effects::Effects;
use crate::payload::{Payment, PaymentForm};
use crate::receipt::Receipt;
use crate::script::Script;
use crate::table::{append_to_database, append_to_file};

/// The reference: a different intent is refused.
#[idempotent(critical = ["amount", "currency", "recipient"], policy = "reject", ttl = "72h")]
pub(crate) async fn reject(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// Nothing is declared critical, so that everything is.
#[idempotent(policy = "reject")]
pub(crate) async fn strict(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A difference is merged into the first.
#[idempotent(critical = ["amount", "currency"], policy = "merge", ttl = "72h")]
pub(crate) async fn merge(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A difference takes the place of the first; nothing is critical.
#[idempotent(policy = "last_write_wins", ttl = "72h")]
pub(crate) async fn lww(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A different intent is held for people to decide.
#[idempotent(critical = ["amount", "currency", "recipient"], policy = "review", ttl = "72h")]
pub(crate) async fn review(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A different intent is suspicious at first, and an operation of its own in the end.
#[idempotent(
    critical = ["amount", "currency", "recipient"],
    policy = "reject",
    suspicious_within = "2s",
    fresh_after = "4s",
    ttl = "72h"
)]
pub(crate) async fn window(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A retry waits for the first.
#[idempotent(critical = ["amount", "currency", "recipient"], concurrent = "wait", ttl = "72h")]
pub(crate) async fn wait(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A failure is tried again.
#[idempotent(critical = ["amount", "currency", "recipient"], on_failure = "retry", ttl = "72h")]
pub(crate) async fn failed_retry(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A failure is final.
#[idempotent(critical = ["amount", "currency", "recipient"], on_failure = "reject", ttl = "72h")]
pub(crate) async fn failed_reject(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A crash is tried again.
#[idempotent(critical = ["amount", "currency", "recipient"], on_crash = "retry", ttl = "72h")]
pub(crate) async fn crash_retry(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A crash is left to a person.
#[idempotent(critical = ["amount", "currency", "recipient"], on_crash = "hold", ttl = "72h")]
pub(crate) async fn crash_hold(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// A record that is soon forgotten. The lease of the engine may be longer than that, hence one of
/// its own.
#[idempotent(critical = ["amount", "currency", "recipient"], ttl = "2s", lease = "1s")]
pub(crate) async fn short(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// The path is part of the operation.
#[idempotent(critical = ["amount", "currency", "recipient"], policy = "reject", ttl = "72h")]
pub(crate) async fn transfer(
    State(effects): State<Effects>,
    call: Call,
    Path(_account): Path<String>,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// The payload is a form.
#[idempotent(critical = ["amount", "currency", "recipient"], policy = "reject", ttl = "72h")]
pub(crate) async fn form(
    State(effects): State<Effects>,
    call: Call,
    Form(payment): Form<PaymentForm>,
) -> Response {
    pay(effects, call, payment.into()).await
}

/// The payload is any bytes.
#[idempotent(policy = "reject", ttl = "72h")]
pub(crate) async fn raw(State(effects): State<Effects>, call: Call, _body: Bytes) -> Response {
    carry_out(effects, call, Script::default(), Receipt::of_bytes()).await
}

/// A request without a key simply runs.
#[idempotent(critical = ["amount", "currency", "recipient"], key = "optional", ttl = "72h")]
pub(crate) async fn optional(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

/// The key is made of the critical fields. The handler does not see it, so that effects are without.
#[idempotent(critical = ["amount", "currency", "recipient"], key = identity, ttl = "72h")]
pub(crate) async fn derived(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call.without_key(), payment).await
}

/// The effect is written in the transaction that holds the record.
#[idempotent(critical = ["amount", "currency", "recipient"], ttl = "72h")]
pub(crate) async fn tx(
    call: Call,
    mut transaction: Tx<PostgresStore>,
    Json(mut payment): Json<Payment>,
) -> Response {
    let script = std::mem::take(&mut payment.script);
    let effect = async |amount| append_to_database(&mut transaction, &call, amount).await;
    carry_out_with(effect, script, Receipt::of(payment)).await
}

/// The same in a file.
#[idempotent(name = "tx", critical = ["amount", "currency", "recipient"], ttl = "72h")]
pub(crate) async fn tx_in_file(
    call: Call,
    mut transaction: Tx<SqliteStore>,
    Json(mut payment): Json<Payment>,
) -> Response {
    let script = std::mem::take(&mut payment.script);
    let effect = async |amount| append_to_file(&mut transaction, &call, amount).await;
    carry_out_with(effect, script, Receipt::of(payment)).await
}

/// The same handler without the attribute: the baseline of every measurement.
pub(crate) async fn bare(
    State(effects): State<Effects>,
    call: Call,
    Json(payment): Json<Payment>,
) -> Response {
    pay(effects, call, payment).await
}

async fn pay(effects: Effects, call: Call, mut payment: Payment) -> Response {
    let script = std::mem::take(&mut payment.script);
    carry_out(effects, call, script, Receipt::of(payment)).await
}
