//! The compile-time facts of one handler.

use std::time::Duration;

/// What a handler promises about retries; made by `#[idempotent]`, constant for the life of the
/// program.
///
/// ```
/// use idem_core::contract::{Contract, OnCrash};
///
/// const PAY: Contract = Contract::new("pay").ttl_millis(72 * 60 * 60 * 1000).on_crash(OnCrash::Hold);
/// assert_eq!(PAY.name, "pay");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contract {
    /// The operation's stable name, for people: logs, metrics, audits.
    pub name: &'static str,
    /// The critical fields that the handler lists; those that its payload's type marks are not
    /// among them.
    pub critical: &'static [&'static str],
    /// What happens to a different payload under a used key.
    pub policy: Policy,
    /// How long a record is kept after its execution has ended, or has been given up.
    pub ttl: Duration,
    /// How long one attempt may go without a sign of life; `None` takes the engine's setting.
    pub lease: Option<Duration>,
    /// What a retry of a failed execution does.
    pub on_failure: OnFailure,
    /// What a retry does when the execution before it vanished.
    pub on_crash: OnCrash,
    /// How long a retry of the same payload waits for the answer of the first; `None` does not
    /// wait.
    pub wait: Option<Duration>,
    /// The name under which the key travels: an HTTP header. Not read where the key is derived.
    pub header: &'static str,
    /// Where the key comes from, and whether a request must carry one.
    pub key: KeyRule,
    /// Another intent that comes sooner than this after the first is suspicious, and refused as
    /// such; `None` leaves it to the policy.
    pub suspicious_within: Option<Duration>,
    /// Another intent that comes this long after the first, or later, is an operation of its own;
    /// `None` leaves it to the policy.
    pub fresh_after: Option<Duration>,
    /// How many superseded executions of a record are remembered, with their answers; 32.
    pub max_history: u32,
    /// How many undecided conflicts one key may have under review; 8.
    pub max_conflicts: u32,
}

/// What is done with a payload that differs from the one the key was first used with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// It is refused when a critical field differs, and answered by replay when only others do.
    Reject,
    /// It is refused when a critical field differs, and merged into the first when only others do:
    /// the handler runs again with the merged payload.
    Merge,
    /// It is refused when a critical field differs, and takes the place of the first when only
    /// others do: the handler runs again.
    LastWriteWins,
    /// It is held for people to decide when a critical field differs, and answered by replay when
    /// only others do.
    Review,
}

impl Policy {
    /// Whether a contract without critical fields takes the whole payload for critical; otherwise
    /// it takes none of it.
    #[must_use]
    pub const fn guards_whole_payload(self) -> bool {
        match self {
            Self::Reject | Self::Review => true,
            Self::Merge | Self::LastWriteWins => false,
        }
    }
}

/// What a retry of a failed execution does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnFailure {
    /// It runs the handler again.
    Retry,
    /// It is told that the previous attempt failed.
    Reject,
}

/// What a retry does when the execution before it lost its lease without an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnCrash {
    /// It runs the handler again under a new fencing token.
    Retry,
    /// It is told that the outcome is unknown, for as long as the record is kept.
    Hold,
}

/// Where the key comes from, and whether a request must carry one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyRule {
    /// The header carries it; a request without a key is refused.
    Required,
    /// The header carries it; a request without a key simply runs, unprotected.
    Optional,
    /// It is derived from the payload, so that every request has one; a header is ignored.
    Derived,
}

/// How long a record is kept unless the contract says otherwise: 24 hours, as at Stripe.
const DEFAULT_TTL: Duration = Duration::from_secs(24 * 60 * 60);

impl Contract {
    /// The contract of plain `#[idempotent]`: reject, 24 hours, failures run again, crashes are
    /// held, nobody waits, a key is required in `Idempotency-Key`.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            critical: &[],
            policy: Policy::Reject,
            ttl: DEFAULT_TTL,
            lease: None,
            on_failure: OnFailure::Retry,
            on_crash: OnCrash::Hold,
            wait: None,
            header: "idempotency-key",
            key: KeyRule::Required,
            suspicious_within: None,
            fresh_after: None,
            max_history: 32,
            max_conflicts: 8,
        }
    }

    /// Names the critical fields, for people: they are read by the handler's own code.
    #[must_use]
    pub const fn critical(mut self, fields: &'static [&'static str]) -> Self {
        self.critical = fields;
        self
    }

    /// Sets the policy for differing payloads.
    #[must_use]
    pub const fn policy(mut self, policy: Policy) -> Self {
        self.policy = policy;
        self
    }

    /// Sets the retention, in milliseconds.
    #[must_use]
    pub const fn ttl_millis(mut self, millis: u64) -> Self {
        self.ttl = Duration::from_millis(millis);
        self
    }

    /// Sets the lease, in milliseconds.
    #[must_use]
    pub const fn lease_millis(mut self, millis: u64) -> Self {
        self.lease = Some(Duration::from_millis(millis));
        self
    }

    /// Sets what follows a failure.
    #[must_use]
    pub const fn on_failure(mut self, rule: OnFailure) -> Self {
        self.on_failure = rule;
        self
    }

    /// Sets what follows a crash.
    #[must_use]
    pub const fn on_crash(mut self, rule: OnCrash) -> Self {
        self.on_crash = rule;
        self
    }

    /// Lets a retry of the same payload wait for the answer of the first, for so many milliseconds.
    #[must_use]
    pub const fn wait_millis(mut self, millis: u64) -> Self {
        self.wait = Some(Duration::from_millis(millis));
        self
    }

    /// Sets the header that carries the key.
    #[must_use]
    pub const fn header(mut self, name: &'static str) -> Self {
        self.header = name;
        self
    }

    /// Sets where the key comes from, and whether it is required.
    #[must_use]
    pub const fn key(mut self, rule: KeyRule) -> Self {
        self.key = rule;
        self
    }

    /// Sets how soon after the first another intent is suspicious, in milliseconds.
    #[must_use]
    pub const fn suspicious_within_millis(mut self, millis: u64) -> Self {
        self.suspicious_within = Some(Duration::from_millis(millis));
        self
    }

    /// Sets how long after the first another intent is an operation of its own, in milliseconds.
    #[must_use]
    pub const fn fresh_after_millis(mut self, millis: u64) -> Self {
        self.fresh_after = Some(Duration::from_millis(millis));
        self
    }

    /// Sets how many superseded executions of a record are remembered.
    #[must_use]
    pub const fn max_history(mut self, executions: u32) -> Self {
        self.max_history = executions;
        self
    }

    /// Sets how many undecided conflicts one key may have.
    #[must_use]
    pub const fn max_conflicts(mut self, conflicts: u32) -> Self {
        self.max_conflicts = conflicts;
        self
    }
}
