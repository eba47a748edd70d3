//! Durations as people write them: `"72h"`, `"1h30m"`, `"250ms"`.

use syn::LitStr;

use crate::diagnostics::fault;
use crate::suggest;

/// A span of time in whole milliseconds, above zero and at most 366 days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Millis(u64);

/// The units from large to small, with their length in milliseconds.
const UNITS: &[(&str, u64)] =
    &[("d", DAY), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1)];
const DAY: u64 = 86_400_000;

/// The longest duration that makes sense for a record: a year, and a day for leap years.
const LONGEST: u64 = 366 * DAY;

impl Millis {
    /// How long a retry waits for the first unless it is said: short enough for every client's
    /// patience, long enough for most handlers.
    pub(crate) const DEFAULT_WAIT: (&'static str, Self) = ("5s", Self(5_000));

    /// How long the runtime keeps a record unless it is said, as people write it.
    pub(crate) const DEFAULT_TTL: (&'static str, Self) = ("24h", Self(DAY));

    /// Reads a duration, or says what is wrong with it.
    pub(crate) fn parse(literal: &LitStr) -> syn::Result<Self> {
        let text = literal.value();
        let refuse = |(message, help): (String, String)| fault(literal, message, help);
        let millis = sum(&text).map_err(refuse)?;
        if millis == 0 {
            return Err(refuse(zero(&text)));
        }
        if millis > LONGEST {
            return Err(refuse(too_long(&text)));
        }
        Ok(Self(millis))
    }

    /// The number of milliseconds.
    pub(crate) fn get(self) -> u64 {
        self.0
    }
}

/// A message and its help.
type Refusal = (String, String);

/// Adds up the parts, whose units must go from large to small.
fn sum(text: &str) -> Result<u64, Refusal> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err(("a duration cannot be empty".into(), "write for example `\"72h\"`".into()));
    }
    let mut total: u64 = 0;
    let mut units = UNITS;
    while !rest.is_empty() {
        let (count, unit, after) = part(text, rest)?;
        let position = units.iter().position(|(name, _)| *name == unit);
        let (_, length) = units[position.ok_or_else(|| out_of_order(text))?];
        units = &units[position.map_or(0, |position| position + 1)..];
        let millis = count.checked_mul(length).ok_or_else(|| too_long(text))?;
        total = total.checked_add(millis).ok_or_else(|| too_long(text))?;
        rest = after.trim_start();
    }
    Ok(total)
}

/// Splits one `number unit` off the front.
fn part<'a>(text: &str, rest: &'a str) -> Result<(u64, &'a str, &'a str), Refusal> {
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, after) = rest.split_at(digits);
    if number.is_empty() || after.starts_with('.') || after.starts_with('_') {
        return Err(no_whole_number(text));
    }
    let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
    let (unit, after) = after.split_at(letters);
    if unit.is_empty() {
        let message = format!("the duration `{text}` has no unit");
        return Err((
            message,
            format!("write `\"{number}h\"` or `\"{number}s\"`; {}", unit_choices()),
        ));
    }
    if !UNITS.iter().any(|(name, _)| *name == unit) {
        return Err(unknown_unit(text, number, unit));
    }
    let count = number.parse().map_err(|_| too_long(text))?;
    Ok((count, unit, after))
}

fn no_whole_number(text: &str) -> Refusal {
    let message = format!("the duration `{text}` is not made of whole numbers with units");
    (message, "write for example `\"72h\"`, `\"1h30m\"` or `\"250ms\"`".into())
}

fn out_of_order(text: &str) -> Refusal {
    let message = format!("the units of the duration `{text}` do not go from large to small");
    (message, "write each unit once and the largest first, as in `\"1h30m\"`".into())
}

fn zero(text: &str) -> Refusal {
    (format!("the duration `{text}` is zero"), "give it a length, for example `\"30s\"`".into())
}

fn too_long(text: &str) -> Refusal {
    (format!("the duration `{text}` is longer than 366 days"), "write at most `\"366d\"`".into())
}

fn unknown_unit(text: &str, number: &str, unit: &str) -> Refusal {
    let message = format!("unknown unit `{unit}` in the duration `{text}`");
    let meant =
        meant(unit).map(|unit| format!("did you mean `\"{number}{unit}\"`? ")).unwrap_or_default();
    (message, format!("{meant}{}", unit_choices()))
}

fn unit_choices() -> String {
    let names: Vec<&str> = UNITS.iter().rev().map(|(name, _)| *name).collect();
    format!("the units are {}", suggest::list(&names))
}

/// The unit behind a longer spelling of it, such as `hours` or `MIN`.
fn meant(unit: &str) -> Option<&'static str> {
    let unit = unit.to_lowercase();
    let spellings = [
        ("milli", "ms"),
        ("msec", "ms"),
        ("mi", "m"),
        ("sec", "s"),
        ("h", "h"),
        ("d", "d"),
        ("s", "s"),
        ("m", "m"),
    ];
    let spelling = spellings.iter().find(|(start, _)| unit.starts_with(start) && unit != "mo");
    spelling.map(|(_, unit)| *unit).filter(|_| !unit.starts_with("month"))
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    fn read(text: &str) -> Result<u64, String> {
        let literal = LitStr::new(text, Span::call_site());
        Millis::parse(&literal).map(Millis::get).map_err(|fault| fault.to_string())
    }

    #[test]
    fn every_unit_and_their_sequences_are_read() {
        for (text, millis) in [
            ("250ms", 250),
            ("30s", 30_000),
            ("5m", 300_000),
            ("72h", 259_200_000),
            ("7d", 604_800_000),
            ("1h30m", 5_400_000),
            ("1d 2h 3m 4s 5ms", 93_784_005),
            ("366d", LONGEST),
        ] {
            assert_eq!(read(text), Ok(millis), "{text}");
        }
    }

    #[test]
    fn a_faulty_duration_says_what_to_write() {
        for (text, message) in [
            ("", "cannot be empty"),
            ("72", "has no unit\nhelp: write `\"72h\"` or `\"72s\"`"),
            (
                "72hours",
                "unknown unit `hours` in the duration `72hours`\nhelp: did you mean `\"72h\"`?",
            ),
            ("5min", "did you mean `\"5m\"`?"),
            ("5S", "did you mean `\"5s\"`?"),
            (
                "2w",
                "unknown unit `w` in the duration `2w`\nhelp: the units are `ms`, `s`, `m`, `h`, `d`",
            ),
            ("2months", "unknown unit `months` in the duration `2months`\nhelp: the units are"),
            ("1.5h", "is not made of whole numbers"),
            ("-1h", "is not made of whole numbers"),
            ("h", "is not made of whole numbers"),
            ("30m1h", "do not go from large to small"),
            ("1h1h", "do not go from large to small"),
            ("0s", "is zero"),
            ("367d", "is longer than 366 days"),
            ("99999999999999999999d", "is longer than 366 days"),
            ("18446744073709551615h", "is longer than 366 days"),
        ] {
            let fault = read(text).expect_err(text);
            assert!(fault.contains(message), "{text}: {fault}");
        }
    }
}
