//! The files that outlive a server.

use std::path::PathBuf;

use idem_axum::review::Queue;
use tempfile::TempDir;

use super::database::Database;
use super::{Blocked, Lab};

/// A database, and a folder with an effects file, which is gone at the end of its test.
pub(crate) struct Place {
    folder: TempDir,
    database: Database,
}

/// One line of the effects file.
pub(crate) struct Effect {
    pub(crate) scope: String,
    pub(crate) route: String,
    pub(crate) amount: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let database = Database::new(folder.path().join("records.db"));
        Self { folder, database }
    }

    /// Starts a lab on the database of this place.
    pub(crate) fn lab(&self, options: &[&str]) -> Lab {
        self.database.prepare();
        self.start(&self.database.argument(), options)
    }

    /// Starts a lab that keeps its records in memory.
    pub(crate) fn lab_in_memory(&self, options: &[&str]) -> Lab {
        self.start("memory", options)
    }

    /// The queue of the conflicts that the labs of this place hold.
    pub(crate) async fn queue(&self) -> Queue {
        self.database.queue().await
    }

    /// How many records its database holds, expired ones among them.
    pub(crate) async fn records(&self) -> i64 {
        self.database.records().await
    }

    /// Keeps the labs of this place from writing to its database.
    pub(crate) async fn block(&self) -> Blocked {
        self.database.block().await
    }

    /// What happened under `key`, read from the file itself.
    pub(crate) fn effects(&self, key: &str) -> Vec<Effect> {
        let lines = std::fs::read_to_string(self.effects_file()).expect("a lab was started here");
        lines
            .lines()
            .map(|line| line.split(' ').collect::<Vec<_>>())
            .filter(|words| words[0] == key)
            .map(|words| {
                let [_, scope, route, amount, millis] = words[..] else {
                    panic!("a line of effects has five words, not {words:?}")
                };
                assert!(millis.parse::<u64>().is_ok(), "{millis}");
                Effect { scope: scope.into(), route: route.into(), amount: amount.into() }
            })
            .collect()
    }

    fn start(&self, store: &str, options: &[&str]) -> Lab {
        let log = tempfile::Builder::new().prefix("log").tempfile_in(self.folder.path());
        let log = log.expect("a temporary file can be made").into_temp_path();
        Lab::start(store, &self.effects_file(), log, options)
    }

    fn effects_file(&self) -> PathBuf {
        self.folder.path().join("effects")
    }
}
