//! What may happen to a few keys, as data: proptest draws it, and shrinks it when it fails.

use proptest::prelude::*;

/// One scope and key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) scope: usize,
    pub(crate) key: usize,
}

/// What the handler behind a key says of other payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    Reject,
    Merge,
    LastWriteWins,
    Review,
}

impl Slot {
    /// Each key is used with one handler, and so under one policy.
    pub(crate) fn policy(self) -> Policy {
        match self.key {
            1 => Policy::Merge,
            2 => Policy::LastWriteWins,
            3 => Policy::Review,
            _ => Policy::Reject,
        }
    }

    /// Whether its records may remember superseded payloads.
    fn remembers(self) -> bool {
        self.key != 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Payload {
    pub(crate) amount: u64,
    pub(crate) note: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Operation {
    Pay,
    Refund,
}

/// What a client sends, with what its handler declares critical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    pub(crate) slot: Slot,
    pub(crate) operation: Operation,
    pub(crate) payload: Payload,
    /// Whether the amount alone is critical, rather than the whole payload.
    pub(crate) narrow: bool,
}

/// What the contract says, in milliseconds where it is a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms {
    pub(crate) reruns_failed: bool,
    pub(crate) reruns_crashed: bool,
    pub(crate) lease: u64,
    pub(crate) ttl: u64,
    /// Whether the age of the first counts for another intent.
    pub(crate) windows: bool,
}

/// Another intent that comes sooner is suspicious.
pub(crate) const SUSPICIOUS_WITHIN: u64 = 2_000;
/// One that comes later is an operation of its own.
pub(crate) const FRESH_AFTER: u64 = 9_000;
/// How many undecided conflicts a key may have.
pub(crate) const MAX_CONFLICTS: usize = 2;

impl Terms {
    /// The same on `slot`. A handler that remembers superseded payloads does not change its ttl:
    /// what it remembers lives as long as the record.
    pub(crate) fn on(self, slot: Slot) -> Self {
        if slot.remembers() {
            Self { ttl: 60_000, ..self }
        } else {
            Self { windows: false, ..self }
        }
    }
}

/// How a running execution goes out of the test's hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Completed,
    Failed,
    Unknown,
    /// Its task is dropped, which is recorded.
    Dropped,
    /// It crashes: nothing is ever heard of it again.
    Vanished,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Boundary {
    Lease,
    Retention,
    Suspicion,
    Freshness,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Attempt {
        /// Which of the engines on the store takes it.
        process: usize,
        request: Request,
        terms: Terms,
    },
    End {
        which: prop::sample::Index,
        end: End,
    },
    /// A little time passes.
    Pass {
        millis: u64,
    },
    /// Time passes to a boundary of a slot's record, or to a millisecond before or after it.
    PassTo {
        slot: Slot,
        boundary: Boundary,
        offset: i64,
    },
    /// People decide a conflict, in some cases after it has changed.
    Decide {
        which: prop::sample::Index,
        accept: bool,
        stale: bool,
    },
    /// Expired records are deleted.
    Purge,
}

/// Histories of up to 400 steps.
pub(crate) fn histories() -> impl Strategy<Value = Vec<Step>> {
    prop::collection::vec(step(), 1..=400)
}

fn step() -> impl Strategy<Value = Step> {
    let end = prop_oneof![
        3 => Just(End::Completed),
        3 => Just(End::Failed),
        1 => Just(End::Unknown),
        1 => Just(End::Dropped),
        2 => Just(End::Vanished),
    ];
    let boundary = prop_oneof![
        3 => Just(Boundary::Lease),
        1 => Just(Boundary::Retention),
        1 => Just(Boundary::Suspicion),
        1 => Just(Boundary::Freshness),
    ];
    prop_oneof![
        16 => (0..2_usize, request(), terms())
            .prop_map(|(process, request, terms)| Step::Attempt { process, request, terms }),
        4 => (any::<prop::sample::Index>(), end).prop_map(|(which, end)| Step::End { which, end }),
        1 => (any::<prop::sample::Index>(), any::<bool>(), prop::bool::weighted(0.2))
            .prop_map(|(which, accept, stale)| Step::Decide { which, accept, stale }),
        1 => (1..3_000_u64).prop_map(|millis| Step::Pass { millis }),
        1 => (slot(), boundary, -1..=1_i64)
            .prop_map(|(slot, boundary, offset)| Step::PassTo { slot, boundary, offset }),
        1 => Just(Step::Purge),
    ]
}

fn slot() -> impl Strategy<Value = Slot> {
    (0..2_usize, 0..5_usize).prop_map(|(scope, key)| Slot { scope, key })
}

/// Mostly the same thing again, so that records live to see retries.
fn request() -> impl Strategy<Value = Request> {
    let operation = prop_oneof![9 => Just(Operation::Pay), 1 => Just(Operation::Refund)];
    let amount = prop_oneof![6 => Just(0), 1 => Just(1), 1 => Just(2), 1 => Just(3)];
    let note = prop_oneof![3 => Just(0), 1 => Just(1), 1 => Just(2)];
    (slot(), operation, amount, note, prop::bool::weighted(0.8)).prop_map(
        |(slot, operation, amount, note, narrow)| Request {
            slot,
            operation,
            payload: Payload { amount, note },
            narrow,
        },
    )
}

fn terms() -> impl Strategy<Value = Terms> {
    let lease = prop::sample::select(vec![20_000, 30_000]);
    let ttl = prop::sample::select(vec![10_000, 60_000]);
    (any::<bool>(), any::<bool>(), lease, ttl, prop::bool::weighted(0.3)).prop_map(
        |(reruns_failed, reruns_crashed, lease, ttl, windows)| Terms {
            windows,
            reruns_failed,
            reruns_crashed,
            lease,
            ttl,
        },
    )
}
