//! Rules of handlers that write in the transaction of their record.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use super::{Subject, answer, attempt, claim, claim_over, found, granted, numbered, refused};
use crate::contract::Contract;
use crate::engine::{Admission, Engine, Entry, Settings};
use crate::lease::Lease;
use crate::record::State;
use crate::store::{Begun, Claim, Opened, Outcome, Store, StoreError, TransactionalStore};

const PATIENCE: Duration = Duration::from_millis(200);
const LONG: Duration = Duration::from_secs(20);

/// A store under test whose transactions also hold a business: a number that grows.
pub trait TransactionalSubject: Subject<Store: TransactionalStore> {
    /// Adds one to the number, in a transaction.
    fn add(
        &self,
        transaction: &mut <Self::Store as TransactionalStore>::Transaction,
    ) -> impl Future<Output = ()> + Send;

    /// The number, as it was committed.
    fn sum(&self, store: &Self::Store) -> impl Future<Output = i64> + Send;

    /// Makes a statement fail in a transaction, which may be of no use any more from then on.
    fn spoil(
        &self,
        transaction: &mut <Self::Store as TransactionalStore>::Transaction,
    ) -> impl Future<Output = ()> + Send;
}

/// A transaction that holds the record, with its lease and the number of its execution.
async fn opened<S: TransactionalStore>(store: &S, claim: &Claim) -> (S::Transaction, Lease, u32) {
    match store.open(claim, PATIENCE).await.expect("the store works") {
        Opened::Claimed { transaction, fence, attempts } => {
            (transaction, claim.lease_with(fence), attempts)
        }
        Opened::Found(found) => panic!("not granted: {found:?}"),
        Opened::Busy => panic!("nobody else holds the record"),
    }
}

fn completed() -> Outcome {
    Outcome::Completed(answer())
}

/// Business, record and answer are there together.
pub async fn what_a_handler_wrote_is_there_with_its_answer(subject: &impl TransactionalSubject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (mut transaction, lease, attempts) = opened(&store, &claim(&attempt)).await;
    assert_eq!(attempts, 1);
    subject.add(&mut transaction).await;
    assert_eq!(store.find(&attempt.id).await.expect("the store works"), None);
    assert_eq!(subject.sum(&store).await, 0, "nothing is seen before it is committed");

    store.commit(transaction, &lease, &completed()).await.expect("it is committed");
    assert_eq!(found(&store, &attempt).await.record.state, State::Completed(answer()));
    assert_eq!(found(&store, &attempt).await.record.accepted, attempt);
    assert_eq!(subject.sum(&store).await, 1);
}

/// A crash at any instant before the commit leaves nothing: the key is free at once.
pub async fn a_transaction_that_is_dropped_leaves_nothing(subject: &impl TransactionalSubject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    for _ in 0..2 {
        let (mut transaction, ..) = opened(&store, &claim(&attempt)).await;
        subject.add(&mut transaction).await;
        drop(transaction);
    }
    let (lease, attempts) = granted(&store, &claim(&attempt)).await;
    assert_eq!(attempts, 1);
    assert_eq!(subject.sum(&store).await, 0);
    assert_eq!(store.release(&lease).await.expect("the store works"), crate::store::Written::Done);
}

/// The record of a handler that failed says so, and nothing else is there, whatever state its
/// transaction was left in.
pub async fn a_failed_handler_leaves_its_record_and_nothing_else(
    subject: &impl TransactionalSubject,
) {
    let store = subject.store().await;
    for (key, spoilt) in [("sound", false), ("spoilt", true)] {
        let attempt = attempt(key);
        let (mut transaction, lease, _) = opened(&store, &claim(&attempt)).await;
        subject.add(&mut transaction).await;
        if spoilt {
            subject.spoil(&mut transaction).await;
        }
        store.commit(transaction, &lease, &Outcome::Failed).await.expect("the end is committed");
        let record = found(&store, &attempt).await.record;
        assert_eq!((record.state, record.attempts), (State::Failed, 1));
        assert_eq!(subject.sum(&store).await, 0);

        let again = claim_over(&attempt, record.revision);
        let (transaction, lease, attempts) = opened(&store, &again).await;
        assert_eq!(attempts, 2);
        store.commit(transaction, &lease, &completed()).await.expect("it is committed");
    }
}

