//! Ends in other processes.

use std::sync::Arc;
use std::time::Duration;

use idem_core::lease::Lease;
use idem_core::store::postgres::PostgresStore;
use idem_core::store::{Begun, Claim, Ended, Outcome, Store, Written};
use sqlx::postgres::PgConnectOptions;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::support::{claim, connect, duplicate, granted, schema, store};

/// An attempt that waits here for one that runs there.
struct Waiting {
    here: PostgresStore,
    there: PostgresStore,
    lease: Lease,
    heard: UnboundedReceiver<Ended>,
}

impl Waiting {
    async fn for_the_end_of(claim: &Claim, schema: &PgConnectOptions) -> Self {
        let (here, there) = (store(schema).await, store(schema).await);
        let (tell, heard) = unbounded_channel();
        here.listen(Arc::new(move |ended| {
            let _ = tell.send(ended);
        }));
        let lease = granted(&there, claim).await;
        let mut waiting = Self { here, there, lease, heard };
        waiting.wait(claim).await;
        assert_eq!(waiting.hear().await, Ended::Any, "what ended before it listened");
        waiting
    }

    async fn wait(&self, claim: &Claim) {
        let second = Claim { waits: true, ..duplicate(claim) };
        assert!(matches!(self.here.begin(&second).await, Ok(Begun::Found(_))));
    }

    async fn hear(&mut self) -> Ended {
        let news = tokio::time::timeout(Duration::from_secs(10), self.heard.recv()).await;
        news.expect("the server tells of it").expect("the store listens")
    }

    async fn finish(&self, lease: &Lease) {
        assert_eq!(self.there.finish(lease, &Outcome::Failed).await.unwrap(), Written::Done);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ends_in_other_processes_are_heard_where_somebody_waits_for_them() {
    let (awaited, alone) = (claim("awaited"), claim("alone"));
    let mut waiting = Waiting::for_the_end_of(&awaited, &schema().await).await;
    let other = granted(&waiting.there, &alone).await;
    waiting.finish(&other).await;
    waiting.finish(&waiting.lease).await;
    assert_eq!(waiting.hear().await, Ended::One(awaited.attempt.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_release_is_heard_as_well() {
    let awaited = claim("awaited");
    let mut waiting = Waiting::for_the_end_of(&awaited, &schema().await).await;
    assert_eq!(waiting.there.release(&waiting.lease).await.unwrap(), Written::Done);
    assert_eq!(waiting.hear().await, Ended::One(awaited.attempt.id));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_made_again_and_nothing_is_missed() {
    let (awaited, schema) = (claim("awaited"), schema().await);
    let mut waiting = Waiting::for_the_end_of(&awaited, &schema).await;
    let lose = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE application_name = current_setting('application_name') AND query LIKE 'LISTEN%'";
    sqlx::raw_sql(lose).execute(&mut connect(&schema).await).await.unwrap();
    assert_eq!(waiting.hear().await, Ended::Any, "something may have ended meanwhile");
    waiting.wait(&awaited).await;
    waiting.finish(&waiting.lease).await;
    while waiting.hear().await != Ended::One(awaited.attempt.id) {}
}
