//! Schemas and claims.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idem_core::attempt::{Attempt, RecordId};
use idem_core::fingerprint::{Encoding, Fingerprint, Mask};
use idem_core::key::IdempotencyKey;
use idem_core::lease::{Lease, Owner};
use idem_core::operation::Operation;
use idem_core::record::Answer;
use idem_core::scope::Scope;
use idem_core::store::postgres::PostgresStore;
use idem_core::store::{Begun, Claim, Outcome, Store};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

const MINUTE: Duration = Duration::from_secs(60);

/// A new schema in the server that all tests share; connections bear its name.
pub(crate) async fn schema() -> PgConnectOptions {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let schema = format!("test_{}_{number}", std::process::id());
    let options = PgConnectOptions::from_str(servers::postgres()).expect("a URL");
    let mut connection = options.connect().await.expect("the server runs");
    let create = AssertSqlSafe(format!("CREATE SCHEMA {schema}"));
    sqlx::raw_sql(create).execute(&mut connection).await.expect("a schema is made");
    connection.close().await.expect("the connection ends");
    options.application_name(&schema).options([("search_path", schema)])
}

/// A store in a schema with its tables.
pub(crate) async fn store(schema: &PgConnectOptions) -> PostgresStore {
    let store = PostgresStore::options(schema.clone()).build();
    store.migrate().await.expect("the tables are made");
    store
}

pub(crate) async fn connect(schema: &PgConnectOptions) -> PgConnection {
    schema.connect().await.expect("the server runs")
}

/// What the statement returns, which is one number.
pub(crate) async fn number(connection: &mut PgConnection, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(connection).await.expect("it is a number")
}

/// A claim of an attempt of its own for a minute.
pub(crate) fn claim(key: &str) -> Claim {
    let key = IdempotencyKey::parse(key.as_bytes()).expect("a key");
    let attempt = Attempt {
        id: RecordId::of(&Scope::GLOBAL, &key),
        scope: Scope::GLOBAL,
        operation: Operation::http("pay", "POST", "/pay", None),
        fingerprint: Fingerprint::of(Encoding::Raw, None, b"x", &Mask::NONE).expect("bytes"),
        identity: None,
        payload: None,
    };
    Claim {
        attempt: Arc::new(attempt),
        owner: Owner::random(),
        lease: MINUTE,
        ttl: MINUTE,
        over: None,
        history: 3,
        waits: false,
    }
}

/// The same of another attempt.
pub(crate) fn duplicate(claim: &Claim) -> Claim {
    Claim { owner: Owner::random(), ..claim.clone() }
}

pub(crate) async fn granted(store: &PostgresStore, claim: &Claim) -> Lease {
    match store.begin(claim).await.expect("the store works") {
        Begun::Claimed { fence, .. } => claim.lease_with(fence),
        Begun::Found(found) => panic!("not granted: {found:?}"),
    }
}

pub(crate) fn completed() -> Outcome {
    let headers = vec![("content-type".into(), "application/json".into())];
    let body = Some(vec![b'x'; 300].into());
    Outcome::Completed(Arc::new(Answer { status: 201, headers, body }))
}
