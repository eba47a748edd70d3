// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order {
    #[serde(flatten)]
    meta: Meta,
}

#[derive(Deserialize)]
struct Meta {
    trace: String,
}

fn main() {}
