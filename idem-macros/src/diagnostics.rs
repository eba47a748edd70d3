//! The bag that every fault goes into, so that one compilation shows all of them.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The faults found so far, in the order in which they stand in the source.
#[must_use = "a fault that is not emitted is a mistake that compiles"]
#[derive(Default)]
pub(crate) struct Diagnostics {
    faults: Vec<syn::Error>,
}

impl Diagnostics {
    /// Records a fault on the tokens the user wrote, with a repair to paste.
    pub(crate) fn fault(
        &mut self,
        place: impl ToTokens,
        message: impl Display,
        help: impl Display,
    ) {
        self.faults.push(fault(place, message, help));
    }

    /// Records a fault that a parser has already put into words.
    pub(crate) fn absorb(&mut self, fault: syn::Error) {
        self.faults.push(fault);
    }

    /// Takes the value of a parse, or its fault.
    pub(crate) fn keep<T>(&mut self, parsed: syn::Result<T>) -> Option<T> {
        parsed.map_err(|fault| self.absorb(fault)).ok()
    }

    /// The faults as `compile_error!`s, or nothing when there are none.
    pub(crate) fn into_errors(self) -> Option<TokenStream> {
        if self.faults.is_empty() {
            return None;
        }
        Some(self.faults.iter().map(syn::Error::to_compile_error).collect())
    }

    /// The messages alone, for tests.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.faults.iter().map(ToString::to_string).collect()
    }
}

/// One fault: what is wrong, then what to write instead.
pub(crate) fn fault(place: impl ToTokens, message: impl Display, help: impl Display) -> syn::Error {
    syn::Error::new_spanned(place, format!("{message}\nhelp: {help}"))
}
