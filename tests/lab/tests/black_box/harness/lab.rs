//! One process of the server under test.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use reqwest::redirect::Policy;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempPath;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::{Call, Reply};

/// How long a process, or a line of its log, is waited for. Far beyond what either takes.
const PATIENCE: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(10);
const PAUSE_OF_A_CLIENT: Duration = Duration::from_millis(50);

/// A running lab; killed when it is dropped.
pub(crate) struct Lab {
    child: Child,
    url: String,
    lines: Receiver<String>,
    log: TempPath,
    client: reqwest::Client,
}

impl Lab {
    /// Starts a lab and waits until it listens.
    pub(super) fn start(store: &str, effects: &Path, log: TempPath, options: &[&str]) -> Self {
        let log_file = File::create(&log).expect("the log can be written");
        let mut child = Command::new(env!("CARGO_BIN_EXE_lab"))
            .args(["--listen", "127.0.0.1:0", "--store", store])
            .arg("--effects")
            .arg(effects)
            .args(options)
            .stdout(Stdio::piped())
            .stderr(log_file)
            .spawn()
            .expect("the lab can be started");
        let lines = lines(child.stdout.take().expect("standard output is a pipe"));
        let mut lab = Self { child, url: String::new(), lines, log, client: client() };
        let line = lab.lines.recv_timeout(PATIENCE);
        let line = line.unwrap_or_else(|_| panic!("the lab does not listen: {}", lab.log()));
        let url = line.strip_prefix("listening on ").expect("the first line says where");
        lab.url = url.to_owned();
        lab
    }

    /// Sends `call` and waits for its reply.
    pub(crate) async fn send(&self, call: &Call) -> Reply {
        let reply = Reply::to(call.request(&self.client, &self.url)).await;
        reply.unwrap_or_else(|error| panic!("no reply: {error:?}\n{}", self.log()))
    }

    /// The status and the text of the page at `path`.
    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        self.get_by("", path).await
    }

    /// The same as `principal` sees it.
    pub(crate) async fn get_by(&self, principal: &str, path: &str) -> (u16, String) {
        let request = self.client.get(format!("{}{path}", self.url));
        let reply = Reply::to(request.header("x-principal", principal)).await;
        let reply = reply.unwrap_or_else(|error| panic!("no reply: {error:?}\n{}", self.log()));
        (reply.status, String::from_utf8_lossy(&reply.body).into_owned())
    }

    /// Sends `call` in the background; `None` when the connection breaks.
    pub(crate) fn sending(&self, call: &Call) -> JoinHandle<Option<Reply>> {
        let request = call.request(&self.client, &self.url);
        tokio::spawn(async move { Reply::to(request).await.ok() })
    }

    /// Sends `call` and waits until its handler pauses, as its script must say.
    pub(crate) async fn begin(&self, call: &Call) -> JoinHandle<Option<Reply>> {
        let before = self.pauses();
        let reply = self.sending(call);
        self.wait_for_pauses(before + 1).await;
        reply
    }

    /// Sends `call` again and again, up to the first reply that does not say busy.
    pub(crate) async fn send_until_decided(&self, call: &Call) -> Reply {
        for _ in 0..PATIENCE.as_millis() / PAUSE_OF_A_CLIENT.as_millis() {
            let reply = self.send(call).await;
            if reply.json()["code"] != "request-in-progress" {
                return reply;
            }
            sleep(PAUSE_OF_A_CLIENT).await;
        }
        panic!("still busy: {}", self.log());
    }

    /// Waits until `count` handlers have begun to pause.
    pub(crate) async fn wait_for_pauses(&self, count: usize) {
        for _ in 0..PATIENCE.as_millis() / POLL.as_millis() {
            if self.pauses() >= count {
                return;
            }
            sleep(POLL).await;
        }
        panic!("no handler pauses: {}", self.log());
    }

    /// The fencing token of the handler that began to pause last.
    pub(crate) fn last_fence(&self) -> u64 {
        let log = self.log();
        let (_, fence) = log.rsplit_once("fence=").expect("a handler has paused");
        let digits = fence.split(|sign: char| !sign.is_ascii_digit()).next();
        digits.and_then(|digits| digits.parse().ok()).expect("a fence is a number")
    }

    /// `127.0.0.1:PORT`, for those who speak without a client.
    pub(crate) fn address(&self) -> &str {
        self.url.strip_prefix("http://").expect("the lab speaks HTTP")
    }

    /// What the process has logged so far.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).expect("the log can be read")
    }

    /// Ends the process at once, as `kill -9` does.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the lab runs");
        self.child.wait().expect("the lab is our child");
    }

    /// Asks the process to end.
    pub(crate) fn terminate(&self) {
        let id = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        let id = id.expect("a process has a positive number");
        kill_process(id, Signal::TERM).expect("the lab runs");
    }

    /// Waits for the end of the process; what it has printed after its first line comes with it.
    pub(crate) async fn ended(mut self) -> (ExitStatus, Vec<String>) {
        for _ in 0..PATIENCE.as_millis() / POLL.as_millis() {
            if let Some(status) = self.child.try_wait().expect("the lab is our child") {
                return (status, self.lines.iter().collect());
            }
            sleep(POLL).await;
        }
        panic!("the lab does not end: {}", self.log());
    }

    fn pauses(&self) -> usize {
        self.log().matches("the handler pauses").count()
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client that shows each response as it is.
fn client() -> reqwest::Client {
    let client = reqwest::Client::builder().no_proxy().redirect(Policy::none()).timeout(PATIENCE);
    client.build().expect("the client needs nothing")
}

/// The lines of `output`, read by a thread that ends with the process.
fn lines(output: ChildStdout) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}
