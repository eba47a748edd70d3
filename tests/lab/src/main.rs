//! The lab: one server that shows every contract, for black-box tests.
//!
//! A real axum server whose handlers are annotated with `#[idempotent]`, one route per contract,
//! with knobs in the payload that provoke faults. It is a test instrument and runs no business.
//!
//! | file | holds |
//! | --- | --- |
//! | `command_line` | what can be set from outside |
//! | `app` | the state and the table of routes |
//! | `handlers` | one annotated handler per contract |
//! | `payload`, `script` | what a client sends: a payment, and what shall go wrong with it |
//! | `account`, `call` | who calls, under which key, for which route |
//! | `carry_out` | the business of every route, step by step |
//! | `effects`, `table` | the file and the table that count how often the business happened |
//! | `receipt` | the answer |
//! | `seeds` | conflicts that are there from the start |
//! | `serve` | from the socket to the drained end |

mod account;
mod app;
mod call;
mod carry_out;
mod command_line;
mod effects;
mod handlers;
mod payload;
mod receipt;
mod script;
mod seeds;
mod serve;
mod table;

use std::error::Error;

use clap::Parser;
use idem_axum::{MemoryStore, PostgresStore, SqliteStore};

use crate::app::{routes, routes_on_database, routes_on_file};
use crate::command_line::{CommandLine, StoreChoice};
use crate::effects::Effects;
use crate::serve::serve;
use crate::table::Table;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let command_line = CommandLine::parse();
    // Standard output belongs to the one line that says where the lab listens.
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let effects = Effects::open(&command_line.effects)?;
    match &command_line.store {
        StoreChoice::Memory => serve(MemoryStore::new(), effects, routes(), &command_line).await,
        StoreChoice::Sqlite(path) => {
            let store = SqliteStore::open(path).await?;
            let effects = effects.with(Table::of_file(path).await?);
            serve(store, effects, routes_on_file(), &command_line).await
        }
        StoreChoice::Postgres(url) => {
            let store = PostgresStore::connect(url)?;
            store.migrate().await?;
            let effects = effects.with(Table::of_database(url).await?);
            serve(store, effects, routes_on_database(), &command_line).await
        }
    }
}
