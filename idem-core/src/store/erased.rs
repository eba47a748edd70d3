//! The store as engines and janitors hold it: one type for all stores, futures that own what they need.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::{Begun, Claim, Found, Listener, Outcome, Store, StoreError, Written};
use crate::attempt::RecordId;
use crate::lease::Lease;
use crate::record::Superseded;

/// [`Store`] behind a pointer. The futures own their store, so that one that outlives its request
/// can be carried on by a task of its own.
pub(crate) trait ErasedStore: Send + Sync {
    fn begin(self: Arc<Self>, claim: Claim) -> BoxFuture<'static, Result<Begun, StoreError>>;
    fn renew(self: Arc<Self>, lease: Lease) -> BoxFuture<'static, Result<Written, StoreError>>;
    fn finish(
        self: Arc<Self>,
        lease: Lease,
        outcome: Outcome,
    ) -> BoxFuture<'static, Result<Written, StoreError>>;
    fn release(self: Arc<Self>, lease: Lease) -> BoxFuture<'static, Result<Written, StoreError>>;
    fn find(self: Arc<Self>, id: RecordId)
    -> BoxFuture<'static, Result<Option<Found>, StoreError>>;
    fn purge(self: Arc<Self>, limit: u32) -> BoxFuture<'static, Result<u32, StoreError>>;
    fn history(
        self: Arc<Self>,
        id: RecordId,
    ) -> BoxFuture<'static, Result<Vec<Superseded>, StoreError>>;
    fn listen(&self, listener: Listener);
}

impl<S: Store> ErasedStore for S {
    fn begin(self: Arc<Self>, claim: Claim) -> BoxFuture<'static, Result<Begun, StoreError>> {
        Box::pin(async move { Store::begin(&*self, &claim).await })
    }

    fn renew(self: Arc<Self>, lease: Lease) -> BoxFuture<'static, Result<Written, StoreError>> {
        Box::pin(async move { Store::renew(&*self, &lease).await })
    }

    fn finish(
        self: Arc<Self>,
        lease: Lease,
        outcome: Outcome,
    ) -> BoxFuture<'static, Result<Written, StoreError>> {
        Box::pin(async move { Store::finish(&*self, &lease, &outcome).await })
    }

    fn release(self: Arc<Self>, lease: Lease) -> BoxFuture<'static, Result<Written, StoreError>> {
        Box::pin(async move { Store::release(&*self, &lease).await })
    }

    fn find(
        self: Arc<Self>,
        id: RecordId,
    ) -> BoxFuture<'static, Result<Option<Found>, StoreError>> {
        Box::pin(async move { Store::find(&*self, &id).await })
    }

    fn purge(self: Arc<Self>, limit: u32) -> BoxFuture<'static, Result<u32, StoreError>> {
        Box::pin(async move { Store::purge(&*self, limit).await })
    }

    fn history(
        self: Arc<Self>,
        id: RecordId,
    ) -> BoxFuture<'static, Result<Vec<Superseded>, StoreError>> {
        Box::pin(async move { Store::history(&*self, &id).await })
    }

    fn listen(&self, listener: Listener) {
        Store::listen(self, listener);
    }
}
