// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order {
    #[idem(critical, merge = "keep")]
    customer: u64,
}

fn main() {}
