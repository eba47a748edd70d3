//! Connections of the application, and ours.

use std::time::Duration;

use futures_util::future::join_all;
use futures_util::poll;
use idem_core::store::postgres::PostgresStore;
use idem_core::store::{Begun, Opened, Store, TransactionalStore, Written};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use tokio::time::sleep;

use crate::support::{claim, completed, connect, duplicate, granted, number, schema, store};

const PATIENCE: Duration = Duration::from_secs(5);

/// How many connections of this schema are in a transaction that nobody goes on with.
async fn abandoned(schema: &PgConnectOptions) -> i64 {
    let sql = "SELECT count(*) FROM pg_stat_activity
               WHERE application_name = current_setting('application_name')
                 AND state LIKE 'idle in transaction%'";
    number(&mut connect(schema).await, sql).await
}

/// A pool of an application, whose only connection is in a transaction that sqlx knows nothing of.
async fn poisoned(schema: &PgConnectOptions) -> PgPool {
    let options = PgPoolOptions::new().max_connections(1).test_before_acquire(false);
    let pool = options.connect_with(schema.clone()).await.unwrap();
    for _ in 0..100 {
        let mut begin = Box::pin(pool.begin());
        // Sent, and given up before the reply.
        assert!(poll!(begin.as_mut()).is_pending());
        drop(begin);
        sleep(Duration::from_millis(20)).await;
        if abandoned(schema).await > 0 {
            return pool;
        }
    }
    panic!("sqlx leaves no transaction behind any more: is the guard against it still needed?");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_on_a_poisoned_pool_commits_what_it_says_it_has() {
    let schema = schema().await;
    store(&schema).await;
    let pool = poisoned(&schema).await;
    let store = PostgresStore::options(&pool).build();
    let lease = granted(&store, &claim("plain")).await;
    assert_eq!(store.finish(&lease, &completed()).await.unwrap(), Written::Done);
    let claim = claim("transaction");
    let Opened::Claimed { transaction, fence, .. } = store.open(&claim, PATIENCE).await.unwrap()
    else {
        panic!("the key is new")
    };
    store.commit(transaction, &claim.lease_with(fence), &completed()).await.unwrap();

    // By another connection: what is not committed is not seen.
    let there = "SELECT count(*) FROM idem_record WHERE state = 1";
    assert_eq!(number(&mut connect(&schema).await, there).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_that_is_given_up_while_it_is_opened_claims_nothing() {
    let schema = schema().await;
    let store = store(&schema).await;
    let claim = claim("k");
    for pause in 0..20 {
        let claim = duplicate(&claim);
        let mut opening = Box::pin(store.open(&claim, PATIENCE));
        assert!(poll!(opening.as_mut()).is_pending());
        sleep(Duration::from_micros(200 * pause)).await;
        drop(opening);
    }
    // The key is free, at the latest when the last of them is rolled back.
    let opened = store.open(&duplicate(&claim), PATIENCE).await.unwrap();
    assert!(matches!(opened, Opened::Claimed { attempts: 1, .. }));
    drop(opened);
    for _ in 0..100 {
        if abandoned(&schema).await == 0 {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("a transaction was left open");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_exhausted_pool_of_the_application_keeps_no_execution_from_ending() {
    let schema = schema().await;
    store(&schema).await;
    let pool = PgPoolOptions::new().max_connections(1).connect_with(schema.clone()).await.unwrap();
    let store = PostgresStore::options(&pool).connections(1).build();
    let lease = granted(&store, &claim("k")).await;
    let _all_there_are = pool.acquire().await.unwrap();
    assert_eq!(store.finish(&lease, &completed()).await.unwrap(), Written::Done);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_the_server_has_ended_fail_no_call() {
    let schema = schema().await;
    let store = store(&schema).await;
    let claims: Vec<_> = (0..8).map(|number| claim(&format!("k{number}"))).collect();
    let leases = join_all(claims.iter().map(|claim| granted(&store, claim))).await;
    let mut other = connect(&schema).await;
    for lease in &leases {
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                   WHERE application_name = current_setting('application_name')
                     AND pid <> pg_backend_pid()";
        sqlx::raw_sql(end).execute(&mut other).await.unwrap();
        assert_eq!(store.finish(lease, &completed()).await.unwrap(), Written::Done);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_connection_serves_many_claims_at_once() {
    let schema = schema().await;
    store(&schema).await;
    let store = PostgresStore::options(schema).connections(1).build();
    let claims: Vec<_> = (0..50).map(|number| claim(&format!("k{number}"))).collect();
    for begun in join_all(claims.iter().map(|claim| store.begin(claim))).await {
        assert!(matches!(begun, Ok(Begun::Claimed { .. })));
    }
}
