//! The macros of idem: `#[idempotent]` and the derives around it.
//!
//! Use them through `idem-axum`, which re-exports and documents them, and whose hidden
//! `__private` module is all that an expansion names.
//!
//! | folder | what it holds |
//! | --- | --- |
//! | `idempotent` | the attribute: `parse` to options with spans, `settings` and `model` to what cannot be wrong, `expand` to tokens |
//! | `derive` | the derives, each a `lower` and an `expand` |
//! | `wire` | the names that serde reads: `rename`, `rename_all`, `alias`, `flatten` |
//!
//! Every fault goes into one bag, `Diagnostics`, so that all of them are shown at once.

mod derive;
mod diagnostics;
mod idempotent;
mod runtime;
mod suggest;
mod syntax;
mod wire;
mod word;

#[cfg(test)]
mod expansions;

use proc_macro::TokenStream;

use crate::runtime::Runtime;

/// Makes an axum handler safe to retry, by a contract that stands on the handler.
#[proc_macro_attribute]
pub fn idempotent(args: TokenStream, item: TokenStream) -> TokenStream {
    idempotent::expand(args.into(), item.into(), Runtime::of_axum()).into()
}

/// Says which fields of a payload are critical, which are ignored, and which are looked into.
#[proc_macro_derive(SemanticIdentity, attributes(idem, serde))]
pub fn semantic_identity(input: TokenStream) -> TokenStream {
    derive::expand::<derive::Semantic>(input.into(), Runtime::of_axum_or_core()).into()
}

/// Lets a type be the value of a critical field: it is compared by all of its fields.
#[proc_macro_derive(IdentityValue, attributes(idem, serde))]
pub fn identity_value(input: TokenStream) -> TokenStream {
    derive::expand::<derive::Value>(input.into(), Runtime::of_axum_or_core()).into()
}

/// Says how the members of a second payload go into the first, under `policy = "merge"`.
#[proc_macro_derive(Merge, attributes(idem, serde))]
pub fn merge(input: TokenStream) -> TokenStream {
    derive::expand::<derive::Merge>(input.into(), Runtime::of_axum_or_core()).into()
}

/// Finds the engine in the application's state.
#[proc_macro_derive(IdempotencyState, attributes(idem))]
pub fn idempotency_state(input: TokenStream) -> TokenStream {
    derive::expand::<derive::Engine>(input.into(), Runtime::of_axum()).into()
}
