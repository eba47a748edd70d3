//! Which of the user's attributes go on the function that is routed to, and which stay on the
//! handler inside it.

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token, parse_quote};

use crate::diagnostics::Diagnostics;

/// The names of attributes that hold for the handler and for the function that is routed to.
const BOTH: &[&str] = &["doc", "cfg", "allow", "warn", "deny", "expect", "forbid"];

/// The attributes of a handler, apart.
#[derive(Default)]
pub(crate) struct Attributes {
    /// What the world outside sees: docs, conditions, deprecation, lints (which hold for all that
    /// stands inside as well), and macros that describe a route.
    pub(crate) outer: Vec<Attribute>,
    /// Everything else, such as `tracing::instrument`, whose span is to cover the body, and
    /// `debug_handler`, which checks the handler that the user wrote.
    pub(crate) inner: Vec<Attribute>,
    /// Those of `outer` that also hold for the handler itself, where it stands beside the function
    /// that is routed to: whether it is there at all, and what lints and readers are told of it.
    pub(crate) both: Vec<Attribute>,
}

impl Attributes {
    /// Sorts the attributes that stand below `#[idempotent]`.
    pub(crate) fn sort(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut sorted = Self::default();
        for attribute in attributes {
            if one_of(&["idempotent"], attribute.path()) {
                diagnostics.fault(
                    attribute.path(),
                    "`#[idempotent]` is given twice",
                    "keep one of them",
                );
            }
            sorted.put(attribute);
        }
        sorted
    }

    fn put(&mut self, attribute: &Attribute) {
        if attribute.path().is_ident("cfg_attr") {
            return self.put_conditional(attribute);
        }
        self.put_as(attribute.path(), attribute.clone());
    }

    /// Puts an attribute where one of this name belongs.
    fn put_as(&mut self, name: &Path, attribute: Attribute) {
        if one_of(BOTH, name) {
            self.both.push(attribute.clone());
        }
        if faces_outwards(name) {
            self.outer.push(attribute);
        } else {
            self.inner.push(attribute);
        }
    }

    /// Takes a `cfg_attr` apart, since the attributes in it may belong to both sides.
    fn put_conditional(&mut self, attribute: &Attribute) {
        let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let Some((condition, attributes)) = parts.as_ref().ok().and_then(split_first) else {
            return self.outer.push(attribute.clone());
        };
        for meta in attributes {
            self.put_as(meta.path(), parse_quote!(#[cfg_attr(#condition, #meta)]));
        }
    }
}

fn split_first(
    parts: &Punctuated<Meta, Token![,]>,
) -> Option<(&Meta, impl Iterator<Item = &Meta>)> {
    let mut parts = parts.iter();
    Some((parts.next()?, parts))
}

fn faces_outwards(path: &Path) -> bool {
    let route_description =
        path.to_token_stream().to_string().replace(' ', "").ends_with("utoipa::path");
    route_description || one_of(BOTH, path) || one_of(&["must_use", "deprecated"], path)
}

fn one_of(names: &[&str], path: &Path) -> bool {
    path.segments.last().is_some_and(|segment| names.iter().any(|name| segment.ident == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(function: &syn::ItemFn) -> [Vec<String>; 3] {
        let mut diagnostics = Diagnostics::default();
        let sorted = Attributes::sort(&function.attrs, &mut diagnostics);
        assert!(diagnostics.into_errors().is_none());
        let text = |attribute: Attribute| attribute.meta.to_token_stream().to_string();
        [sorted.outer, sorted.inner, sorted.both].map(|attributes| {
            attributes.into_iter().map(|attribute| text(attribute).replace(' ', "")).collect()
        })
    }

    #[test]
    fn what_the_world_sees_goes_out_and_what_wraps_the_body_stays_in() {
        let [outer, inner, both] = sorted(&parse_quote! {
            #[must_use]
            #[tracing::instrument(skip_all)]
            #[utoipa::path(post)]
            #[axum::debug_handler]
            #[allow(clippy::unused_async)]
            #[inline]
            fn pay() {}
        });
        assert_eq!(outer, ["must_use", "utoipa::path(post)", "allow(clippy::unused_async)"]);
        assert_eq!(inner, ["tracing::instrument(skip_all)", "axum::debug_handler", "inline"]);
        assert_eq!(both, ["allow(clippy::unused_async)"]);
    }

    #[test]
    fn a_conditional_attribute_is_sorted_by_what_it_holds() {
        let [outer, inner, both] = sorted(&parse_quote! {
            #[cfg_attr(feature = "x", doc = "d", instrument)]
            fn pay() {}
        });
        assert_eq!(outer, ["cfg_attr(feature=\"x\",doc=\"d\")"]);
        assert_eq!(inner, ["cfg_attr(feature=\"x\",instrument)"]);
        assert_eq!(both, outer);
    }
}
