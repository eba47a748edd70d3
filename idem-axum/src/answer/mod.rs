//! Answers on their way into a record and out of it.

mod body;
mod capture;
mod headers;
mod replay;

pub(crate) use capture::{Ended, capture};
pub(crate) use replay::{IDEMPOTENCY_VERDICT, replay};
