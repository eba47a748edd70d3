//! How a payload is compared: what its type says of it, the critical fields, and the key in it.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::idempotent::critical::{CriticalPath, Step};
use crate::idempotent::expand::{captured, local};
use crate::idempotent::key::Key;
use crate::idempotent::model::Model;
use crate::idempotent::words::Policy;

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
    let (critical, key, merging) = (critical(model), key(model), merging(model));
    quote!(#probe #critical #key #merging)
}

/// The critical fields that the handler lists.
fn critical(model: &Model) -> Option<TokenStream> {
    if model.critical.is_empty() {
        return None;
    }
    let private = model.runtime.tokens();
    let (semantics, captured) = (local("semantics"), captured(model));
    let (payload, identity) = (local("payload"), local("identity"));
    let fields = model.critical.iter().map(field);
    Some(quote! {
        let #semantics = #semantics.critical(
            |#payload: &<#captured as #private::Payload>::Value, #identity: &mut #private::Identity| { #(#fields)* },
        );
    })
}

/// The key, where the payload holds it.
fn key(model: &Model) -> Option<TokenStream> {
    let semantics = local("semantics");
    match &model.settings.key.as_ref()?.1 {
        Key::Header(_) => None,
        Key::Field(path) => {
            let text = key_text(model, path);
            Some(quote!(let #semantics = #semantics.keyed_by(#text);))
        }
        Key::Identity(place) => {
            let check = model.critical.is_empty().then(|| has_critical(model, *place));
            Some(quote!(#check let #semantics = #semantics.keyed_by_identity();))
        }
    }
}

/// The rules of the payload's type, where payloads are merged. All of it stands at the policy's
/// word, so that a type without rules is reported there.
fn merging(model: &Model) -> Option<TokenStream> {
    let Some((word, Policy::Merge)) = &model.settings.policy else { return None };
    let here = Span::mixed_site().located_at(word.span());
    let semantics = Ident::new("semantics", here);
    Some(quote_spanned!(here=> let #semantics = #semantics.merging();))
}

/// The closure that reads the key's field. Like a critical field, it stands at the user's string.
fn key_text(model: &Model, path: &CriticalPath) -> TokenStream {
    let private = model.runtime.tokens();
    let (captured, here) = (captured(model), Span::mixed_site().located_at(path.span()));
    let (local, payload) = (local("payload"), Ident::new("payload", here));
    let fields = path.steps().iter().filter_map(Step::field);
    let text = quote_spanned!(here=> #private::KeyText::key_text(&#payload #(.#fields)*));
    quote!(|#local: &<#captured as #private::Payload>::Value| #text)
}

/// Checks that the payload's type has critical fields, since the handler lists none. In a generic
/// handler this is known only when it is used, elsewhere at once.
fn has_critical(model: &Model, place: Span) -> TokenStream {
    let private = model.runtime.tokens();
    let (captured, here) = (captured(model), Span::mixed_site().located_at(place));
    let check = quote_spanned! {here=>
        ::core::assert!(
            <<#captured as #private::Payload>::Value as #private::SemanticIdentity>::HAS_CRITICAL,
            "the key is made of the critical fields, and the payload has none\nhelp: mark fields with `#[idem(critical)]`, or write `critical = [\"amount\"]`",
        )
    };
    if model.handler.signature.generics.params.is_empty() {
        quote_spanned!(here=> const _: () = #check;)
    } else {
        quote_spanned!(here=> const { #check };)
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
