//! The options whose value is one of a few words, and the variants they stand for.

use crate::word::Word;

/// `policy`: what happens to a different payload under a used key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Policy {
    Reject,
    Merge,
    LastWriteWins,
    Review,
}

impl Word for Policy {
    const OPTION: &'static str = "policy";
    const CHOICES: &'static [(&'static str, Self)] = &[
        ("reject", Self::Reject),
        ("merge", Self::Merge),
        ("last_write_wins", Self::LastWriteWins),
        ("review", Self::Review),
    ];
}

/// `on_failure`: what a retry of a failed execution does.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OnFailure {
    Retry,
    Reject,
}

impl Word for OnFailure {
    const OPTION: &'static str = "on_failure";
    const CHOICES: &'static [(&'static str, Self)] =
        &[("retry", Self::Retry), ("reject", Self::Reject)];
}

/// `on_crash`: what a retry does when the execution before it vanished.
#[derive(Clone, Copy, Debug)]
pub(crate) enum OnCrash {
    Retry,
    Hold,
}

impl Word for OnCrash {
    const OPTION: &'static str = "on_crash";
    const CHOICES: &'static [(&'static str, Self)] =
        &[("retry", Self::Retry), ("hold", Self::Hold)];
}

/// `concurrent`: what a request meets while another one with its key runs.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Concurrent {
    Reject,
    Wait,
}

impl Word for Concurrent {
    const OPTION: &'static str = "concurrent";
    const CHOICES: &'static [(&'static str, Self)] =
        &[("reject", Self::Reject), ("wait", Self::Wait)];
}

/// `key`, in quotes: whether a request must carry a key.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyRule {
    Required,
    Optional,
}

impl Word for KeyRule {
    const OPTION: &'static str = "key";
    const CHOICES: &'static [(&'static str, Self)] =
        &[("required", Self::Required), ("optional", Self::Optional)];
}
