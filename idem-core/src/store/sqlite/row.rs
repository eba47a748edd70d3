//! The columns of a row in SQLite's types.

use std::borrow::Cow;

use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::store::StoreError;
use crate::store::rows::{Columns, damaged};

impl Columns for SqliteRow {
    fn integer(&self, name: &'static str) -> Result<Option<i64>, StoreError> {
        self.try_get(name).map_err(|_| damaged(name))
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, StoreError> {
        self.try_get(name).map_err(|_| damaged(name))
    }

    fn bytes(&self, name: &'static str) -> Result<Option<Cow<'_, [u8]>>, StoreError> {
        let bytes: Option<&[u8]> = self.try_get(name).map_err(|_| damaged(name))?;
        Ok(bytes.map(Cow::Borrowed))
    }
}
