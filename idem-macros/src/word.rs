//! Values that are one of a few words.

use syn::LitStr;

use crate::diagnostics::fault;
use crate::suggest;

/// A closed set of words; each is the name of a variant of the runtime's enum, in `snake_case`.
pub(crate) trait Word: Copy + 'static {
    /// The option or mark that takes these words.
    const OPTION: &'static str;
    /// The words, and what they stand for.
    const CHOICES: &'static [(&'static str, Self)];

    /// Reads a word, or lists the choices.
    fn parse(literal: &LitStr) -> syn::Result<Self> {
        let text = literal.value();
        if let Some((_, word)) = Self::CHOICES.iter().find(|(word, _)| *word == text) {
            return Ok(*word);
        }
        let words: Vec<&str> = Self::CHOICES.iter().map(|(word, _)| *word).collect();
        let message = format!("unknown value `{text}` for `{}`", Self::OPTION);
        Err(fault(literal, message, suggest::offer(&text, &words)))
    }
}
