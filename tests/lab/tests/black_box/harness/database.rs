//! The database of a place: a file, or a schema of the PostgreSQL that all tests share.

use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idem_axum::review::Queue;
use idem_axum::{PostgresStore, SqliteStore};
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, PgConnection, SqliteConnection};

/// Where the records of a place are.
pub(super) enum Database {
    File(PathBuf),
    /// The name of the schema.
    Schema(String),
}

/// A database in which nobody else can write.
pub(crate) enum Blocked {
    File(SqliteConnection),
    Schema(PgConnection),
}

impl Database {
    /// Of the kind that the name of the test target says; `file` is taken where that is a file.
    pub(super) fn new(file: PathBuf) -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if !module_path!().starts_with("black_box_on_postgres") {
            return Self::File(file);
        }
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        Self::Schema(format!("lab_{}_{number}", std::process::id()))
    }

    /// What the lab is told.
    pub(super) fn argument(&self) -> String {
        match self {
            Self::File(path) => format!("sqlite:{}", path.display()),
            Self::Schema(schema) => {
                format!("{}?options[search_path]={schema}", servers::postgres())
            }
        }
    }

    /// Makes what the lab does not make for itself.
    pub(super) fn prepare(&self) {
        let Self::Schema(schema) = self else { return };
        let create = format!("CREATE SCHEMA IF NOT EXISTS {schema}");
        // The tests run on a runtime that cannot wait in here.
        let made = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            runtime.expect("a runtime starts").block_on(async move {
                let mut connection = connect(servers::postgres()).await;
                sqlx::raw_sql(sqlx::AssertSqlSafe(create)).execute(&mut connection).await
            })
        });
        made.join().expect("no panic").expect("a schema is made");
    }

    /// The queue of the conflicts in it.
    pub(super) async fn queue(&self) -> Queue {
        match self {
            Self::File(path) => {
                let store = SqliteStore::open(path).await.expect("a lab has made it");
                Queue::new(Arc::new(store))
            }
            Self::Schema(_) => {
                let store = PostgresStore::connect(&self.argument()).expect("a URL");
                Queue::new(Arc::new(store))
            }
        }
    }

    /// How many records it holds, expired ones among them.
    pub(super) async fn records(&self) -> i64 {
        const COUNT: &str = "SELECT count(*) FROM idem_record";
        let count = match self {
            Self::File(path) => sqlx::query_scalar(COUNT).fetch_one(&mut open(path).await).await,
            Self::Schema(_) => {
                sqlx::query_scalar(COUNT).fetch_one(&mut connect(&self.argument()).await).await
            }
        };
        count.expect("the database can be read")
    }

    /// Keeps everybody else from writing; records can still be read.
    pub(super) async fn block(&self) -> Blocked {
        match self {
            Self::File(path) => {
                let mut file = open(path).await;
                sqlx::raw_sql("BEGIN EXCLUSIVE").execute(&mut file).await.expect("it is free");
                Blocked::File(file)
            }
            Self::Schema(_) => {
                let mut schema = connect(&self.argument()).await;
                let lock = "BEGIN; LOCK TABLE idem_record IN EXCLUSIVE MODE";
                sqlx::raw_sql(lock).execute(&mut schema).await.expect("a lab has made it");
                Blocked::Schema(schema)
            }
        }
    }
}

impl Blocked {
    /// Lets others write again.
    pub(crate) async fn release(self) {
        let released = match self {
            Self::File(mut file) => sqlx::raw_sql("ROLLBACK").execute(&mut file).await.map(drop),
            Self::Schema(mut schema) => {
                sqlx::raw_sql("ROLLBACK").execute(&mut schema).await.map(drop)
            }
        };
        released.expect("the lock is held");
    }
}

async fn open(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    options.connect().await.expect("the database can be opened")
}

async fn connect(url: &str) -> PgConnection {
    let options = PgConnectOptions::from_str(url).expect("a URL");
    options.connect().await.expect("the server runs")
}
