//! The values of options: each reader takes the tokens after `=` and explains what it cannot read.

use proc_macro2::TokenStream;
use quote::ToTokens as _;
use syn::parse::Parser as _;
use syn::punctuated::Punctuated;
use syn::{ExprArray, ExprPath, Lit, LitInt, LitStr, Path, Token, Type};

use crate::diagnostics::{Diagnostics, fault};
use crate::idempotent::critical::CriticalPath;
use crate::idempotent::duration::Millis;
use crate::idempotent::options;
use crate::word::Word;

/// A string, for an option that takes one.
pub(crate) fn text(value: &TokenStream, option: &str) -> syn::Result<LitStr> {
    syn::parse2(value.clone()).map_err(|_| {
        let message = format!("the value of `{option}` must be a string");
        let example = options::example(option).expect("the option is in the table");
        fault(value, message, format!("write `{example}`"))
    })
}

/// One of the words of an option.
pub(crate) fn word<W: Word>(value: &TokenStream) -> syn::Result<W> {
    W::parse(&text(value, W::OPTION)?)
}

/// How many, which is at least one: without any, the option would forbid what it limits.
pub(crate) fn count(value: &TokenStream, option: &str) -> syn::Result<u32> {
    let number = syn::parse2::<LitInt>(value.clone()).ok();
    let number = number.filter(|number| number.suffix().is_empty());
    let count = number.and_then(|number| number.base10_parse().ok()).filter(|count| *count > 0);
    count.ok_or_else(|| {
        let message = format!("the value of `{option}` must be a whole number above zero");
        let example = options::example(option).expect("the option is in the table");
        fault(value, message, format!("write `{example}`"))
    })
}

/// The path of a function.
pub(crate) fn function(value: &TokenStream, option: &str) -> syn::Result<ExprPath> {
    if let Ok(quoted) = syn::parse2::<LitStr>(value.clone()) {
        let message = "the path of a function is written without quotes";
        return Err(fault(&quoted, message, format!("write `{option} = {}`", quoted.value())));
    }
    syn::parse2(value.clone()).map_err(|_| {
        let help = format!("write `{option} = path::to::function`, without parentheses");
        fault(value, format!("`{option}` takes the path of a function"), help)
    })
}

/// The name of a function that the attribute makes; in an `impl` block after `Self::`.
pub(crate) fn own_function(value: &TokenStream) -> syn::Result<ExprPath> {
    let path = function(value, "unprotected")?;
    let segments = &path.path.segments;
    let is_own = segments.len() == 1 || (segments.len() == 2 && segments[0].ident == "Self");
    if is_own && segments.iter().all(|segment| segment.arguments.is_none()) {
        return Ok(path);
    }
    let help = "write `unprotected = charge`, or in an `impl` block `unprotected = Self::charge`";
    Err(fault(value, "`unprotected` is the name of a function to make", help))
}

/// The type of the router's state.
pub(crate) fn state(value: &TokenStream) -> syn::Result<Type> {
    syn::parse2(value.clone()).map_err(|_| {
        fault(value, "`state` takes the type of the router's state", "write `state = AppState`")
    })
}

/// A duration; a bare number is explained, since its unit is anyone's guess.
pub(crate) fn duration(value: &TokenStream, option: &str) -> syn::Result<(LitStr, Millis)> {
    if let Ok(Lit::Int(number)) = syn::parse2(value.clone()) {
        return Err(unquoted_duration(&number, option));
    }
    let literal = text(value, option)?;
    let millis = Millis::parse(&literal)?;
    Ok((literal, millis))
}

/// `72`, or `72h`, which Rust reads as one number too.
fn unquoted_duration(number: &LitInt, option: &str) -> syn::Error {
    if number.suffix().is_empty() {
        let digits = number.base10_digits();
        let help = format!(
            "write it as a string, `{option} = \"{digits}h\"` or `{option} = \"{digits}s\"`"
        );
        return fault(number, format!("the value of `{option}` has no unit"), help);
    }
    let message = format!("the value of `{option}` must be a string");
    fault(number, message, format!("write `{option} = \"{number}\"`"))
}

