//! The names that serde reads on the wire: what identity and masks must go by.

mod case;

use syn::ext::IdentExt as _;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Meta, Token};

pub(crate) use self::case::Case;

/// serde's attributes on a type or a variant, as far as they rename what is inside.
#[derive(Default)]
pub(crate) struct Container {
    /// The rule for the fields of a struct, or the variants of an enum.
    pub(crate) rename_all: Option<Case>,
    /// The rule for the fields of an enum's variants.
    pub(crate) rename_all_fields: Option<Case>,
    /// The attribute by which the wire shows another shape than the type's own.
    pub(crate) reshaped: Option<Meta>,
}

/// serde's attributes on one field or variant.
pub(crate) struct Member {
    /// The name when it is read, followed by its aliases.
    pub(crate) names: Vec<String>,
    /// The members of the value stand beside this field's siblings.
    pub(crate) flattened: Option<Meta>,
    /// The value is never read.
    pub(crate) skipped: Option<Meta>,
}

impl Container {
    /// Reads the attributes; serde itself reports what is wrong in them.
    pub(crate) fn read(attributes: &[Attribute]) -> Self {
        let mut container = Self::default();
        for meta in metas(attributes) {
            match name_of(&meta).as_str() {
                "rename_all" => {
                    container.rename_all = reading_text(&meta).and_then(|rule| Case::of(&rule));
                }
                "rename_all_fields" => {
                    container.rename_all_fields =
                        reading_text(&meta).and_then(|rule| Case::of(&rule));
                }
                "transparent" | "from" | "try_from" => container.reshaped = Some(meta),
                _ => {}
            }
        }
        container
    }
}

impl Member {
    /// Reads the attributes of a field of a type whose rule is `rename_all`.
    pub(crate) fn of_field(
        ident: &Ident,
        attributes: &[Attribute],
        rename_all: Option<Case>,
    ) -> Self {
        let ident = ident.unraw().to_string();
        Self::read(attributes, rename_all.map_or(ident.clone(), |case| case.of_field(&ident)))
    }

    /// Reads the attributes of a variant of an enum whose rule is `rename_all`.
    pub(crate) fn of_variant(
        ident: &Ident,
        attributes: &[Attribute],
        rename_all: Option<Case>,
    ) -> Self {
        let ident = ident.unraw().to_string();
        Self::read(attributes, rename_all.map_or(ident.clone(), |case| case.of_variant(&ident)))
    }

    /// The name under which it is read when it has no other.
    pub(crate) fn name(&self) -> &str {
        &self.names[0]
    }

    fn read(attributes: &[Attribute], name: String) -> Self {
        let mut member = Self { names: vec![name], flattened: None, skipped: None };
        for meta in metas(attributes) {
            match name_of(&meta).as_str() {
                "rename" => {
                    member.names[0] =
                        reading_text(&meta).unwrap_or_else(|| member.names[0].clone());
                }
                "alias" => member.names.extend(text(&meta)),
                "flatten" => member.flattened = Some(meta),
                "skip" | "skip_deserializing" => member.skipped = Some(meta),
                _ => {}
            }
        }
        member
    }
}

/// Everything inside the `#[serde(...)]` attributes.
fn metas(attributes: &[Attribute]) -> impl Iterator<Item = Meta> {
    let lists = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    let lists = lists.filter_map(|attribute| attribute.parse_args_with(list).ok());
    lists.flatten()
}

fn list(input: syn::parse::ParseStream<'_>) -> syn::Result<Punctuated<Meta, Token![,]>> {
    Punctuated::parse_terminated(input)
}

fn name_of(meta: &Meta) -> String {
    meta.path().get_ident().map(ToString::to_string).unwrap_or_default()
}

/// The text of `name = "text"`, or of `name(deserialize = "text")`.
fn reading_text(meta: &Meta) -> Option<String> {
    let Meta::List(directions) = meta else {
        return text(meta);
    };
    let directions = directions.parse_args_with(list).ok()?;
    directions.iter().find(|direction| direction.path().is_ident("deserialize")).and_then(text)
}

fn text(meta: &Meta) -> Option<String> {
    match meta {
        Meta::NameValue(pair) => match &pair.value {
            Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::{ItemStruct, parse_quote};

    use super::*;

    /// The names of the first field.
    fn names(item: &ItemStruct) -> Vec<String> {
        let container = Container::read(&item.attrs);
        let field = item.fields.iter().next().expect("the fixture has a field");
        let ident = field.ident.as_ref().expect("the fixture has names");
        Member::of_field(ident, &field.attrs, container.rename_all).names
    }

    #[test]
    fn a_field_goes_by_the_name_that_is_read() {
        for (item, expected) in [
            (
                parse_quote!(
                    struct S {
                        client_ts: u8,
                    }
                ),
                vec!["client_ts"],
            ),
            (
                parse_quote!(
                    struct S {
                        r#type: u8,
                    }
                ),
                vec!["type"],
            ),
            (
                parse_quote!(
                    #[serde(rename_all = "camelCase")]
                    struct S {
                        client_ts: u8,
                    }
                ),
                vec!["clientTs"],
            ),
            (
                parse_quote!(
                    #[serde(rename_all(serialize = "UPPERCASE", deserialize = "kebab-case"))]
                    struct S {
                        client_ts: u8,
                    }
                ),
                vec!["client-ts"],
            ),
            (
                parse_quote!(
                    #[serde(rename_all(serialize = "UPPERCASE"))]
                    struct S {
                        a: u8,
                    }
                ),
                vec!["a"],
            ),
            (
                parse_quote!(
                    #[serde(rename_all = "camelCase")]
                    struct S {
                        #[serde(rename = "ts_", alias = "t", alias = "u")]
                        client_ts: u8,
                    }
                ),
                vec!["ts_", "t", "u"],
            ),
            (
                parse_quote!(
                    #[serde(rename_all = "camelCase")]
                    struct S {
                        #[serde(rename(serialize = "x"))]
                        client_ts: u8,
                    }
                ),
                vec!["clientTs"],
            ),
            (
                parse_quote!(
                    struct S {
                        #[serde(default = "path", rename(deserialize = "x"), with = "m")]
                        a: u8,
                    }
                ),
                vec!["x"],
            ),
            (
                parse_quote!(
                    #[serde(crate = "a::b", bound = "", rename_all = "lowercase")]
                    struct S {
                        a: u8,
                    }
                ),
                vec!["a"],
            ),
        ] {
            assert_eq!(names(&item), expected);
        }
    }
}
