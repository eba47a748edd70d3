//! What a record costs the server.

use std::sync::Arc;
use std::time::Duration;

use idem_core::attempt::{Attempt, Payload};
use idem_core::store::{Claim, Store, Written};
use tokio::time::sleep;

use crate::support::{claim, completed, connect, granted, number, schema, store};

const RECORDS: i64 = 500;

#[tokio::test]
async fn completing_a_record_touches_no_index() {
    let schema = schema().await;
    let store = store(&schema).await;
    for number in 0..RECORDS {
        let claim = claim(&format!("k{number}"));
        let payload = Payload { bytes: vec![b'x'; 400].into(), media_type: None };
        let attempt = Attempt { payload: Some(payload), ..(*claim.attempt).clone() };
        let claim = Claim { attempt: Arc::new(attempt), ..claim };
        let lease = granted(&store, &claim).await;
        assert_eq!(store.finish(&lease, &completed()).await.unwrap(), Written::Done);
    }
    // The server counts what a connection did at the latest when that ends.
    drop(store);
    let mut connection = connect(&schema).await;
    let updates = "SELECT coalesce(sum(n_tup_upd), 0)::bigint FROM pg_stat_user_tables
                   WHERE relid = 'idem_record'::regclass";
    for _ in 0..200 {
        if number(&mut connection, updates).await >= RECORDS {
            break;
        }
        sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(number(&mut connection, updates).await, RECORDS);
    let heap_only =
        "SELECT n_tup_hot_upd FROM pg_stat_user_tables WHERE relid = 'idem_record'::regclass";
    let heap_only = number(&mut connection, heap_only).await;
    let bytes = number(&mut connection, "SELECT pg_total_relation_size('idem_record')").await;
    println!(
        "{heap_only} of {RECORDS} completions are heap-only; {} bytes a record",
        bytes / RECORDS
    );
    assert!(heap_only * 100 >= RECORDS * 95, "{heap_only} of {RECORDS}");
}
