//! The one connection of a process, and the batches that share its commits.

use std::mem;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::mpsc;

use super::command::{Command, Read, Settled};
use super::schema;
use crate::store::StoreError;

/// The most calls that share one transaction.
const BATCH: usize = 256;

pub(super) struct Worker {
    options: SqliteConnectOptions,
    connection: Option<SqliteConnection>,
}

impl Worker {
    pub(super) async fn open(options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let mut connection = options.connect().await.map_err(|error| StoreError::Unavailable {
            reason: "its file could not be opened",
            source: error.into(),
        })?;
        schema::migrate(&mut connection).await?;
        Ok(Self { options, connection: Some(connection) })
    }

    /// Serves until the last handle of the store is gone. What arrives while a batch is being
    /// committed forms the next one.
    pub(super) async fn run(mut self, mut queue: mpsc::Receiver<Command>) {
        let mut commands = Vec::with_capacity(BATCH);
        while queue.recv_many(&mut commands, BATCH).await > 0 {
            self.serve(Batch { open: mem::take(&mut commands), settled: Vec::new() }).await;
        }
        if let Some(connection) = self.connection {
            let _ = connection.close().await;
        }
    }

    async fn serve(&mut self, mut batch: Batch) {
        let served = match self.connection().await {
            Ok(connection) => batch.serve(connection).await,
            Err(error) => Err(error),
        };
        match served {
            Ok(()) => batch.settled.into_iter().for_each(|answer| answer()),
            Err(error) => {
                tracing::error!(%error, "the SQLite store rolled a batch back");
                // Whatever state the connection is in, the next batch gets a new one: closing this
                // one rolls back what it had begun, and dropping the batch tells its callers.
                self.connection = None;
            }
        }
    }

    async fn connection(&mut self) -> Result<&mut SqliteConnection, sqlx::Error> {
        match &mut self.connection {
            Some(connection) => Ok(connection),
            none => Ok(none.insert(self.options.connect().await?)),
        }
    }
}

/// Calls that stand or fall together; those that are dropped have failed.
struct Batch {
    /// Those without an outcome yet, in order of arrival.
    open: Vec<Command>,
    /// The answers that wait for the commit.
    settled: Vec<Settled>,
}

impl Batch {
    async fn serve(&mut self, db: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        self.read(db).await?;
        if self.open.is_empty() {
            return Ok(());
        }
        sqlx::query("BEGIN IMMEDIATE").execute(&mut *db).await?;
        for command in self.open.drain(..) {
            self.settled.push(command.run(db).await?);
        }
        sqlx::query("COMMIT").execute(db).await?;
        Ok(())
    }

    /// Answers what needs no write lock. A claim that sees no record stays open: another process
    /// may be first, and the statement under the lock finds out.
    async fn read(&mut self, db: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        for command in mem::take(&mut self.open) {
            match command.read(db).await? {
                Read::Answered(answer) => answer(),
                Read::NeedsWrite(command) => self.open.push(command),
            }
        }
        Ok(())
    }
}
