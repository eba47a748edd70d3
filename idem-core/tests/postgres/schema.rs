//! The tables, and instances that make them at once.

use futures_util::future::join_all;
use idem_core::store::postgres::PostgresStore;
use idem_core::store::{Store, StoreError};

use crate::support::{claim, connect, number, schema, store};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_instances_that_start_at_once_make_the_tables_once() {
    let schema = schema().await;
    let instances = (0..10).map(|_| store(&schema));
    let stores = join_all(instances).await;
    stores[9].migrate().await.unwrap();
    let versions = "SELECT count(*) FROM idem_schema";
    assert_eq!(number(&mut connect(&schema).await, versions).await, 1);
    stores[0].begin(&claim("k")).await.unwrap();
}

#[tokio::test]
async fn a_schema_of_a_newer_version_is_refused() {
    let schema = schema().await;
    let store = store(&schema).await;
    let newer = "INSERT INTO idem_schema (version) VALUES (1000)";
    sqlx::raw_sql(newer).execute(&mut connect(&schema).await).await.unwrap();
    let error = store.migrate().await.unwrap_err().to_string();
    assert!(error.contains("1000") && error.contains("update idem"), "{error}");
}

#[tokio::test]
async fn without_its_tables_a_store_says_what_to_call() {
    let store = PostgresStore::options(schema().await).build();
    let error = store.begin(&claim("k")).await.unwrap_err();
    assert!(matches!(error, StoreError::Unusable { .. }), "{error}");
    assert!(error.to_string().contains("migrate"), "{error}");
}
