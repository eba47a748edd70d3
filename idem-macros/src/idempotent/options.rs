//! The options there are.

/// The options, each with an example to paste.
const OPTIONS: &[(&str, &str)] = &[
    ("critical", "critical = [\"amount\"]"),
    ("policy", "policy = \"reject\""),
    ("ttl", "ttl = \"72h\""),
    ("lease", "lease = \"30s\""),
    ("on_failure", "on_failure = \"retry\""),
    ("on_crash", "on_crash = \"hold\""),
    ("concurrent", "concurrent = \"reject\""),
    ("wait", "wait = \"5s\""),
    ("name", "name = \"pay\""),
    ("header", "header = \"Idempotency-Key\""),
    ("key", "key = \"required\""),
    ("crate", "crate = path::to::idem"),
];

/// The names of the options.
pub(crate) fn names() -> Vec<&'static str> {
    OPTIONS.iter().map(|(name, _)| *name).collect()
}

/// How the option called `name` is written; `None` where there is none.
pub(crate) fn example(name: &str) -> Option<&'static str> {
    OPTIONS.iter().find(|(option, _)| *option == name).map(|(_, example)| *example)
}
