//! How a payload is compared: what its type says of it, and the critical fields.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::idempotent::critical::{CriticalPath, Step};
use crate::idempotent::expand::{captured, local};
use crate::idempotent::model::Model;

/// How the payload is compared: what its type says, then what the handler says. The probe takes
/// the first of the imported traits that fits the type.
pub(crate) fn semantics(model: &Model) -> TokenStream {
    let private = model.runtime.tokens();
    let (semantics, captured) = (local("semantics"), captured(model));
    let probe = quote! {
        let #semantics = {
            use #private::{ByAnything as _, ByDerive as _, ByPayload as _};
            (&&&#private::Probe::<#captured>::NEW).semantics()
        };
    };
    if model.critical.is_empty() {
        return probe;
    }
    let (payload, identity) = (local("payload"), local("identity"));
    let fields = model.critical.iter().map(field);
    quote! {
        #probe
        let #semantics = #semantics.critical(
            |#payload: &<#captured as #private::Payload>::Value, #identity: &mut #private::Identity| { #(#fields)* },
        );
    }
}

/// The statement that writes one critical field. All of it stands at the user's string, so that
/// a field that does not exist, or cannot be compared, is reported there.
fn field(path: &CriticalPath) -> TokenStream {
    let here = Span::mixed_site().located_at(path.span());
    let text = Literal::string(path.text());
    let [payload, identity, out] =
        ["payload", "identity", "out"].map(|name| Ident::new(name, here));
    let value = write(&quote!(#payload), path.steps(), here);
    quote_spanned!(here=> #identity.field(#text, |#out| #value);)
}

/// The call that writes what the steps lead to from `place`, which is a reference.
fn write(place: &TokenStream, steps: &[Step], here: Span) -> TokenStream {
    let fields = steps.iter().map_while(Step::field);
    let rest = &steps[fields.clone().count()..];
    let found = if rest.len() == steps.len() {
        place.clone()
    } else {
        quote_spanned!(here=> &#place #(.#fields)*)
    };
    let out = Ident::new("out", here);
    let (method, inner) = match rest.first() {
        None => return quote_spanned!(here=> #out.value(#found)),
        Some(Step::Each) => ("each", "each"),
        Some(_) => ("option", "some"),
    };
    let [method, inner] = [method, inner].map(|name| Ident::new(name, here));
    let value = write(&quote!(#inner), &rest[1..], here);
    quote_spanned!(here=> #out.#method(#found, |#out, #inner| #value))
}
