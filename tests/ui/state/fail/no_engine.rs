// errors: 1
use idem_axum::IdempotencyState;

#[derive(IdempotencyState)]
struct AppState {
    name: String,
}

fn main() {}
