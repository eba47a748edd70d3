//! Stores with real records that have expired.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use idem_core::attempt::{Attempt, RecordId};
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use idem_core::key::IdempotencyKey;
use idem_core::lease::Owner;
use idem_core::operation::Operation;
use idem_core::scope::Scope;
use idem_core::store::{Begun, Claim, Store};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Short enough to be over as soon as it is waited for.
const BRIEF: Duration = Duration::from_millis(1);

/// The first claim of `key`, kept for a day.
pub(crate) fn claim(key: &str) -> Claim {
    let key = IdempotencyKey::parse(key.as_bytes()).unwrap();
    let attempt = Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", None),
        fingerprint: Fingerprint::of(Encoding::Raw, None, b"x", &Mask::NONE).unwrap(),
        identity: None,
        payload: None,
    };
    let (attempt, owner) = (Arc::new(attempt), Owner::random());
    Claim { attempt, owner, lease: DAY, ttl: DAY, over: None, history: 0, waits: false }
}

/// Lets `count` keys begin at once whose time is over as soon as they have.
pub(crate) async fn add_brief(store: &impl Store, count: u32) {
    let begin = |number| async move {
        let brief = Claim { lease: BRIEF, ttl: BRIEF, ..claim(&format!("brief-{number}")) };
        assert!(matches!(store.begin(&brief).await.unwrap(), Begun::Claimed { .. }));
    };
    join_all((0..count).map(begin)).await;
}
