//! How the members of a payload are merged, by their names on the wire.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::{RawValue, to_raw_value};

use super::MergeError;

/// The rules of one type. Members that they do not name overwrite.
#[derive(Clone, Copy, Debug)]
pub struct MergeRules {
    /// The members of the type itself.
    pub members: &'static [MergeMember],
    /// The rules of the types that are flattened into it.
    pub flattened: &'static [&'static MergeRules],
}

/// One member.
#[derive(Clone, Copy, Debug)]
pub struct MergeMember {
    /// The name under which it is written.
    pub name: &'static str,
    /// Other names under which it is read.
    pub aliases: &'static [&'static str],
    /// How it is merged.
    pub strategy: MergeStrategy,
}

/// How one member is merged. A member that is `null` counts as absent, except in
/// [`MergePatch`](Self::MergePatch) and [`Replace`](Self::Replace).
#[derive(Clone, Copy, Debug)]
pub enum MergeStrategy {
    /// The later value stands, where there is one.
    Overwrite,
    /// The first value stands, where there is one.
    Keep,
    /// The later payload's member stands as it is, and its absence too: right for what belongs to
    /// the request and not to its content, such as a client's clock.
    Replace,
    /// A list becomes the set of the items of both: each once, in the order in which they came.
    Union,
    /// A list is kept as it is, and the later items are appended as far as it does not hold them:
    /// one that came twice is there twice.
    AppendNew,
    /// JSON Merge Patch (RFC 7396): `null` removes, objects are merged member by member, anything
    /// else overwrites.
    MergePatch,
    /// A function of both values, where both are there.
    With(With),
}

/// Merges two values of one member.
pub type With = fn(&RawValue, &RawValue) -> Result<Box<RawValue>, MergeError>;

/// Merges two values by a function of their type.
///
/// # Errors
/// When they are not of that type, or what the function makes cannot be written.
pub fn merge_with<T: DeserializeOwned + Serialize>(
    base: &RawValue,
    patch: &RawValue,
    with: impl FnOnce(T, T) -> T,
) -> Result<Box<RawValue>, MergeError> {
    let [base, patch] = [base, patch].map(|value| serde_json::from_str(value.get()));
    Ok(to_raw_value(&with(base?, patch?))?)
}

impl MergeRules {
    /// The rule of the member that is called `name`.
    pub(super) fn of(&self, name: &str) -> Option<&'static MergeMember> {
        let is_it = |member: &&MergeMember| member.name == name || member.aliases.contains(&name);
        let own = self.members.iter().find(is_it);
        own.or_else(|| self.flattened.iter().find_map(|rules| rules.of(name)))
    }
}
