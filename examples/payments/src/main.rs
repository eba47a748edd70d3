//! A payment API.
fn main() {}
