//! The file that counts how often the business happened, however the process died.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::call::Call;
use crate::table::Table;

/// The effects file. Each line is `key scope route amount unix_ms`, five words; `-` stands for
/// what there is not.
#[derive(Clone)]
pub(crate) struct Effects {
    path: Arc<Path>,
    file: Arc<File>,
    /// What happened in transactions.
    table: Option<Table>,
}

impl Effects {
    /// Opens the file to append to it, and makes it where it is missing.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        Ok(Self { path: path.into(), file: Arc::new(file), table: None })
    }

    /// The same, with what happened in transactions.
    pub(crate) fn with(self, table: Table) -> Self {
        Self { table: Some(table), ..self }
    }

    /// Lets the effect of `call` happen: one line by one `write` in append mode, so that the lines
    /// of several processes never mix and a dying one leaves all of it or nothing.
    pub(crate) fn append(&self, call: &Call, amount: Option<Decimal>) -> io::Result<()> {
        let Call { account, key, route } = call;
        let amount = amount.map_or_else(|| "-".to_owned(), |amount| amount.to_string());
        let millis = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let line = format!("{key} {} {route} {amount} {millis}\n", account.id());
        // On the thread of the handler: the page cache takes a line in microseconds.
        (&*self.file).write_all(line.as_bytes())
    }

    /// What happened under `key`, for all its owners together.
    async fn of(&self, key: &str) -> Result<Tally, Box<dyn Error>> {
        let lines = tokio::fs::read_to_string(&self.path).await?;
        let mut amounts: Vec<String> = lines
            .lines()
            .map(|line| line.split(' ').collect::<Vec<_>>())
            .filter(|words| words[0] == key)
            .filter_map(|words| words.get(3).map(|&amount| amount.to_owned()))
            .collect();
        if let Some(table) = &self.table {
            amounts.extend(table.amounts(key).await?);
        }
        Ok(Tally { count: amounts.len(), amounts })
    }
}

/// Which effects are asked for.
#[derive(Deserialize)]
pub(crate) struct OfKey {
    key: String,
}

/// How often something happened, and with which amounts.
#[derive(Serialize)]
pub(crate) struct Tally {
    count: usize,
    amounts: Vec<String>,
}

/// `GET /effects?key=K`.
pub(crate) async fn of_key(
    State(effects): State<Effects>,
    Query(OfKey { key }): Query<OfKey>,
) -> Result<Json<Tally>, StatusCode> {
    effects.of(&key).await.map(Json).map_err(|error| {
        tracing::error!(%error, "the effects could not be read");
        StatusCode::INTERNAL_SERVER_ERROR
    })
}
