//! Numbers: exact decimals, whatever way they are spelled.

use super::Reader;
use crate::fingerprint::PayloadFault;

/// The furthest that the last digit of a number may be from the decimal point, in digits.
const MAX_EXPONENT: i64 = 1_000_000_000_000_000;

impl<'a> Reader<'a> {
    /// Reads a number and writes its digits from the first to the last that is not zero, and the
    /// power of ten of that last one: `-12.50` is `-125e-1`, `100` is `1e2`, every zero is `0`.
    pub(super) fn number(&mut self) -> Result<(), PayloadFault> {
        let start = self.at;
        let negative = self.skip(b"-");
        let whole = self.whole_digits()?;
        let integer = start..self.at;
        let fraction = if self.skip(b".") { self.digits()? } else { &[] };
        let exponent = if self.skip(b"eE") { self.exponent()? } else { 0 };

        if fraction.is_empty() && exponent == 0 && !whole.ends_with(b"0") {
            self.out.extend_from_slice(&self.body[integer]);
            return Ok(());
        }
        self.decimal(negative, whole, fraction, exponent).inspect_err(|_| self.at = start)
    }

    /// Writes (`whole`.`fraction`) × 10^`exponent`.
    fn decimal(
        &mut self,
        negative: bool,
        whole: &[u8],
        fraction: &[u8],
        exponent: i64,
    ) -> Result<(), PayloadFault> {
        let mut leading = whole.iter().chain(fraction).take_while(|digit| **digit == b'0').count();
        let digits = whole.len() + fraction.len();
        if leading == digits {
            self.out.push(b'0');
            return Ok(());
        }
        if negative {
            self.out.push(b'-');
        }
        for part in [whole, fraction] {
            let skipped = leading.min(part.len());
            self.out.extend_from_slice(&part[skipped..]);
            leading -= skipped;
        }
        let trailing = self.out.iter().rev().take_while(|digit| **digit == b'0').count();
        self.out.truncate(self.out.len() - trailing);
        self.power_of_ten(exponent - signed(fraction.len()) + signed(trailing))
    }

    fn power_of_ten(&mut self, exponent: i64) -> Result<(), PayloadFault> {
        if exponent.abs() > MAX_EXPONENT {
            return Err(PayloadFault::NumberOutOfRange);
        }
        if exponent != 0 {
            self.out.extend_from_slice(if exponent < 0 { b"e-" } else { b"e" });
            push_digits(exponent.unsigned_abs(), &mut self.out);
        }
        Ok(())
    }

    /// Reads the digits before the point: a zero alone, or digits that start with another.
    #[inline]
    fn whole_digits(&mut self) -> Result<&'a [u8], PayloadFault> {
        let start = self.at;
        let digits = self.digits()?;
        if digits.len() > 1 && digits[0] == b'0' {
            self.at = start;
            return Err(PayloadFault::InvalidNumber);
        }
        Ok(digits)
    }

    /// Reads an exponent after its `e`; one beyond all range stays beyond it.
    fn exponent(&mut self) -> Result<i64, PayloadFault> {
        let negative = self.skip(b"-");
        if !negative {
            self.skip(b"+");
        }
        let magnitude = self.digits()?.iter().fold(0, |magnitude: i64, digit| {
            (magnitude * 10 + i64::from(digit - b'0')).min(100 * MAX_EXPONENT)
        });
        Ok(if negative { -magnitude } else { magnitude })
    }

    /// Reads one digit or more.
    #[inline]
    fn digits(&mut self) -> Result<&'a [u8], PayloadFault> {
        let rest = &self.body[self.at..];
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        match (count, rest) {
            (0, []) => Err(PayloadFault::UnexpectedEnd),
            (0, _) => Err(PayloadFault::InvalidNumber),
            _ => Ok(&rest[..count]),
        }
    }

    #[inline]
    fn skip(&mut self, any_of: &[u8]) -> bool {
        let found = self.peek().is_some_and(|byte| any_of.contains(&byte));
        self.at += usize::from(found);
        found
    }
}

fn push_digits(number: u64, out: &mut Vec<u8>) {
    if number >= 10 {
        push_digits(number / 10, out);
    }
    out.push(b'0' + (number % 10) as u8);
}

fn signed(length: usize) -> i64 {
    i64::try_from(length).expect("no slice is longer than i64::MAX")
}
