//! What to offer for a word that is not known: every choice, and the nearest one first.

/// The choices as a sentence, led by the one that `word` most likely meant.
pub(crate) fn offer(word: &str, choices: &[&str]) -> String {
    let list = list(choices);
    match nearest(word, choices) {
        Some(nearest) if choices.len() > 1 => {
            format!("did you mean `{nearest}`? the choices are {list}")
        }
        _ if choices.len() == 1 => format!("the only choice is {list}"),
        _ => format!("the choices are {list}"),
    }
}

/// The words in backticks, with commas between them.
pub(crate) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

/// The choice with the fewest typing mistakes between it and `word`, when they are few.
fn nearest<'a>(word: &str, choices: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase();
    let measured = choices.iter().map(|choice| (mistakes(&word, choice), *choice));
    let (distance, choice) = measured.min_by_key(|(distance, _)| *distance)?;
    let tolerated = (choice.chars().count().max(word.chars().count()) / 3).max(1);
    (distance <= tolerated).then_some(choice)
}

/// Insertions, deletions, replacements and swapped neighbours between two words
/// (the optimal string alignment distance).
fn mistakes(left: &str, right: &str) -> usize {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    let mut rows = vec![vec![0; right.len() + 1]; left.len() + 1];
    rows[0] = (0..=right.len()).collect();
    for i in 1..=left.len() {
        rows[i][0] = i;
        for j in 1..=right.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(left[i - 1] != right[j - 1]);
            let shifted = rows[i - 1][j].min(rows[i][j - 1]) + 1;
            rows[i][j] = replaced.min(shifted);
            let swapped =
                i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
            if swapped {
                rows[i][j] = rows[i][j].min(rows[i - 2][j - 2] + 1);
            }
        }
    }
    rows[left.len()][right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHOICES: &[&str] = &["critical", "policy", "ttl", "lease", "on_failure", "on_crash"];

    #[test]
    fn typing_mistakes_lead_to_the_word_meant() {
        for (typed, meant) in [
            ("tll", "ttl"),
            ("critcal", "critical"),
            ("onfailure", "on_failure"),
            ("Policy", "policy"),
            ("laese", "lease"),
        ] {
            assert_eq!(nearest(typed, CHOICES), Some(meant), "{typed}");
        }
    }

    #[test]
    fn a_word_like_none_of_them_gets_no_guess() {
        assert_eq!(nearest("retention", CHOICES), None);
        assert_eq!(offer("x", &["a1", "b2"]), "the choices are `a1`, `b2`");
    }

    #[test]
    fn a_single_choice_is_named_as_such() {
        assert_eq!(offer("merge", &["reject"]), "the only choice is `reject`");
    }
}
