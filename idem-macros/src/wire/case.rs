//! serde's `rename_all` rules. They assume that fields are in `snake_case` and variants in
//! `PascalCase`, and only move ASCII letters.

/// One of the eight rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    /// The rule with serde's name for it.
    pub(crate) fn of(rule: &str) -> Option<Self> {
        Some(match rule {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// The name on the wire of a variant.
    pub(crate) fn of_variant(self, variant: &str) -> String {
        match self {
            Self::Pascal => variant.to_owned(),
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Camel => with_lower_start(variant),
            Self::Snake => snake(variant),
            Self::ScreamingSnake => snake(variant).to_ascii_uppercase(),
            Self::Kebab => snake(variant).replace('_', "-"),
            Self::ScreamingKebab => snake(variant).to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The name on the wire of a field.
    pub(crate) fn of_field(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_ascii_uppercase(),
            Self::Pascal => pascal(field),
            Self::Camel => with_lower_start(&pascal(field)),
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn snake(variant: &str) -> String {
    let mut snake = String::new();
    for (position, letter) in variant.char_indices() {
        if position > 0 && letter.is_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}

fn pascal(field: &str) -> String {
    let words = field.split('_').map(|word| with_start(word, char::to_ascii_uppercase));
    words.collect()
}

fn with_lower_start(name: &str) -> String {
    with_start(name, char::to_ascii_lowercase)
}

fn with_start(name: &str, change: impl Fn(&char) -> char) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| change(&first)).into_iter().chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: [&str; 8] = [
        "lowercase",
        "UPPERCASE",
        "PascalCase",
        "camelCase",
        "snake_case",
        "SCREAMING_SNAKE_CASE",
        "kebab-case",
        "SCREAMING-KEBAB-CASE",
    ];

    #[test]
    fn variants_follow_each_rule_like_serde() {
        for (variant, names) in [
            (
                "Outcome",
                [
                    "outcome", "OUTCOME", "Outcome", "outcome", "outcome", "OUTCOME", "outcome",
                    "OUTCOME",
                ],
            ),
            (
                "VeryTasty",
                [
                    "verytasty",
                    "VERYTASTY",
                    "VeryTasty",
                    "veryTasty",
                    "very_tasty",
                    "VERY_TASTY",
                    "very-tasty",
                    "VERY-TASTY",
                ],
            ),
            ("A", ["a", "A", "A", "a", "a", "A", "a", "A"]),
            ("Z42", ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]),
        ] {
            for (rule, name) in RULES.into_iter().zip(names) {
                assert_eq!(
                    Case::of(rule).map(|case| case.of_variant(variant)).as_deref(),
                    Some(name),
                    "{rule}"
                );
            }
        }
    }

    #[test]
    fn fields_follow_each_rule_like_serde() {
        for (field, names) in [
            (
                "outcome",
                [
                    "outcome", "OUTCOME", "Outcome", "outcome", "outcome", "OUTCOME", "outcome",
                    "OUTCOME",
                ],
            ),
            (
                "very_tasty",
                [
                    "very_tasty",
                    "VERY_TASTY",
                    "VeryTasty",
                    "veryTasty",
                    "very_tasty",
                    "VERY_TASTY",
                    "very-tasty",
                    "VERY-TASTY",
                ],
            ),
            (
                "_leading",
                [
                    "_leading", "_LEADING", "Leading", "leading", "_leading", "_LEADING",
                    "-leading", "-LEADING",
                ],
            ),
            ("z42", ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]),
        ] {
            for (rule, name) in RULES.into_iter().zip(names) {
                assert_eq!(
                    Case::of(rule).map(|case| case.of_field(field)).as_deref(),
                    Some(name),
                    "{rule}"
                );
            }
        }
    }

    #[test]
    fn an_unknown_rule_is_left_to_serde() {
        assert_eq!(Case::of("Title Case"), None);
    }
}
