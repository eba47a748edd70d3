//! All that holds of every store, behind a PgBouncer that gives each transaction another connection.

use std::time::Duration;

use idem_core::store::postgres::PostgresStore;
use idem_core::testing::Subject;
use sqlx::{AssertSqlSafe, ConnectOptions, PgConnection};

use crate::support::schema;

struct Pooled;

impl Subject for Pooled {
    type Store = PostgresStore;

    /// In a database of its own: a pooler passes no search path on.
    async fn store(&self) -> PostgresStore {
        let direct = schema().await;
        let name = direct.get_application_name().expect("it is that of the schema").to_owned();
        let mut connection: PgConnection = direct.connect().await.expect("the server runs");
        let create = AssertSqlSafe(format!("CREATE DATABASE {name}"));
        sqlx::raw_sql(create).execute(&mut connection).await.expect("a database is made");
        let port = servers::pgbouncer(direct.get_port());
        let url = format!("postgres://postgres@127.0.0.1:{port}/{name}");
        let store = PostgresStore::connect(&url).expect("a URL");
        store.migrate().await.expect("the tables are made");
        store
    }

    async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }
}

idem_core::store_conformance!(Pooled);
idem_core::review_conformance!(Pooled);
