//! Where profiles are kept.

use std::path::Path;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions};
use sqlx::{Row, SqlitePool};

use crate::profile::Profile;
use crate::user::User;

/// The profiles, in one SQLite file.
#[derive(Clone)]
pub struct Profiles {
    pool: SqlitePool,
}

impl Profiles {
    /// Opens the file, and makes it where it is missing.
    ///
    /// # Errors
    /// When it cannot be opened, or is no database.
    pub async fn open(file: &Path) -> Result<Self, sqlx::Error> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal);
        let pool = SqlitePoolOptions::new().max_connections(2).connect_with(options).await?;
        sqlx::raw_sql(include_str!("schema.sql")).execute(&pool).await?;
        Ok(Self { pool })
    }

    /// Saves a profile in the place of what was saved before, and says how often that has happened;
    /// `None` where the handle is somebody else's.
    pub(crate) async fn save(
        &self,
        user: &User,
        profile: &Profile,
    ) -> Result<Option<i64>, sqlx::Error> {
        let text =
            serde_json::to_string(profile).map_err(|error| sqlx::Error::Encode(error.into()))?;
        let row = sqlx::query(include_str!("save.sql"))
            .bind(user.name())
            .bind(&profile.handle)
            .bind(text)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| row.try_get(0)).transpose()
    }

    /// The profile under `handle`, as JSON.
    pub(crate) async fn show(&self, handle: &str) -> Result<Option<String>, sqlx::Error> {
        let row = sqlx::query("SELECT profile FROM profile WHERE handle = ?1")
            .bind(handle)
            .fetch_optional(&self.pool)
            .await?;
        row.map(|row| row.try_get(0)).transpose()
    }
}
