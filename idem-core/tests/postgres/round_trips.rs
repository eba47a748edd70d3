//! Messages, counted on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use idem_core::store::postgres::{PostgresStore, PostgresTransaction};
use idem_core::store::{Begun, Claim, Opened, Store, TransactionalStore, Written};
use sqlx::Executor;
use sqlx::postgres::PgConnectOptions;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;

use crate::support::{claim, completed, duplicate, granted, schema, store};

const PATIENCE: Duration = Duration::from_secs(5);

/// Stands between a store and the server, and counts what waits for a reply.
struct Proxy {
    statements: Arc<AtomicUsize>,
    port: u16,
}

impl Proxy {
    async fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let statements = Arc::new(AtomicUsize::new(0));
        let count = statements.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(("127.0.0.1", server)).await.unwrap();
                let (mut from_server, to_server) = server.into_split();
                let (from_client, mut to_client) = client.into_split();
                tokio::spawn(pass_on(from_client, to_server, count.clone()));
                tokio::spawn(async move {
                    let _ = tokio::io::copy(&mut from_server, &mut to_client).await;
                });
            }
        });
        Self { statements, port }
    }

    /// How many statements were sent since this was asked last. Beside them a connection that is
    /// given back is asked in the background whether it is in order, by a message of another type.
    fn since(&self) -> usize {
        self.statements.swap(0, Ordering::SeqCst)
    }

    /// Waits until so many statements were sent, and no more.
    async fn wait_for(&self, statements: usize, what: &str) {
        let sent = || self.statements.load(Ordering::SeqCst);
        for _ in 0..500 {
            if sent() >= statements {
                break;
            }
            sleep(Duration::from_millis(10)).await;
        }
        assert_eq!(self.since(), statements, "{what}");
    }
}

/// Passes messages on and counts those that are statements: simple queries, and executions of
/// prepared ones.
async fn pass_on(
    mut client: OwnedReadHalf,
    mut server: OwnedWriteHalf,
    count: Arc<AtomicUsize>,
) -> Option<()> {
    // The first message has no type.
    let mut is_first = true;
    loop {
        let mut message = Vec::new();
        if !is_first {
            message.push(client.read_u8().await.ok()?);
        }
        let length = client.read_u32().await.ok()?;
        message.extend_from_slice(&length.to_be_bytes());
        let start = message.len();
        message.resize(start + length as usize - 4, 0);
        client.read_exact(&mut message[start..]).await.ok()?;
        if !is_first && matches!(message[0], b'Q' | b'E') {
            count.fetch_add(1, Ordering::SeqCst);
        }
        is_first = false;
        server.write_all(&message).await.ok()?;
    }
}

/// A store behind a proxy, with its connections made.
async fn counted() -> (PostgresStore, Proxy) {
    let schema: PgConnectOptions = schema().await;
    store(&schema).await;
    let proxy = Proxy::to(schema.get_port()).await;
    let store =
        PostgresStore::options(schema.port(proxy.port)).connections(1).transactions(1).build();
    granted(&store, &claim("warm")).await;
    proxy.since();
    (store, proxy)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fresh_request_takes_two_round_trips_and_every_other_one() {
    let (store, proxy) = counted().await;
    let first = claim("k");
    let lease = granted(&store, &first).await;
    assert_eq!(proxy.since(), 1, "a claim");
    let busy = store.begin(&duplicate(&first)).await.unwrap();
    assert!(matches!(busy, Begun::Found(_)));
    assert_eq!(proxy.since(), 1, "busy");
    let waiting = Claim { waits: true, ..duplicate(&first) };
    assert!(matches!(store.begin(&waiting).await.unwrap(), Begun::Found(_)));
    proxy.wait_for(3, "one, and two of a connection that begins to listen").await;
    assert_eq!(store.finish(&lease, &completed()).await.unwrap(), Written::Done);
    assert_eq!(proxy.since(), 1, "an end");
    for _ in 0..3 {
        let replay = store.begin(&duplicate(&first)).await.unwrap();
        assert!(matches!(replay, Begun::Found(_)));
        assert_eq!(proxy.since(), 1, "a replay, or a mismatch");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_transaction_takes_one_round_trip_more_than_one_of_the_handlers_own() {
    let (store, proxy) = counted().await;
    drop(store.open(&claim("warm"), PATIENCE).await);
    proxy.wait_for(3, "a beginning, a claim, and a rollback that nobody waits for").await;

    let claim = claim("k");
    let opened = store.open(&claim, PATIENCE).await.unwrap();
    let Opened::Claimed { mut transaction, fence, .. } = opened else { panic!("the key is new") };
    assert_eq!(proxy.since(), 2, "the beginning and the claim");
    work(&mut transaction).await;
    assert_eq!(proxy.since(), 1);
    store.commit(transaction, &claim.lease_with(fence), &completed()).await.unwrap();
    // The end of the execution and the commit are one; a rollback follows that nobody waits for.
    proxy.wait_for(2, "the end with its commit, and a rollback of nothing").await;
}

async fn work(transaction: &mut PostgresTransaction) {
    transaction.execute(sqlx::raw_sql("SELECT 1")).await.unwrap();
}
