// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
enum Order {
    Plain { customer: u64 },
}

fn main() {}
