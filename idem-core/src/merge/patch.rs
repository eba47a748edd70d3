//! JSON Merge Patch, RFC 7396.

use std::borrow::Cow;

use super::MergeError;
use super::members::{Members, Text, is_null, is_object};

/// `patch` applied to `target`; `None` where it removes it.
pub(super) fn apply<'a>(target: Option<&str>, patch: &str) -> Result<Option<Text<'a>>, MergeError> {
    if is_null(patch) {
        return Ok(None);
    }
    if !is_object(patch) {
        return Ok(Some(Cow::Owned(patch.to_owned())));
    }
    let mut members = Members::of(target.unwrap_or("{}"))?;
    for (name, value) in Members::of(patch)?.into_iter() {
        match apply(members.get(&name).map(|value| &**value), &value)? {
            Some(value) => members.set(name, value),
            None => members.remove(&name),
        }
    }
    Ok(Some(Cow::Owned(members.write())))
}

/// What a patch adds where there is nothing yet.
pub(super) fn added(patch: &str) -> Option<String> {
    apply(None, patch).unwrap_or_else(|_| Some(Cow::Owned(patch.to_owned()))).map(Cow::into_owned)
}
