//! All that holds of every store, and of every one with a review queue or with transactions.

use std::sync::Mutex;
use std::time::Duration;

use idem_core::store::postgres::{PostgresStore, PostgresTransaction};
use idem_core::testing::{Subject, TransactionalSubject};
use sqlx::Executor;
use sqlx::postgres::PgConnectOptions;

use crate::support::{connect, number, schema};

#[derive(Default)]
struct Postgres {
    /// Where the store is that was made last.
    schema: Mutex<Option<PgConnectOptions>>,
}

impl Subject for Postgres {
    type Store = PostgresStore;

    async fn store(&self) -> PostgresStore {
        let schema = schema().await;
        let business = "CREATE TABLE business (number bigint NOT NULL)";
        connect(&schema).await.execute(business).await.expect("a table is made");
        // Fewer than a test has requests at once.
        let store = PostgresStore::options(schema.clone()).transactions(2).build();
        store.migrate().await.expect("the tables are made");
        *self.schema.lock().expect("no panic") = Some(schema);
        store
    }

    /// The server's clock is the machine's.
    async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

impl TransactionalSubject for Postgres {
    async fn add(&self, transaction: &mut PostgresTransaction) {
        let add = "INSERT INTO business VALUES (1)";
        transaction.execute(add).await.expect("it can be written");
    }

    async fn sum(&self, _: &PostgresStore) -> i64 {
        let schema = self.schema.lock().expect("no panic").clone().expect("a store was made");
        let sum = "SELECT coalesce(sum(number), 0)::bigint FROM business";
        number(&mut connect(&schema).await, sum).await
    }

    async fn spoil(&self, transaction: &mut PostgresTransaction) {
        assert!(transaction.execute("SELECT 1 / 0").await.is_err());
    }
}

idem_core::store_conformance!(Postgres::default());
idem_core::review_conformance!(Postgres::default());
idem_core::transactional_conformance!(Postgres::default());
