//! Claims under which nothing will run.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use tokio::time::{sleep, timeout};

use super::Engine;
use super::aftercare::{self, retry};
use crate::store::{Begun, Claim, ErasedStore, Found, Outcome, StoreError, Written};

impl Engine {
    /// Gives a claim back in the background that may have been made although its reply was lost, or
    /// is `late`. `ended` is how the execution ended that it took over, if it did.
    pub(super) fn give_back(
        &self,
        claim: Claim,
        ended: Option<Outcome>,
        late: Option<BoxFuture<'static, Result<Begun, StoreError>>>,
    ) {
        let (store, limit) = (self.inner.store.clone(), self.settings().store_timeout);
        self.after_care(claim.lease, async move {
            // Whatever it says, the record itself is asked below; and a reply that never comes
            // leaves half of the time for that.
            let replied = match late {
                Some(late) => timeout(aftercare::span(claim.lease) / 2, late).await.is_ok(),
                None => true,
            };
            let undo = || undo(store.clone(), claim.clone(), ended.clone());
            // A claim without a reply may still be on its way: it is looked for until the end.
            while retry(limit, undo).await == Some(false) && !replied {
                sleep(aftercare::LONGEST_PAUSE).await;
            }
        });
    }
}

/// Undoes `claim` if the record is held by it, and says whether it was: a first one is released,
/// one over an earlier execution leaves the record as that one `ended`.
async fn undo(
    store: Arc<dyn ErasedStore>,
    claim: Claim,
    ended: Option<Outcome>,
) -> Result<bool, StoreError> {
    let found = store.clone().find(claim.attempt.id).await?;
    let Some(Found { record, .. }) =
        found.filter(|found| found.record.revision.owner == claim.owner)
    else {
        return Ok(false);
    };
    let lease = claim.lease_with(record.fence);
    let undone = match ended {
        None => store.release(lease),
        Some(ended) => store.finish(lease, ended),
    };
    // Fenced: somebody took it over meanwhile, which settles it as well.
    undone.await.map(|_: Written| true)
}
