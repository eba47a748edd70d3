//! The typed critical fields of a payload: what makes two requests the same intent.
//!
//! A payload is written field by field into an [`Identity`], which keeps the name of each field
//! and a digest of its value, never the value. [`IdentityValue`] says how a type is written so
//! that equal values, and only those, have equal digests.

mod collections;
mod external;
mod fields;
mod path;
mod semantic;
mod value;
mod writer;

pub use fields::Identity;
pub use path::{Elements, Inside, Optional};
pub use semantic::SemanticIdentity;
pub use value::IdentityValue;
pub use writer::{IdentityWriter, RecordWriter};

#[cfg(test)]
mod laws;
