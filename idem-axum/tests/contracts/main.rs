//! The list of a binary's contracts, and rules for them.
//!
//! A binary of its own, so that the list holds what `declared` declares and nothing else.
#![forbid(unsafe_code)]
#![deny(warnings)]

mod declared;
mod listing;
mod rules;
