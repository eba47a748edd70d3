use super::*;
use crate::fingerprint::Member;

fn text(body: &str) -> Result<String, PayloadFault> {
    masked(body, &Mask::NONE)
}

fn masked(body: &str, mask: &Mask) -> Result<String, PayloadFault> {
    let text = canonical(body.as_bytes(), mask).map_err(|error| error.fault())?;
    Ok(String::from_utf8(text).unwrap())
}

#[track_caller]
fn all_are(canonical: &str, spellings: &[&str]) {
    for spelling in spellings {
        assert_eq!(text(spelling).as_deref(), Ok(canonical), "{spelling}");
    }
}

#[test]
fn spellings_of_one_number_are_one_number() {
    all_are(
        "1e1",
        &["10", "10.0", "10.00", "1e1", "1E+1", "0.1e2", "100e-1", "1e0000000000000000000000001"],
    );
    all_are("15e-1", &["1.5", "1.50", "15e-1", "0.0015e3"]);
    all_are("-12e-4", &["-0.0012", "-12e-4", "-0.00120"]);
    all_are("7", &["7", "7.0", "7e0", "7e-0", "0.7e1"]);
    all_are("100001", &["100001", "1000010e-1", "1000.01e2"]);
    all_are("1e400", &["1e400", "10e399", "0.1E401"]);
}

#[test]
fn every_zero_is_zero() {
    all_are("0", &["0", "-0", "0.0", "-0.0", "0e7", "-0.000e-12", "0e999999999999999999999999"]);
}

#[test]
fn numbers_that_one_float_would_stand_for_differ() {
    assert_ne!(text("9007199254740993"), text("9007199254740992"));
    assert_ne!(text("333333333.33333329"), text("333333333.33333330"));
    assert_ne!(text("0.1"), text("0.1000000000000000055511151231257827"));
    assert_eq!(text("9007199254740991.0"), text("9007199254740991"));
}

