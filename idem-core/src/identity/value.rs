//! Which types can be part of an identity: scalars, text, references.

use std::borrow::Cow;
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::IdentityWriter;

/// A type that can be a critical field: equal values, and only those, are written alike.
///
/// Integers of every width and `Decimal` share one encoding, so that a type can be widened
/// without turning the retries of a running deployment into conflicts. Floats are left out on
/// purpose: they compare by rounding.
///
/// ```
/// use idem_core::identity::{Identity, IdentityValue, IdentityWriter};
///
/// struct Iban(String);
///
/// impl IdentityValue for Iban {
///     fn write(&self, out: &mut IdentityWriter<'_>) {
///         out.text(&self.0.replace(' ', ""));
///     }
/// }
///
/// let account = |iban: &str| {
///     let mut identity = Identity::new();
///     identity.value("account", &Iban(iban.to_owned()));
///     identity
/// };
/// assert_eq!(account("DE02 1203"), account("DE021203"));
/// ```
///
/// A float does not compile:
///
/// ```compile_fail,E0277
/// # use idem_core::identity::Identity;
/// Identity::new().value("amount", &10.5_f64);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a semantic identity",
    label = "not an identity value",
    note = "floats compare by rounding: use `rust_decimal::Decimal` (feature `rust_decimal`) or an integer of minor units",
    note = "for your own type: `#[derive(IdentityValue)]`"
)]
pub trait IdentityValue {
    /// Writes exactly one value.
    fn write(&self, out: &mut IdentityWriter<'_>);
}

macro_rules! integers {
    ($($method:ident as $wide:ident: $($integer:ident)+;)+) => {$($(
        impl IdentityValue for $integer {
            fn write(&self, out: &mut IdentityWriter<'_>) {
                out.$method(*self as $wide);
            }
        }

        impl IdentityValue for NonZero<$integer> {
            fn write(&self, out: &mut IdentityWriter<'_>) {
                self.get().write(out);
            }
        }
    )+)+};
}

integers! {
    integer as i128: i8 i16 i32 i64 i128 isize;
    unsigned as u128: u8 u16 u32 u64 u128 usize;
}

impl IdentityValue for bool {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.boolean(*self);
    }
}

/// A character is the text of that character.
impl IdentityValue for char {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.text(self.encode_utf8(&mut [0; 4]));
    }
}

impl IdentityValue for str {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.text(self);
    }
}

impl IdentityValue for String {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.text(self);
    }
}

impl IdentityValue for Duration {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let nanoseconds = i128::try_from(self.as_nanos());
        out.span(nanoseconds.expect("a duration has fewer than 2^94 nanoseconds"));
    }
}

impl IdentityValue for SystemTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let nanoseconds = match self.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_nanos() as i128,
            Err(before) => -(before.duration().as_nanos() as i128),
        };
        write_instant(out, nanoseconds);
    }
}

/// Writes the instant that many nanoseconds after the Unix epoch, whatever type it came as.
pub(super) fn write_instant(out: &mut IdentityWriter<'_>, nanoseconds: i128) {
    let seconds = i64::try_from(nanoseconds.div_euclid(1_000_000_000));
    let nanoseconds = nanoseconds.rem_euclid(1_000_000_000) as u32;
    out.instant(seconds.expect("clocks count seconds in 64 bits"), nanoseconds);
}

macro_rules! references {
    ($($reference:ty),+) => {$(
        impl<T: IdentityValue + ?Sized> IdentityValue for $reference {
            fn write(&self, out: &mut IdentityWriter<'_>) {
                (**self).write(out);
            }
        }
    )+};
}

references!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);

impl<T: IdentityValue + ToOwned + ?Sized> IdentityValue for Cow<'_, T> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        (**self).write(out);
    }
}
