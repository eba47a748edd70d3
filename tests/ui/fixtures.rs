//! Compiles every fixture in `<class>/pass` and `<class>/fail`.
//!
//! A fixture in `fail` begins with `// errors: n`, and its messages are kept beside it as
//! `.stderr`; `TRYBUILD=overwrite cargo test -p ui` writes them again. The messages are those of
//! the Rust version that the workspace names.

use std::fs;
use std::path::{Path, PathBuf};

/// The modules that the documentation of `idem_axum` shows.
const SHOWN: &[&str] = &["conflicts", "contracts", "idem_core", "problems", "review", "routed"];

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
        let messages = messages(&fixture);
        let modules = messages.split("idem_axum::").skip(1).filter_map(|rest| {
            let (module, _) = rest.split_once("::")?;
            module.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_').then_some(module)
        });
        for module in modules {
            assert!(SHOWN.contains(&module), "{} names `{module}`", fixture.display());
        }
        assert!(!messages.contains("__private"), "{}", fixture.display());
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
