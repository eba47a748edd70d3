// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order {
    #[idem(merge(with = u32::max))]
    budget: u64,
}

fn main() {}
