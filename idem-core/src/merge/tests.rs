//! The laws of merging, then what each strategy makes of one case.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

/// One member for each strategy, called like it.
struct Each;

const fn member(name: &'static str, strategy: MergeStrategy) -> MergeMember {
    MergeMember { name, aliases: &[], strategy }
}

impl Merge for Each {
    const RULES: &'static MergeRules = &MergeRules {
        members: &[
            member("overwrite", MergeStrategy::Overwrite),
            member("keep", MergeStrategy::Keep),
            member("union", MergeStrategy::Union),
            MergeMember {
                name: "append_new",
                aliases: &["appended"],
                strategy: MergeStrategy::AppendNew,
            },
        ],
        flattened: &[&MergeRules {
            members: &[
                member("merge_patch", MergeStrategy::MergePatch),
                member(
                    "with",
                    MergeStrategy::With(|base, patch| merge_with::<u64>(base, patch, u64::max)),
                ),
            ],
            flattened: &[],
        }],
    };

    fn check(&self) -> Result<(), String> {
        Ok(())
    }
}

fn merged(base: &str, patch: &str) -> String {
    let merged = merge::<Each>(base.as_bytes(), patch.as_bytes()).unwrap();
    String::from_utf8(merged.to_vec()).unwrap()
}

fn canonical(json: &str) -> Vec<u8> {
    use crate::fingerprint::{Encoding, Mask};
    Encoding::Json.canonical(None, json.as_bytes(), &Mask::NONE).unwrap()
}

/// JSON with few different values, so that they often meet.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        (0_u8..3).prop_map(|number| json!(number)),
        Just(json!(1.0)),
        "[ab]{1}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[xy]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

fn payload() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec![
        "overwrite",
        "keep",
        "union",
        "append_new",
        "merge_patch",
        "unknown",
    ]);
    prop::collection::btree_map(name, value(), 0..6)
        .prop_map(|members: BTreeMap<_, _>| json!(members).to_string())
}

fn list() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(0_u8..4, 0..6)
}

fn count(list: &[u8], item: u8) -> usize {
    list.iter().filter(|other| **other == item).count()
}

proptest! {
    #[test]
    fn the_same_patch_again_changes_nothing(base in payload(), patch in payload()) {
        let once = merged(&base, &patch);
        prop_assert_eq!(&merged(&once, &patch), &once);
        prop_assert_eq!(&merged(&base, &patch), &once);
    }

    #[test]
    fn an_empty_patch_changes_nothing(base in payload()) {
        prop_assert_eq!(canonical(&merged(&base, "{}")), canonical(&base));
    }

    #[test]
    fn a_union_holds_each_item_of_both_once_and_nothing_else(base in list(), patch in list()) {
        let union = |list: &[u8]| json!({ "union": list }).to_string();
        let merged: Value = serde_json::from_str(&merged(&union(&base), &union(&patch))).unwrap();
        let merged: Vec<u8> = serde_json::from_value(merged["union"].clone()).unwrap();
        for item in 0..4 {
            let there = base.contains(&item) || patch.contains(&item);
            prop_assert_eq!(count(&merged, item), usize::from(there));
        }
    }

    #[test]
    fn appending_neither_doubles_nor_loses_items(base in list(), patch in list()) {
        let append = |list: &[u8]| json!({ "append_new": list }).to_string();
        let merged: Value = serde_json::from_str(&merged(&append(&base), &append(&patch))).unwrap();
        let merged: Vec<u8> = serde_json::from_value(merged["append_new"].clone()).unwrap();
        prop_assert_eq!(&merged[..base.len()], &base[..]);
        for item in 0..4 {
            let most = count(&base, item).max(count(&patch, item));
            prop_assert_eq!(count(&merged, item), most);
        }
    }
}

#[test]
fn null_and_absent_are_what_the_strategy_says() {
    for (member, base, patch, expected) in [
        ("overwrite", "1", "2", "2"),
        ("overwrite", "1", "null", "1"),
        ("overwrite", "null", "2", "2"),
        ("keep", "1", "2", "1"),
        ("keep", "null", "2", "2"),
        ("keep", "1", "null", "1"),
        ("union", "[1]", "null", "[1]"),
        ("union", "null", "[1,1]", "[1]"),
        ("append_new", "null", "[1,1]", "[1,1]"),
        ("with", "1", "null", "1"),
        ("with", "3", "2", "3"),
    ] {
        let object = |value| format!("{{\"{member}\":{value}}}");
        assert_eq!(merged(&object(base), &object(patch)), object(expected), "{member}");
        assert_eq!(canonical(&merged(&object(base), "{}")), canonical(&object(base)), "{member}");
    }
}

