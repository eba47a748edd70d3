//! `#[derive(IdentityValue)]`: how a value of the user's own type is compared.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt as _;
use syn::{Attribute, Data, DeriveInput, Fields, Type, Variant};

use crate::derive::marks::{self, Marks};
use crate::derive::{Derive, bounds, exact};
use crate::diagnostics::Diagnostics;
use crate::runtime::Runtime;
use crate::syntax::place_of_name;
use crate::wire::{self, Case, Container};

/// The shape of the type, with the names on the wire.
pub(crate) enum Value {
    Struct(Shape),
    Enum(Vec<Alternative>),
}

/// One variant.
pub(crate) struct Alternative {
    ident: Ident,
    name: String,
    shape: Shape,
}

/// The fields of a struct or a variant, without those that are left out.
pub(crate) enum Shape {
    Unit,
    Tuple { count: usize, fields: Vec<Component> },
    Named(Vec<Component>),
}

/// One field.
pub(crate) struct Component {
    place: syn::Member,
    name: String,
    ty: Type,
}

impl Derive for Value {
    fn lower(input: &DeriveInput, diagnostics: &mut Diagnostics) -> Option<Self> {
        let container = Container::read(&input.attrs);
        match &input.data {
            Data::Struct(data) => {
                Some(Self::Struct(Shape::lower(&data.fields, container.rename_all, diagnostics)))
            }
            Data::Enum(data) => {
                let variants = data.variants.iter();
                Some(Self::Enum(
                    variants
                        .map(|variant| Alternative::lower(variant, &container, diagnostics))
                        .collect(),
                ))
            }
            Data::Union(_) => {
                let help =
                    "implement `IdentityValue` by hand, for the view of the union that counts";
                diagnostics.fault(
                    &input.ident,
                    "`IdentityValue` cannot be derived for a union",
                    help,
                );
                None
            }
        }
    }

