#[derive(IdempotencyState)]
struct AppState {
    bank: Bank,
    idempotency: idem_axum::Idempotency<Account, SqliteStore>,
}

#[derive(IdempotencyState)]
struct Generic<S: Store>(Bank, #[idem(engine)] Engine<S>);
