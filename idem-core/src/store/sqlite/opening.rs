//! Opening the file, which several processes may do at the same moment.

use std::time::Duration;

use sqlx::sqlite::SqliteConnectOptions;
use tokio::time::{Instant, sleep};

use super::connection::{Connection, is_busy};
use super::schema;
use super::statement::Failure;
use crate::store::StoreError;

/// Between two tries: there is nothing in SQLite that would wake us when the lock is free.
const PAUSE: Duration = Duration::from_millis(10);

/// The connection that writes and the one that reads, on a file whose tables are made.
///
/// SQLite does not wait where two connections would wait for each other, as they may when both turn
/// a new file to WAL: it fails at once as busy, whatever its timeout. So the wait is done here.
pub(super) async fn open(
    options: SqliteConnectOptions,
    patience: Duration,
) -> Result<(Connection, Connection), StoreError> {
    let mut writer = Connection::new(options.clone());
    let mut reader = Connection::new(options);
    let start = Instant::now();
    loop {
        match prepare(&mut writer, &mut reader).await {
            Ok(()) => return Ok((writer, reader)),
            Err(Failure::Sqlite(error)) if is_busy(&error) && start.elapsed() < patience => {
                sleep(PAUSE).await;
            }
            Err(failure) => return Err(refused(failure)),
        }
    }
}

/// Goes on where the last try was stopped.
async fn prepare(writer: &mut Connection, reader: &mut Connection) -> Result<(), Failure> {
    schema::migrate(writer.get().await?).await?;
    reader.get().await?;
    Ok(())
}

fn refused(failure: Failure) -> StoreError {
    match failure {
        Failure::Content(error) => error,
        Failure::Sqlite(error) => {
            StoreError::Unavailable { reason: "its file could not be opened", source: error.into() }
        }
    }
}
