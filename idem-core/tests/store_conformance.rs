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

    use idem_core::store::sqlite::SqliteStore;
    use idem_core::testing::Subject;
    use tempfile::TempDir;

    struct Sqlite(TempDir);

    impl Sqlite {
        fn new() -> Self {
            Self(TempDir::new().expect("a temporary folder"))
        }
    }

    impl Subject for Sqlite {
        type Store = SqliteStore;

        async fn store(&self) -> SqliteStore {
            SqliteStore::open(self.0.path().join("idem.db")).await.expect("the store opens")
        }

        /// SQLite's clock is the machine's.
        async fn pass(&self, time: Duration) {
            tokio::time::sleep(time).await;
        }
    }

    idem_core::store_conformance!(Sqlite::new());
    idem_core::review_conformance!(Sqlite::new());
}
