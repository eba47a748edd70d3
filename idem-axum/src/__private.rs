//! What the macros expand to. Nothing here is for direct use, and all of it may change.

pub use axum::response::Response;
pub use idem_core::contract::{Contract, KeyRule, OnCrash, OnFailure, Policy};
pub use idem_core::fingerprint::{Mask, Member};
pub use idem_core::identity::{Identity, IdentityValue, IdentityWriter, SemanticIdentity};
pub use idem_core::key::KeyText;
pub use idem_core::merge::{
    Merge, MergeError, MergeMember, MergeRules, MergeStrategy, is_list, merge_with,
};

pub use crate::accepted::{AtOnce, ByRetry};
pub use crate::answering::Answering;
pub use crate::captured::Captured;
pub use crate::idempotency::Idempotency;
pub use crate::opening::{Opening, OpeningWithHeaders};
pub use crate::payload::Payload;
pub use crate::semantics::{ByAnything, ByDerive, ByPayload, Probe};
pub use crate::state::{EngineOf, IdempotencyState, ReviewingState};
