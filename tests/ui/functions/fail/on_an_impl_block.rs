// errors: 1
use idem_axum::idempotent;

struct Shop;

#[idempotent]
impl Shop {}

fn main() {}
