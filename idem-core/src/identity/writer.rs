//! The encoding of identity values: tagged, self-delimiting, one spelling for each value.

use std::fmt::{Display, Write as _};

use super::{Elements, IdentityValue, Optional};

/// Appends values to the encoding of one field.
///
/// | value | bytes |
/// | --- | --- |
/// | number | `n`, digits without trailing zeros, `e` and the exponent unless it is 0, `;` |
/// | text, bytes | `t` or `b`, the length, `:`, the bytes |
/// | boolean | `T` or `F` |
/// | absent, present | `-`, or `+` and the value |
/// | tuple, sequence | `(` values `)`, `[` values `]` |
/// | set | `<` items sorted by their bytes `>` |
/// | map | `#<` keys, each with its value, sorted by their bytes `>` |
/// | record | `{` members, each its length-prefixed name and value, sorted, `}` |
/// | variant | `v`, its length-prefixed name, `(` values `)` |
/// | instant, date, time of day, span | `@`, `d`, `h`, `p`, numbers, `;` |
///
/// No value's bytes are the beginning of another value's bytes, so values can stand side by side.
pub struct IdentityWriter<'a> {
    out: &'a mut Vec<u8>,
}

impl<'a> IdentityWriter<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out }
    }
}

/// What `critical = [..]` and the derives write.
impl IdentityWriter<'_> {
    /// Writes `value`.
    pub fn value<T: IdentityValue + ?Sized>(&mut self, value: &T) {
        value.write(self);
    }

    /// Writes what `some` writes of a present value; absent is unlike every present one.
    pub fn option<O: Optional>(
        &mut self,
        value: &O,
        some: impl FnOnce(&mut IdentityWriter<'_>, &O::Present),
    ) {
        match value.present() {
            None => self.out.push(b'-'),
            Some(value) => {
                self.out.push(b'+');
                some(self, value);
            }
        }
    }

    /// Writes what `item` writes of each of `items`.
    pub fn each<E: Elements + ?Sized>(
        &mut self,
        items: &E,
        item: impl Fn(&mut IdentityWriter<'_>, &E::Element),
    ) {
        items.write_each(self, item);
    }

    /// Writes what `item` writes of each of `items`, whose order counts.
    pub(super) fn in_order<'t, T: 't>(
        &mut self,
        items: impl IntoIterator<Item = &'t T>,
        item: impl Fn(&mut IdentityWriter<'_>, &'t T),
    ) {
        self.out.push(b'[');
        for each in items {
            item(self, each);
        }
        self.out.push(b']');
    }

    /// Writes what `item` writes of each of `items`, whose order does not count: sets.
    pub fn unordered<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        item: impl Fn(&mut IdentityWriter<'_>, T),
    ) {
        self.out.push(b'<');
        let mut entries = Entries::new(self.out);
        for each in items {
            entries.push(|out| item(out, each));
        }
        entries.sort();
        self.out.push(b'>');
    }

    /// Writes the key and the value that `entry` writes of each of `entries`, whose order does not
    /// count: maps.
    pub fn map<T>(
        &mut self,
        entries: impl IntoIterator<Item = T>,
        entry: impl Fn(&mut IdentityWriter<'_>, T),
    ) {
        self.out.push(b'#');
        self.unordered(entries, entry);
    }

    /// Writes named members, whose order in the program does not count.
    pub fn record(&mut self, members: impl FnOnce(&mut RecordWriter<'_>)) {
        self.out.push(b'{');
        let mut record = RecordWriter { entries: Entries::new(self.out) };
        members(&mut record);
        record.entries.sort();
        self.out.push(b'}');
    }

    /// Writes the variant called `name` and the values that `values` writes: none, one or several.
    pub fn variant(&mut self, name: &str, values: impl FnOnce(&mut IdentityWriter<'_>)) {
        self.out.push(b'v');
        self.sized(name.as_bytes());
        self.tuple(values);
    }

    /// Writes the values that `values` writes as one value.
    pub fn tuple(&mut self, values: impl FnOnce(&mut IdentityWriter<'_>)) {
        self.out.push(b'(');
        values(self);
        self.out.push(b')');
    }

    /// Writes the value that has no content.
    pub fn unit(&mut self) {
        self.tuple(|_| ());
    }
}

/// What values are made of.
impl IdentityWriter<'_> {
    /// Writes an integer; every width of integer and every decimal share one encoding.
    pub fn integer(&mut self, value: i128) {
        self.decimal(value, 0);
    }

    /// Writes an unsigned integer, equal to the signed one of the same value.
    pub fn unsigned(&mut self, value: u128) {
        self.number(false, value, 0);
    }

    /// Writes `mantissa` × 10^`exponent`, whose trailing zeros do not count.
    pub fn decimal(&mut self, mantissa: i128, exponent: i32) {
        self.number(mantissa < 0, mantissa.unsigned_abs(), i64::from(exponent));
    }

    /// Writes text, compared byte for byte.
    pub fn text(&mut self, text: &str) {
        self.out.push(b't');
        self.sized(text.as_bytes());
    }

    /// Writes bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.out.push(b'b');
        self.sized(bytes);
    }

    /// Writes a boolean.
    pub fn boolean(&mut self, value: bool) {
        self.out.push(if value { b'T' } else { b'F' });
    }

    /// Writes a point in time: whole seconds since the Unix epoch, rounded down, and nanoseconds.
    pub fn instant(&mut self, seconds: i64, nanoseconds: u32) {
        self.fixed('@', format_args!("{seconds}.{nanoseconds}"));
    }

    /// Writes a calendar day.
    pub fn date(&mut self, year: i32, month: u8, day: u8) {
        self.fixed('d', format_args!("{year}-{month}-{day}"));
    }

    /// Writes a time of day: whole seconds since midnight, and nanoseconds.
    pub fn time_of_day(&mut self, seconds: u32, nanoseconds: u32) {
        self.fixed('h', format_args!("{seconds}.{nanoseconds}"));
    }

    /// Writes a length of time in nanoseconds.
    pub fn span(&mut self, nanoseconds: i128) {
        self.fixed('p', nanoseconds);
    }

    fn number(&mut self, negative: bool, magnitude: u128, exponent: i64) {
        self.out.push(b'n');
        if negative {
            self.out.push(b'-');
        }
        self.display(magnitude);
        if magnitude != 0 {
            let zeros = self.out.iter().rev().take_while(|digit| **digit == b'0').count();
            self.out.truncate(self.out.len() - zeros);
            let zeros = i64::try_from(zeros).expect("a 128-bit number has at most 39 digits");
            if exponent + zeros != 0 {
                self.fixed('e', exponent + zeros);
                return;
            }
        }
        self.out.push(b';');
    }

    fn fixed(&mut self, tag: char, content: impl Display) {
        self.display(format_args!("{tag}{content};"));
    }

    fn sized(&mut self, bytes: &[u8]) {
        self.display(format_args!("{}:", bytes.len()));
        self.out.extend_from_slice(bytes);
    }

    fn display(&mut self, content: impl Display) {
        write!(Utf8(self.out), "{content}").expect("writing to a vector does not fail");
    }
}

/// Appends the members of one record.
pub struct RecordWriter<'a> {
    entries: Entries<'a>,
}

impl RecordWriter<'_> {
    /// Writes the member called `name`, whose one value `value` writes.
    pub fn member(&mut self, name: &str, value: impl FnOnce(&mut IdentityWriter<'_>)) {
        self.entries.push(|out| {
            out.sized(name.as_bytes());
            value(out);
        });
    }
}

/// Entries of a set, map or record, put in the order of their bytes at the end.
struct Entries<'a> {
    out: &'a mut Vec<u8>,
    starts: Vec<usize>,
}

impl<'a> Entries<'a> {
    fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, starts: Vec::new() }
    }

    fn push(&mut self, entry: impl FnOnce(&mut IdentityWriter<'_>)) {
        self.starts.push(self.out.len());
        entry(&mut IdentityWriter::new(self.out));
    }

    fn sort(self) {
        let Some(&first) = self.starts.first() else {
            return;
        };
        let ends = self.starts[1..].iter().copied().chain([self.out.len()]);
        let mut entries: Vec<&[u8]> =
            self.starts.iter().zip(ends).map(|(&start, end)| &self.out[start..end]).collect();
        if !entries.is_sorted() {
            entries.sort_unstable();
            let sorted = entries.concat();
            self.out.truncate(first);
            self.out.extend_from_slice(&sorted);
        }
    }
}

/// Lets numbers be formatted straight into the bytes.
struct Utf8<'a>(&'a mut Vec<u8>);

impl std::fmt::Write for Utf8<'_> {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