    fn expand(&self, input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let out = out();
        let body = match self {
            Self::Struct(shape) => {
                let place = |component: &Component| {
                    let (field, here) = (&component.place, place_of_name(&component.ty));
                    quote_spanned!(here=> &self.#field)
                };
                shape.write(&place)
            }
            Self::Enum(variants) if variants.is_empty() => {
                return implement(input, runtime, &quote!(_), &quote!(match *self {}));
            }
            Self::Enum(variants) => {
                let arms = variants.iter().map(Alternative::arm);
                quote!(match self { #(#arms)* })
            }
        };
        implement(input, runtime, &quote!(#out), &body)
    }

    fn fallback(input: &DeriveInput, runtime: &Runtime) -> TokenStream {
        let out = out();
        implement(input, runtime, &quote!(#out), &quote!(#out.unit()))
    }
}

fn implement(
    input: &DeriveInput,
    runtime: &Runtime,
    out: &TokenStream,
    body: &TokenStream,
) -> TokenStream {
    let private = runtime.tokens();
    let mut generics = input.generics.clone();
    bounds::bound_parameters(&mut generics, &quote!(#private::IdentityValue));
    let (parameters, arguments, bounds) = generics.split_for_impl();
    let name = &input.ident;
    quote! {
        #[automatically_derived]
        impl #parameters #private::IdentityValue for #name #arguments #bounds {
            fn write(&self, #out: &mut #private::IdentityWriter<'_>) {
                #body
            }
        }
    }
}

impl Alternative {
    fn lower(variant: &Variant, container: &Container, diagnostics: &mut Diagnostics) -> Self {
        marks::refuse(&variant.attrs, diagnostics);
        let name = wire::Member::of_variant(&variant.ident, &variant.attrs, container.rename_all)
            .name()
            .to_owned();
        let rename_all = Container::read(&variant.attrs).rename_all.or(container.rename_all_fields);
        let shape = Shape::lower(&variant.fields, rename_all, diagnostics);
        Self { ident: variant.ident.clone(), name, shape }
    }

    fn arm(&self) -> TokenStream {
        let (ident, name, out) = (&self.ident, &self.name, out());
        let pattern = self.shape.pattern();
        let bound = |component: &Component| {
            let binding = component.binding();
            quote!(#binding)
        };
        let values = match &self.shape {
            Shape::Unit => quote!(|_| ()),
            // The variant holds its values side by side already.
            Shape::Tuple { fields, .. } => {
                let values = fields.iter().map(|field| value(&bound(field)));
                quote!(|#out| { #(#values)* })
            }
            Shape::Named(_) => {
                let record = self.shape.write(&bound);
                quote!(|#out| #record)
            }
        };
        quote!(Self::#ident #pattern => #out.variant(#name, #values),)
    }
}

impl Shape {
    fn lower(fields: &Fields, rename_all: Option<Case>, diagnostics: &mut Diagnostics) -> Self {
        let components = fields.iter().enumerate();
        let lowered = components
            .filter_map(|(position, field)| {
                Component::lower(position, field, rename_all, diagnostics)
            })
            .collect();
        match fields {
            Fields::Unit => Self::Unit,
            Fields::Unnamed(all) => Self::Tuple { count: all.unnamed.len(), fields: lowered },
            Fields::Named(_) => Self::Named(lowered),
        }
    }

    /// The call that writes the fields, each found at its place. A newtype is its content.
    fn write(&self, place: &dyn Fn(&Component) -> TokenStream) -> TokenStream {
        let out = out();
        match self {
            Self::Unit => quote!(#out.unit()),
            Self::Tuple { count: 1, fields } if fields.len() == 1 => value_call(&place(&fields[0])),
            Self::Tuple { fields, .. } => {
                let values = fields.iter().map(|field| value(&place(field)));
                quote!(#out.tuple(|#out| { #(#values)* }))
            }
            Self::Named(fields) => {
                let record = Ident::new("record", Span::mixed_site());
                let members = fields.iter().map(|field| {
                    let (name, value) = (&field.name, value_call(&place(field)));
                    quote!(#record.member(#name, |#out| #value);)
                });
                let binding = if fields.is_empty() { quote!(_) } else { quote!(#record) };
                quote!(#out.record(|#binding| { #(#members)* }))
            }
        }
    }

    /// The pattern that binds the fields of a variant.
    fn pattern(&self) -> TokenStream {
        let (Self::Tuple { fields, .. } | Self::Named(fields)) = self else {
            return TokenStream::new();
        };
        let bindings = fields.iter().map(|field| {
            let (place, binding) = (&field.place, field.binding());
            quote!(#place: #binding,)
        });
        quote!({ #(#bindings)* .. })
    }
}

impl Component {
    /// Reads a field; one that is left out or never read has no part in the value.
    fn lower(
        position: usize,
        field: &syn::Field,
        rename_all: Option<Case>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Self> {
        let marks = Marks::read(&field.attrs, diagnostics);
        if marks.ignore.is_some() || skipped(&field.attrs) {
            return None;
        }
        exact::refuse_floats(&field.ty, diagnostics);
        let (place, name) = match &field.ident {
            Some(ident) => {
                let member = wire::Member::of_field(ident, &field.attrs, rename_all);
                (syn::Member::Named(ident.clone()), member.name().to_owned())
            }
            None => (syn::Member::from(position), position.to_string()),
        };
        Some(Self { place, name, ty: field.ty.clone() })
    }

    /// A name for the field in a pattern, placed at its type.
    fn binding(&self) -> Ident {
        let mut binding = match &self.place {
            syn::Member::Named(ident) => format_ident!("field_{}", ident.unraw()),
            syn::Member::Unnamed(index) => format_ident!("field_{}", index.index),
        };
        binding.set_span(Span::mixed_site().located_at(place_of_name(&self.ty)));
        binding
    }
}

fn skipped(attributes: &[Attribute]) -> bool {
    let anyone = Ident::new("field", Span::call_site());
    wire::Member::of_field(&anyone, attributes, None).skipped.is_some()
}

fn value(place: &TokenStream) -> TokenStream {
    let call = value_call(place);
    quote!(#call;)
}

fn value_call(place: &TokenStream) -> TokenStream {
    let out = out();
    quote!(#out.value(#place))
}

fn out() -> Ident {
    Ident::new("out", Span::mixed_site())
}
