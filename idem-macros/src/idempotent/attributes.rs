//! Which of the user's attributes go on the function that is routed to, and which stay on the
//! handler inside it.

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Meta, Path, Token, parse_quote};

use crate::diagnostics::Diagnostics;

/// The attributes of a handler, apart.
#[derive(Default)]
pub(crate) struct Attributes {
    /// What the world outside sees: docs, conditions, deprecation, lints (which hold for all that
    /// stands inside as well), and macros that describe a route.
    pub(crate) outer: Vec<Attribute>,
    /// Everything else, such as `tracing::instrument`, whose span is to cover the body, and
    /// `debug_handler`, which checks the handler that the user wrote.
    pub(crate) inner: Vec<Attribute>,
}

impl Attributes {
    /// Sorts the attributes that stand below `#[idempotent]`.
    pub(crate) fn sort(attributes: &[Attribute], diagnostics: &mut Diagnostics) -> Self {
        let mut sorted = Self::default();
        for attribute in attributes {
            if named(attribute.path(), "idempotent") {
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
        if faces_outwards(attribute.path()) {
            self.outer.push(attribute.clone());
        } else {
            self.inner.push(attribute.clone());
        }
    }

    /// Takes a `cfg_attr` apart, since the attributes in it may belong to both sides.
    fn put_conditional(&mut self, attribute: &Attribute) {
        let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        let Some((condition, attributes)) = parts.as_ref().ok().and_then(split_first) else {
            return self.outer.push(attribute.clone());
        };
        for meta in attributes {
            let side = if faces_outwards(meta.path()) { &mut self.outer } else { &mut self.inner };
            side.push(parse_quote!(#[cfg_attr(#condition, #meta)]));
        }
    }
}

/// Whether the attribute also holds for the handler itself, where it stands beside the function
/// that is routed to: whether it is there at all, and what lints and readers are told of it.
pub(crate) fn holds_for_both(attribute: &&Attribute) -> bool {
    const BOTH: &[&str] = &["doc", "cfg", "allow", "warn", "deny", "expect", "forbid"];
    BOTH.iter().any(|name| named(attribute.path(), name))
}

fn split_first(
    parts: &Punctuated<Meta, Token![,]>,
) -> Option<(&Meta, impl Iterator<Item = &Meta>)> {
    let mut parts = parts.iter();
    Some((parts.next()?, parts))
}

fn faces_outwards(path: &Path) -> bool {
    const OUTWARDS: &[&str] =
        &["doc", "cfg", "must_use", "deprecated", "allow", "warn", "deny", "expect", "forbid"];
    let route_description =
        path.to_token_stream().to_string().replace(' ', "").ends_with("utoipa::path");
    route_description || OUTWARDS.iter().any(|name| named(path, name))
}

fn named(path: &Path, name: &str) -> bool {
    path.segments.last().is_some_and(|segment| segment.ident == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(function: &syn::ItemFn) -> (Vec<String>, Vec<String>) {
        let mut diagnostics = Diagnostics::default();
        let sorted = Attributes::sort(&function.attrs, &mut diagnostics);
        assert!(diagnostics.into_errors().is_none());
        let shown = |attributes: Vec<Attribute>| {
            attributes
                .iter()
                .map(|attribute| attribute.meta.to_token_stream().to_string().replace(' ', ""))
                .collect()
        };
        (shown(sorted.outer), shown(sorted.inner))
    }

    #[test]
    fn what_the_world_sees_goes_out_and_what_wraps_the_body_stays_in() {
        let (outer, inner) = sorted(&parse_quote! {
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
    }

    #[test]
    fn a_conditional_attribute_is_sorted_by_what_it_holds() {
        let (outer, inner) = sorted(&parse_quote! {
            #[cfg_attr(feature = "x", doc = "d", instrument)]
            fn pay() {}
        });
        assert_eq!(outer, ["cfg_attr(feature=\"x\",doc=\"d\")"]);
        assert_eq!(inner, ["cfg_attr(feature=\"x\",instrument)"]);
    }
}
