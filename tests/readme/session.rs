//! Runs the README's console session word for word, against the server that it starts.
//!
//! The session is in the blocks marked `console`: a line that begins with `$ ` is a command, the
//! lines below it are all that it prints.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const README: &str = include_str!("../../README.md");
const START: &str = "cargo run -p payments";
const ADDRESS: &str = "127.0.0.1:3000";

/// One command and what the README says that it prints.
#[derive(Debug, PartialEq, Eq)]
struct Step {
    command: String,
    output: String,
}

#[test]
fn the_session_prints_what_the_readme_says() {
    assert_curl_is_there();
    let steps = session(README);
    let (start, rest) = steps.split_first().expect("the README has a session");
    assert_eq!(start.command, START, "the session begins with the server");
    assert!(rest.len() >= 5, "the session shows a payment and what retries get: {rest:?}");

    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path());
    assert_eq!(server.greeting, start.output);
    for step in rest {
        assert_eq!(run(&step.command, folder.path()), step.output, "$ {}", step.command);
    }
    server.stop();
}

#[test]
fn a_session_is_read_as_commands_and_what_they_print() {
    let text = "```console\n$ one\n1\n2\n$ two\n```\n```sh\n$ not this\n```\n```console\n$ three\n3\n```\n";
    let step =
        |command: &str, output: &str| Step { command: command.into(), output: output.into() };
    assert_eq!(session(text), [step("one", "1\n2"), step("two", ""), step("three", "3")]);
}

fn session(text: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for block in text.split("```console\n").skip(1) {
        for line in block.lines().take_while(|line| *line != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                steps.push(Step { command: command.to_owned(), output: String::new() });
            } else {
                let step = steps.last_mut().expect("a block begins with a command");
                step.output = format!("{}\n{line}", step.output).trim().to_owned();
            }
        }
    }
    steps
}

/// What a command prints, without the carriage returns that a terminal does not show.
fn run(command: &str, folder: &Path) -> String {
    let ran = Command::new("bash").args(["-c", command]).current_dir(folder).output();
    let ran = ran.expect("bash runs");
    let printed = [ran.stdout, ran.stderr].concat();
    String::from_utf8(printed).expect("text").replace('\r', "").trim().to_owned()
}

fn assert_curl_is_there() {
    let found = Command::new("curl").arg("--version").stdout(Stdio::null()).status();
    assert!(found.is_ok_and(|status| status.success()), "curl is missing: `apt-get install curl`");
}

/// The payment service in a process of its own; killed when it is dropped.
struct Server {
    process: Child,
    /// The line it prints when it is ready.
    greeting: String,
}

impl Server {
    /// Runs the session's first command. Cargo becomes the server: there is one process to end.
    fn start(folder: &Path) -> Self {
        drop(TcpListener::bind(ADDRESS).unwrap_or_else(|error| {
            panic!("the session needs {ADDRESS} for itself: {error}; end what listens there")
        }));
        let workspace = concat!(env!("CARGO_MANIFEST_DIR"), "/../../Cargo.toml");
        let mut process = Command::new(env!("CARGO"))
            .args(["run", "-p", "payments", "--manifest-path", workspace])
            .current_dir(folder)
            .env_remove("PAYMENTS_DB")
            .env_remove("PAYMENTS_LISTEN")
            .stdout(Stdio::piped())
            .spawn()
            .expect("cargo runs");
        let stdout = process.stdout.take().expect("it was piped");
        let mut server = Self { process, greeting: String::new() };
        let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
        let greeting = lines.find(|line| line.contains("serving"));
        server.greeting = greeting.expect("the server starts").trim().to_owned();
        // A pipe that nobody reads would block the server some day.
        thread::spawn(move || lines.for_each(drop));
        server
    }

    /// Asks the server to stop, and waits until it has.
    fn stop(mut self) {
        let id = self.process.id().to_string();
        let asked = Command::new("kill").args(["-TERM", &id]).status();
        assert!(asked.is_ok_and(|status| status.success()), "the server was still running");
        let deadline = Instant::now() + Duration::from_secs(20);
        while Instant::now() < deadline {
            if let Some(status) = self.process.try_wait().expect("it can be waited for") {
                assert!(status.success(), "the server ended with {status}");
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
        panic!("the server did not stop when it was asked to");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has ended cannot be killed, and that is as well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
