//! The power of a store to keep a record in the transaction of the business it is about.

use std::future::Future;
use std::time::Duration;

use super::{Claim, Found, Outcome, Store, StoreError};
use crate::lease::{Fence, Lease};

/// A store whose database also holds the business: what a handler writes, its record and its answer
/// are committed together or not at all. After a crash nothing is there, and a retry runs safely.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no transactions that handlers could write in",
    label = "a store without transactions",
    note = "use a store that implements `TransactionalStore`, such as `PostgresStore` or `SqliteStore`"
)]
pub trait TransactionalStore: Store {
    /// An open transaction that holds a claimed record; dropped, it leaves nothing behind.
    type Transaction: Send + Sync + 'static;

    /// Claims as [`begin`](Store::begin) does, in a transaction that is open from then on. Until it
    /// ends nobody else can claim the record: what another transaction holds is waited for, up to
    /// `patience`, and then looked at as it has become.
    ///
    /// # Cancellation
    /// A dropped future claims nothing.
    fn open(
        &self,
        claim: &Claim,
        patience: Duration,
    ) -> impl Future<Output = Result<Opened<Self::Transaction>, StoreError>> + Send;

    /// Ends the execution with its record, and commits. One that has not completed is a failed one,
    /// and leaves its record alone: all that was written since the claim is undone.
    ///
    /// # Errors
    /// When the transaction could not be committed: nothing of it is there, or all of it where only
    /// the reply was lost.
    fn commit(
        &self,
        transaction: Self::Transaction,
        lease: &Lease,
        outcome: &Outcome,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The answer to a [`Claim`] in a transaction.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a replay would pay for a box, and a claim is short-lived"
)]
pub enum Opened<T> {
    /// The record is the claimant's until the transaction ends.
    Claimed {
        /// Where the handler writes.
        transaction: T,
        /// The fencing token of this execution.
        fence: Fence,
        /// The number of this execution: 1 for the first that left a trace.
        attempts: u32,
    },
    /// The record is not free.
    Found(Found),
    /// Another transaction holds it for longer than was to be waited.
    Busy,
}
