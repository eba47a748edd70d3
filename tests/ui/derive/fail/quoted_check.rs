// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
#[idem(check = "is_sound")]
struct Order {
    customer: u64,
}

fn main() {}
