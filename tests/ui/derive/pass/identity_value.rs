#![deny(unused)]

use idem_axum::IdentityValue;

#[derive(IdentityValue)]
struct Unit;

#[derive(IdentityValue)]
struct Cents(i64);

#[derive(IdentityValue)]
struct Pair<A, B>(A, B);

#[derive(IdentityValue)]
struct Empty {}

#[derive(IdentityValue)]
#[serde(rename_all = "camelCase")]
struct Money {
    minor_units: Cents,
    r#type: Option<Box<str>>,
    #[idem(ignore)]
    rate: f64,
}

#[derive(IdentityValue)]
#[serde(rename_all_fields = "camelCase")]
enum Method<T> {
    Cash,
    Card { last_four: u16, r#type: T },
    Split(T, Money),
    Nothing(),
    Least {},
}

#[derive(IdentityValue)]
enum Never {}

#[derive(IdentityValue)]
struct List<T> {
    head: T,
    tail: Option<Box<List<T>>>,
}

fn comparable<T: IdentityValue>(_: impl FnOnce() -> T) {}

fn main() {
    let money = || Money { minor_units: Cents(1), r#type: None, rate: 0.5 };
    assert!(money().rate > 0.0);
    comparable(|| Unit);
    comparable(|| Pair(Cents(1), Empty {}));
    comparable(|| {
        [Method::Cash, Method::Card { last_four: 4242, r#type: 1 }, Method::Split(1, money())]
    });
    comparable(|| [Method::<u8>::Nothing(), Method::Least {}]);
    comparable(|| List { head: 1, tail: None });
    comparable(|| -> Never { unreachable!() });
}
