// errors: 1
use idem_axum::Merge;
use serde::Deserialize;

#[derive(Deserialize, Merge)]
#[idem(check = is_sound)]
struct Order {
    customer: u64,
}

fn is_sound(customer: &u64) -> Result<(), String> {
    if *customer > 0 { Ok(()) } else { Err("nobody".to_owned()) }
}

fn main() {}
