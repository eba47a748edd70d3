//! A request to be sent, as often as a test likes.

use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

/// A payment of 10.00 EUR by `acme` to `alice`, without a key, until a test says otherwise.
#[derive(Clone)]
pub(crate) struct Call {
    path: String,
    headers: HeaderMap,
    payment: Value,
    body: Option<Vec<u8>>,
}

/// A payload's `script`.
pub(crate) fn script(steps: Value) -> (&'static str, Value) {
    ("script", steps)
}

impl Call {
    pub(crate) fn to(path: &str) -> Self {
        let payment = json!({ "amount": "10.00", "currency": "EUR", "recipient": "alice" });
        let call = Self { path: path.into(), headers: HeaderMap::new(), payment, body: None };
        call.header("content-type", "application/json").header("x-principal", "acme")
    }

    /// Adds a key; a second one is a second header.
    pub(crate) fn key(mut self, key: impl AsRef<[u8]>) -> Self {
        let key = HeaderValue::from_bytes(key.as_ref()).expect("a test sends what HTTP can carry");
        self.headers.append("idempotency-key", key);
        self
    }

    /// Sets a header.
    pub(crate) fn header(mut self, name: &'static str, value: &'static str) -> Self {
        self.headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        self
    }

    /// Sets who calls.
    pub(crate) fn by(self, principal: &'static str) -> Self {
        self.header("x-principal", principal)
    }

    pub(crate) fn by_nobody(mut self) -> Self {
        self.headers.remove("x-principal");
        self
    }

    /// Sets one member of the payment.
    pub(crate) fn with(mut self, (name, value): (&str, impl Into<Value>)) -> Self {
        self.payment[name] = value.into();
        self
    }

    /// Sends these bytes instead of a payment.
    pub(crate) fn body(mut self, media_type: &'static str, body: impl Into<Vec<u8>>) -> Self {
        self.body = Some(body.into());
        self.header("content-type", media_type)
    }

    /// The request as `client` sends it.
    pub(super) fn request(&self, client: &Client, url: &str) -> RequestBuilder {
        let request = client.post(format!("{url}{}", self.path));
        request.headers(self.headers.clone()).body(self.bytes())
    }

    /// The request as it stands on the wire.
    pub(crate) fn wire(&self, host: &str) -> Vec<u8> {
        let body = self.bytes();
        let mut wire = format!("POST {} HTTP/1.1\r\nhost: {host}\r\n", self.path).into_bytes();
        for (name, value) in &self.headers {
            wire.extend_from_slice(name.as_str().as_bytes());
            wire.extend_from_slice(b": ");
            wire.extend_from_slice(value.as_bytes());
            wire.extend_from_slice(b"\r\n");
        }
        wire.extend_from_slice(format!("content-length: {}\r\n\r\n", body.len()).as_bytes());
        wire.extend_from_slice(&body);
        wire
    }

    fn bytes(&self) -> Vec<u8> {
        self.body.clone().unwrap_or_else(|| self.payment.to_string().into_bytes())
    }
}
