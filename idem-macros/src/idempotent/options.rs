//! The options there are.

/// The options, each with an example to paste.
const OPTIONS: &[(&str, &str)] = &[
    ("critical", "critical = [\"amount\"]"),
    ("policy", "policy = \"reject\""),
    ("suspicious_within", "suspicious_within = \"10s\""),
    ("fresh_after", "fresh_after = \"12h\""),
    ("on_accept", "on_accept = settle"),
    ("max_history", "max_history = 32"),
    ("max_conflicts", "max_conflicts = 8"),
    ("ttl", "ttl = \"72h\""),
    ("lease", "lease = \"30s\""),
    ("on_failure", "on_failure = \"retry\""),
    ("on_crash", "on_crash = \"hold\""),
    ("concurrent", "concurrent = \"reject\""),
    ("wait", "wait = \"5s\""),
    ("name", "name = \"pay\""),
    ("header", "header = \"Idempotency-Key\""),
    ("key", "key = \"required\""),
    ("unprotected", "unprotected = charge"),
    ("state", "state = AppState"),
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
