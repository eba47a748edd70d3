//! What the encoding promises, checked on values of every shape.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::NonZero;
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use super::*;

fn encoded<T: IdentityValue + ?Sized>(value: &T) -> Vec<u8> {
    let mut out = Vec::new();
    value.write(&mut IdentityWriter::new(&mut out));
    out
}

/// A value of any shape; `Int` and `Decimal` are kept apart by construction.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Value {
    Unit,
    Bool(bool),
    Int(i128),
    Half(i64),
    Text(String),
    Bytes(Vec<u8>),
    Maybe(Option<Box<Value>>),
    List(Vec<Value>),
    Pair(Box<(Value, Value)>),
    Set(BTreeSet<Value>),
    Map(BTreeMap<Value, Value>),
    Record(BTreeMap<String, Value>),
    Variant(String, Vec<Value>),
    Instant(i64, u32),
    Date(i32, u8, u8),
    TimeOfDay(u32, u32),
    Span(i128),
}

impl IdentityValue for Value {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        match self {
            Self::Unit => out.value(&()),
            Self::Bool(value) => out.value(value),
            Self::Int(value) => out.value(value),
            Self::Half(value) => out.decimal(i128::from(*value) * 10 + 5, -1),
            Self::Text(text) => out.value(text),
            Self::Bytes(bytes) => out.bytes(bytes),
            Self::Maybe(value) => out.value(value),
            Self::List(values) => out.value(values),
            Self::Pair(pair) => out.value(pair),
            Self::Set(set) => out.value(set),
            Self::Map(map) => out.value(map),
            Self::Record(members) => out.record(|record| {
                for (name, value) in members.iter().rev() {
                    record.member(name, |out| out.value(value));
                }
            }),
            Self::Variant(name, values) => {
                out.variant(name, |out| values.iter().for_each(|value| out.value(value)));
            }
            Self::Instant(seconds, nanoseconds) => out.instant(*seconds, *nanoseconds),
            Self::Date(year, month, day) => out.date(*year, *month, *day),
            Self::TimeOfDay(seconds, nanoseconds) => out.time_of_day(*seconds, *nanoseconds),
            Self::Span(nanoseconds) => out.span(*nanoseconds),
        }
    }
}

/// Text that looks like the encoding itself.
fn text() -> impl Strategy<Value = String> {
    proptest::string::string_regex("[a-bnt0-2:;()<>{}e+-]{0,5}").unwrap()
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Unit),
        any::<bool>().prop_map(Value::Bool),
        (-120_i128..120).prop_map(Value::Int),
        any::<i128>().prop_map(Value::Int),
        (-12_i64..12).prop_map(Value::Half),
        text().prop_map(Value::Text),
        text().prop_map(|text| Value::Bytes(text.into_bytes())),
        (-3_i64..3, 0_u32..3).prop_map(|(seconds, nanos)| Value::Instant(seconds, nanos)),
        (-2_i32..20, 1_u8..13, 1_u8..13).prop_map(|(y, m, d)| Value::Date(y, m, d)),
        (0_u32..20, 0_u32..20).prop_map(|(seconds, nanos)| Value::TimeOfDay(seconds, nanos)),
        (-3_i128..3).prop_map(Value::Span),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        let several = prop::collection::vec(inner.clone(), 0..4);
        let named = prop::collection::btree_map(text(), inner.clone(), 0..4);
        let keyed = prop::collection::btree_map(inner.clone(), inner.clone(), 0..4);
        prop_oneof![
            prop::option::of(inner.clone().prop_map(Box::new)).prop_map(Value::Maybe),
            several.clone().prop_map(Value::List),
            (inner.clone(), inner.clone()).prop_map(|pair| Value::Pair(Box::new(pair))),
            prop::collection::btree_set(inner, 0..4).prop_map(Value::Set),
            keyed.prop_map(Value::Map),
            named.prop_map(Value::Record),
            (text(), several).prop_map(|(name, values)| Value::Variant(name, values)),
        ]
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, cases: 1000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn values_are_equal_exactly_when_their_encodings_are(left in value(), right in value()) {
        prop_assert_eq!(left == right, encoded(&left) == encoded(&right));
        prop_assert_eq!(encoded(&left), encoded(&left.clone()));
    }

    #[test]
    fn no_encoding_begins_another(left in value(), right in value()) {
        let (left_bytes, right_bytes) = (encoded(&left), encoded(&right));
        prop_assert_eq!(left_bytes.starts_with(&right_bytes), left == right);
    }

    #[test]
    fn hashed_collections_are_written_like_sorted_ones(
        map in prop::collection::btree_map(any::<i16>(), text(), 0..20),
    ) {
        let hashed: HashMap<_, _> = map.clone().into_iter().collect();
        prop_assert_eq!(encoded(&hashed), encoded(&map));
        let keys: BTreeSet<i16> = map.into_keys().collect();
        let hashed: HashSet<_> = keys.iter().copied().collect();
        prop_assert_eq!(encoded(&hashed), encoded(&keys));
    }

    #[test]
    fn identities_read_back_as_they_were_stored(
        fields in prop::collection::btree_map(".{0,12}", value(), 0..8),
    ) {
        let mut identity = Identity::new();
        for (name, value) in fields {
            identity.field(name, |out| out.value(&value));
        }
        prop_assert_eq!(Identity::decode(&identity.encode()), Some(identity));
    }

    #[test]
    fn decoding_any_bytes_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..120)) {
        let versioned = [&[1, 0, 0, 0], &bytes[..]].concat();
        for bytes in [bytes, versioned] {
            if let Some(identity) = Identity::decode(&bytes) {
                prop_assert_eq!(identity.encode(), bytes);
            }
        }
    }
}

