//! What the derives expand to in a crate that has no `idem-axum`. Nothing here is for direct use,
//! and all of it may change.

pub use crate::fingerprint::{Mask, Member};
pub use crate::identity::{Identity, IdentityValue, IdentityWriter, SemanticIdentity};
pub use crate::merge::{
    Merge, MergeError, MergeList, MergeMember, MergeRules, MergeStrategy, is_list, merge_with,
};
