//! The conformance suite on every store of this crate.

#[cfg(feature = "testing")]
mod memory {
    use std::sync::Arc;
    use std::time::Duration;

    use idem_core::clock::ManualClock;
    use idem_core::store::memory::MemoryStore;
    use idem_core::testing::Subject;

    #[derive(Default)]
    struct Memory(Arc<ManualClock>);

    impl Subject for Memory {
        type Store = MemoryStore;

        async fn store(&self) -> MemoryStore {
            MemoryStore::with_clock(self.0.clone())
        }

        async fn pass(&self, time: Duration) {
            self.0.advance(time);
        }
    }

    idem_core::store_conformance!(Memory::default());
    idem_core::review_conformance!(Memory::default());
}

#[cfg(all(feature = "testing", feature = "sqlite"))]
mod sqlite {
    use std::time::Duration;

    use idem_core::store::sqlite::{SqliteStore, SqliteTransaction};
    use idem_core::testing::{Subject, TransactionalSubject};
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Executor, SqliteConnection};
    use tempfile::TempDir;

    struct Sqlite(TempDir);

    impl Sqlite {
        fn new() -> Self {
            Self(TempDir::new().expect("a temporary folder"))
        }

        async fn connect(&self) -> SqliteConnection {
            let options = SqliteConnectOptions::new().filename(self.0.path().join("idem.db"));
            options.connect().await.expect("the file opens")
        }
    }

    impl Subject for Sqlite {
        type Store = SqliteStore;

        async fn store(&self) -> SqliteStore {
            let store = SqliteStore::open(self.0.path().join("idem.db")).await;
            let business = "CREATE TABLE IF NOT EXISTS business (number INTEGER NOT NULL)";
            self.connect().await.execute(business).await.expect("a table is made");
            store.expect("the store opens")
        }

        /// SQLite's clock is the machine's.
        async fn pass(&self, time: Duration) {
            tokio::time::sleep(time).await;
        }
    }

    impl TransactionalSubject for Sqlite {
        async fn add(&self, transaction: &mut SqliteTransaction) {
            let add = "INSERT INTO business VALUES (1)";
            transaction.execute(add).await.expect("it can be written");
        }

        async fn sum(&self, _: &SqliteStore) -> i64 {
            let sum = sqlx::query_scalar("SELECT coalesce(sum(number), 0) FROM business");
            sum.fetch_one(&mut self.connect().await).await.expect("it can be read")
        }

        async fn spoil(&self, transaction: &mut SqliteTransaction) {
            assert!(transaction.execute("INSERT INTO business VALUES (NULL)").await.is_err());
        }
    }

    idem_core::store_conformance!(Sqlite::new());
    idem_core::review_conformance!(Sqlite::new());
    idem_core::transactional_conformance!(Sqlite::new());
}
