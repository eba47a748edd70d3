use ::chrono::{
    DateTime, Datelike, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Timelike,
};

use crate::identity::{IdentityValue, IdentityWriter};

/// The instant alone: the offset does not count. A leap second is no other second.
impl<Tz: TimeZone> IdentityValue for DateTime<Tz> {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.instant(self.timestamp(), self.timestamp_subsec_nanos());
    }
}

impl IdentityValue for NaiveDate {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.date(self.year(), self.month() as u8, self.day() as u8);
    }
}

impl IdentityValue for NaiveTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.time_of_day(self.num_seconds_from_midnight(), self.nanosecond());
    }
}

impl IdentityValue for NaiveDateTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        (self.date(), self.time()).write(out);
    }
}

impl IdentityValue for TimeDelta {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let seconds = i128::from(self.num_seconds()) * 1_000_000_000;
        out.span(seconds + i128::from(self.subsec_nanos()));
    }
}
