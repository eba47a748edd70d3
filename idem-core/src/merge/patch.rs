//! JSON Merge Patch, RFC 7396.

use std::borrow::Cow;

use super::MergeError;
use super::members::{Members, Text, is_null, is_object};
use crate::fingerprint::MAX_DEPTH;

/// `patch` applied to the value of a member; `None` where it removes it.
pub(super) fn apply<'a>(target: Option<&str>, patch: &str) -> Result<Option<Text<'a>>, MergeError> {
    // The payload, whose member this is, is the first of the objects inside each other.
    apply_at(1, target, patch)
}

/// The same, inside `depth` objects. Text is split without a limit to its nesting, so the limit is
/// here.
fn apply_at<'a>(
    depth: usize,
    target: Option<&str>,
    patch: &str,
) -> Result<Option<Text<'a>>, MergeError> {
    if is_null(patch) {
        return Ok(None);
    }
    if !is_object(patch) {
        return Ok(Some(Cow::Owned(patch.to_owned())));
    }
    if depth == MAX_DEPTH {
        return Err(MergeError::TooDeep);
    }
    let mut members = Members::of(target.unwrap_or("{}"))?;
    for (name, value) in Members::of(patch)?.into_iter() {
        match apply_at(depth + 1, members.get(&name).map(|value| &**value), &value)? {
            Some(value) => members.set(name, value),
            None => members.remove(&name),
        }
    }
    Ok(Some(Cow::Owned(members.write())))
}
