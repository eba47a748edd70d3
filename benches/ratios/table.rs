//! The closing table, from what criterion has measured.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

/// Prints each group that was measured since `started`, with its ratio to the group's first row.
pub(crate) fn print(started: SystemTime) {
    println!("\n{:<24} {:<30} {:>12} {:>8}", "group", "row", "median", "ratio");
    for (group, rows) in GROUPS {
        let baseline = median(group, rows[0], started);
        for row in *rows {
            let (Some(median), Some(baseline)) = (median(group, row, started), baseline) else {
                continue;
            };
            println!("{group:<24} {row:<30} {:>12} {:>8.2}", shown(median), median / baseline);
        }
    }
}

/// The baseline of each group comes first.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "handler",
        &[
            "bare",
            "memory, fresh",
            "memory, fresh, whole payload",
            "memory, replay",
            "sqlite, fresh",
            "sqlite, replay",
        ],
    ),
    ("handler, 32 at once", &["bare", "sqlite, fresh"]),
    ("fingerprint, 200 B", &["sha-256", "json", "raw"]),
    ("fingerprint, 4 KiB", &["sha-256", "json", "raw"]),
    ("fingerprint, 64 KiB", &["sha-256", "json", "raw"]),
];

/// The median in nanoseconds; `None` for what was filtered out of the run.
fn median(group: &str, row: &str, started: SystemTime) -> Option<f64> {
    let file = criterion_home().join(group).join(row).join("new/estimates.json");
    if fs::metadata(&file).ok()?.modified().ok()? < started {
        return None;
    }
    let estimates: serde_json::Value = serde_json::from_slice(&fs::read(file).ok()?).ok()?;
    estimates["median"]["point_estimate"].as_f64()
}

fn criterion_home() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    target.unwrap_or_else(|| workspace.join("target")).join("criterion")
}

fn shown(nanoseconds: f64) -> String {
    match nanoseconds {
        n if n < 1e3 => format!("{n:.0} ns"),
        n if n < 1e6 => format!("{:.1} µs", n / 1e3),
        n => format!("{:.2} ms", n / 1e6),
    }
}
