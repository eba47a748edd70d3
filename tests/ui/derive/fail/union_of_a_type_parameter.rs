// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order<T> {
    #[idem(merge = "union")]
    tags: T,
}

fn main() {}
