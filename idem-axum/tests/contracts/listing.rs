//! What the list holds.

use std::time::Duration;

use idem_axum::contracts::{Declared, KeyRule, OnCrash, OnFailure, Policy};

use crate::declared::{self, NAMES, Shop};

fn named(name: &str) -> &'static Declared {
    idem_axum::contracts().find(|declared| declared.name == name).expect("declared")
}

#[test]
fn each_contract_is_listed_once_in_the_order_of_its_lines() {
    let names: Vec<_> = idem_axum::contracts().map(|declared| declared.name).collect();
    assert_eq!(names, NAMES);
    assert!(idem_axum::contracts().is_sorted_by_key(|declared| (declared.file, declared.line)));
}

#[test]
fn the_list_holds_the_contracts_that_handlers_run_under() {
    assert!(std::ptr::eq(named("payments.pay").contract, declared::pay()));
    assert!(std::ptr::eq(named("associated").contract, Shop.associated()));
}

#[test]
fn a_generic_handler_has_one_contract() {
    assert!(std::ptr::eq(declared::generic(1), declared::generic("one")));
    assert!(std::ptr::eq(named("generic").contract, declared::generic(1)));
}

#[test]
fn a_contract_says_where_it_stands() {
    let nested = named("nested");
    assert_eq!(nested.module, "contracts::declared::nested::further");
    assert!(nested.file.ends_with("declared.rs"), "{}", nested.file);
    let source = include_str!("declared.rs").lines().nth(nested.line as usize - 1);
    assert_eq!(source.map(str::trim), Some(r#"contract!(Contract::new("nested"))"#));
    assert_eq!(nested.to_string(), format!("{}:{}: nested", nested.file, nested.line));
}

#[test]
fn a_handler_is_found_at_its_attribute() {
    let source = include_str!("declared.rs").lines().nth(named("attribute").line as usize - 1);
    assert!(source.is_some_and(|line| line.starts_with("#[idempotent(")), "{source:?}");
}

#[test]
fn what_an_attribute_says_is_in_the_list() {
    let attribute = named("attribute");
    assert_eq!(attribute.critical, ["0"]);
    assert_eq!(attribute.ttl, Duration::from_secs(60 * 60));
    assert_eq!(attribute.policy, Policy::Reject);
    assert_eq!(attribute.on_failure, OnFailure::Retry);
    assert_eq!(attribute.on_crash, OnCrash::Hold);
    assert_eq!(attribute.key, KeyRule::Required);
}

#[test]
fn fields_that_the_payload_marks_are_not_in_the_list() {
    assert!(named("marked").critical.is_empty());
}