#[test]
fn a_number_is_not_the_string_that_spells_it() {
    assert_ne!(text("10.00"), text(r#""10.00""#));
    assert_ne!(text(r#""10.00""#), text(r#""10.0""#));
}

#[test]
fn exponents_are_never_expanded_and_have_a_range() {
    all_are("1e1000000000000000", &["1e1000000000000000", "0.1e1000000000000001"]);
    all_are("1e-1000000000000000", &["1e-1000000000000000"]);
    for number in ["1e1000000000000001", "1e-1000000000000001", "1e99999999999999999999999999"] {
        assert_eq!(text(number), Err(PayloadFault::NumberOutOfRange), "{number}");
    }
}

#[test]
fn malformed_numbers_are_refused() {
    for number in [
        "01",
        "-01",
        "00",
        "1.x",
        ".5",
        "+1",
        "-x",
        "1.e3",
        "1ex",
        "1e+x",
        "0x1",
        "NaN",
        "-Infinity",
        "1_000",
    ] {
        assert!(text(number).is_err(), "{number}");
    }
    for number in ["-", "1.", "1e", "1e-"] {
        assert_eq!(text(number), Err(PayloadFault::UnexpectedEnd), "{number}");
    }
}

#[test]
fn strings_have_the_shortest_escapes() {
    all_are(
        r#""/aé\"\\\b\f\n\r\t""#,
        &[
            r#""\/\u0061\u00e9\u0022\u005c\u0008\u000c\u000a\u000d\u0009""#,
            r#""/aé\"\\\b\f\n\r\t""#,
        ],
    );
    all_are(r#""\u0000\u001f""#, &[r#""\u0000\u001F""#]);
    all_are("\"\u{7f}\u{2028}😀\"", &["\"\\u007f\\u2028\\uD83D\\ude00\"", "\"\u{7f}\u{2028}😀\""]);
}

#[test]
fn composed_and_decomposed_letters_differ() {
    assert_ne!(text("\"\u{e9}\""), text("\"e\u{301}\""));
}

#[test]
fn strings_that_are_no_text_are_refused() {
    for (string, fault) in [
        (r#""\ud800""#, PayloadFault::LoneSurrogate),
        (r#""\udc00""#, PayloadFault::LoneSurrogate),
        (r#""\ud800\u0041""#, PayloadFault::LoneSurrogate),
        (r#""\ud800\ud800""#, PayloadFault::LoneSurrogate),
        (r#""\ud800\n""#, PayloadFault::LoneSurrogate),
        (r#""\x41""#, PayloadFault::InvalidEscape),
        (r#""\u00g0""#, PayloadFault::InvalidEscape),
        (r#""\u+041""#, PayloadFault::InvalidEscape),
        (r#""\u12"#, PayloadFault::UnexpectedEnd),
        (r#""\"#, PayloadFault::UnexpectedEnd),
        (r#""abc"#, PayloadFault::UnexpectedEnd),
        ("\"a\nb\"", PayloadFault::ControlCharacter),
        ("\"\\n\0\"", PayloadFault::ControlCharacter),
    ] {
        assert_eq!(text(string), Err(fault), "{string}");
    }
    let not_utf8 = canonical(b"{\"a\":\"\xff\"}", &Mask::NONE).unwrap_err();
    assert_eq!((not_utf8.fault(), not_utf8.offset()), (PayloadFault::NotUtf8, 6));
}

#[test]
fn special_bytes_are_found_at_every_place() {
    for length in 0..20 {
        for special in ['"', '\\', '\0', '\u{1f}'] {
            let padded = format!("{}{special}é\u{7f} !", "é".repeat(length));
            assert_eq!(string::plain_length(padded.as_bytes()), 2 * length);
        }
    }
}

#[test]
fn names_are_in_the_order_of_their_bytes_and_not_of_their_spelling() {
    all_are(
        r#"{"":0,"A":1,"a":2,"aa":3,"é":4}"#,
        &[
            r#"{"é":4,"aa":3,"a":2,"A":1,"":0}"#,
            r#" { "" : 0 , "A" : 1, "\u0061":2 ,"\u0061a":3,"\u00e9":4 } "#,
        ],
    );
    all_are(
        "{\"\u{7f}\u{2028}/\":3,\"\u{fb33}\":1,\"😀\":2}",
        &["{\"\\ufb33\":1,\"\\ud83d\\ude00\":2,\"\\u007f\\u2028\\/\":3}"],
    );
    all_are(r#"{"\n":1," ":2,"\"":3,"\\":4,"a":5}"#, &[r#"{"a":5,"\\":4,"\"":3," ":2,"\n":1}"#]);
}

#[test]
fn objects_inside_objects_are_sorted_each() {
    all_are(
        r#"{"a":{"x":[{"p":1,"q":2}],"y":1},"b":{}}"#,
        &[r#"{"b":{},"a":{"y":1,"x":[{"q":2,"p":1}]}}"#],
    );
}

#[test]
fn a_name_twice_is_refused_however_it_is_spelled() {
    for body in [
        r#"{"a":1,"a":1}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"\u0061":1,"b":0,"a":2}"#,
        r#"[{"x":{"b":1,"a":2,"b":1}}]"#,
    ] {
        assert_eq!(text(body), Err(PayloadFault::DuplicateName), "{body}");
    }
    assert!(text(r#"[{"a":1},{"a":1,"b":{"a":1}}]"#).is_ok());
    let error = canonical(br#"{"b":1,"a":2,"b":3}"#, &Mask::NONE).unwrap_err();
    assert_eq!(error.offset(), 13);
}

#[test]
fn null_is_not_absent_and_order_in_arrays_counts() {
    assert_ne!(text(r#"{"a":null}"#), text("{}"));
    assert_ne!(text("[1,2]"), text("[2,1]"));
    assert_ne!(text("[]"), text("{}"));
}

#[test]
fn nesting_ends_at_the_documented_depth() {
    let arrays = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let objects = |depth: usize| "{\"a\":".repeat(depth) + "1" + &"}".repeat(depth);
    assert!(text(&arrays(127)).is_ok());
    assert!(text(&objects(127)).is_ok());
    for depth in [128, 10_000, 1_000_000] {
        assert_eq!(text(&arrays(depth)), Err(PayloadFault::TooDeep));
        assert_eq!(text(&objects(depth)), Err(PayloadFault::TooDeep));
    }
    assert!(text(&format!("[{}]", vec![arrays(126); 3].join(","))).is_ok());
}

#[test]
fn what_is_not_json_is_refused() {
    for (body, fault) in [
        ("", PayloadFault::UnexpectedEnd),
        (" \n", PayloadFault::UnexpectedEnd),
        ("{", PayloadFault::UnexpectedEnd),
        ("[1", PayloadFault::UnexpectedEnd),
        ("tru", PayloadFault::UnexpectedEnd),
        ("[1,]", PayloadFault::UnexpectedCharacter),
        (r#"{"a":1,}"#, PayloadFault::UnexpectedCharacter),
        (r#"{"a" 1}"#, PayloadFault::UnexpectedCharacter),
        ("{a:1}", PayloadFault::UnexpectedCharacter),
        ("{1:1}", PayloadFault::UnexpectedCharacter),
        ("[1 2]", PayloadFault::UnexpectedCharacter),
        ("'a'", PayloadFault::UnexpectedCharacter),
        ("truth", PayloadFault::UnexpectedCharacter),
        ("\u{a0}1", PayloadFault::UnexpectedCharacter),
        ("[1] // x", PayloadFault::TrailingContent),
        ("1 2", PayloadFault::TrailingContent),
        ("nullx", PayloadFault::TrailingContent),
        ("\u{feff}1", PayloadFault::ByteOrderMark),
        ("01", PayloadFault::InvalidNumber),
    ] {
        assert_eq!(text(body), Err(fault), "{body}");
    }
    all_are("true", &[" \t\r\ntrue \t\r\n"]);
}

#[test]
fn errors_tell_the_place_and_nothing_of_the_payload() {
    let error = canonical(b"{\n  \"card\": \"4242\",\n  \"card\": 1\n}", &Mask::NONE).unwrap_err();
    assert_eq!((error.line(), error.column(), error.offset()), (3, 3, 22));
    assert!(!format!("{error} {error:?}").contains("card"));
}

const CARD: Mask = Mask::new(&[Member::ignored(&["seen_at"])]);
const MASK: Mask =
    Mask::new(&[Member::ignored(&["at", "clientTime"]), Member::nested(&["card", "cards"], &CARD)])
        .with_flattened(&[&Mask::new(&[Member::ignored(&["trace"]), Member::ignored(&["card"])])]);

#[test]
fn ignored_members_are_left_out_under_each_of_their_names() {
    for body in [
        r#"{"a":1,"b":2}"#,
        r#"{"at":0,"a":1,"b":2}"#,
        r#"{"a":1,"clientTime":{"x":[1]},"b":2}"#,
        r#"{"b":2,"\u0061t":0,"a":1,"trace":null}"#,
    ] {
        assert_eq!(masked(body, &MASK).as_deref(), Ok(r#"{"a":1,"b":2}"#), "{body}");
    }
    assert_eq!(masked(r#"{"at":1}"#, &MASK).as_deref(), Ok("{}"));
}

#[test]
fn nested_masks_reach_members_and_items_and_only_those() {
    assert_eq!(
        masked(r#"{"card":{"seen_at":1,"n":1},"seen_at":2,"at":3}"#, &MASK).as_deref(),
        Ok(r#"{"card":{"n":1},"seen_at":2}"#),
    );
    assert_eq!(
        masked(r#"[{"cards":[{"seen_at":1},[{"seen_at":2}],3],"at":1}]"#, &MASK).as_deref(),
        Ok(r#"[{"cards":[{},[{}],3]}]"#),
    );
    assert_eq!(masked(r#"{"x":{"at":1}}"#, &MASK).as_deref(), Ok(r#"{"x":{"at":1}}"#));
}

#[test]
fn ignored_members_are_still_read_strictly() {
    for (body, fault) in [
        (r#"{"at":1,"at":2}"#, PayloadFault::DuplicateName),
        (r#"{"at":{"x":1,"x":2}}"#, PayloadFault::DuplicateName),
        (r#"{"at":01}"#, PayloadFault::InvalidNumber),
        (r#"{"at":"#, PayloadFault::UnexpectedEnd),
    ] {
        assert_eq!(masked(body, &MASK), Err(fault), "{body}");
    }
}
