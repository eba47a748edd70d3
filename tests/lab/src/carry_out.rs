//! The business of every route, in this order:
//!
//! 1. it pauses (`sleep_ms`);
//! 2. it panics (`panic`): nothing has happened yet;
//! 3. the effect happens: one line in the effects file, or for `/tx` one row in a table, also when the
//!    answer will be a refusal;
//! 4. it fails (`fail_after_effect`): the effect has happened, the answer says `500`;
//! 5. it answers (`status`, `respond_bytes`).

use std::fmt::Display;

use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use idem_axum::Execution;
use rust_decimal::Decimal;

use crate::call::Call;
use crate::effects::Effects;
use crate::receipt::Receipt;
use crate::script::Script;

/// Shows the fencing token of the execution that made an answer; stored and replayed with it.
const X_FENCE: HeaderName = HeaderName::from_static("x-fence");

/// Does what `call` asks for, and what goes wrong with it by `script`.
pub(crate) async fn carry_out(
    effects: Effects,
    call: Call,
    script: Script,
    receipt: Receipt,
) -> Response {
    let effect = async |amount| effects.append(&call, amount);
    carry_out_with(effect, script, receipt).await
}

/// The same with an effect that happens elsewhere.
pub(crate) async fn carry_out_with<E: Display>(
    effect: impl AsyncFnOnce(Option<Decimal>) -> Result<(), E>,
    script: Script,
    receipt: Receipt,
) -> Response {
    script.pause().await;
    script.perhaps_panic();
    let mut response = match effect(receipt.amount()).await {
        Ok(()) if script.fail_after_effect => failure("the script says: fail after the effect"),
        Ok(()) => receipt.into_response(script.status, script.respond_bytes),
        Err(error) => {
            tracing::error!(%error, "an effect could not be written");
            failure("the effect could not be written")
        }
    };
    if let Some(execution) = Execution::current() {
        response.headers_mut().insert(X_FENCE, HeaderValue::from(execution.fence().get()));
    }
    response
}

fn failure(text: &'static str) -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
}
