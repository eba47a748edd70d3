//! Real database servers for tests: started when they are first asked for, on free ports, and
//! stopped when the process that asked has ended, however it has.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A running PostgreSQL. It stops when this is dropped, or with the process.
#[derive(Debug)]
pub struct Postgres {
    /// `postgres://…`, of a user who may do everything.
    pub url: String,
    /// Its standard input is what keeps the server alive.
    script: Child,
}

impl Postgres {
    /// Starts a new server with these settings, such as `max_connections=20`.
    ///
    /// # Panics
    /// When it does not start, with the reason on the standard error output.
    #[must_use]
    pub fn start(settings: &[&str]) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("postgres");
        let mut script = Command::new(path)
            .args(settings)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash runs");
        let mut url = String::new();
        let output = script.stdout.take().expect("its output is piped");
        BufReader::new(output).read_line(&mut url).expect("the server's URL is text");
        assert!(!url.is_empty(), "PostgreSQL does not start, see above");
        Self { url: url.trim_end().to_owned(), script }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.script.stdin.take());
        let _ = self.script.wait();
    }
}

/// The URL of a PostgreSQL that all tests of this process share: the one in
/// `IDEM_TEST_POSTGRES_URL`, or one that is started for them. Each test keeps to a schema of its own.
pub fn postgres() -> &'static str {
    static GIVEN: OnceLock<String> = OnceLock::new();
    // Never dropped: the end of the process closes the script's input.
    static STARTED: OnceLock<Postgres> = OnceLock::new();
    match env::var("IDEM_TEST_POSTGRES_URL") {
        Ok(url) => GIVEN.get_or_init(|| url),
        Err(_) => &STARTED.get_or_init(|| Postgres::start(&[])).url,
    }
}
