//! Compiles every fixture in `<class>/pass` and `<class>/fail`.
//!
//! A fixture in `fail` begins with `// errors: n`, and its messages are kept beside it as
//! `.stderr`; `TRYBUILD=overwrite cargo test -p ui` writes them again. The messages are those of
//! the Rust version that the workspace names.

use std::fs;
use std::path::{Path, PathBuf};

/// In these, the compiler prints by itself what a handler became, or who asks for its answer.
const NAME_THE_HIDDEN_MODULE: &[&str] = &[
    "answer_that_is_no_response",
    "answer_that_is_no_response_in_a_result",
    "identity_of_a_type_without_marks",
    "named_state_has_no_engine",
    "not_send_across_an_await",
    "on_accept_that_is_not_async",
    "on_accept_without_an_answer",
    "parameter_that_is_no_extractor",
    "store_without_a_review_queue",
    "store_without_transactions",
];

#[test]
fn fixtures_compile_or_fail_as_kept() {
    let cases = trybuild::TestCases::new();
    cases.pass("*/pass/*.rs");
    cases.compile_fail("*/fail/*.rs");
}

#[test]
fn one_mistake_is_one_error() {
    for fixture in failing() {
        let source = fs::read_to_string(&fixture).expect("the fixture can be read");
        let stated = source.lines().next().and_then(|line| line.strip_prefix("// errors: "));
        let stated: usize =
            stated.and_then(|count| count.parse().ok()).expect("the first line counts the errors");
        let headers = messages(&fixture).lines().filter(|line| is_header(line)).count();
        assert_eq!(headers, stated, "{}", fixture.display());
    }
}

#[test]
fn messages_name_what_users_can_name() {
    for fixture in failing() {
        let name = fixture.file_stem().and_then(|name| name.to_str()).expect("fixtures have names");
        let named = messages(&fixture).contains("__private");
        let excused = NAME_THE_HIDDEN_MODULE.contains(&name);
        assert_eq!(named, excused, "whether {} names the hidden module", fixture.display());
    }
}

#[test]
fn every_message_says_what_to_write() {
    for fixture in failing() {
        let messages = messages(&fixture);
        let has_help = messages.contains("help: ") || messages.contains("note: ");
        assert!(has_help, "{} is left without help", fixture.display());
    }
}

/// The fixtures that must not compile.
fn failing() -> Vec<PathBuf> {
    let classes = entries(Path::new(env!("CARGO_MANIFEST_DIR")));
    let folders =
        classes.into_iter().map(|class| class.join("fail")).filter(|folder| folder.is_dir());
    let files = folders.flat_map(|folder| entries(&folder));
    let fixtures: Vec<PathBuf> =
        files.filter(|file| file.extension().is_some_and(|end| end == "rs")).collect();
    assert!(fixtures.len() >= 90, "fixtures are missing");
    fixtures
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    entries.map(|entry| entry.expect("the folder can be read").path()).collect()
}

fn messages(fixture: &Path) -> String {
    let kept = fixture.with_extension("stderr");
    fs::read_to_string(&kept).unwrap_or_else(|_| panic!("{} is missing", kept.display()))
}

fn is_header(line: &str) -> bool {
    (line.starts_with("error: ") || line.starts_with("error["))
        && !line.starts_with("error: could not compile")
}
