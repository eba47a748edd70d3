// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
struct Order {
    #[idem(merge(with = Address::later))]
    address: Address,
}

#[derive(Deserialize)]
struct Address {
    city: String,
}

impl Address {
    fn later(self, patch: Self) -> Self {
        if patch.city.is_empty() { self } else { patch }
    }
}

fn main() {}
