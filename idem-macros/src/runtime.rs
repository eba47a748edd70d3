//! Where the expansion finds what it calls: the hidden `__private` module of the user's `idem-axum`.

use proc_macro_crate::{FoundCrate, crate_name};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::{Ident, Path};

/// The path of a `__private` module.
#[derive(Clone)]
pub(crate) struct Runtime(TokenStream);

impl Runtime {
    /// The module of `idem-axum`, under the name that the user's `Cargo.toml` gives to it.
    pub(crate) fn of_axum() -> Option<Self> {
        dependency("idem-axum").map(|name| Self::of_crate(&name))
    }

    /// The module of `idem-axum`, or of `idem-core` in a crate that only has domain types.
    pub(crate) fn of_axum_or_core() -> Option<Self> {
        Self::of_axum().or_else(|| dependency("idem-core").map(|name| Self::of_crate(&name)))
    }

    /// The module of the crate with this name in the user's scope.
    pub(crate) fn of_crate(name: &str) -> Self {
        let name = Ident::new(name, Span::call_site());
        Self(quote!(::#name::__private))
    }

    /// The module of a re-export, as given by `crate = path`.
    pub(crate) fn of_path(path: &Path) -> Self {
        Self(quote!(#path::__private))
    }

    /// The path, to be followed by `::Item`.
    pub(crate) fn tokens(&self) -> &TokenStream {
        &self.0
    }
}

/// What to write when no dependency was found.
pub(crate) const MISSING_HELP: &str =
    "add it with `cargo add idem-axum`, or name its re-export with `crate = path::to::idem`";

/// The name under which the user's crate depends on `package`. A package finds itself under its
/// own name, which also holds in its tests and examples.
fn dependency(package: &str) -> Option<String> {
    match crate_name(package).ok()? {
        FoundCrate::Itself => Some(package.replace('-', "_")),
        FoundCrate::Name(name) => Some(name),
    }
}
