//! The derives: what a payload's fields mean and how they are merged, how a value is compared, where
//! the engine is.

mod bounds;
mod engine;
mod exact;
mod fields;
mod mark;
mod marks;
mod merge;
mod semantic;
mod strategy;
mod value;

use proc_macro2::TokenStream;
use syn::DeriveInput;

use self::marks::Options;
use crate::diagnostics::Diagnostics;
use crate::runtime::{MISSING_HELP, Runtime};

pub(crate) use self::engine::Engine;
pub(crate) use self::merge::Merge;
pub(crate) use self::semantic::Semantic;
pub(crate) use self::value::Value;

/// One derive: a model that cannot be wrong, and the impl it stands for.
pub(crate) trait Derive: Sized {
    /// Reads the type; `None` when a fault is in the bag.
    fn lower(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Option<Self>;

    /// Emits the impl.
    fn expand(&self, input: &DeriveInput, runtime: &Runtime) -> TokenStream;

    /// Emits an impl that says nothing, so that one fault does not fail every use of the type.
    fn fallback(_input: &DeriveInput, _runtime: &Runtime) -> TokenStream {
        TokenStream::new()
    }
}

/// Expands one derive; `found` is the runtime that the user's `Cargo.toml` names.
pub(crate) fn expand<D: Derive>(input: TokenStream, found: Option<Runtime>) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(fault) => return fault.to_compile_error(),
    };
    let mut diagnostics = Diagnostics::default();
    let runtime = Options::read(&input.attrs, &mut diagnostics).runtime.or(found);
    let model = D::lower(&input, &mut diagnostics);
    let Some(runtime) = runtime else {
        diagnostics.fault(
            &input.ident,
            "`idem-axum` is not a dependency of this crate",
            MISSING_HELP,
        );
        return diagnostics.into_errors().unwrap_or_default();
    };
    match (diagnostics.into_errors(), model) {
        (None, Some(model)) => model.expand(&input, &runtime),
        (errors, _) => errors.into_iter().chain([D::fallback(&input, &runtime)]).collect(),
    }
}

#[cfg(test)]
mod tests;
