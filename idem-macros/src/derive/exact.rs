//! Finds the floats in a type: they compare by rounding, so they are no identity.

use quote::ToTokens as _;
use syn::Type;

use crate::diagnostics::Diagnostics;
use crate::syntax;

/// Refuses a type that is written with `f32` or `f64`, in whatever it is wrapped. Whether there
/// was one.
pub(crate) fn refuse_floats(ty: &Type, diagnostics: &mut Diagnostics) -> bool {
    let float = syntax::find(ty.to_token_stream(), &|word| word == "f32" || word == "f64");
    let Some(float) = float else { return false };
    let message =
        format!("`{float}` cannot be part of a semantic identity: it compares by rounding");
    diagnostics.fault(
        &float,
        message,
        "use `rust_decimal::Decimal` (feature `rust_decimal`), or an integer of the smallest unit such as cents",
    );
    true
}
