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

/// Where the type's own name stands, past the path to it: the place for what is wrong with it.
/// Names resolve as if the macro's user had written them, which `self` needs.
pub(crate) fn place_of_name(ty: &Type) -> Span {
    let place = last_segment(ty).map_or_else(|| ty.span(), |segment| segment.ident.span());
    Span::call_site().located_at(place)
}

/// The tokens as if they stood at `place`: what is wrong with them is reported there.
pub(crate) fn placed(tokens: impl ToTokens, place: Span) -> TokenStream {
    let move_token = |token: TokenTree| {
        let span = token.span().located_at(place);
        let mut moved = match token {
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), placed(group.stream(), place)))
            }
            other => other,
        };
        moved.set_span(span);
        moved
    };
    tokens.into_token_stream().into_iter().map(move_token).collect()
}

/// The tokens with one and the same span, by which the compiler knows that what is wrong with them
/// is one mistake. Only for types and paths: variables would be others then.
pub(crate) fn spanned(tokens: impl ToTokens, span: Span) -> TokenStream {
    let move_token = |token: TokenTree| {
        let (mut moved, is_crate) = match token {
            TokenTree::Group(group) => {
                let inner = spanned(group.stream(), span);
                (TokenTree::Group(Group::new(group.delimiter(), inner)), false)
            }
            // Which crate `$crate` is, is said by its own span.
            TokenTree::Ident(ident) if ident == "$crate" => (TokenTree::Ident(ident), true),
            other => (other, false),
        };
        moved.set_span(if is_crate { moved.span().located_at(span) } else { span });
        moved
    };
    tokens.into_token_stream().into_iter().map(move_token).collect()
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