#[test]
fn a_member_that_only_the_patch_has_is_added() {
    let patch = r#"{"overwrite":null,"keep":1,"append_new":[1,1],"new":2}"#;
    assert_eq!(merged("{}", patch), patch);
}

#[test]
fn array_nulls_are_items_like_others() {
    let merged = merged(r#"{"union":["a",null]}"#, r#"{"union":[null,"b"]}"#);
    assert_eq!(merged, r#"{"union":["a",null,"b"]}"#);
}

#[test]
fn one_number_spelled_twice_is_one_item() {
    assert_eq!(merged(r#"{"union":[1]}"#, r#"{"union":[1.0,1e0,2]}"#), r#"{"union":[1,2]}"#);
}

#[test]
fn numbers_keep_their_digits() {
    let big = r#"{"amount":9007199254740993.00000000000000001}"#;
    assert_eq!(
        merged(big, r#"{"note":0.10}"#),
        format!("{},\"note\":0.10}}", &big[..big.len() - 1])
    );
}

#[test]
fn an_alias_is_the_member_it_stands_for() {
    let merged = merged(r#"{"appended":[1]}"#, r#"{"append_new":[2]}"#);
    assert_eq!(merged, r#"{"append_new":[1,2]}"#);
}

#[test]
fn what_is_no_object_takes_the_place_of_the_other() {
    assert_eq!(merged("[1]", r#"{"keep":1}"#), r#"{"keep":1}"#);
    assert_eq!(merged(r#"{"keep":1}"#, "[1]"), "[1]");
}

#[test]
fn what_cannot_be_read_is_an_error_that_shows_nothing_of_it() {
    let error = merge::<Each>(b"{\"with\":1}", b"{\"with\":\"secret\"}").unwrap_err();
    assert!(!error.to_string().contains("secret"), "{error}");
    assert!(merge::<Each>(b"{", b"{}").is_err());
}

/// The examples of RFC 7396, appendix A, each as the value of one member.
#[test]
fn merge_patch_is_that_of_rfc_7396() {
    for (target, patch, expected) in [
        (r#"{"a":"b"}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"b":"c"}"#, r#"{"a":"b","b":"c"}"#),
        (r#"{"a":"b"}"#, r#"{"a":null}"#, r"{}"),
        (r#"{"a":"b","b":"c"}"#, r#"{"a":null}"#, r#"{"b":"c"}"#),
        (r#"{"a":["b"]}"#, r#"{"a":"c"}"#, r#"{"a":"c"}"#),
        (r#"{"a":"c"}"#, r#"{"a":["b"]}"#, r#"{"a":["b"]}"#),
        (r#"{"a":{"b":"c"}}"#, r#"{"a":{"b":"d","c":null}}"#, r#"{"a":{"b":"d"}}"#),
        (r#"{"a":[{"b":"c"}]}"#, r#"{"a":[1]}"#, r#"{"a":[1]}"#),
        (r#"["a","b"]"#, r#"["c","d"]"#, r#"["c","d"]"#),
        (r#"{"a":"b"}"#, r#"["c"]"#, r#"["c"]"#),
        (r#"{"a":"foo"}"#, r#""bar""#, r#""bar""#),
        (r#"{"e":null}"#, r#"{"a":1}"#, r#"{"e":null,"a":1}"#),
        (r"[1,2]", r#"{"a":"b","c":null}"#, r#"{"a":"b"}"#),
        (r"{}", r#"{"a":{"bb":{"ccc":null}}}"#, r#"{"a":{"bb":{}}}"#),
    ] {
        let object = |value| format!("{{\"merge_patch\":{value}}}");
        assert_eq!(merged(&object(target), &object(patch)), object(expected), "{patch}");
    }
    assert_eq!(merged(r#"{"merge_patch":1,"keep":1}"#, r#"{"merge_patch":null}"#), r#"{"keep":1}"#);
}
