//! What each strategy makes of one case; the laws of merging are beside it.

mod laws;

use super::*;
use crate::fingerprint::{Encoding, MAX_DEPTH, Mask};

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
            member("replace", MergeStrategy::Replace),
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
    Encoding::Json.canonical(None, json.as_bytes(), &Mask::NONE).unwrap()
}

#[test]
fn what_belongs_to_the_request_comes_from_the_later_one_alone() {
    assert_eq!(merged(r#"{"replace":1,"keep":2}"#, "{}"), r#"{"keep":2}"#);
    assert_eq!(merged(r#"{"replace":1}"#, r#"{"replace":null}"#), r#"{"replace":null}"#);
    assert_eq!(merged(r#"{"replace":1}"#, r#"{"replace":2}"#), r#"{"replace":2}"#);
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
fn the_same_item_twice_is_one_in_a_union_and_two_where_it_is_appended() {
    for (member, base, patch, expected) in [
        ("union", "[7]", "[7,7]", "[7]"),
        ("union", "[7,7]", "[8]", "[7,8]"),
        ("append_new", "[7]", "[7,7]", "[7,7]"),
        ("append_new", "[7,7]", "[7]", "[7,7]"),
        ("append_new", "[7,8]", "[8,7,7,9]", "[7,8,7,9]"),
    ] {
        let object = |value| format!("{{\"{member}\":{value}}}");
        assert_eq!(merged(&object(base), &object(patch)), object(expected), "{member}");
    }
}

#[test]
fn one_value_spelled_twice_is_one_item() {
    for (member, patch, expected) in [
        ("union", r#"[1.0,1e0,2]"#, r#"[1,{"a":"b","c":0},2]"#),
        ("union", r#"[{"c":-0.0,"a":"\u0062"}]"#, r#"[1,{"a":"b","c":0}]"#),
        ("append_new", r#"[1.0,{ "c":0, "a":"b" },"1"]"#, r#"[1,{"a":"b","c":0},"1"]"#),
    ] {
        let object = |value| format!("{{\"{member}\":{value}}}");
        let merged = merged(&object(r#"[1,{"a":"b","c":0}]"#), &object(patch));
        assert_eq!(merged, object(expected), "{patch}");
    }
}

#[test]
fn an_item_without_a_canonical_form_equals_only_itself() {
    let merged = merged(
        r#"{"union":[1e99999999999999999999]}"#,
        r#"{"union":[1e99999999999999999999,10e99999999999999999998]}"#,
    );
    assert_eq!(merged, r#"{"union":[1e99999999999999999999,10e99999999999999999998]}"#);
}

#[test]
fn numbers_keep_their_digits() {
    let big = r#"{"amount":9007199254740993.00000000000000001}"#;
    assert_eq!(
        merged(big, r#"{"note":0.10}"#),
        format!("{},\"note\":0.10}}", &big[..big.len() - 1])
    );
    for member in ["union", "append_new", "merge_patch"] {
        let object = |value| format!("{{\"{member}\":{value}}}");
        let list = object("[9007199254740993,1.00000000000000000000000000000000001]");
        assert_eq!(merged(&object("[9007199254740993]"), &list), list, "{member}");
    }
}

#[test]
fn members_of_the_base_come_first_and_then_the_new_ones() {
    let merged = merged(r#"{"keep":1,"z":2,"a":3}"#, r#"{"b":4,"a":5,"overwrite":6}"#);
    assert_eq!(merged, r#"{"keep":1,"z":2,"a":5,"b":4,"overwrite":6}"#);
}

#[test]
fn of_a_name_that_is_there_twice_the_last_counts() {
    let merged = merged(r#"{"a":1,"\u0061":2}"#, r#"{"append_new":[1],"appended":[2]}"#);
    assert_eq!(merged, r#"{"a":2,"append_new":[2]}"#);
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
    let mut shown = format!("{error:?}");
    let mut source: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = source {
        shown += &error.to_string();
        source = error.source();
    }
    assert!(!shown.contains("secret"), "{shown}");
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

#[test]
fn a_merge_patch_nests_as_deep_as_a_payload_may() {
    let nested = |objects: usize| {
        format!("{{\"merge_patch\":{}1{}}}", "{\"a\":".repeat(objects), "}".repeat(objects))
    };
    for objects in [1, MAX_DEPTH - 1, MAX_DEPTH, 5_000] {
        let patch = nested(objects);
        let readable = Encoding::Json.canonical(None, patch.as_bytes(), &Mask::NONE).is_ok();
        for base in ["{}", &patch] {
            let merged = merge::<Each>(base.as_bytes(), patch.as_bytes());
            let expected =
                if readable { Ok(patch.clone().into()) } else { Err(MergeError::TooDeep) };
            assert_eq!(merged, expected, "{objects} objects");
        }
    }
}

#[test]
fn lists_are_what_is_written_as_one() {
    is_list::<Vec<String>>();
    is_list::<Option<Vec<u8>>>();
    is_list::<std::collections::VecDeque<u8>>();
    is_list::<std::collections::BTreeSet<u8>>();
    is_list::<std::collections::HashSet<u8>>();
}
