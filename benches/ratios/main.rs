//! What idempotency costs, as ratios within one run: `cargo bench -p benches`.
//!
//! Absolute times are those of the machine; the closing table divides each by its baseline.

mod fingerprints;
mod handlers;
mod table;

use std::time::SystemTime;

use criterion::Criterion;

fn main() {
    let started = SystemTime::now();
    let mut criterion = Criterion::default().configure_from_args();
    handlers::measure(&mut criterion);
    fingerprints::measure(&mut criterion);
    criterion.final_summary();
    table::print(started);
}
