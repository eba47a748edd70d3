//! Small questions about types.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned as _;
use syn::{PathSegment, Type};

/// The type without the parentheses and invisible groups around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => bare(&inner.elem),
        Type::Group(inner) => bare(&inner.elem),
        other => other,
    }
}

/// The last part of a type's path: `Json<T>` of `axum::Json<T>`.
pub(crate) fn last_segment(ty: &Type) -> Option<&PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// The type's own name, if it is one of these.
pub(crate) fn named_one_of<'a>(ty: &'a Type, names: &[&str]) -> Option<&'a Ident> {
    let name = last_segment(ty).map(|segment| &segment.ident)?;
    names.iter().any(|one| name == one).then_some(name)
}

/// Where the type's own name stands, past the path to it: the place for what is wrong with it.
/// Names resolve as if the macro's user had written them, which `self` needs.
pub(crate) fn place_of_name(ty: &Type) -> Span {
    let place = last_segment(ty).map_or_else(|| ty.span(), |segment| segment.ident.span());
    Span::call_site().located_at(place)
}

/// The tokens as if they stood at `place`: what is wrong with them is reported there.
pub(crate) fn placed(tokens: impl ToTokens, place: Span) -> TokenStream {
    moved(tokens.into_token_stream(), &|token| token.span().located_at(place))
}

/// The tokens with one and the same span, by which the compiler knows that what is wrong with them
/// is one mistake. Only for types and paths: variables would be others then.
pub(crate) fn spanned(tokens: impl ToTokens, span: Span) -> TokenStream {
    moved(tokens.into_token_stream(), &|token| match token {
        // Which crate `$crate` is, is said by its own span.
        TokenTree::Ident(ident) if ident == "$crate" => ident.span().located_at(span),
        _ => span,
    })
}

/// The tokens, at every depth, with other spans.
fn moved(tokens: TokenStream, to: &dyn Fn(&TokenTree) -> Span) -> TokenStream {
    let move_token = |token: TokenTree| {
        let span = to(&token);
        let mut token = match token {
            TokenTree::Group(group) => {
                Group::new(group.delimiter(), moved(group.stream(), to)).into()
            }
            other => other,
        };
        token.set_span(span);
        token
    };
    tokens.into_iter().map(move_token).collect()
}

/// The first place where the tokens contain this word.
pub(crate) fn mentions(tokens: impl ToTokens, word: &str) -> Option<Ident> {
    find(tokens.into_token_stream(), &|ident| ident == word)
}

/// The first word, at any depth, that satisfies the condition.
pub(crate) fn find(tokens: TokenStream, wanted: &dyn Fn(&Ident) -> bool) -> Option<Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => wanted(&ident).then_some(ident),
        TokenTree::Group(group) => find(group.stream(), wanted),
        _ => None,
    })
}
