//! The published test vectors hold: what another language reads in them is what we do.

#![allow(clippy::unwrap_used, reason = "the functions of a test may panic as the test may")]

use std::collections::BTreeMap;

use idem_core::fingerprint::{Encoding, Fingerprint, Mask, Member};
use serde_json::Value;

const VECTORS: &str = include_str!("../../docs/fingerprint-vectors.json");

#[test]
fn every_published_vector_holds() {
    let vectors: Vec<Value> = serde_json::from_str(VECTORS).unwrap();
    assert!(vectors.len() >= 40);
    for vector in &vectors {
        check(vector);
    }
}

fn check(vector: &Value) {
    let name = text(vector, "name").unwrap();
    let media_type = text(vector, "media_type");
    let (encoding, body, mask) = (encoding(vector), body(vector), mask(vector));
    match Fingerprint::of(encoding, media_type, &body, &mask) {
        Ok(fingerprint) => {
            let canonical = encoding.canonical(media_type, &body, &mask).unwrap();
            if let Some(expected) = text(vector, "canonical") {
                assert_eq!(String::from_utf8_lossy(&canonical), expected, "{name}");
            }
            assert_eq!(Some(&*fingerprint.to_string()), text(vector, "fingerprint"), "{name}");
        }
        Err(error) => assert_eq!(Some(error.fault().as_str()), text(vector, "error"), "{name}"),
    }
}

fn text<'v>(vector: &'v Value, member: &str) -> Option<&'v str> {
    vector.get(member).map(|value| value.as_str().unwrap())
}

fn encoding(vector: &Value) -> Encoding {
    match text(vector, "encoding").unwrap() {
        "json" => Encoding::Json,
        "form" => Encoding::Form,
        "raw" => Encoding::Raw,
        other => panic!("unknown encoding {other}"),
    }
}

fn body(vector: &Value) -> Vec<u8> {
    let Some(hex) = text(vector, "body_hex") else {
        return text(vector, "body").unwrap().as_bytes().to_vec();
    };
    let digits = hex.as_bytes().chunks(2).map(|pair| str::from_utf8(pair).unwrap());
    digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

/// The mask of the paths in `ignore`, such as `card.seen_at`.
fn mask(vector: &Value) -> Mask {
    let paths = vector.get("ignore").and_then(Value::as_array);
    let paths = paths.into_iter().flatten().map(|path| path.as_str().unwrap());
    mask_of(&paths.map(|path| path.split('.').collect()).collect::<Vec<_>>())
}

fn mask_of(paths: &[Vec<&str>]) -> Mask {
    let mut by_name: BTreeMap<&str, Vec<Vec<&str>>> = BTreeMap::new();
    for path in paths {
        by_name.entry(path[0]).or_default().push(path[1..].to_vec());
    }
    let members = by_name.into_iter().map(|(name, rest)| {
        let names: &[&'static str] = leaked(vec![&*name.to_owned().leak()]);
        if rest.contains(&Vec::new()) {
            return Member::ignored(names);
        }
        Member::nested(names, &leaked(vec![mask_of(&rest)])[0])
    });
    Mask::new(leaked(members.collect()))
}

/// Masks are constants of a program; here they are made once for the few vectors of the test.
fn leaked<T>(items: Vec<T>) -> &'static [T] {
    items.leak()
}
