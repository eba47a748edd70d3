//! Transfers between accounts.
//!
//! The books and the keys are in one PostgreSQL database, and a transfer is one transaction with its
//! record and its answer. A server that dies at any instant leaves all of it or nothing: a retry
//! gets the answer, or runs for the first time. There is nothing to reconcile.
//!
//! | module | holds |
//! | --- | --- |
//! | [`api`] | the routes, the contract and the handlers |
//! | [`bank`] | the books |
//! | [`refusal`] | why nothing moved |

pub mod api;
pub mod bank;
pub mod refusal;
