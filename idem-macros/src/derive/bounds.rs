//! The bounds that a derived impl puts on type parameters.

use proc_macro2::TokenStream;
use syn::{Generics, Type, WherePredicate, parse_quote};

use crate::syntax::mentions;

/// Adds `Type: Trait` for each type that depends on a type parameter. A type that does not is
/// left to the call that needs it, whose error stands on the field.
pub(crate) fn bound<'a>(
    generics: &mut Generics,
    types: impl IntoIterator<Item = &'a Type>,
    required: &TokenStream,
) {
    let parameters: Vec<String> =
        generics.type_params().map(|parameter| parameter.ident.to_string()).collect();
    let depends = |ty: &&Type| parameters.iter().any(|name| mentions(ty, name).is_some());
    let predicates: Vec<WherePredicate> =
        types.into_iter().filter(depends).map(|ty| parse_quote!(#ty: #required)).collect();
    if !predicates.is_empty() {
        generics.make_where_clause().predicates.extend(predicates);
    }
}

/// Adds `T: Trait` for each type parameter.
pub(crate) fn bound_parameters(generics: &mut Generics, required: &TokenStream) {
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(#required));
    }
}
