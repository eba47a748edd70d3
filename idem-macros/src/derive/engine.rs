//! `#[derive(IdempotencyState)]`: where in the application's state the engine is.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::{Data, DataStruct, DeriveInput, Field, Fields, Ident, Index, Member, Type};

use crate::derive::Derive;
use crate::derive::marks::Marks;
use crate::diagnostics::Diagnostics;
use crate::runtime::Runtime;
use crate::syntax::{named_one_of, place_of_name, placed};

/// The field that holds the engine.
pub(crate) struct Engine {
    field: Member,
    ty: Type,
}

impl Derive for Engine {
    fn lower(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Option<Self> {
        let Data::Struct(DataStruct { fields, .. }) = &input.data else {
            let help = "keep the engine in a struct and derive it there";
            diagnostics.fault(
                &input.ident,
                "`IdempotencyState` can only be derived for a struct",
                help,
            );
            return None;
        };
        let (position, field) = engine(input, fields, diagnostics)?;
        let index = Index::from(position);
        let member = field.ident.clone().map_or(Member::Unnamed(index), Member::Named);
        Some(Self { field: member, ty: field.ty.clone() })
    }

    fn expand(&self, input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let private = runtime.tokens();
        let Self { field, ty } = self;
        let (principal, store) = (part(runtime, ty, "Principal"), part(runtime, ty, "Store"));
        let (parameters, arguments, bounds) = input.generics.split_for_impl();
        let name = &input.ident;
        quote! {
            #[automatically_derived]
            impl #parameters #private::IdempotencyState for #name #arguments #bounds {
                type Principal = #principal;
                type Store = #store;
                fn idempotency(&self) -> &#private::Idempotency<Self::Principal, Self::Store> {
                    &self.#field
                }
            }
        }
    }
}

/// A part of the engine's type. It stands at that type, for a principal that is no extractor.
fn part(runtime: &Runtime, ty: &Type, name: &str) -> TokenStream {
    let here = place_of_name(ty);
    let (private, name) = (placed(runtime.tokens(), here), Ident::new(name, here));
    quote_spanned!(here=> <#ty as #private::EngineOf>::#name)
}

/// The one field that is marked, or else the one whose type is called `Idempotency`.
fn engine<'a>(
    input: &DeriveInput,
    fields: &'a Fields,
    diagnostics: &mut Diagnostics,
) -> Option<(usize, &'a Field)> {
    let read =
        fields.iter().enumerate().map(|field| (field, Marks::read(&field.1.attrs, diagnostics)));
    let read: Vec<_> = read.collect();
    let mut marked =
        read.iter().filter_map(|(field, marks)| marks.engine.as_ref().map(|mark| (*field, mark)));
    if let Some((first, _)) = marked.next() {
        let Some((_, second)) = marked.next() else {
            return Some(first);
        };
        diagnostics.fault(second, "the engine is marked twice", "keep one `#[idem(engine)]`");
        return None;
    }
    let mut named = read
        .iter()
        .map(|(field, _)| *field)
        .filter(|(_, field)| named_one_of(&field.ty, &["Idempotency"]).is_some());
    let Some(first) = named.next() else {
        diagnostics.fault(
            &input.ident,
            format!("`{}` has no field for the engine", input.ident),
            "add a field `idempotency: Idempotency<Account, SqliteStore>`, or mark yours `#[idem(engine)]`",
        );
        return None;
    };
    let Some((_, second)) = named.next() else {
        return Some(first);
    };
    let help = "mark the one that its handlers use with `#[idem(engine)]`";
    diagnostics.fault(&second.ty, format!("`{}` has several engines", input.ident), help);
    None
}
