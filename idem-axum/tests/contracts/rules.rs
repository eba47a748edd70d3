//! What rules say of the list.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use idem_axum::assert_contracts;
use idem_axum::contracts::Policy;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// What a failing assertion says.
fn failure(assertion: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(assertion)).expect_err("the assertion must fail");
    *panic.downcast::<String>().expect("a message that names contracts")
}

#[test]
fn rules_that_hold_pass() {
    assert_contracts!(contract => contract.ttl <= Duration::from_secs(366 * 24 * 60 * 60));
    assert_contracts!(
        contract if contract.name.starts_with("payments.") =>
            matches!(contract.policy, Policy::Reject | Policy::Review),
            contract.ttl >= Duration::from_secs(24 * 60 * 60),
    );
}

#[test]
fn a_condition_excuses_the_others() {
    assert_contracts!(contract if contract.name == "payments.pay" => !contract.critical.is_empty());
}

#[test]
fn every_breach_is_told_with_its_place() {
    let told = failure(|| {
        assert_contracts!(
            contract if contract.name.starts_with("payments.") =>
                contract.ttl > DAY * 2,
                contract.critical.contains(&"amount"),
                contract.wait.is_some(),
        );
    });
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines[0], "contracts break the rules:");
    let breaches: Vec<_> = lines[1..].iter().map(|line| line.rsplit_once(": ")).collect();
    let breaches: Vec<_> = breaches.into_iter().map(|split| split.expect("a place").1).collect();
    assert_eq!(
        breaches,
        [
            "payments.pay breaks `contract.wait.is_some()`",
            "payments.refund breaks `contract.ttl > DAY * 2`",
            "payments.refund breaks `contract.critical.contains(&\"amount\")`",
            "payments.refund breaks `contract.wait.is_some()`",
        ]
    );
    assert!(lines[1..].iter().all(|line| line.contains("declared.rs:")), "{told}");
}

#[test]
fn a_rule_for_no_contract_fails() {
    let told = failure(|| {
        assert_contracts!(contract if contract.name.starts_with("payment.") => contract.ttl >= DAY);
    });
    assert!(
        told.starts_with("these rules are for none of the 10 contracts of this binary, so that"),
        "{told}"
    );
}

#[test]
fn a_rule_may_use_what_is_in_scope() {
    let (prefix, least) = (String::from("payments."), DAY);
    assert_contracts!(contract if contract.name.starts_with(&prefix) => contract.ttl >= least);
}

#[test]
fn a_rule_may_ignore_its_contract() {
    let told = failure(|| assert_contracts!(contract => false));
    assert_eq!(told.matches("breaks `false`").count(), 10, "{told}");
}

#[test]
fn a_failure_points_at_the_assertion() {
    let (send, heard) = std::sync::mpsc::channel();
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let file = panic.location().map(|place| place.file().to_owned());
        let _ = send.send((std::thread::current().id(), file));
        before(panic);
    }));
    failure(|| assert_contracts!(contract => contract.ttl > DAY * 1000));
    let own = std::thread::current().id();
    let files = heard.try_iter().filter(|(thread, _)| *thread == own);
    let files: Vec<_> = files.map(|(_, file)| file.expect("a place")).collect();
    assert!(files.len() == 1 && files[0].ends_with("rules.rs"), "{files:?}");
}
