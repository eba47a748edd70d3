//! What holds for every two payloads, however they are written.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;
use serde_json::value::RawValue;

use super::{canonical, merged};

const LEAVES: &[&str] =
    &["null", "0", "1", "1.0", "10e-1", "9007199254740993", "\"a\"", r#""\u0061""#];

/// Values of which few differ, so that they often meet, in several spellings each.
fn value() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(LEAVES).prop_map(str::to_owned);
    let nested = leaf.clone().prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            (prop::collection::vec(inner.clone(), 0..4), comma())
                .prop_map(|(items, comma)| list(&items, comma)),
            object_of(prop::sample::select(&["x", "y"][..]), inner),
        ]
    });
    prop_oneof![leaf, nested]
}

fn comma() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&[",", " ,\n "][..])
}

fn list(items: &[String], comma: &str) -> String {
    format!("[{}]", items.join(comma))
}

fn object_of(
    name: impl Strategy<Value = &'static str>,
    value: impl Strategy<Value = String>,
) -> impl Strategy<Value = String> {
    let members = prop::collection::btree_map(name, value, 0..6);
    (members, comma()).prop_map(|(members, comma)| {
        let members = members.iter().map(|(name, value)| format!("\"{name}\": {value}"));
        format!("{{{}}}", members.collect::<Vec<_>>().join(comma))
    })
}

/// An object with members of every strategy but functions, which may have no laws.
fn object() -> impl Strategy<Value = String> {
    object_of(prop::sample::select(NAMES), value())
}

const NAMES: &[&str] = &["overwrite", "keep", "union", "append_new", "merge_patch", "unknown"];

/// As [`object`], with a member under another of its names; rarely no object at all.
fn payload() -> impl Strategy<Value = String> {
    let aliased = object().prop_map(|object| object.replace("append_new", "appended"));
    prop_oneof![6 => object(), 3 => aliased, 1 => value()]
}

fn items() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(value(), 0..6)
}

/// The items of the one member of a merged payload, as they are written.
fn merged_items(member: &str, base: &[String], patch: &[String]) -> Vec<String> {
    let payload = |items| format!("{{\"{member}\":{}}}", list(items, ","));
    let merged = merged(&payload(base), &payload(patch));
    let members: BTreeMap<String, Vec<Box<RawValue>>> = serde_json::from_str(&merged).unwrap();
    members[member].iter().map(|item| item.get().to_owned()).collect()
}

/// How often each item is there, equal ones counted as one.
fn multiset(items: &[String]) -> HashMap<Vec<u8>, usize> {
    let mut counts = HashMap::new();
    for item in items {
        *counts.entry(canonical(item)).or_default() += 1;
    }
    counts
}

proptest! {
    #[test]
    fn the_same_patch_again_changes_no_byte(base in payload(), patch in payload()) {
        let once = merged(&base, &patch);
        prop_assert_eq!(&merged(&once, &patch), &once);
    }

    #[test]
    fn the_same_two_payloads_always_become_the_same(base in payload(), patch in payload()) {
        prop_assert_eq!(merged(&base, &patch), merged(&base, &patch));
    }

    #[test]
    fn an_empty_patch_changes_nothing(base in object()) {
        prop_assert_eq!(canonical(&merged(&base, "{}")), canonical(&base));
    }

    /// What came of a merge has no item twice in a set and no `null` that a merge patch removes.
    #[test]
    fn a_merged_payload_merged_with_itself_is_itself(base in payload(), patch in object()) {
        let once = merged(&base, &patch);
        let sets_are_sets = merged("{}", &once);
        prop_assert_eq!(merged(&sets_are_sets, &sets_are_sets), sets_are_sets);
    }

    #[test]
    fn absent_and_null_keep_and_all_else_overwrites(base in value(), patch in value()) {
        for member in ["overwrite", "unknown"] {
            let payload = |value: &str| format!("{{\"{member}\":{value}}}");
            let expected = payload(if patch == "null" { &base } else { &patch });
            prop_assert_eq!(merged(&payload(&base), &payload(&patch)), expected);
            prop_assert_eq!(merged(&payload(&base), "{}"), payload(&base));
        }
    }

    #[test]
    fn a_union_holds_each_item_once_in_the_order_of_first_appearance(
        base in items(),
        patch in items(),
    ) {
        let mut expected: Vec<String> = Vec::new();
        for item in base.iter().chain(&patch) {
            if expected.iter().all(|before| canonical(before) != canonical(item)) {
                expected.push(item.clone());
            }
        }
        prop_assert_eq!(merged_items("union", &base, &patch), expected);
    }

    /// Each item is there as often as in that of the two that has more of it.
    #[test]
    fn appending_neither_doubles_nor_loses_items(base in items(), patch in items()) {
        let merged = merged_items("append_new", &base, &patch);
        let mut most = multiset(&base);
        for (item, count) in multiset(&patch) {
            let held = most.entry(item).or_default();
            *held = count.max(*held);
        }
        prop_assert_eq!(multiset(&merged), most);
    }

    #[test]
    fn appending_keeps_the_base_and_the_order_of_the_patch(base in items(), patch in items()) {
        let merged = merged_items("append_new", &base, &patch);
        prop_assert_eq!(&merged[..base.len()], &base[..]);
        let mut rest = patch.iter();
        for item in &merged[base.len()..] {
            prop_assert!(rest.any(|other| other == item), "{} is out of order", item);
        }
    }

    #[test]
    fn a_list_appended_to_itself_is_itself(items in items(), comma in comma()) {
        let payload = format!("{{\"append_new\":{}}}", list(&items, comma));
        prop_assert_eq!(merged(&payload, &payload), payload);
    }
}
