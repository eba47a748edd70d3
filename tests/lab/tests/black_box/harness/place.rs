//! The files that outlive a server.

use std::path::PathBuf;

use tempfile::TempDir;

use super::Lab;

/// A folder with a database and an effects file, gone at the end of its test.
pub(crate) struct Place(TempDir);

/// One line of the effects file.
pub(crate) struct Effect {
    pub(crate) scope: String,
    pub(crate) route: String,
    pub(crate) amount: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder can be made"))
    }

    /// Starts a lab on the database of this place.
    pub(crate) fn lab(&self, options: &[&str]) -> Lab {
        self.start(&format!("sqlite:{}", self.database().display()), options)
    }

    /// Starts a lab that keeps its records in memory.
    pub(crate) fn lab_in_memory(&self, options: &[&str]) -> Lab {
        self.start("memory", options)
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.path().join("records.db")
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
        let log = tempfile::Builder::new().prefix("log").tempfile_in(self.0.path());
        let log = log.expect("a temporary file can be made").into_temp_path();
        Lab::start(store, &self.effects_file(), log, options)
    }

    fn effects_file(&self) -> PathBuf {
        self.0.path().join("effects")
    }
}
