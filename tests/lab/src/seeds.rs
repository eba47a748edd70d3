//! Conflicts that are there from the start, for those who look at the queue of reviews.

use std::error::Error;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use idem_axum::core::attempt::{Attempt, Payload, RecordId};
use idem_axum::core::contract::{Contract, Policy};
use idem_axum::core::engine::{Admission, Engine};
use idem_axum::core::fingerprint::{Fingerprint, Mask};
use idem_axum::core::identity::Identity;
use idem_axum::core::key::IdempotencyKey;
use idem_axum::core::operation::Operation;
use idem_axum::core::record::Answer;
use idem_axum::core::store::Outcome;
use idem_axum::review::Queue;
use idem_axum::{Encoding, Scope};

/// The contract of `/review`.
const REVIEW: Contract =
    Contract::new("review").policy(Policy::Review).ttl_millis(72 * 60 * 60 * 1000);

/// Holds so many conflicts, each about a key of its own: somebody paid 10, and then 20.
pub(crate) async fn hold(
    engine: &Engine,
    queue: &Queue,
    conflicts: u32,
) -> Result<(), Box<dyn Error>> {
    // Another start on the same store adds its own.
    let start = SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis();
    for number in 0..conflicts {
        let key = format!("seed-{start}-{number}");
        let (first, second) = (payment(&key, number, 10)?, payment(&key, number, 20)?);
        if let Admission::Run(execution) = engine.admit(&first, &REVIEW).await? {
            let body = Some("{\"amount\":10}".into());
            let answer = Answer { status: 201, headers: vec![], body };
            let _ = execution.finish(Outcome::Completed(Arc::new(answer))).await;
        }
        if let Admission::Hold(dispute) = engine.admit(&second, &REVIEW).await? {
            engine.hold(&second, &REVIEW, dispute, queue).await?;
        }
    }
    Ok(())
}

fn payment(key: &str, number: u32, amount: u64) -> Result<Arc<Attempt>, Box<dyn Error>> {
    let scope = Scope::of(format!("seed-{}", number % 10))?;
    let body = format!(
        r#"{{"amount":{amount},"currency":"EUR","recipient":"shop-{number}","note":"seeded"}}"#
    );
    let mut identity = Identity::new();
    identity.field("amount", |out| out.value(&rust_decimal::Decimal::from(amount)));
    identity.field("currency", |out| out.value("EUR"));
    identity.field("recipient", |out| out.value(&format!("shop-{number}")));
    Ok(Arc::new(Attempt {
        id: RecordId::of(&scope, &IdempotencyKey::parse(key.as_bytes())?),
        scope,
        operation: Operation::http(REVIEW.name, "POST", "/review", None),
        fingerprint: Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE)?,
        identity: Some(identity),
        payload: Some(Payload { bytes: body.into(), media_type: Some("application/json".into()) }),
    }))
}
