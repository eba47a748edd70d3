//! What a fingerprint promises, checked on payloads of every shape.

#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

use idem_core::fingerprint::{Encoding, Fingerprint, Mask, canonical_query};
use proptest::prelude::*;

/// A JSON payload as a client might spell it.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Json {
    Null,
    Bool(bool),
    /// Digits and a power of ten, without trailing zeros: equal exactly when the decimals are.
    Number(i64, i32),
    Text(String),
    Array(Vec<Json>),
    Object(std::collections::BTreeMap<String, Json>),
}

fn number(mut digits: i64, mut exponent: i32) -> Json {
    while digits != 0 && digits % 10 == 0 {
        digits /= 10;
        exponent += 1;
    }
    Json::Number(digits, if digits == 0 { 0 } else { exponent })
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        proptest::string::string_regex("[a-c\"\\\\/\n\u{1}é😀]{0,6}").unwrap()
    ]
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        (any::<i64>(), -30..30_i32).prop_map(|(digits, exponent)| number(digits, exponent)),
        (-200..200_i64, -3..3_i32).prop_map(|(digits, exponent)| number(digits, exponent)),
        text().prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::Array),
            prop::collection::btree_map(text(), inner, 0..6).prop_map(Json::Object),
        ]
    })
}

/// Spells `json` in one of many ways, steered by `choices`, which repeat.
fn spell(json: &Json, choices: &[u8]) -> String {
    let mut speller = Speller { choices: choices.iter().cycle(), out: String::new() };
    speller.value(json);
    speller.space();
    speller.out
}

struct Speller<'a> {
    choices: std::iter::Cycle<std::slice::Iter<'a, u8>>,
    out: String,
}

impl Speller<'_> {
    fn choose(&mut self, of: u8) -> u8 {
        self.choices.next().unwrap_or(&0) % of
    }

    fn space(&mut self) {
        let space = ["", " ", "\n", "\t\r\n "][usize::from(self.choose(4))];
        self.out.push_str(space);
    }

    fn value(&mut self, json: &Json) {
        self.space();
        match json {
            Json::Null => self.out.push_str("null"),
            Json::Bool(value) => self.out.push_str(&value.to_string()),
            Json::Number(digits, exponent) => self.number(*digits, *exponent),
            Json::Text(text) => self.text(text),
            Json::Array(items) => self.array(items),
            Json::Object(members) => self.object(members.iter().collect()),
        }
        self.space();
    }

    fn number(&mut self, digits: i64, exponent: i32) {
        let zeros = self.choose(4);
        let spelled = match self.choose(3) {
            0 => format!("{digits}e{exponent}"),
            1 if digits != 0 => {
                let padded = format!("{digits}{}", "0".repeat(zeros.into()));
                format!("{padded}E{:+03}", exponent - i32::from(zeros))
            }
            _ => {
                let sign = if digits < 0 { "-" } else { "" };
                format!(
                    "{sign}0.{:0>25}{}e{}",
                    digits.unsigned_abs(),
                    "0".repeat(zeros.into()),
                    exponent + 25
                )
            }
        };
        self.out.push_str(&spelled);
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for character in text.chars() {
            let must = character < ' ' || character == '"' || character == '\\';
            if must || self.choose(5) == 0 {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    self.out.push_str(&format!("\\u{unit:04X}"));
                }
            } else if character == '/' && self.choose(2) == 0 {
                self.out.push_str("\\/");
            } else {
                self.out.push(character);
            }
        }
        self.out.push('"');
    }

    fn array(&mut self, items: &[Json]) {
        self.out.push('[');
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            self.value(item);
        }
        self.space();
        self.out.push(']');
    }

    fn object(&mut self, mut members: Vec<(&String, &Json)>) {
        self.out.push('{');
        self.space();
        for index in 0..members.len() {
            if index > 0 {
                self.out.push(',');
                self.space();
            }
            let chosen = usize::from(self.choose(u8::MAX)) % members.len();
            let (name, value) = members.swap_remove(chosen);
            self.text(name);
            self.space();
            self.out.push(':');
            self.value(value);
        }
        self.out.push('}');
    }
}

/// Changes the leaf that `which` counts to, or puts one where there is none.
fn change_a_leaf(json: &mut Json, which: &mut usize) -> bool {
    let children: Vec<&mut Json> = match json {
        Json::Array(items) if !items.is_empty() => items.iter_mut().collect(),
        Json::Object(members) if !members.is_empty() => members.values_mut().collect(),
        leaf if *which == 0 => {
            *leaf = changed(leaf);
            return true;
        }
        _ => {
            *which -= 1;
            return false;
        }
    };
    children.into_iter().any(|child| change_a_leaf(child, which))
}

