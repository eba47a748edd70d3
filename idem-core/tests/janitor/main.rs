//! What a janitor does to its store, and when.
//!
//! | module | topic |
//! | --- | --- |
//! | `backlog` | a store of expired records that notes each batch, and fails on demand |
//! | `records` | stores with real records that have expired |
//! | `rounds` | batches, pauses, and the time between rounds |
//! | `failures` | a store that is away |
//! | `stopping` | handles, and tasks of one's own |
//! | `company` | clients and other janitors on the same store |

#![cfg(feature = "memory")]
#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

mod backlog;
mod company;
mod failures;
mod records;
mod rounds;
mod stopping;
