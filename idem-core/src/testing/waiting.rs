//! Rules of attempts that wait for the answer of another, told by engines on the store.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use super::{LEASE, MARGIN, Subject, answer, attempt, claim, granted, paying};
use crate::contract::{Contract, OnFailure};
use crate::decision::Refusal;
use crate::engine::{Admission, Engine, Execution, Finish, Settings};
use crate::store::{Outcome, Store};

/// Longer than any of these tests takes: who waits so long was forgotten.
const PATIENCE: Duration = Duration::from_secs(30);
const WAITS: Contract = Contract::new("pay").wait_millis(30_000);

/// In the same process, which hears of the end at once.
pub async fn a_retry_that_waits_gets_the_answer_of_the_first(subject: &impl Subject) {
    let engine = engine(&Arc::new(subject.store().await));
    let execution = running(&engine).await;
    let waiting = ask(&engine, WAITS);
    end(execution, Outcome::Completed(answer())).await;
    assert_replayed(told(waiting).await);
}

/// Two engines share the store, as two processes do: the end is seen in the store alone.
pub async fn a_retry_at_another_engine_gets_the_answer_of_the_first(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    let execution = running(&engine(&store)).await;
    let elsewhere = engine(&store);
    let waiting: Vec<_> = (0..5).map(|_| ask(&elsewhere, WAITS)).collect();
    end(execution, Outcome::Completed(answer())).await;
    for waiting in waiting {
        assert_replayed(told(waiting).await);
    }
}

/// A failure is no answer: of those that wait for one, one runs, and the others get its answer.
pub async fn of_those_that_wait_for_a_failure_one_runs(subject: &impl Subject) {
    let engine = engine(&Arc::new(subject.store().await));
    let execution = running(&engine).await;
    let waiting: Vec<_> = (0..5).map(|_| tokio::spawn(run_or_get_answer(engine.clone()))).collect();
    end(execution, Outcome::Failed).await;
    let mut runs = Vec::new();
    for waiting in waiting {
        runs.extend(told(waiting).await);
    }
    assert_eq!(runs, [2], "one runs, as the second execution");
}

/// Where a failure is told to retries, those that have waited are told as well.
pub async fn a_failure_is_told_to_those_that_wait(subject: &impl Subject) {
    let engine = engine(&Arc::new(subject.store().await));
    let execution = running(&engine).await;
    let waiting = ask(&engine, WAITS.on_failure(OnFailure::Reject));
    end(execution, Outcome::Failed).await;
    let told = told(waiting).await;
    assert!(matches!(told, Admission::Refused(Refusal::PreviousAttemptFailed)), "{told:?}");
}

/// Whoever waits for an execution that vanished learns it when its lease runs out.
pub async fn a_crash_is_told_to_those_that_wait(subject: &impl Subject) {
    let store = Arc::new(subject.store().await);
    granted(&*store, &claim(&attempt("k"))).await;
    let waiting = ask(&engine(&store), WAITS);
    subject.pass(LEASE + MARGIN).await;
    let told = told(waiting).await;
    assert!(matches!(told, Admission::Refused(Refusal::OutcomeUnknown)), "{told:?}");
}

/// The wait ends by itself, with the first still running.
pub async fn patience_runs_out(subject: &impl Subject) {
    let engine = engine(&Arc::new(subject.store().await));
    let execution = running(&engine).await;
    let told = told(ask(&engine, WAITS.wait_millis(100))).await;
    assert!(matches!(told, Admission::Refused(Refusal::Busy)), "{told:?}");
    assert_eq!(execution.finish(Outcome::Failed).await, Finish::Recorded);
}

/// What another payload is told does not depend on the end of the first.
pub async fn another_intent_does_not_wait(subject: &impl Subject) {
    let engine = engine(&Arc::new(subject.store().await));
    let execution = running(&engine).await;
    let told = engine.admit(&paying("k", 11), &WAITS).await.expect("the store works");
    assert!(matches!(told, Admission::Refused(Refusal::PayloadMismatch { .. })), "{told:?}");
    assert_eq!(execution.finish(Outcome::Failed).await, Finish::Recorded);
}

fn engine<S: Store>(store: &Arc<S>) -> Engine {
    Engine::sharing(store.clone(), Settings::default())
}

/// The first execution of `k`.
async fn running(engine: &Engine) -> Execution {
    match engine.admit(&attempt("k"), &WAITS).await.expect("the store works") {
        Admission::Run(execution) => execution,
        admission => panic!("not the first: {admission:?}"),
    }
}

/// Asks for `k` in a task of its own.
fn ask(engine: &Engine, contract: Contract) -> JoinHandle<Admission> {
    let engine = engine.clone();
    tokio::spawn(
        async move { engine.admit(&attempt("k"), &contract).await.expect("the store works") },
    )
}

/// Runs `k`, and says as which execution, or gets the answer of another.
async fn run_or_get_answer(engine: Engine) -> Option<u32> {
    match engine.admit(&attempt("k"), &WAITS).await.expect("the store works") {
        Admission::Run(execution) => {
            let attempts = execution.attempts();
            end(execution, Outcome::Completed(answer())).await;
            Some(attempts)
        }
        admission => {
            assert_replayed(admission);
            None
        }
    }
}

/// Ends an execution that others have begun to wait for.
async fn end(execution: Execution, outcome: Outcome) {
    sleep(MARGIN).await;
    assert_eq!(execution.finish(outcome).await, Finish::Recorded);
}

async fn told<T>(waiting: JoinHandle<T>) -> T {
    let told = timeout(PATIENCE / 2, waiting).await;
    told.expect("nobody is forgotten").expect("no panic")
}

fn assert_replayed(admission: Admission) {
    let Admission::Replay { answer: replayed, differs } = admission else {
        panic!("not replayed: {admission:?}");
    };
    assert_eq!((replayed, differs), (answer(), false));
}
