//! What can be set from outside.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use idem_axum::Dialect;

/// A server with one idempotent handler per contract, for black-box tests.
#[derive(Debug, Parser)]
#[command(name = "lab")]
pub(crate) struct CommandLine {
    /// The address to listen on; port 0 takes a free one.
    #[arg(long, default_value = "127.0.0.1:0")]
    pub(crate) listen: SocketAddr,

    /// Where the records live: `memory`, `sqlite:PATH` or `postgres://…`.
    #[arg(long)]
    pub(crate) store: StoreChoice,

    /// The file that gets one line for each business effect.
    #[arg(long)]
    pub(crate) effects: PathBuf,

    /// The status codes of refusals.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) dialect: DialectChoice,

    /// How long an execution may go without a sign of life, such as `2s`; the engine's default
    /// unless set.
    #[arg(long, value_parser = some_time)]
    pub(crate) lease: Option<Duration>,

    /// How long the pauses between the rounds of the janitor are, such as `100ms`.
    #[arg(long, value_parser = some_time, default_value = "1m")]
    pub(crate) purge_every: Duration,

    /// How many conflicts are held for review before the first request.
    #[arg(long, default_value_t)]
    pub(crate) seed_conflicts: u32,
}

/// A store by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoreChoice {
    Memory,
    Sqlite(PathBuf),
    /// By its whole URL.
    Postgres(String),
}

/// A dialect by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum DialectChoice {
    /// A differing payload is 409.
    #[default]
    Default,
    /// A differing payload is 422, as in the IETF draft.
    Ietf,
}

impl FromStr for StoreChoice {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(':') {
            None if text == "memory" => Ok(Self::Memory),
            Some(("sqlite", path)) if !path.is_empty() => Ok(Self::Sqlite(path.into())),
            Some(("postgres" | "postgresql", rest)) if rest.starts_with("//") => {
                Ok(Self::Postgres(text.to_owned()))
            }
            _ => Err("a store is `memory`, `sqlite:PATH` or `postgres://…`"),
        }
    }
}

impl From<DialectChoice> for Dialect {
    fn from(choice: DialectChoice) -> Self {
        match choice {
            DialectChoice::Default => Self::Conflict,
            DialectChoice::Ietf => Self::Ietf,
        }
    }
}

fn some_time(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("it must be longer than no time".to_owned()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_whole_command_line_is_read() {
        let words = "lab --listen 127.0.0.1:0 --store sqlite:/tmp/a:b.db --effects /tmp/effects --dialect ietf --lease 2s --purge-every 100ms --seed-conflicts 3";
        let command_line = CommandLine::try_parse_from(words.split(' ')).unwrap();
        assert_eq!(command_line.store, StoreChoice::Sqlite("/tmp/a:b.db".into()));
        assert_eq!(command_line.dialect, DialectChoice::Ietf);
        assert_eq!(command_line.lease, Some(Duration::from_secs(2)));
        assert_eq!(command_line.purge_every, Duration::from_millis(100));
        assert_eq!(command_line.seed_conflicts, 3);
    }

    #[test]
    fn a_database_is_named_by_its_whole_url() {
        let url = "postgres://lab@127.0.0.1:5432/lab";
        assert_eq!(url.parse(), Ok(StoreChoice::Postgres(url.to_owned())));
    }

    #[test]
    fn unknown_stores_and_empty_times_are_refused() {
        for store in ["", "sqlite", "sqlite:", "memory:", "mongo:x", "postgres:x"] {
            assert!(store.parse::<StoreChoice>().is_err(), "{store}");
        }
        assert!(some_time("0s").is_err());
        assert!(some_time("2").is_err());
    }
}
