//! What sqlx writes to the log of what we send.

use std::fmt::{self, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use idem_core::attempt::{Attempt, Payload};
use idem_core::record::Answer;
use idem_core::scope::Scope;
use idem_core::store::postgres::PostgresStore;
use idem_core::store::{Claim, Opened, Outcome, Store, TransactionalStore, Written};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection};
use tokio::time::sleep;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

use crate::support::{claim, granted, schema, store};

const SECRETS: [&str; 4] = ["mrs-robinson", "acme-7", "DE02-4711", "hunter2"];

/// All that is logged in this process, and was not before.
#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

impl<S: Subscriber> Layer<S> for Everything {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        event.record(&mut Fields(&mut self.0.lock().unwrap()));
    }
}

struct Fields<'t>(&'t mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = write!(self.0, "{field}={value:?} ");
    }
}

/// A claim full of secrets.
fn secret(key: &str) -> Claim {
    let claim = claim(key);
    let payload = Payload { bytes: "for mrs-robinson".into(), media_type: None };
    let attempt = Attempt {
        scope: Scope::of("acme-7").unwrap(),
        payload: Some(payload),
        ..(*claim.attempt).clone()
    };
    Claim { attempt: Arc::new(attempt), ..claim }
}

fn answer() -> Outcome {
    let body = Some("paid from DE02-4711".into());
    Outcome::Completed(Arc::new(Answer { status: 201, headers: vec![], body }))
}

async fn use_it(store: &PostgresStore) {
    let lease = granted(store, &secret("plain")).await;
    assert_eq!(store.finish(&lease, &answer()).await.unwrap(), Written::Done);
    let claim = secret("transaction");
    let opened = store.open(&claim, Duration::from_secs(5)).await.unwrap();
    let Opened::Claimed { transaction, fence, .. } = opened else { panic!("the key is new") };
    store.commit(transaction, &claim.lease_with(fence), &answer()).await.unwrap();
}

/// Longer than what sqlx calls slow.
async fn wait_for_a_lock(store: &PostgresStore, schema: &PgConnectOptions) {
    let mut other = schema.connect().await.unwrap();
    sqlx::raw_sql("BEGIN; LOCK TABLE idem_record").execute(&mut other).await.unwrap();
    let waiting = tokio::spawn({
        let store = store.clone();
        async move { granted(&store, &secret("slow")).await }
    });
    sleep(Duration::from_millis(1200)).await;
    other.close().await.unwrap();
    waiting.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_payload_answer_scope_nor_password_is_ever_logged() {
    let log = Everything::default();
    let subscriber = tracing_subscriber::registry().with(log.clone());
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let schema = schema().await;
    store(&schema).await;
    // As an application connects that logs all it does.
    let schema = schema.password("hunter2");
    let pool = PgPoolOptions::new().connect_with(schema.clone()).await.unwrap();
    sqlx::query("SELECT 'a statement of the application'").execute(&pool).await.unwrap();
    let store = PostgresStore::options(&pool).build();
    use_it(&store).await;
    wait_for_a_lock(&store, &schema).await;

    // And where nobody answers, and where something else does.
    let away = PostgresStore::options(schema.clone().port(1)).build();
    let mut errors = String::new();
    let asked = tokio::time::timeout(Duration::from_secs(2), away.begin(&secret("away"))).await;
    let _ = write!(errors, "{asked:?}");
    let nowhere = PostgresStore::options(schema.database("nowhere")).build();
    let _ = write!(errors, "{:?}", nowhere.begin(&secret("nowhere")).await);

    let logged = log.0.lock().unwrap().clone() + &errors;
    assert!(logged.contains("a statement of the application"), "what sqlx logs is seen here");
    for secret in SECRETS {
        let hexadecimal: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
        assert!(!logged.contains(secret), "{secret} is logged");
        assert!(!logged.contains(&hexadecimal), "{secret} is logged in hexadecimal");
    }
}
