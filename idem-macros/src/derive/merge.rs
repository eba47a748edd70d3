//! `#[derive(Merge)]`: how the members of a second payload go into the first.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::{DeriveInput, ExprPath, Field, Type};

use crate::derive::marks::{Marks, Options};
use crate::derive::strategy::{How, Merging, Strategy};
use crate::derive::{Derive, bounds, fields};
use crate::diagnostics::Diagnostics;
use crate::runtime::Runtime;
use crate::syntax::{place_of_name, placed};
use crate::wire::{Container, Member};

/// The fields that a client can send, in their order, and what a merged value must pass.
pub(crate) struct Merge {
    members: Vec<Merged>,
    flattened: Vec<Type>,
    check: Option<ExprPath>,
}

/// One member, by its names on the wire.
struct Merged {
    ty: Type,
    names: Vec<String>,
    how: Option<How>,
    /// Whether it belongs to the request and not to its content.
    is_ignored: bool,
}

/// What a field adds to the rules.
enum Part {
    Member(Merged),
    /// Its members stand beside those of its siblings, and follow the rules of its type.
    Flattened(Type),
}

impl Derive for Merge {
    fn lower(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Option<Self> {
        let help = "a payload is a struct with named fields; a type inside of one needs no derive: \
                    its field's strategy says how it is merged";
        let fields = fields::named(input, "Merge", help, diagnostics)?;
        let container = Container::read(&input.attrs);
        // Faults in them are reported once, with the runtime's path.
        let Options { check, .. } = Options::read(&input.attrs, &mut Diagnostics::default());
        let mut merge = Self { members: Vec::new(), flattened: Vec::new(), check };
        for field in fields {
            match part(field, &container, diagnostics) {
                Some(Part::Member(member)) => merge.members.push(member),
                Some(Part::Flattened(ty)) => merge.flattened.push(ty),
                None => {}
            }
        }
        Some(merge)
    }

    fn expand(&self, input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let private = runtime.tokens();
        let members = self.members.iter().map(|member| member.rule(private));
        let flattened = self.flattened.iter().map(|ty| {
            let here = place_of_name(ty);
            quote_spanned!(here=> <#ty as #private::Merge>::RULES)
        });
        let check = self.check();
        let body = quote! {
            const RULES: &'static #private::MergeRules = &#private::MergeRules {
                members: &[#(#members),*],
                flattened: &[#(#flattened),*],
            };
            fn check(&self) -> ::core::result::Result<(), ::std::string::String> {
                #check
            }
        };
        self.implement(input, private, &body)
    }

    fn fallback(input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let nothing = Self { members: Vec::new(), flattened: Vec::new(), check: None };
        nothing.expand(input, runtime)
    }
}

impl Merge {
    fn implement(
        &self,
        input: &DeriveInput,
        private: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let mut generics = input.generics.clone();
        bounds::bound(&mut generics, &self.flattened, &quote!(#private::Merge));
        let (parameters, arguments, bounds) = generics.split_for_impl();
        let name = &input.ident;
        quote! {
            #[automatically_derived]
            impl #parameters #private::Merge for #name #arguments #bounds {
                #body
            }
        }
    }

    /// The call of the user's check. It stands at the path, so that a function of another signature
    /// is reported there.
    fn check(&self) -> TokenStream {
        let Some(path) = &self.check else {
            return quote!(::core::result::Result::Ok(()));
        };
        let here = place_of_function(path);
        let [checked, error] = ["checked", "error"].map(|name| Ident::new(name, here));
        // `self` is found where the method is written, by the macro's user so to speak.
        let here = Span::call_site().located_at(here);
        quote_spanned! {here=>
            let #checked: ::core::result::Result<(), _> = #path(self);
            ::core::result::Result::map_err(#checked, |#error| {
                ::std::string::ToString::to_string(&#error)
            })
        }
    }
}

/// Reads one field; one that no client can send has no part in a merge.
fn part(field: &Field, container: &Container, diagnostics: &mut Diagnostics) -> Option<Part> {
    let ident = field.ident.as_ref()?;
    let marks = Marks::read(&field.attrs, diagnostics);
    let member = Member::of_field(ident, &field.attrs, container.rename_all);
    let ty = field.ty.clone();
    let contradicted = marks.merge.as_ref().is_some_and(|merging| {
        contradicts(merging, marks.critical.as_ref(), &member, container, diagnostics)
    });
    if contradicted || member.skipped.is_some() || container.reshaped.is_some() {
        return None;
    }
    if member.flattened.is_none() {
        let how = marks.merge.map(|merging| merging.how);
        let (names, is_ignored) = (member.names, marks.ignore.is_some());
        return Some(Part::Member(Merged { ty, names, how, is_ignored }));
    }
    // Members that no rule knows are overwritten, which is what the mark asks for. Critical ones
    // are equal whenever payloads are merged.
    let overwritten = marks.merge.is_some() || marks.critical.is_some();
    (!overwritten).then_some(Part::Flattened(ty))
}

/// Refuses a strategy that has nothing to work on. Whether there was a fault.
fn contradicts(
    merging: &Merging,
    critical: Option<&Ident>,
    member: &Member,
    container: &Container,
    diagnostics: &mut Diagnostics,
) -> bool {
    let mark = &merging.mark;
    if critical.is_some() {
        let message = "a critical field is never merged: it is the same in both payloads, or they are two operations";
        diagnostics.fault(mark, message, "remove `merge`, or remove `critical`");
    } else if member.skipped.is_some() {
        let message = "a field that serde skips cannot be merged: no client can send it";
        diagnostics.fault(mark, message, "remove `merge`, or serde's `skip`");
    } else if member.flattened.is_some() && !merging.how.overwrites() {
        let message = "a flattened field has no name on the wire that could be merged";
        let help = "remove `merge` and derive `Merge` for its type, or write `#[idem(merge = \"overwrite\")]`: \
                    each of its members then overwrites";
        diagnostics.fault(mark, message, help);
    } else if let Some(reshaped) = &container.reshaped {
        let shape = reshaped.path().get_ident().map(ToString::to_string).unwrap_or_default();
        let message = format!(
            "`merge` goes by the name on the wire, which serde's `{shape}` takes from another type"
        );
        diagnostics.fault(
            mark,
            message,
            "remove `merge`, or read the payload without that type between",
        );
    } else {
        return false;
    }
    true
}

impl How {
    fn overwrites(&self) -> bool {
        matches!(self, Self::Word(_, Strategy::Overwrite))
    }
}

impl Merged {
    /// The rule of the member.
    fn rule(&self, private: &TokenStream) -> TokenStream {
        let (name, aliases) = (Literal::string(&self.names[0]), &self.names[1..]);
        let strategy = match &self.how {
            None if self.is_ignored => quote!(#private::MergeStrategy::Replace),
            None => quote!(#private::MergeStrategy::Overwrite),
            Some(How::Word(word, strategy)) => self.named(*strategy, word.span(), private),
            Some(How::With(path)) => self.with(path, private),
        };
        quote! {
            #private::MergeMember { name: #name, aliases: &[#(#aliases),*], strategy: #strategy }
        }
    }

    /// A strategy with a name. One for lists asks its field for being one, at that name.
    fn named(&self, strategy: Strategy, place: Span, private: &TokenStream) -> TokenStream {
        let variant = format_ident!("{strategy:?}");
        let named = quote!(#private::MergeStrategy::#variant);
        if !strategy.is_of_lists() {
            return named;
        }
        let (ty, here) = (placed(&self.ty, place), Span::call_site().located_at(place));
        quote_spanned!(here=> { #private::is_list::<#ty>(); #named })
    }

    /// The user's own strategy. All of it stands at the path, so that a function of another
    /// signature is reported there.
    fn with(&self, path: &ExprPath, private: &TokenStream) -> TokenStream {
        let (ty, here) = (&self.ty, place_of_function(path));
        let [base, patch] = ["base", "patch"].map(|name| Ident::new(name, here));
        quote_spanned! {here=>
            #private::MergeStrategy::With(
                |#base, #patch| #private::merge_with::<#ty>(#base, #patch, #path)
            )
        }
    }
}

/// Where the name of a function stands, past the path to it.
fn place_of_function(path: &ExprPath) -> Span {
    let place = path.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    Span::mixed_site().located_at(place)
}
