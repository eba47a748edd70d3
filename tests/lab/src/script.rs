//! What shall go wrong: instructions to the handler, which no fingerprint sees.

use std::time::Duration;

use axum::http::StatusCode;
use idem_axum::Execution;
use serde::{Deserialize, Deserializer, de};

/// The steps of a handler that a client may stage; see [`carry_out`](crate::carry_out) for their
/// order.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Script {
    /// How long the handler pauses before it does anything.
    pub(crate) sleep_ms: u64,
    /// Whether it panics after the pause, before the effect.
    pub(crate) panic: bool,
    /// Whether it answers `500` although the effect has happened.
    pub(crate) fail_after_effect: bool,
    /// The status of the answer; `201` unless set.
    #[serde(deserialize_with = "status")]
    pub(crate) status: StatusCode,
    /// The least number of bytes in the body of the answer.
    pub(crate) respond_bytes: usize,
}

impl Default for Script {
    fn default() -> Self {
        Self {
            sleep_ms: 0,
            panic: false,
            fail_after_effect: false,
            status: StatusCode::CREATED,
            respond_bytes: 0,
        }
    }
}

impl Script {
    /// Pauses. The line in the log tells whoever staged it that the handler has begun, and under
    /// which fencing token.
    pub(crate) async fn pause(&self) {
        if self.sleep_ms > 0 {
            let fence = Execution::current().map(|execution| execution.fence().get());
            tracing::info!(sleep_ms = self.sleep_ms, fence, "the handler pauses");
            tokio::time::sleep(Duration::from_millis(self.sleep_ms)).await;
        }
    }

    /// Panics where the script says so.
    pub(crate) fn perhaps_panic(&self) {
        assert!(!self.panic, "the script of this request says: panic");
    }
}

/// A final status: axum cannot answer with an interim one.
fn status<'de, D: Deserializer<'de>>(field: D) -> Result<StatusCode, D::Error> {
    let number = u16::deserialize(field)?;
    match StatusCode::from_u16(number) {
        Ok(status) if number >= 200 => Ok(status),
        _ => Err(de::Error::custom("a status is a number from 200 to 999")),
    }
}
