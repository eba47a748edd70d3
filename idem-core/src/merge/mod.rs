//! One payload out of two: the first, and a later one of the same intent that says more.
//!
//! Payloads are merged as JSON text, member by member, so that numbers keep their digits and what
//! the type does not know is not lost.
//!
//! ```
//! use idem_core::merge::{Merge, MergeMember, MergeRules, MergeStrategy, merge};
//!
//! struct Profile;
//!
//! // `#[derive(Merge)]` writes this.
//! impl Merge for Profile {
//!     const RULES: &'static MergeRules = &MergeRules {
//!         members: &[MergeMember { name: "tags", aliases: &[], strategy: MergeStrategy::Union }],
//!         flattened: &[],
//!     };
//!
//!     fn check(&self) -> Result<(), String> {
//!         Ok(())
//!     }
//! }
//!
//! let merged = merge::<Profile>(
//!     br#"{"name": "Ada", "tags": ["a"]}"#,
//!     br#"{"name": null, "tags": ["b", "a"]}"#,
//! );
//! assert_eq!(merged?, br#"{"name":"Ada","tags":["a","b"]}"#.as_slice());
//! # Ok::<(), idem_core::merge::MergeError>(())
//! ```

mod error;
mod lists;
mod members;
mod patch;
mod rules;

use bytes::Bytes;

pub use error::MergeError;
pub use lists::{MergeList, is_list};
pub use rules::{MergeMember, MergeRules, MergeStrategy, With, merge_with};

/// A payload that can be merged with a later one; derive it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be merged",
    label = "no rules for merging it",
    note = "add `#[derive(Merge)]` to `{Self}`, and say for each field how it is merged where overwriting is not right"
)]
pub trait Merge {
    /// How each member of the payload is merged.
    const RULES: &'static MergeRules;

    /// Whether a merged value is sound.
    ///
    /// # Errors
    /// When it is not, with the reason that its client is told.
    fn check(&self) -> Result<(), String>;
}

/// Merges `patch` into `base`, both JSON objects; where one is none, the patch takes its place.
///
/// Deterministic, and merging the same patch again changes no byte, as long as the functions in
/// [`MergeStrategy::With`] have these properties. Where an object has a name twice, the last counts.
///
/// # Errors
/// When one of the two is not JSON or a patch in it nests too deeply, or when a member is not what
/// the function that merges it takes.
pub fn merge<T: Merge>(base: &[u8], patch: &[u8]) -> Result<Bytes, MergeError> {
    members::merge(T::RULES, base, patch).map(Bytes::from)
}

#[cfg(test)]
mod tests;
