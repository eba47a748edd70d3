// errors: 1
use idem_axum::IdentityValue;

#[derive(IdentityValue)]
struct Point {
    latitude: f64,
}

fn main() {}
