//! What a client sends.

use idem_axum::{Merge, SemanticIdentity};
use rust_decimal::Decimal;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};

use crate::script::Script;

/// A payment as JSON. Which of its fields are critical is for each route to say.
///
/// An amount may be a JSON number or a string. Whole numbers and strings are read exactly, up to
/// the 28 digits of a [`Decimal`]. A number with a fraction comes through serde_json as the nearest
/// double: beyond 15 significant digits two such numbers may become the same amount, so large
/// amounts with a fraction belong in a string. Fingerprints are taken from the bytes and do not
/// know this limit.
///
/// Merged payments have the tags of both, and a note that is not too long.
#[derive(Deserialize, SemanticIdentity, Merge)]
#[idem(check = note_is_short)]
pub(crate) struct Payment {
    pub(crate) amount: Decimal,
    pub(crate) currency: String,
    pub(crate) recipient: String,
    #[serde(default)]
    pub(crate) note: Option<String>,
    #[serde(default)]
    #[idem(merge = "union")]
    pub(crate) tags: Option<Vec<String>>,
    #[serde(default)]
    #[idem(ignore)]
    #[expect(dead_code, reason = "declared so that the fingerprint leaves it out")]
    client_ts: Option<IgnoredAny>,
    #[serde(default)]
    #[idem(ignore)]
    pub(crate) script: Script,
}

/// The longest note of a merged payment, in characters.
const LONGEST_NOTE: usize = 100;

fn note_is_short(payment: &Payment) -> Result<(), String> {
    let length = payment.note.as_deref().map_or(0, |note| note.chars().count());
    if length <= LONGEST_NOTE {
        return Ok(());
    }
    Err(format!("the note has {length} characters, and {LONGEST_NOTE} are the most"))
}

/// The same payment as a form. Its tags are one field, separated by commas, and of a script it
/// has the pause only.
#[derive(Deserialize, SemanticIdentity)]
pub(crate) struct PaymentForm {
    pub(crate) amount: Decimal,
    pub(crate) currency: String,
    pub(crate) recipient: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default, deserialize_with = "comma_separated")]
    tags: Option<Vec<String>>,
    #[serde(default)]
    #[idem(ignore)]
    #[expect(dead_code, reason = "declared so that the fingerprint leaves it out")]
    client_ts: Option<IgnoredAny>,
    #[serde(default)]
    #[idem(ignore)]
    sleep_ms: u64,
}

impl From<PaymentForm> for Payment {
    fn from(form: PaymentForm) -> Self {
        let PaymentForm { amount, currency, recipient, note, tags, sleep_ms, .. } = form;
        let script = Script { sleep_ms, ..Script::default() };
        Self { amount, currency, recipient, note, tags, client_ts: None, script }
    }
}

fn comma_separated<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Vec<String>>, D::Error> {
    let tags = String::deserialize(field)?;
    Ok(Some(tags.split(',').map(str::to_owned).collect()))
}
