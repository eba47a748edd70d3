//! The canonical fingerprint beside plain SHA-256 of the same bytes.

use std::hint::black_box;
use std::time::Duration;

use criterion::Criterion;
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use sha2::{Digest, Sha256};

/// Measures both at three sizes.
pub(crate) fn measure(criterion: &mut Criterion) {
    for (size, bytes) in [("200 B", 200), ("4 KiB", 4096), ("64 KiB", 65536)] {
        let body = document(bytes);
        let mut group = criterion.benchmark_group(format!("fingerprint, {size}"));
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(2));
        group.bench_function("sha-256", |bencher| {
            bencher.iter(|| Sha256::digest(black_box(&body)));
        });
        group.bench_function("json", |bencher| {
            bencher.iter(|| Fingerprint::of(Encoding::Json, None, black_box(&body), &Mask::NONE));
        });
        group.bench_function("raw", |bencher| {
            bencher.iter(|| Fingerprint::of(Encoding::Raw, None, black_box(&body), &Mask::NONE));
        });
        group.finish();
    }
}

/// A list of payments as a client's library writes them, of `bytes` bytes or little more: members
/// in the order of their declaration, not sorted.
fn document(bytes: usize) -> Vec<u8> {
    let mut items = Vec::new();
    let mut length = 2;
    while length < bytes {
        let number = items.len();
        let item = format!(
            r#"{{"id":{number},"amount":"{number}99.50","currency":"EUR","note":"invoice {number}","paid":true,"rate":1.25}}"#
        );
        length += item.len() + 1;
        items.push(item);
    }
    format!("[{}]", items.join(",")).into_bytes()
}
