// errors: 1
use idem_axum::IdentityValue;

struct Money;

#[derive(IdentityValue)]
enum Method {
    Cash(Money),
}

fn main() {}
