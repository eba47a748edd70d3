use ::rust_decimal::Decimal;

use crate::identity::{IdentityValue, IdentityWriter};

/// Trailing zeros do not count, and a whole number is the integer of its value.
impl IdentityValue for Decimal {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let scale = i32::try_from(self.scale()).expect("a scale is at most 28");
        out.decimal(self.mantissa(), -scale);
    }
}
