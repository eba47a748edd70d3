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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    use idem_core::attempt::{Attempt, RecordId};
    use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
    use idem_core::key::IdempotencyKey;
    use idem_core::lease::Owner;
    use idem_core::operation::Operation;
    use idem_core::scope::Scope;
    use idem_core::store::postgres::PostgresStore;
    use idem_core::store::{Begun, Claim, Ended, Outcome, Store, Written};
    use idem_core::testing::Subject;
    use sqlx::postgres::PgConnectOptions;
    use sqlx::{ConnectOptions, Connection, Executor};
    use tokio::sync::mpsc;

    struct Postgres;

    impl Subject for Postgres {
        type Store = PostgresStore;

        async fn store(&self) -> PostgresStore {
            let store = PostgresStore::options(schema().await).build();
            store.migrate().await.expect("the tables are made");
            store
        }

        /// The server's clock is the machine's.
        async fn pass(&self, time: Duration) {
            tokio::time::sleep(time).await;
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

    idem_core::store_conformance!(Postgres);
    idem_core::review_conformance!(Postgres);

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
