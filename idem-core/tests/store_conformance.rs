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

#[cfg(all(feature = "testing", feature = "postgres"))]
mod postgres {
    use std::str::FromStr;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use idem_core::attempt::{Attempt, RecordId};
    use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
    use idem_core::key::IdempotencyKey;
    use idem_core::lease::Owner;
    use idem_core::operation::Operation;
    use idem_core::scope::Scope;
    use idem_core::store::postgres::{PostgresStore, PostgresTransaction};
    use idem_core::store::{Begun, Claim, Ended, Outcome, Store, Written};
    use idem_core::testing::{Subject, TransactionalSubject};
    use sqlx::postgres::PgConnectOptions;
    use sqlx::{ConnectOptions, Connection, Executor, Row};
    use tokio::sync::mpsc;

    #[derive(Default)]
    struct Postgres {
        /// Where the store is that was made last.
        schema: Mutex<Option<PgConnectOptions>>,
    }

    impl Subject for Postgres {
        type Store = PostgresStore;

        async fn store(&self) -> PostgresStore {
            let options = schema().await;
            let mut connection = options.connect().await.expect("the server runs");
            let business = "CREATE TABLE business (number bigint NOT NULL)";
            connection.execute(business).await.expect("a table is made");
            // Fewer than a test has requests at once.
            let store = PostgresStore::options(options.clone()).transactions(2).build();
            store.migrate().await.expect("the tables are made");
            *self.schema.lock().expect("no panic") = Some(options);
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
            let mut connection = schema.connect().await.expect("the server runs");
            let sum = "SELECT coalesce(sum(number), 0)::bigint FROM business";
            connection.fetch_one(sum).await.expect("it can be read").get(0)
        }

        async fn spoil(&self, transaction: &mut PostgresTransaction) {
            assert!(transaction.execute("SELECT 1 / 0").await.is_err());
        }
    }

    /// A new schema in the server that all tests share; connections bear its name.
    async fn schema() -> PgConnectOptions {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let schema = format!("conformance_{}_{number}", std::process::id());
        let options = PgConnectOptions::from_str(servers::postgres()).expect("a URL");
        let mut connection = options.connect().await.expect("the server runs");
        let create = sqlx::AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
        connection.execute(create).await.expect("a schema is made");
        connection.close().await.expect("the connection ends");
        options.application_name(&schema).options([("search_path", schema)])
    }

    idem_core::store_conformance!(Postgres::default());
    idem_core::review_conformance!(Postgres::default());
    idem_core::transactional_conformance!(Postgres::default());

    fn claim(key: &str) -> Claim {
        let key = IdempotencyKey::parse(key.as_bytes()).expect("a key");
        let attempt = Attempt {
            id: RecordId::of(&Scope::GLOBAL, &key),
            scope: Scope::GLOBAL,
            operation: Operation::http("pay", "POST", "/pay", None),
            fingerprint: Fingerprint::of(Encoding::Raw, None, b"x", &Mask::NONE).expect("bytes"),
            identity: None,
            payload: None,
        };
        let minute = Duration::from_secs(60);
        let owner = Owner::random();
        let attempt = Arc::new(attempt);
        Claim { attempt, owner, lease: minute, ttl: minute, over: None, history: 3, waits: false }
    }

    /// Who waits here, with what it hears of `there`.
    async fn waiting(
        claim: &Claim,
        schema: &PgConnectOptions,
    ) -> (PostgresStore, PostgresStore, mpsc::UnboundedReceiver<Ended>) {
        let [here, there] =
            [schema.clone(), schema.clone()].map(|options| PostgresStore::options(options).build());
        here.migrate().await.expect("the tables are made");
        let (tell, mut heard) = mpsc::unbounded_channel();
        here.listen(Arc::new(move |ended| {
            let _ = tell.send(ended);
        }));

        assert!(matches!(there.begin(claim).await, Ok(Begun::Claimed { .. })));
        let second = Claim { owner: Owner::random(), waits: true, ..claim.clone() };
        assert!(matches!(here.begin(&second).await, Ok(Begun::Found(_))));
        assert_eq!(hear(&mut heard).await, Ended::Any, "what ended before it listened");
        (here, there, heard)
    }

    async fn hear(heard: &mut mpsc::UnboundedReceiver<Ended>) -> Ended {
        let news = tokio::time::timeout(Duration::from_secs(10), heard.recv()).await;
        news.expect("the server tells of it").expect("the store listens")
    }

    async fn fence(store: &PostgresStore, claim: &Claim) -> idem_core::lease::Lease {
        let found = store.find(&claim.attempt.id).await.expect("the store works");
        claim.lease_with(found.expect("there is a record").record.fence)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn ends_in_other_processes_are_heard_where_somebody_waits_for_them() {
        let (awaited, alone) = (claim("awaited"), claim("alone"));
        let (_here, there, mut heard) = waiting(&awaited, &schema().await).await;
        assert!(matches!(there.begin(&alone).await, Ok(Begun::Claimed { .. })));
        for claim in [&alone, &awaited] {
            let lease = fence(&there, claim).await;
            assert_eq!(there.finish(&lease, &Outcome::Failed).await.unwrap(), Written::Done);
        }
        assert_eq!(hear(&mut heard).await, Ended::One(awaited.attempt.id));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_release_is_heard_as_well() {
        let awaited = claim("awaited");
        let (_here, there, mut heard) = waiting(&awaited, &schema().await).await;
        let lease = fence(&there, &awaited).await;
        assert_eq!(there.release(&lease).await.unwrap(), Written::Done);
        assert_eq!(hear(&mut heard).await, Ended::One(awaited.attempt.id));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_lost_connection_is_made_again_and_nothing_is_missed() {
        let awaited = claim("awaited");
        let schema = schema().await;
        let (here, there, mut heard) = waiting(&awaited, &schema).await;
        let mut other = schema.connect().await.unwrap();
        let lose = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                    WHERE application_name = current_setting('application_name') \
                      AND query LIKE 'LISTEN%'";
        sqlx::raw_sql(lose).execute(&mut other).await.unwrap();
        assert_eq!(hear(&mut heard).await, Ended::Any, "something may have ended meanwhile");
        let second = Claim { owner: Owner::random(), waits: true, ..awaited.clone() };
        assert!(matches!(here.begin(&second).await, Ok(Begun::Found(_))));
        let lease = fence(&there, &awaited).await;
        assert_eq!(there.finish(&lease, &Outcome::Failed).await.unwrap(), Written::Done);
        while hear(&mut heard).await != Ended::One(awaited.attempt.id) {}
    }
}
