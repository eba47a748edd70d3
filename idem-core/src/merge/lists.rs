//! Lists, whose items are equal when they are the same JSON: `1` and `1.0` are one item.

use std::collections::{BTreeSet, HashMap, HashSet, LinkedList, VecDeque};

use serde_json::value::RawValue;

use crate::fingerprint::{Encoding, Mask};

/// A type that is written as a list, for the strategies that are about items.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list",
    label = "this strategy is about the items of a list",
    note = "use `overwrite`, `keep`, `merge_patch` or a function of your own for a field that is no list"
)]
pub trait MergeList {}

impl<T> MergeList for Vec<T> {}
impl<T> MergeList for Box<[T]> {}
impl<T> MergeList for VecDeque<T> {}
impl<T> MergeList for LinkedList<T> {}
impl<T> MergeList for BTreeSet<T> {}
impl<T, S> MergeList for HashSet<T, S> {}
impl<T: MergeList> MergeList for Option<T> {}

/// Compiles for lists only.
pub const fn is_list<T: MergeList + ?Sized>() {}

type Items<'a> = Vec<&'a RawValue>;

/// Each item of both once, in the order in which they came.
pub(super) fn union(base: &str, patch: &str) -> String {
    let (Some(base), Some(items)) = (items(base), items(patch)) else {
        return distinct(patch).unwrap_or_else(|| patch.to_owned());
    };
    write(once(base.into_iter().chain(items)))
}

/// Each item of a list once; `None` where it is none.
pub(super) fn distinct(list: &str) -> Option<String> {
    items(list).map(|items| write(once(items.into_iter())))
}

/// The base, and what the patch holds more of. The base as it is written where that is nothing, so
/// that appending the same again changes no byte.
pub(super) fn append_new(base: &str, patch: &str) -> String {
    let (Some(mut merged), Some(items)) = (items(base), items(patch)) else {
        return patch.to_owned();
    };
    let held_before = merged.len();
    let mut held: HashMap<Vec<u8>, usize> = HashMap::new();
    for item in &merged {
        *held.entry(canonical(item)).or_default() += 1;
    }
    for item in items {
        match held.get_mut(&canonical(item)) {
            Some(count) if *count > 0 => *count -= 1,
            _ => merged.push(item),
        }
    }
    if merged.len() == held_before { base.to_owned() } else { write(merged) }
}

fn items(text: &str) -> Option<Items<'_>> {
    text.starts_with('[').then(|| serde_json::from_str(text).ok()).flatten()
}

fn once<'a>(items: impl Iterator<Item = &'a RawValue>) -> Items<'a> {
    let mut seen = HashSet::new();
    items.filter(|item| seen.insert(canonical(item))).collect()
}

/// What equal items have in common. One without a canonical form is equal to none but itself.
fn canonical(item: &RawValue) -> Vec<u8> {
    let bytes = item.get().as_bytes();
    let canonical = Encoding::Json.canonical(None, bytes, &Mask::NONE);
    canonical.unwrap_or_else(|_| bytes.to_vec())
}

fn write(items: Items<'_>) -> String {
    let texts: Vec<&str> = items.into_iter().map(RawValue::get).collect();
    format!("[{}]", texts.join(","))
}
