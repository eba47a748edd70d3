//! What the macros expand to. Nothing here is for direct use, and all of it may change.

pub use axum::response::Response;
pub use idem_core::contract::{Contract, KeyRule, OnCrash, OnFailure, Policy};
pub use idem_core::fingerprint::{Mask, Member};
pub use idem_core::identity::{Identity, IdentityValue, IdentityWriter, Inside, SemanticIdentity};
pub use idem_core::key::KeyText;
pub use idem_core::merge::{
    Merge, MergeError, MergeMember, MergeRules, MergeStrategy, is_list, merge_with,
};

pub use crate::__contract as contract;
#[cfg(feature = "contracts")]
pub use crate::contracts::Declared;
pub use crate::idempotency::Idempotency;
pub use crate::payload::Payload;
pub use crate::routed::{
    Answering, AtOnce, ByRetry, Captured, Opening, OpeningWithHeaders, assert_has_critical,
    assert_json,
};
pub use crate::semantics::Probe;
pub use crate::state::{EngineOf, IdempotencyState, ReviewingState, TransactionalState};
pub use crate::transaction::{Pending, Transactional};
#[cfg(feature = "contracts")]
pub use inventory;

/// The contract of a handler, as it is registered for [`contracts()`](crate::contracts()).
#[cfg(feature = "contracts")]
#[doc(hidden)]
#[macro_export]
macro_rules! __contract {
    ($contract:expr) => {{
        static CONTRACT: $crate::__private::Contract = $contract;
        $crate::__private::inventory::submit! {
            $crate::__private::Declared::__new(
                &CONTRACT,
                ::core::module_path!(),
                ::core::file!(),
                ::core::line!(),
            )
        }
        &CONTRACT
    }};
}

/// The contract of a handler.
#[cfg(not(feature = "contracts"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __contract {
    ($contract:expr) => {{
        static CONTRACT: $crate::__private::Contract = $contract;
        &CONTRACT
    }};
}
