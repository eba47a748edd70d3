// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order {
    #[idem(merge = union)]
    tags: Vec<String>,
}

fn main() {}
