//! Identity values of other crates, one file and one feature each.
//!
//! Dates and instants are written alike whichever crate they come from, so that changing the
//! crate keeps the identities. An instant is the same instant at every offset.

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "time")]
mod time;
#[cfg(feature = "uuid")]
mod uuid;