fn changed(leaf: &Json) -> Json {
    match leaf {
        Json::Null => Json::Bool(false),
        Json::Bool(value) => Json::Bool(!value),
        Json::Number(digits, exponent) if *digits < 0 => number(digits + 1, *exponent),
        Json::Number(digits, exponent) => number(digits - 1, *exponent),
        Json::Text(text) => Json::Text(format!("{text}x")),
        Json::Array(_) => Json::Array(vec![Json::Null]),
        Json::Object(_) => Json::Array(Vec::new()),
    }
}

fn canonical(body: &[u8]) -> Option<Vec<u8>> {
    Encoding::Json.canonical(None, body, &Mask::NONE).ok()
}

fn fingerprint(body: &str) -> Fingerprint {
    Fingerprint::of(Encoding::Json, None, body.as_bytes(), &Mask::NONE).expect(body)
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn spelling_does_not_count(json in json(), one in choices(), other in choices()) {
        prop_assert_eq!(fingerprint(&spell(&json, &one)), fingerprint(&spell(&json, &other)));
    }

    #[test]
    fn two_payloads_are_equal_exactly_when_their_canonical_texts_are(
        left in json(), right in json(), choices in choices(),
    ) {
        let (left_text, right_text) = (spell(&left, &choices), spell(&right, &choices));
        let equal = canonical(left_text.as_bytes()) == canonical(right_text.as_bytes());
        prop_assert_eq!(equal, left == right);
    }

    #[test]
    fn canonical_text_is_canonical(json in json(), choices in choices()) {
        let once = canonical(spell(&json, &choices).as_bytes()).expect("valid");
        prop_assert_eq!(canonical(&once), Some(once));
    }

    #[test]
    fn every_leaf_counts(json in json(), choices in choices(), which in 0..12_usize) {
        let mut other = json.clone();
        let mut which = which;
        if change_a_leaf(&mut other, &mut which) {
            prop_assert_ne!(fingerprint(&spell(&json, &choices)), fingerprint(&spell(&other, &choices)));
        }
    }

    #[test]
    fn canonical_text_means_what_was_sent(json in json(), choices in choices()) {
        let body = spell(&json, &choices);
        let sent: serde_json::Value = serde_json::from_str(&body).expect("serde_json reads it");
        let kept = canonical(body.as_bytes()).expect("so do we");
        let kept: serde_json::Value = serde_json::from_slice(&kept).expect("and what we wrote");
        // serde_json rounds to floats, which may not be equal for two spellings of one number.
        prop_assert_eq!(without_numbers(sent), without_numbers(kept));
    }
}

proptest! {
    #![proptest_config(config(20_000))]

    #[test]
    fn numbers_are_equal_exactly_when_their_decimals_are(
        left in (-2000..2000_i64, -3..3_i32), right in (-2000..2000_i64, -3..3_i32),
    ) {
        let spelled = |(digits, exponent): (i64, i32)| format!("{digits}e{exponent}");
        let scaled = |(digits, exponent): (i64, i32)| digits * 10_i64.pow((exponent + 3) as u32);
        let equal = canonical(spelled(left).as_bytes()) == canonical(spelled(right).as_bytes());
        prop_assert_eq!(equal, scaled(left) == scaled(right));
    }

    #[test]
    fn any_bytes_are_read_or_refused_as_serde_json_does(
        body in prop::collection::vec(prop_oneof![
            4 => proptest::sample::select(&b"{}[]\":,\\ue+-.019aftrn \n"[..]),
            1 => any::<u8>(),
        ], 0..24),
    ) {
        let ours = Encoding::Json.canonical(None, &body, &Mask::NONE);
        let theirs = serde_json::from_slice::<serde_json::Value>(&body);
        match (ours, theirs) {
            (Ok(_), Ok(_)) | (Err(_), Err(_)) => {}
            // What a float cannot hold is a number to us, and a name twice is none of their faults.
            (Ok(_), Err(error)) => prop_assert!(error.to_string().contains("number out of range")),
            (Err(error), Ok(_)) => prop_assert_eq!(error.fault().as_str(), "duplicate-name"),
        }
    }

    #[test]
    fn canonical_forms_are_canonical_and_lose_nothing(
        query in proptest::string::string_regex("[a-c=&%+2fF é]{0,16}").unwrap(),
    ) {
        let once = canonical_query(Some(&query));
        let text = String::from_utf8(once.clone()).unwrap();
        prop_assert_eq!(canonical_query(Some(&text)), once);
        let pairs = text.split('&').filter(|pair| !pair.is_empty()).count();
        prop_assert_eq!(pairs, query.split('&').filter(|pair| !pair.is_empty()).count());
    }
}

fn without_numbers(value: serde_json::Value) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::Number(_) => Value::from(0),
        Value::Array(items) => items.into_iter().map(without_numbers).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(name, value)| (name, without_numbers(value))).collect()
        }
        other => other,
    }
}
