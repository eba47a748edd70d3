//! The paths of critical fields: `amount`, `card?.last4`, `items[].sku`, `0.currency`.

use proc_macro2::Span;
use syn::{Ident, Index, LitStr, Member};

use crate::diagnostics::fault;

/// One critical field: where its value is found, starting at the payload.
pub(crate) struct CriticalPath {
    text: String,
    steps: Vec<Step>,
    span: Span,
}

/// One step towards the value.
pub(crate) enum Step {
    /// Into a field, by its name or its number in a tuple.
    Field(Member),
    /// Into an `Option`: `?`.
    Some,
    /// Into each element of a collection: `[]`.
    Each,
}

impl Step {
    /// The field, when the step leads into one.
    pub(crate) fn field(&self) -> Option<&Member> {
        match self {
            Self::Field(member) => Some(member),
            Self::Some | Self::Each => None,
        }
    }
}

impl CriticalPath {
    /// Reads one path, or says what is wrong with it.
    pub(crate) fn parse(literal: &LitStr) -> syn::Result<Self> {
        let text = literal.value();
        if text.is_empty() {
            return Err(fault(literal, "a critical field cannot be empty", GRAMMAR));
        }
        let mut steps = Vec::new();
        for segment in text.split('.') {
            segment_steps(literal, segment, &mut steps)?;
        }
        // A field has one name in the identity, however it is spelt.
        let text = text.replace("r#", "");
        Ok(Self { text, steps, span: literal.span() })
    }

    /// The path as written, without the `r#` of raw names: the name of the field in the identity.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The steps from the payload to the value; the first one is a field.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Where the path is written.
    pub(crate) fn span(&self) -> Span {
        self.span
    }
}

const GRAMMAR: &str = "write a field (`\"amount\"`), a field of a field (`\"card.last4\"`), of an option (`\"card?.last4\"`) or of each element (`\"items[].sku\"`)";

/// Reads `name`, `0`, `name?`, `name[]` and their combinations.
fn segment_steps(literal: &LitStr, segment: &str, steps: &mut Vec<Step>) -> syn::Result<()> {
    let end = segment.find(['?', '[']).unwrap_or(segment.len());
    let (name, mut suffix) = segment.split_at(end);
    steps.push(Step::Field(member(literal, name)?));
    while !suffix.is_empty() {
        suffix = if let Some(rest) = suffix.strip_prefix('?') {
            steps.push(Step::Some);
            rest
        } else if let Some(rest) = suffix.strip_prefix("[]") {
            steps.push(Step::Each);
            rest
        } else {
            return Err(unreadable_suffix(literal, name, suffix));
        };
    }
    Ok(())
}

/// The field that a name or a number stands for.
fn member(literal: &LitStr, name: &str) -> syn::Result<Member> {
    let span = literal.span();
    if !name.is_empty() && name.chars().all(|c| c.is_ascii_digit()) {
        let index = name.parse().ok().filter(|index: &u32| index.to_string() == name);
        let index = index.ok_or_else(|| not_a_field(literal, name))?;
        return Ok(Member::Unnamed(Index { index, span }));
    }
    identifier(name, span).map(Member::Named).ok_or_else(|| not_a_field(literal, name))
}

/// The identifier for a field, raw when its name is a keyword. What Rust reads over, blanks and
/// comments, has no place in a name.
fn identifier(name: &str, span: Span) -> Option<Ident> {
    if name.contains(|c: char| c.is_whitespace() || c == '/') {
        return None;
    }
    let plain = name.strip_prefix("r#").unwrap_or(name);
    let ident: syn::Result<Ident> =
        syn::parse_str(plain).or_else(|_| syn::parse_str(&format!("r#{plain}")));
    let mut ident = ident.ok()?;
    ident.set_span(span);
    Some(ident)
}

fn not_a_field(literal: &LitStr, name: &str) -> syn::Error {
    let text = literal.value();
    if name.is_empty() {
        return fault(literal, format!("the critical field `{text}` has an empty part"), GRAMMAR);
    }
    fault(literal, format!("`{name}` is not the name of a field"), GRAMMAR)
}

fn unreadable_suffix(literal: &LitStr, name: &str, suffix: &str) -> syn::Error {
    let message = format!("`{suffix}` cannot follow `{name}` in a critical field");
    let numbered =
        suffix.strip_prefix('[').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let help = if numbered {
        format!("write `{name}[]` for each element; single elements cannot be picked")
    } else {
        "`?` reaches into an option and `[]` into each element, as in `\"card?.last4\"` and `\"items[].sku\"`".into()
    };
    fault(literal, message, help)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, String> {
        let literal = LitStr::new(text, Span::call_site());
        let path = CriticalPath::parse(&literal).map_err(|fault| fault.to_string())?;
        Ok(path.steps().iter().map(shown).collect::<Vec<_>>().join(" "))
    }

    fn shown(step: &Step) -> String {
        match step {
            Step::Field(Member::Named(name)) => name.to_string(),
            Step::Field(Member::Unnamed(index)) => index.index.to_string(),
            Step::Some => "?".into(),
            Step::Each => "[]".into(),
        }
    }

    #[test]
    fn paths_are_read_step_by_step() {
        for (text, steps) in [
            ("amount", "amount"),
            ("card.last4", "card last4"),
            ("card?.last4", "card ? last4"),
            ("items[].sku", "items [] sku"),
            ("tags[]", "tags []"),
            ("rows?[][]?.x", "rows ? [] [] ? x"),
            ("0.currency", "0 currency"),
            ("type", "r#type"),
            ("r#type", "r#type"),
            ("größe", "größe"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(steps), "{text}");
        }
    }

    #[test]
    fn unreadable_paths_say_how_paths_are_written() {
        for (text, message) in [
            ("", "cannot be empty"),
            (".", "has an empty part"),
            ("a..b", "has an empty part"),
            ("?", "has an empty part"),
            ("a-b", "`a-b` is not the name of a field"),
            ("a b", "`a b` is not the name of a field"),
            (" amount", "` amount` is not the name of a field"),
            ("card. last4", "` last4` is not the name of a field"),
            ("amount/**/", "`amount/**/` is not the name of a field"),
            ("self", "`self` is not the name of a field"),
            ("007", "`007` is not the name of a field"),
            ("items[0].sku", "help: write `items[]` for each element"),
            ("items[", "`[` cannot follow `items`"),
            ("card?last4", "`last4` cannot follow `card`"),
            ("amount()", "`amount()` is not the name of a field"),
        ] {
            let fault = read(text).expect_err(text);
            assert!(fault.contains(message), "{text}: {fault}");
        }
    }
}
