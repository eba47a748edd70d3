use ::time::{Date, Duration, OffsetDateTime, PrimitiveDateTime, Time};

use crate::identity::value::write_instant;
use crate::identity::{IdentityValue, IdentityWriter};

impl IdentityValue for OffsetDateTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        write_instant(out, self.unix_timestamp_nanos());
    }
}

impl IdentityValue for Date {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.date(self.year(), u8::from(self.month()), self.day());
    }
}

impl IdentityValue for Time {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        let (hour, minute, second, nanosecond) = self.as_hms_nano();
        let minutes = u32::from(hour) * 60 + u32::from(minute);
        out.time_of_day(minutes * 60 + u32::from(second), nanosecond);
    }
}

impl IdentityValue for PrimitiveDateTime {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        (self.date(), self.time()).write(out);
    }
}

impl IdentityValue for Duration {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.span(self.whole_nanoseconds());
    }
}