#[test]
fn integers_of_every_width_are_one_integer() {
    let seven = encoded(&7_u8);
    assert_eq!(seven, b"n7;");
    for wider in [encoded(&7_i8), encoded(&7_i64), encoded(&7_u128), encoded(&7_usize)] {
        assert_eq!(wider, seven);
    }
    assert_eq!(encoded(&NonZero::<u16>::new(7)), encoded(&Some(7)));
    assert_eq!(encoded(&-100), b"n-1e2;");
    assert_eq!(encoded(&0_i128), b"n0;");
    assert_ne!(encoded(&u128::MAX), encoded(&-1));
    assert_ne!(encoded(&i128::MIN), encoded(&(1_u128 << 127)));
}

#[test]
fn boundaries_between_values_count() {
    assert_ne!(encoded(&("ab", "c")), encoded(&("a", "bc")));
    assert_ne!(encoded(&vec!["ab", "c"]), encoded(&vec!["a", "bc"]));
    assert_ne!(encoded(&vec![vec![1], vec![]]), encoded(&vec![vec![], vec![1]]));
    assert_ne!(encoded(&((1, 2), 3)), encoded(&(1, (2, 3))));
    assert_ne!(encoded(&[""]), encoded::<[&str; 0]>(&[]));
}

#[test]
fn absent_present_and_bare_are_three_values() {
    let all = [
        encoded(&None::<Option<u8>>),
        encoded(&Some(None::<u8>)),
        encoded(&Some(Some(0_u8))),
        encoded(&Some(0_u8)),
        encoded(&0_u8),
        encoded(&()),
    ];
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}

#[test]
fn a_value_is_the_same_behind_every_reference_and_in_every_list() {
    for text in [
        encoded(&String::from("a")),
        encoded(&&"a"),
        encoded(&Box::<str>::from("a")),
        encoded(&std::rc::Rc::<str>::from("a")),
        encoded(&std::sync::Arc::new("a")),
        encoded(&Cow::Borrowed("a")),
        encoded(&'a'),
    ] {
        assert_eq!(text, encoded("a"));
    }
    let list = encoded(&[1, 2]);
    assert_eq!(encoded(&vec![1, 2]), list);
    assert_eq!(encoded(&VecDeque::from([1, 2])), list);
    assert_eq!(encoded(&[1, 2][..]), list);
}

#[test]
fn paths_are_written_like_the_values_they_reach() {
    let card = Some((4242, "x"));
    let written = |write: fn(&mut IdentityWriter<'_>, &Option<(i32, &'static str)>)| {
        let mut out = Vec::new();
        write(&mut IdentityWriter::new(&mut out), &card);
        out
    };
    let path = written(|out, card| out.option(card, |out, card| out.value(&card.0)));
    assert_eq!(path, encoded(&Some(4242)));
    let mut items = Vec::new();
    IdentityWriter::new(&mut items).each(&[(1, "x")], |out, item| out.value(item.1));
    assert_eq!(items, encoded(&["x"]));
}

