//! A handler whose payload can be merged with an earlier one before it runs.

use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use idem_core::attempt::Payload;

use crate::captured::{Again, Captured};
use crate::handling::{Said, Told};
use crate::semantics::{Merges, Merging};
use crate::state::IdempotencyState;

/// Such a handler, from its request to its response.
pub(crate) async fn merged<T, S, F, Fut>(
    captured: Captured<T, S>,
    Merging { semantics, merges }: Merging<T>,
    handler: F,
) -> Response
where
    S: IdempotencyState + Clone,
    F: FnOnce(T) -> Fut,
    Fut: Future<Output: IntoResponse>,
{
    let Captured { gate, extract } = captured;
    let again = Again::of(gate.look(Clone::clone), extract, &gate.state);
    let mut sent = None;
    if let Err(rejection) = extract(gate.request(), &gate.state, &mut sent).await {
        return rejection;
    }
    let sent = sent.expect("an extraction without an error has a payload");
    let mut last = None;
    let told = gate.described(&|described| semantics.describe(&sent, described));
    let mut told = told.await;
    while let Told::Merge { base, sent } = told {
        let limit = gate.state.idempotency().engine().settings().merged_limit;
        let merged = match joined(&merges, &base, &sent, limit) {
            Err(reason) => Err(reason),
            Ok(bytes) => {
                let payload = match again.extract(bytes.clone()).await {
                    Ok(payload) => payload,
                    Err(rejection) => return rejection,
                };
                let sound = (merges.check)(&payload);
                last = Some(payload);
                sound.map(|()| Payload { bytes, media_type: base.media_type })
            }
        };
        told = gate.stop(Said::Merged(merged)).await;
    }
    let payload = match told {
        Told::RunMerged => last.unwrap_or(sent),
        Told::Run | Told::Merge { .. } => sent,
    };
    handler(payload).await.into_response()
}

/// Both payloads in one, or why not.
fn joined<T>(
    merges: &Merges<T>,
    base: &Payload,
    sent: &Bytes,
    limit: usize,
) -> Result<Bytes, String> {
    let bytes = (merges.merge)(&base.bytes, sent).map_err(|error| error.to_string())?;
    if bytes.len() > limit {
        return Err(format!("the merged payload is longer than {limit} bytes"));
    }
    Ok(bytes)
}
