use crate::identity::{IdentityValue, IdentityWriter};

impl IdentityValue for ::uuid::Uuid {
    fn write(&self, out: &mut IdentityWriter<'_>) {
        out.bytes(self.as_bytes());
    }
}
