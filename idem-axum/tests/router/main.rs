//! What holds for annotated handlers behind a real axum router, in process.
//!
//! One binary, so that it is linked once; each module is one topic.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod answers;
mod audit;
mod bodies;
mod concurrency;
mod conflicts;
mod derived_keys;
mod disconnects;
mod drain;
mod failures;
mod fingerprints;
mod heartbeats;
mod identities;
mod janitors;
mod keys;
mod leases;
mod limits;
mod logs;
mod merging;
mod operations;
mod outcomes;
mod rejections;
mod retention;
mod reviews;
mod round_trips;
mod scopes;
mod states;
mod store_failures;
mod streams;
mod superseding;
mod waiting;
mod windows;
