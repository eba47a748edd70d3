//! `#[derive(SemanticIdentity)]`: which fields of a payload are critical and which are left out.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{DeriveInput, Field, Type};

use crate::derive::marks::Marks;
use crate::derive::{Derive, bounds, exact, fields};
use crate::diagnostics::Diagnostics;
use crate::runtime::Runtime;
use crate::syntax::{named_one_of, place_of_name};
use crate::wire::{Container, Member};

/// The fields that bear a mark, in their order.
pub(crate) struct Semantic {
    marked: Vec<Marked>,
}

struct Marked {
    ident: Ident,
    ty: Type,
    names: Vec<String>,
    flattened: bool,
    meaning: Meaning,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Meaning {
    Critical,
    Ignored,
    Nested,
}

impl Derive for Semantic {
    fn lower(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Option<Self> {
        let help = "a payload is a struct with named fields; for a value inside of one, `#[derive(IdentityValue)]`";
        let fields = fields::named(input, "SemanticIdentity", help, diagnostics)?;
        let container = Container::read(&input.attrs);
        let marked = fields
            .iter()
            .filter_map(|field| Marked::lower(field, &container, diagnostics))
            .collect();
        Some(Self { marked })
    }

    fn expand(&self, input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let private = runtime.tokens();
        let mask = self.mask(private);
        let has_critical = self.has_critical(private);
        let writes: Vec<TokenStream> =
            self.marked.iter().filter_map(|field| field.write(private)).collect();
        let identity = identity();
        let binding = if writes.is_empty() { quote!(_) } else { quote!(#identity) };
        let body = quote! {
            const MASK: &'static #private::Mask = &#mask;
            const HAS_CRITICAL: ::core::primitive::bool = #has_critical;
            fn write_critical(&self, #binding: &mut #private::Identity) {
                #(#writes)*
            }
        };
        self.implement(input, private, &body)
    }

    fn fallback(input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let private = runtime.tokens();
        let body = quote! {
            const MASK: &'static #private::Mask = &#private::Mask::NONE;
            const HAS_CRITICAL: ::core::primitive::bool = false;
            fn write_critical(&self, _: &mut #private::Identity) {}
        };
        Self { marked: Vec::new() }.implement(input, private, &body)
    }
}

impl Semantic {
    fn implement(
        &self,
        input: &DeriveInput,
        private: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let mut generics = input.generics.clone();
        let of = |meaning| {
            self.marked.iter().filter(move |field| field.meaning == meaning).map(|field| &field.ty)
        };
        bounds::bound(&mut generics, of(Meaning::Critical), &quote!(#private::IdentityValue));
        bounds::bound(&mut generics, of(Meaning::Nested), &quote!(#private::SemanticIdentity));
        let (parameters, arguments, bounds) = generics.split_for_impl();
        let name = &input.ident;
        quote! {
            #[automatically_derived]
            impl #parameters #private::SemanticIdentity for #name #arguments #bounds {
                #body
            }
        }
    }

    fn mask(&self, private: &TokenStream) -> TokenStream {
        let members: Vec<TokenStream> =
            self.marked.iter().filter_map(|field| field.member(private)).collect();
        let flattened: Vec<TokenStream> = self
            .nested()
            .filter(|field| field.flattened)
            .map(|field| field.nested_mask(private))
            .collect();
        let flattened =
            (!flattened.is_empty()).then(|| quote!(.with_flattened(&[#(#flattened),*])));
        quote!(#private::Mask::new(&[#(#members),*]) #flattened)
    }

    fn has_critical(&self, private: &TokenStream) -> TokenStream {
        if self.marked.iter().any(|field| field.meaning == Meaning::Critical) {
            return quote!(true);
        }
        let nested = self
            .nested()
            .map(|Marked { ty, .. }| quote!(<#ty as #private::SemanticIdentity>::HAS_CRITICAL));
        let nested: Vec<TokenStream> = nested.collect();
        if nested.is_empty() { quote!(false) } else { quote!(#(#nested)||*) }
    }

    fn nested(&self) -> impl Iterator<Item = &Marked> {
        self.marked.iter().filter(|field| field.meaning == Meaning::Nested)
    }
}

impl Marked {
    fn lower(field: &Field, container: &Container, diagnostics: &mut Diagnostics) -> Option<Self> {
        let ident = field.ident.clone()?;
        let marks = Marks::read(&field.attrs, diagnostics);
        let member = Member::of_field(&ident, &field.attrs, container.rename_all);
        let (mark, meaning) = meaning(&marks, diagnostics)?;
        let sound = contradictions(mark, meaning, &member, container, diagnostics)
            && !(meaning == Meaning::Nested && refuse_plain(mark, &field.ty, diagnostics))
            && !(meaning == Meaning::Critical && exact::refuse_floats(&field.ty, diagnostics));
        let (flattened, names) = (member.flattened.is_some(), member.names);
        let unread = member.skipped.is_some() && meaning == Meaning::Ignored;
        let ty = field.ty.clone();
        (sound && !unread).then_some(Self { ident, ty, names, flattened, meaning })
    }

    /// What the mask says of the field.
    fn member(&self, private: &TokenStream) -> Option<TokenStream> {
        let names = &self.names;
        match self.meaning {
            Meaning::Ignored => Some(quote!(#private::Member::ignored(&[#(#names),*]))),
            Meaning::Nested if !self.flattened => {
                let mask = self.nested_mask(private);
                Some(quote!(#private::Member::nested(&[#(#names),*], #mask)))
            }
            _ => None,
        }
    }

    fn nested_mask(&self, private: &TokenStream) -> TokenStream {
        let (ty, here) = (&self.ty, place_of_name(&self.ty));
        quote_spanned!(here=> <#ty as #private::SemanticIdentity>::MASK)
    }

    /// The statement that writes the field's identity, placed at its type, where a value that
    /// cannot be compared is reported.
    fn write(&self, private: &TokenStream) -> Option<TokenStream> {
        let (ident, identity, here) = (&self.ident, identity(), place_of_name(&self.ty));
        let name = &self.names[0];
        let value = quote_spanned!(here=> &self.#ident);
        let ty = &self.ty;
        // The same words at the same place as in the mask, so that a type without marks is one error.
        let nested = quote_spanned! {here=>
            <#ty as #private::SemanticIdentity>::write_critical(#value, #identity)
        };
        match self.meaning {
            Meaning::Critical => Some(quote!(#identity.value(#name, #value);)),
            Meaning::Nested if self.flattened => Some(quote!(#nested;)),
            Meaning::Nested => Some(quote!(#identity.nested(#name, |#identity| #nested);)),
            Meaning::Ignored => None,
        }
    }
}

/// The one mark that a field may bear.
fn meaning<'a>(marks: &'a Marks, diagnostics: &mut Diagnostics) -> Option<(&'a Ident, Meaning)> {
    let all = [
        (&marks.critical, Meaning::Critical),
        (&marks.ignore, Meaning::Ignored),
        (&marks.nested, Meaning::Nested),
    ];
    let mut given =
        all.into_iter().filter_map(|(mark, meaning)| mark.as_ref().map(|mark| (mark, meaning)));
    let first = given.next()?;
    let Some((second, _)) = given.next() else {
        return Some(first);
    };
    let message = format!("a field cannot be both `{}` and `{second}`", first.0);
    let help = "`critical`: the whole value counts; `ignore`: none of it; `nested`: what the marks in its type say";
    diagnostics.fault(second, message, help);
    None
}

/// Refuses a mark that serde's attributes contradict. Whether there was none.
fn contradictions(
    mark: &Ident,
    meaning: Meaning,
    member: &Member,
    container: &Container,
    diagnostics: &mut Diagnostics,
) -> bool {
    if member.skipped.is_some() && meaning != Meaning::Ignored {
        let message = format!("a field that serde skips cannot be `{mark}`: no client can send it");
        diagnostics.fault(mark, message, "remove the mark, or serde's `skip`");
    } else if member.flattened.is_some() && meaning == Meaning::Ignored {
        let help = "mark the field `#[idem(nested)]` and, in its type, each field to leave out `#[idem(ignore)]`";
        diagnostics.fault(
            mark,
            "a flattened field has no name on the wire that could be ignored",
            help,
        );
    } else if let Some(reshaped) =
        container.reshaped.as_ref().filter(|_| meaning != Meaning::Critical)
    {
        let shape = reshaped.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let message = format!(
            "`{mark}` goes by the name on the wire, which serde's `{shape}` takes from another type"
        );
        diagnostics.fault(
            mark,
            message,
            "derive `SemanticIdentity` for the type that is read from the wire",
        );
    } else {
        return true;
    }
    false
}

/// Refuses to look into a value that nobody could add a derive to. Whether it is one.
fn refuse_plain(mark: &Ident, ty: &Type, diagnostics: &mut Diagnostics) -> bool {
    const PLAIN: &[&str] = &[
        "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "String",
        "u128", "u16", "u32", "u64", "u8", "usize",
    ];
    let Some(name) = named_one_of(ty, PLAIN) else { return false };
    let message = format!("`nested` looks into the fields of a struct, and `{name}` has none");
    diagnostics.fault(mark, message, "write `#[idem(critical)]`: the whole value counts");
    true
}

fn identity() -> Ident {
    Ident::new("identity", Span::mixed_site())
}
