use ::jiff::civil::{Date, DateTime, Time};
use ::jiff::{SignedDuration, Timestamp, ZonedDateTime};

use crate::identity::value::write_instant;
use crate::identity::{IdentityValue, IdentityWriter};

impl IdentityValue for Timestamp {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        write_instant(out, self.as_nanosecond());
    }
}

/// The instant alone: the time zone does not count.
impl IdentityValue for ZonedDateTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        self.timestamp().write(out);
    }
}

impl IdentityValue for Date {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.date(i32::from(self.year()), self.month() as u8, self.day() as u8);
    }
}

impl IdentityValue for Time {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let minutes = self.hour() as u32 * 60 + self.minute() as u32;
        out.time_of_day(minutes * 60 + self.second() as u32, self.subsec_nanosecond() as u32);
    }
}

impl IdentityValue for DateTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        (self.date(), self.time()).write(out);
    }
}

impl IdentityValue for SignedDuration {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.span(self.as_nanos());
    }
}
