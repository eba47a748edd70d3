//! A payment API whose `POST /payments` is safe to retry.
//!
//! | to learn about | see |
//! | --- | --- |
//! | the routes, and the contract on `pay` | `api.rs` |
//! | which fields make two payments the same intent | `payment.rs` |
//! | whose keys they are | `account.rs` |
//! | the ledger, on the same SQLite file as the records of keys | `bank/` |

mod account;
mod api;
mod bank;
mod error;
mod money;
mod payment;
mod service;

pub use service::{Service, StartError};