#[test]
fn a_set_that_is_looked_into_has_no_order() {
    // What the path does not reach decides how the set is sorted.
    let looked_into = |set: &BTreeSet<(u8, &str)>| {
        let mut out = Vec::new();
        IdentityWriter::new(&mut out).each(set, |out, item| out.value(item.1));
        out
    };
    let there = looked_into(&BTreeSet::from([(1, "a"), (2, "b")]));
    assert_eq!(there, looked_into(&BTreeSet::from([(2, "a"), (1, "b")])));

    let hashed = || {
        let set: HashSet<u32> = (0..32).collect();
        let mut out = Vec::new();
        IdentityWriter::new(&mut out).each(&set, |out, item| out.value(&(item + 1)));
        out
    };
    assert_eq!(hashed(), hashed());
}

#[test]
fn system_times_before_the_epoch_are_instants_too() {
    assert_eq!(encoded(&UNIX_EPOCH), b"@0.0;");
    assert_eq!(encoded(&(UNIX_EPOCH - Duration::from_millis(1))), b"@-1.999000000;");
    assert_eq!(encoded(&Duration::from_micros(1)), b"p1000;");
}

#[cfg(feature = "rust_decimal")]
#[test]
fn decimals_compare_by_value_and_with_integers() {
    let decimal = |text: &str| encoded(&text.parse::<::rust_decimal::Decimal>().unwrap());
    assert_eq!(decimal("100"), decimal("100.00"));
    assert_eq!(decimal("100"), encoded(&100_u8));
    assert_eq!(decimal("-0.00"), encoded(&0));
    assert_eq!(decimal("0.10"), b"n1e-1;");
    assert_ne!(decimal("0.1"), decimal("0.01"));
}

#[cfg(feature = "uuid")]
#[test]
fn uuids_compare_by_value() {
    let uuid = |text: &str| encoded(&text.parse::<::uuid::Uuid>().unwrap());
    let lower = uuid("67e55044-10b1-426f-9247-bb680e5fe0c8");
    assert_eq!(lower, uuid("67E5504410B1426F9247BB680E5FE0C8"));
    assert_ne!(lower, uuid("67e55044-10b1-426f-9247-bb680e5fe0c9"));
}

#[cfg(all(feature = "time", feature = "jiff", feature = "chrono"))]
#[test]
fn instants_and_dates_are_alike_in_every_crate_and_at_every_offset() {
    let seconds = -1_234_567_891_i64;
    let time = ::time::OffsetDateTime::from_unix_timestamp(seconds).unwrap();
    let jiff = ::jiff::Timestamp::from_second(seconds).unwrap();
    let chrono = ::chrono::DateTime::from_timestamp(seconds, 0).unwrap();
    let offset = ::chrono::FixedOffset::east_opt(3600).unwrap();
    let instant = encoded(&jiff);
    assert_eq!(encoded(&time), instant);
    assert_eq!(encoded(&time.to_offset(::time::UtcOffset::from_hms(-5, 0, 0).unwrap())), instant);
    assert_eq!(
        encoded(&jiff.to_zoned_datetime(::jiff::tz::TimeZone::fixed(::jiff::tz::offset(2)))),
        instant
    );
    assert_eq!(encoded(&chrono), instant);
    assert_eq!(encoded(&chrono.with_timezone(&offset)), instant);
    assert_ne!(encoded(&chrono.naive_utc()), instant);

    let zoned = jiff.to_zoned_datetime(::jiff::tz::TimeZone::UTC).datetime();
    assert_eq!(encoded(&chrono.naive_utc()), encoded(&zoned));
    let primitive = ::time::PrimitiveDateTime::new(time.date(), time.time());
    assert_eq!(encoded(&primitive), encoded(&zoned));
    assert_eq!(encoded(&::time::Duration::seconds(-3)), encoded(&::chrono::TimeDelta::seconds(-3)));
    assert_eq!(encoded(&::jiff::SignedDuration::from_secs(3)), encoded(&Duration::from_secs(3)));
}
