//! Options that only have a meaning beside others.

use syn::Ident;

use crate::diagnostics::fault;
use crate::idempotent::parse::RawArgs;
use crate::idempotent::value;
use crate::idempotent::words::{Concurrent, Policy};
use crate::word::Word;

/// The options that decide whether others have a meaning, wherever they stand.
pub(crate) struct Beside {
    policy: Chosen<Policy>,
    concurrent: Chosen<Concurrent>,
    has_fresh_after: bool,
}

/// The word of an option. `None` where it cannot be read, which is a fault by itself and is not
/// to become two: it agrees with everything.
type Chosen<W> = Option<W>;

impl Beside {
    /// Looks at all options before each is read.
    pub(crate) fn new(args: &RawArgs) -> Self {
        Self {
            policy: chosen(args, Policy::Reject),
            concurrent: chosen(args, Concurrent::Reject),
            has_fresh_after: args.gives("fresh_after"),
        }
    }

    /// Refuses an option that would be ignored.
    pub(crate) fn allow(&self, option: &Ident) -> syn::Result<()> {
        let (has_meaning, message, help) = match option.to_string().as_str() {
            "wait" => (
                self.waits(),
                "`wait` says how long, but no retry waits",
                "write `concurrent = \"wait\"` as well, or remove `wait`",
            ),
            "on_accept" => (
                self.reviews(),
                "`on_accept` says what an accepted payload runs, but none is held for review",
                "write `policy = \"review\"` as well, or remove `on_accept`",
            ),
            "max_conflicts" => (
                self.reviews(),
                "`max_conflicts` says how many payloads may be under review, but none is held for it",
                "write `policy = \"review\"` as well, or remove `max_conflicts`",
            ),
            "max_history" => (
                self.supersedes(),
                "`max_history` says how many superseded executions are kept, but none is superseded",
                "choose the policy `\"merge\"`, `\"last_write_wins\"` or `\"review\"`, or give `fresh_after`; \
                 or remove `max_history`",
            ),
            _ => return Ok(()),
        };
        if has_meaning { Ok(()) } else { Err(fault(option, message, help)) }
    }

    fn waits(&self) -> bool {
        self.concurrent.is_none_or(|rule| matches!(rule, Concurrent::Wait))
    }

    fn reviews(&self) -> bool {
        self.policy.is_none_or(|policy| matches!(policy, Policy::Review))
    }

    fn supersedes(&self) -> bool {
        self.has_fresh_after || self.policy.is_none_or(|policy| !matches!(policy, Policy::Reject))
    }
}

fn chosen<W: Word>(args: &RawArgs, default: W) -> Chosen<W> {
    match args.options.iter().find(|option| option.name == W::OPTION) {
        Some(option) => option.value.as_ref().and_then(|value| value::word(value).ok()),
        None => Some(default),
    }
}