/// The name of an operation.
pub(crate) fn name(value: &TokenStream) -> syn::Result<String> {
    let literal = text(value, "name")?;
    let name = literal.value();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    if (1..=64).contains(&name.len()) && name.chars().all(allowed) {
        return Ok(name);
    }
    let help =
        "use 1 to 64 ASCII letters, digits, `_`, `.` or `-`, as in `name = \"payments.pay\"`";
    Err(no_name(&literal, "an operation", help))
}

/// The name of a header, in lower case as HTTP compares it.
pub(crate) fn header(value: &TokenStream) -> syn::Result<String> {
    let literal = text(value, "header")?;
    let name = literal.value();
    let allowed = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if !name.is_empty() && name.chars().all(allowed) {
        return Ok(name.to_ascii_lowercase());
    }
    let help = "use ASCII letters, digits and `-`, as in `header = \"Idempotency-Key\"`";
    Err(no_name(&literal, "a header", help))
}

fn no_name(literal: &LitStr, of: &str, help: &str) -> syn::Error {
    let name = literal.value();
    if name.is_empty() {
        return fault(literal, format!("the name of {of} cannot be empty"), help);
    }
    fault(literal, format!("`{name}` cannot be the name of {of}"), help)
}

/// The path of a crate or of its re-export.
pub(crate) fn runtime_path(value: &TokenStream) -> syn::Result<Path> {
    if let Ok(quoted) = syn::parse2::<LitStr>(value.clone()) {
        let help = format!("write `crate = {}`", quoted.value());
        return Err(fault(quoted, "the path of a crate is written without quotes", help));
    }
    let help = "write `crate = path::to::idem`";
    Path::parse_mod_style
        .parse2(value.clone())
        .map_err(|_| fault(value, "`crate` takes a path", help))
}

/// The list of critical fields. Each faulty element is reported by itself.
pub(crate) fn critical(
    value: &TokenStream,
    diagnostics: &mut Diagnostics,
) -> syn::Result<Vec<CriticalPath>> {
    if let Ok(alone) = syn::parse2::<LitStr>(value.clone()) {
        let help = format!("put the field into a list, `critical = [\"{}\"]`", alone.value());
        return Err(fault(alone, "`critical` takes a list of fields", help));
    }
    let Ok(ExprArray { elems, .. }) = syn::parse2(value.clone()) else {
        let help = "write `critical = [\"amount\", \"currency\"]`";
        return Err(fault(value, "`critical` takes a list of fields", help));
    };
    if elems.is_empty() {
        let help = "name at least one field, or leave `critical` out: then every field is critical";
        return Err(fault(value, "the list of critical fields is empty", help));
    }
    Ok(critical_elements(elems, diagnostics))
}

fn critical_elements(
    elements: Punctuated<syn::Expr, Token![,]>,
    diagnostics: &mut Diagnostics,
) -> Vec<CriticalPath> {
    let mut paths: Vec<CriticalPath> = Vec::new();
    for element in elements {
        let Some(path) = diagnostics.keep(critical_element(&element)) else {
            continue;
        };
        if paths.iter().any(|other| other.text() == path.text()) {
            diagnostics.fault(
                &element,
                format!("the critical field `{}` is listed twice", path.text()),
                "keep one of them",
            );
        }
        paths.push(path);
    }
    paths
}

fn critical_element(element: &syn::Expr) -> syn::Result<CriticalPath> {
    // A literal that comes from `macro_rules!` stands in an invisible group, which this looks into.
    if let Ok(literal) = syn::parse2(element.to_token_stream()) {
        return CriticalPath::parse(&literal);
    }
    let shown = element.to_token_stream().to_string();
    Err(fault(element, "a critical field is written as a string", format!("write `\"{shown}\"`")))
}
