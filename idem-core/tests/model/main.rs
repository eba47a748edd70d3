//! Engine and memory store against the documented rules, on random histories of a few keys.
//!
//! Every admission must be the one that the [rules](rules) say, and no history may break what the
//! [ledger](ledger) watches over. One that does is shrunk and printed with its seed, and
//! `IDEM_MODEL_SEED=<seed>` draws the same histories again. The runtime's clock stands still, so
//! that no lease is renewed: only the history moves the store's.

#![cfg(feature = "memory")]
#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

mod history;
mod judgement;
mod ledger;
mod replay;
mod rules;
mod subject;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

/// Of 200 steps each, on average.
const HISTORIES: u32 = 600;

/// How often each thing was seen to happen.
type Tally = BTreeMap<&'static str, usize>;

#[test]
fn every_admission_is_the_one_the_rules_say() {
    let seed = seed();
    let tally = RefCell::new(Tally::new());
    let drawn = runner(seed).run(&history::histories(), |steps| {
        let seen = runtime().block_on(replay::replay(&steps))?;
        let mut tally = tally.borrow_mut();
        seen.into_iter().for_each(|(what, times)| *tally.entry(what).or_default() += times);
        Ok(())
    });
    if let Err(failure) = drawn {
        panic!("IDEM_MODEL_SEED={seed}: {failure}");
    }
    let tally = tally.into_inner();
    assert!(tally["step"] >= 100_000, "too little has happened: {tally:?}");
    for what in replay::ALL {
        assert!(tally.get(what).is_some_and(|times| *times >= 100), "rare: {what} in {tally:?}");
    }
}

fn seed() -> u64 {
    match std::env::var("IDEM_MODEL_SEED") {
        Ok(seed) => seed.parse().expect("IDEM_MODEL_SEED is a number"),
        Err(_) => RandomState::new().hash_one("a new seed"),
    }
}

fn runner(seed: u64) -> TestRunner {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: HISTORIES, failure_persistence: None, ..Config::default() };
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

fn runtime() -> tokio::runtime::Runtime {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    runtime.enable_time().start_paused(true).build().unwrap()
}
