//! Rules of kept payloads.

use std::sync::Arc;

use super::{Subject, claim, complete, finish, found, granted, noted, numbered, refused, take};
use crate::attempt::{Attempt, Payload};
use crate::store::{Outcome, Written};

/// Bytes that are no text, none at all, and a whole mebibyte; with and without a media type.
pub async fn a_payload_is_read_back_byte_for_byte(subject: &impl Subject) {
    let store = subject.store().await;
    for (number, payload) in payloads().into_iter().enumerate() {
        let attempt = kept(&format!("k{number}"), payload.clone());
        granted(&store, &claim(&attempt)).await;
        let refused = refused(&store, &claim(&attempt)).await.record;
        let found = found(&store, &attempt).await.record;
        assert_eq!((&refused.accepted.payload, &found.accepted.payload), (&payload, &payload));
        assert_eq!(refused.base, None);
    }
}

/// The same of the payload that completed before.
pub async fn a_base_is_read_back_byte_for_byte(subject: &impl Subject) {
    let store = subject.store().await;
    for (number, payload) in payloads().into_iter().enumerate() {
        let key = format!("k{number}");
        complete(&store, &kept(&key, payload.clone()), &numbered(1)).await;
        let next = noted(&key, "next");
        take(&store, &next).await;
        let refused = refused(&store, &claim(&next)).await.record;
        assert_eq!((&refused.base, &found(&store, &next).await.record.base), (&payload, &payload));
        assert_eq!(refused.accepted.payload, next.payload);
    }
}

/// What failed, vanished or runs is nothing to build on: what completed before it is.
pub async fn the_base_is_the_last_completed_payload(subject: &impl Subject) {
    let store = subject.store().await;
    let [failed, first, second, third] =
        ["failed", "first", "second", "third"].map(|note| noted("k", note));
    let end = async |attempt: &Arc<Attempt>, outcome| {
        let lease = take(&store, attempt).await;
        let base = found(&store, attempt).await.record.base;
        assert_eq!(finish(&store, &lease, outcome).await, Written::Done);
        assert_eq!(found(&store, attempt).await.record.base, base, "the end does not change it");
        base
    };
    let completed = || Outcome::Completed(numbered(1));
    assert_eq!(end(&failed, Outcome::Failed).await, None);
    assert_eq!(end(&first, completed()).await, None);
    assert_eq!(end(&second, Outcome::Failed).await, first.payload);
    assert_eq!(end(&third, Outcome::Unknown).await, first.payload);
    assert_eq!(end(&third, completed()).await, first.payload);
    assert_eq!(end(&second, Outcome::Failed).await, third.payload);
}

fn payloads() -> [Option<Payload>; 5] {
    let payload = |bytes: Vec<u8>, media_type: Option<&str>| {
        Some(Payload { bytes: bytes.into(), media_type: media_type.map(Into::into) })
    };
    [
        None,
        payload(vec![], None),
        payload(vec![], Some("text/plain; charset=\"utf-8\"")),
        payload(b"{\"z\":\"\\u0000\"}\x00\xff".to_vec(), Some("application/json")),
        payload(vec![7; 1 << 20], None),
    ]
}

fn kept(key: &str, payload: Option<Payload>) -> Arc<Attempt> {
    Arc::new(Attempt { payload, ..(*noted(key, "kept")).clone() })
}