/// A take-over that is rolled back leaves the record as it was.
pub async fn a_take_over_that_is_dropped_leaves_the_record_as_it_was(
    subject: &impl TransactionalSubject,
) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (transaction, lease, _) = opened(&store, &claim(&attempt)).await;
    store.commit(transaction, &lease, &Outcome::Failed).await.expect("the end is committed");
    let before = found(&store, &attempt).await.record;

    let (transaction, ..) = opened(&store, &claim_over(&attempt, before.revision)).await;
    assert_eq!(found(&store, &attempt).await.record, before, "others see it as it was");
    drop(transaction);
    let (transaction, ..) = opened(&store, &claim_over(&attempt, before.revision)).await;
    drop(transaction);
    assert_eq!(found(&store, &attempt).await.record, before);
}

/// What is committed is found, and what has ended otherwise is free.
pub async fn a_duplicate_waits_for_the_transaction_of_the_first(
    subject: &impl TransactionalSubject,
) {
    let store = Arc::new(subject.store().await);
    for (key, is_committed) in [("committed", true), ("dropped", false)] {
        let attempt = attempt(key);
        let (transaction, lease, _) = opened(&*store, &claim(&attempt)).await;
        let duplicate = tokio::spawn({
            let (store, claim) = (store.clone(), claim(&attempt));
            async move { store.open(&claim, LONG).await }
        });
        // It waits: it would have ended long before.
        subject.pass(PATIENCE).await;
        assert!(!duplicate.is_finished());
        if is_committed {
            store.commit(transaction, &lease, &completed()).await.expect("it is committed");
        } else {
            drop(transaction);
        }
        match duplicate.await.expect("no panic").expect("the store works") {
            Opened::Found(found) if is_committed => {
                assert_eq!(found.record.state, State::Completed(answer()));
            }
            Opened::Claimed { attempts: 1, .. } if !is_committed => {}
            other => panic!("{key}: {}", name(&other)),
        }
    }
}

/// Who waits longer than it may is told so.
pub async fn patience_for_a_transaction_runs_out(subject: &impl TransactionalSubject) {
    let store = subject.store().await;
    let attempt = attempt("k");
    let (transaction, lease, _) = opened(&store, &claim(&attempt)).await;
    let opened = store.open(&claim(&attempt), PATIENCE).await.expect("the store works");
    assert!(matches!(opened, Opened::Busy), "{}", name(&opened));
    store.commit(transaction, &lease, &completed()).await.expect("the first is not disturbed");
    assert!(matches!(store.begin(&claim(&attempt)).await, Ok(Begun::Found(_))));
}

/// A claim outside of a transaction meets what was committed in one, and the other way round.
pub async fn claims_in_and_outside_of_transactions_meet(subject: &impl TransactionalSubject) {
    let store = subject.store().await;
    let (inside, outside) = (attempt("inside"), attempt("outside"));
    let (transaction, lease, _) = opened(&store, &claim(&inside)).await;
    store.commit(transaction, &lease, &completed()).await.expect("it is committed");
    assert_eq!(refused(&store, &claim(&inside)).await.record.state, State::Completed(answer()));

    let (_lease, _) = granted(&store, &claim(&outside)).await;
    let opened = store.open(&claim(&outside), PATIENCE).await.expect("the store works");
    assert!(matches!(opened, Opened::Found(_)), "{}", name(&opened));
}

/// Fifty duplicates of each of twenty keys, with fewer connections than that: all end, and each key
/// has one execution.
pub async fn of_many_duplicates_of_many_keys_each_key_runs_once(
    subject: &impl TransactionalSubject,
) {
    const CONTRACT: Contract = Contract::new("pay");
    let store = Arc::new(subject.store().await);
    let engine = Engine::sharing(store.clone(), Settings::default());
    let enter = async |key: usize| -> Result<bool, StoreError> {
        let attempt = attempt(&format!("k{key}"));
        loop {
            match engine.enter(&store, &attempt, &CONTRACT).await? {
                Entry::Run(mut transaction, execution) => {
                    subject.add(&mut transaction).await;
                    execution.finish(transaction, Outcome::Completed(numbered(key))).await?;
                    return Ok(true);
                }
                Entry::Told(Admission::Replay { answer, .. }) => {
                    assert_eq!(answer, numbered(key));
                    return Ok(false);
                }
                // Told to come back.
                Entry::Told(Admission::Refused(_)) => {}
                Entry::Told(other) => panic!("{other:?}"),
            }
        }
    };
    let all = (0..1000).map(|number| enter(number % 20));
    let ended = futures_util::future::join_all(all).await;
    let ran = ended.into_iter().map(|ran| ran.expect("the store works")).filter(|ran| *ran).count();
    assert_eq!((ran, subject.sum(&store).await), (20, 20));
}

/// What an answer is, of a transaction that nothing is known of.
fn name<T>(opened: &Opened<T>) -> &'static str {
    match opened {
        Opened::Claimed { .. } => "claimed",
        Opened::Found(_) => "found",
        Opened::Busy => "busy",
    }
}
