//! How long a janitor pauses.

use std::time::Duration;

/// The least mean time between rounds.
pub(super) const SHORTEST_REST: Duration = Duration::from_millis(10);

/// After a batch that took no time the others have their turn too.
const SHORTEST_PAUSE: Duration = Duration::from_millis(1);

const AFTER_A_FAILURE: Duration = Duration::from_secs(1);
const AFTER_MANY_FAILURES: Duration = Duration::from_secs(5 * 60);

/// Any moment within `every`: instances that start together have their first rounds apart.
pub(super) fn before_the_first_round(every: Duration) -> Duration {
    every.mul_f64(random_part())
}

/// About `every`.
pub(super) fn between_rounds(every: Duration) -> Duration {
    about(every, random_part())
}

/// As long as the batch `took`, so that at most half of the time goes into removing; a batch that
/// lasts longer than the `limit` does so because its thread was held up, not the store.
pub(super) fn after_a_batch(took: Duration, limit: Duration) -> Duration {
    took.min(limit).max(SHORTEST_PAUSE)
}

/// About twice as long after each failure as after the one before, up to five minutes: the quarter
/// by which it varies leaves each longer than the last.
pub(super) fn after_failures(in_a_row: u32) -> Duration {
    about(doubled(in_a_row), random_part())
}

fn doubled(failures: u32) -> Duration {
    let times = 2_u32.saturating_pow(failures.saturating_sub(1));
    AFTER_A_FAILURE.saturating_mul(times).min(AFTER_MANY_FAILURES)
}

/// `time` less a quarter of it, and `part` of half of it.
fn about(time: Duration, part: f64) -> Duration {
    (time - time / 4).saturating_add((time / 2).mul_f64(part))
}

/// From 0 up to, and without, 1.
fn random_part() -> f64 {
    let random = getrandom::u32().expect("the operating system gives randomness");
    f64::from(random) / (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);
    const LIMIT: Duration = Duration::from_secs(5);

    #[test]
    fn a_time_varies_by_a_quarter_around_itself() {
        assert_eq!(about(MINUTE, 0.0), Duration::from_secs(45));
        assert_eq!(about(MINUTE, 0.5), MINUTE);
        assert_eq!(about(MINUTE, 1.0), Duration::from_secs(75));
    }

    #[test]
    fn the_longest_times_stay_in_range() {
        for part in [0.0, 0.5, 1.0 - f64::EPSILON] {
            assert!(about(Duration::MAX, part) > Duration::MAX / 2);
        }
        assert!(before_the_first_round(Duration::MAX) <= Duration::MAX);
        assert_eq!(doubled(u32::MAX), AFTER_MANY_FAILURES);
    }

    #[test]
    fn draws_spread_over_the_whole_range() {
        let draws: Vec<_> = (0..1000).map(|_| random_part()).collect();
        assert!(draws.iter().all(|part| (0.0..1.0).contains(part)));
        for tenth in 0..10_u32 {
            let lower = f64::from(tenth) / 10.0;
            assert!(draws.iter().any(|part| (lower..lower + 0.1).contains(part)), "{lower}");
        }
    }

    #[test]
    fn pauses_double_with_each_failure_up_to_five_minutes() {
        let pauses: Vec<_> = (1..=11).map(|failures| doubled(failures).as_secs()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
        for failures in 1..=8 {
            assert!(about(doubled(failures), 1.0) < about(doubled(failures + 1), 0.0));
        }
    }

    #[test]
    fn a_pause_is_as_long_as_the_batch_within_limits() {
        for (name, took, pause) in [
            ("no time", Duration::ZERO, SHORTEST_PAUSE),
            ("some time", Duration::from_millis(40), Duration::from_millis(40)),
            ("all its time", LIMIT, LIMIT),
            ("more than that", LIMIT * 3, LIMIT),
        ] {
            assert_eq!(after_a_batch(took, LIMIT), pause, "{name}");
        }
    }
}
