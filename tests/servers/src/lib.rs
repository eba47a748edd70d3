//! Real database servers for tests: started when they are first asked for, on free ports, and
//! stopped when the process that asked has ended, however it has.

use std::env;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// A running server. It stops when this is dropped, or with the process.
#[derive(Debug)]
pub struct Server {
    /// Where it is, as its script says: a URL, or a port of this machine.
    pub address: String,
    /// Its standard input is what keeps the server alive.
    script: Child,
}

impl Server {
    /// Starts a PostgreSQL with these settings, such as `max_connections=20`. Its address is
    /// `postgres://…`, of a user who may do everything.
    ///
    /// # Panics
    /// When it does not start, with the reason on the standard error output.
    #[must_use]
    pub fn postgres(settings: &[&str]) -> Self {
        Self::start("postgres", settings)
    }

    /// Starts a PgBouncer in transaction pooling before the PostgreSQL on `port`. Its address is its
    /// own port.
    ///
    /// # Panics
    /// When it does not start, with the reason on the standard error output.
    #[must_use]
    pub fn pgbouncer(port: u16) -> Self {
        Self::start("pgbouncer", &[&port.to_string()])
    }

    fn start(script: &str, arguments: &[&str]) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(script);
        let mut script = Command::new(path)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("bash runs");
        let mut address = String::new();
        let output = script.stdout.take().expect("its output is piped");
        BufReader::new(output).read_line(&mut address).expect("an address is text");
        assert!(!address.is_empty(), "the server does not start, see above");
        Self { address: address.trim_end().to_owned(), script }
    }
}

impl Drop for Server {
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
    static STARTED: OnceLock<Server> = OnceLock::new();
    match env::var("IDEM_TEST_POSTGRES_URL") {
        Ok(url) => GIVEN.get_or_init(|| url),
        Err(_) => &STARTED.get_or_init(|| Server::postgres(&["max_connections=300"])).address,
    }
}

/// The port of a PgBouncer that all tests of this process share, before the PostgreSQL on `port`.
///
/// # Panics
/// When it is asked for one before another PostgreSQL.
pub fn pgbouncer(port: u16) -> u16 {
    static STARTED: OnceLock<(u16, Server)> = OnceLock::new();
    let (before, server) = STARTED.get_or_init(|| (port, Server::pgbouncer(port)));
    assert_eq!(*before, port, "one PgBouncer stands before one PostgreSQL");
    server.address.parse().expect("a port is a number")
}
