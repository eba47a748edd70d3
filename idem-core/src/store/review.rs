//! The power of a store to keep conflicts for people.

use std::future::Future;
use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Store, StoreError};
use crate::review::{Conflict, ConflictId, Decide, Decided, Filter, Hold, Holding};

/// A store that keeps attempts for review. A contract with `policy = "review"` does not compile
/// against a store without this power.
///
/// A conflict can be decided for as long as the contract's ttl, and after a decision for as long
/// again be run; then it is [expired](crate::review::ConflictState::Expired). Its record is kept at least as
/// long. [`Store::purge`] deletes it when it has been expired for another ttl.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot keep attempts for review",
    label = "a store without a review queue",
    note = "use a store that implements `ReviewStore`, such as `SqliteStore` or `PostgresStore`, or another policy"
)]
pub trait ReviewStore: Store {
    /// Keeps an attempt for people to decide, if its record is unexpired and still at the
    /// execution it was compared with.
    ///
    /// One atomic step: an unexpired conflict about the same payload is returned as it is; a key
    /// that has `hold.limit` [open](crate::review::Disputed::is_open) ones gets no more.
    fn hold(&self, hold: &Hold) -> impl Future<Output = Result<Holding, StoreError>> + Send;

    /// One conflict; `None` when there is none of this name.
    fn conflict(
        &self,
        id: &ConflictId,
    ) -> impl Future<Output = Result<Option<Conflict>, StoreError>> + Send;

    /// The conflicts that pass the filter, newest first.
    fn conflicts(
        &self,
        filter: &Filter,
    ) -> impl Future<Output = Result<Vec<Conflict>, StoreError>> + Send;

    /// Writes a decision if the conflict is pending, unexpired and at the version that was seen:
    /// of two decisions the first counts. `None` when there is no conflict of this name.
    fn decide(
        &self,
        decide: &Decide,
    ) -> impl Future<Output = Result<Option<Decided>, StoreError>> + Send;
}

/// [`ReviewStore`] behind a pointer.
pub(crate) trait ErasedReviewStore: Send + Sync {
    fn hold(self: Arc<Self>, hold: Hold) -> BoxFuture<'static, Result<Holding, StoreError>>;
    fn conflict(
        self: Arc<Self>,
        id: ConflictId,
    ) -> BoxFuture<'static, Result<Option<Conflict>, StoreError>>;
    fn conflicts(
        self: Arc<Self>,
        filter: Filter,
    ) -> BoxFuture<'static, Result<Vec<Conflict>, StoreError>>;
    fn decide(
        self: Arc<Self>,
        decide: Decide,
    ) -> BoxFuture<'static, Result<Option<Decided>, StoreError>>;
}

impl<S: ReviewStore> ErasedReviewStore for S {
    fn hold(self: Arc<Self>, hold: Hold) -> BoxFuture<'static, Result<Holding, StoreError>> {
        Box::pin(async move { ReviewStore::hold(&*self, &hold).await })
    }

    fn conflict(
        self: Arc<Self>,
        id: ConflictId,
    ) -> BoxFuture<'static, Result<Option<Conflict>, StoreError>> {
        Box::pin(async move { ReviewStore::conflict(&*self, &id).await })
    }

    fn conflicts(
        self: Arc<Self>,
        filter: Filter,
    ) -> BoxFuture<'static, Result<Vec<Conflict>, StoreError>> {
        Box::pin(async move { ReviewStore::conflicts(&*self, &filter).await })
    }

    fn decide(
        self: Arc<Self>,
        decide: Decide,
    ) -> BoxFuture<'static, Result<Option<Decided>, StoreError>> {
        Box::pin(async move { ReviewStore::decide(&*self, &decide).await })
    }
}
