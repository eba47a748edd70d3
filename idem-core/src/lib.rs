//! What idem is made of below HTTP: keys, fingerprints, identities, the decision, records, leases,
//! stores and the engine that joins them.
//!
//! Handlers are written against [`idem-axum`](https://docs.rs/idem-axum), which re-exports what
//! they need from here. This crate is for those who write a store, or look under the hood.
//!
//! | part | module |
//! | --- | --- |
//! | what a request says about itself | [`key`], [`scope`], [`operation`], [`fingerprint`], [`identity`], [`attempt`] |
//! | what a handler promises | [`contract`] |
//! | what is done with an attempt | [`decision`], [`merge`], [`review`] |
//! | what is kept | [`record`], [`lease`], [`store`], [`clock`] |
//! | what joins them | [`engine`] |
//! | what is told of it | [`observe`] |
//! | what removes expired records | [`janitor`] |
//!
//! # Features
//!
//! | feature | default | adds |
//! | --- | --- | --- |
//! | `memory` | yes | `store::memory`: in process, not durable |
//! | `sqlite` | | `store::sqlite`: one durable file, shared by the processes of a machine |
//! | `postgres` | | `store::postgres`: PostgreSQL, shared by any number of instances |
//! | `testing` | | `testing`: the conformance suite for stores |
//! | `uuid`, `rust_decimal`, `time`, `jiff`, `chrono` | | [`identity::IdentityValue`] for their types |

#[doc(hidden)]
pub mod __private;
pub mod attempt;
pub mod clock;
pub mod contract;
pub mod decision;
pub mod digest;
pub mod engine;
pub mod fingerprint;
pub mod identity;
pub mod janitor;
pub mod key;
pub mod lease;
pub mod merge;
pub mod observe;
pub mod operation;
pub mod record;
pub mod review;
pub mod scope;
pub mod store;
#[cfg(feature = "testing")]
pub mod testing;
