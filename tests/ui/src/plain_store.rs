//! A store that does what every store does and nothing more.

use idem_axum::MemoryStore;
use idem_axum::core::attempt::RecordId;
use idem_axum::core::lease::Lease;
use idem_axum::core::record::Superseded;
use idem_axum::core::store::{Begun, Claim, Found, Listener, Outcome, Store, StoreError, Written};

/// A store without optional powers.
#[derive(Debug, Default)]
pub struct PlainStore(MemoryStore);

impl Store for PlainStore {
    async fn begin(&self, claim: &Claim) -> Result<Begun, StoreError> {
        self.0.begin(claim).await
    }

    async fn renew(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.0.renew(lease).await
    }

    async fn finish(&self, lease: &Lease, outcome: &Outcome) -> Result<Written, StoreError> {
        self.0.finish(lease, outcome).await
    }

    async fn release(&self, lease: &Lease) -> Result<Written, StoreError> {
        self.0.release(lease).await
    }

    async fn find(&self, id: &RecordId) -> Result<Option<Found>, StoreError> {
        self.0.find(id).await
    }

    async fn purge(&self, limit: u32) -> Result<u32, StoreError> {
        self.0.purge(limit).await
    }

    async fn history(&self, id: &RecordId) -> Result<Vec<Superseded>, StoreError> {
        self.0.history(id).await
    }

    fn listen(&self, listener: Listener) {
        self.0.listen(listener);
    }
}
