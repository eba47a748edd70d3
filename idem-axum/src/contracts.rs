#![doc = include_str!("../docs/contracts.md")]

use std::fmt;
use std::ops::Deref;

pub use idem_core::contract::{Contract, KeyRule, OnCrash, OnFailure, Policy};

/// A contract, and the handler it stands on.
#[derive(Debug)]
#[non_exhaustive]
pub struct Declared {
    /// What the handler promises.
    pub contract: &'static Contract,
    /// The module of the handler, as `module_path!` names it.
    pub module: &'static str,
    /// The file that the attribute is in, as the compiler was given it.
    pub file: &'static str,
    /// The line of the attribute in that file, counted from 1.
    pub line: u32,
}

inventory::collect!(Declared);

/// Every contract of this binary, by file and line: those of its own crate and of all that is
/// linked into it.
///
/// ```standalone_crate
/// use idem_axum::idempotent;
///
/// #[idempotent(ttl = "72h")]
/// async fn pay(body: String) -> String {
///     body
/// }
///
/// # fn main() {
/// let contracts: Vec<String> =
///     idem_axum::contracts().map(|contract| format!("{} for {:?}", contract.name, contract.ttl)).collect();
/// assert_eq!(contracts, ["pay for 259200s"]);
/// # }
/// ```
pub fn contracts() -> impl Iterator<Item = &'static Declared> {
    let mut declared: Vec<&Declared> = inventory::iter::<Declared>().collect();
    declared.sort_by_key(|declared| (declared.file, declared.line, declared.name));
    declared.into_iter()
}

impl Deref for Declared {
    type Target = Contract;

    fn deref(&self) -> &Contract {
        self.contract
    }
}

/// As a compiler points at it: `src/pay.rs:12: pay`.
impl fmt::Display for Declared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.name)
    }
}

impl Declared {
    /// What the attribute registers.
    #[doc(hidden)]
    #[must_use]
    pub const fn __new(
        contract: &'static Contract,
        module: &'static str,
        file: &'static str,
        line: u32,
    ) -> Self {
        Self { contract, module, file, line }
    }
}

/// Holds the contracts of this binary to rules of your own, in a test; see
/// [`contracts`](mod@crate::contracts).
///
/// After a name for the contract, and a condition if the rules are not for all, come the rules.
/// Each is an expression that must be true of the [`Declared`](crate::contracts::Declared) of that
/// name, and may use what is in scope.
///
/// # Panics
/// When a contract breaks a rule: with all that do, and where they are. When the rules are for no
/// contract at all, since a test of nothing cannot fail.
#[macro_export]
macro_rules! assert_contracts {
    ($contract:ident if $condition:expr => $($rule:expr),+ $(,)?) => {
        $crate::contracts::__check(
            &|$contract: &$crate::contracts::Declared| $condition,
            &[$((::core::stringify!($rule), &|$contract: &$crate::contracts::Declared| $rule)),+],
        )
    };
    ($contract:ident => $($rule:expr),+ $(,)?) => {
        $crate::assert_contracts!($contract if { let _ = $contract; true } => $($rule),+)
    };
}

/// What must hold of a contract.
type Rule<'a> = &'a dyn Fn(&Declared) -> bool;

/// Checks the rules, each with its text, for the contracts that they are for.
#[doc(hidden)]
#[track_caller]
pub fn __check(concerns: Rule<'_>, rules: &[(&str, Rule<'_>)]) {
    let all: Vec<&Declared> = contracts().collect();
    assert!(
        !all.is_empty(),
        "this binary has no contracts, so that nothing was checked\n\
         help: name the crate of the handlers in this test: `use its_name as _;`"
    );
    let concerned: Vec<&Declared> = all.iter().copied().filter(|it| concerns(it)).collect();
    assert!(
        !concerned.is_empty(),
        "these rules are for none of the {} contracts of this binary, so that nothing was checked\n\
         help: check the condition; handlers of another crate are seen if this test names it: \
         `use its_name as _;`",
        all.len()
    );
    let broken = concerned.iter().flat_map(|declared| {
        let broken = rules.iter().filter(|(_, holds)| !holds(declared));
        broken.map(move |(rule, _)| format!("\n{declared} breaks `{rule}`"))
    });
    let broken: String = broken.collect();
    assert!(broken.is_empty(), "contracts break the rules:{broken}");
}

#[cfg(test)]
mod tests {
    #[test]
    #[should_panic(expected = "this binary has no contracts, so that nothing was checked")]
    fn rules_without_any_contract_fail() {
        assert_contracts!(contract => !contract.name.is_empty());
    }
}
