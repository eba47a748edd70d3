//! What kind of body a message says it has.

use axum::http::{HeaderMap, HeaderValue, header};

/// Whether the content type is `essence`, whatever its parameters and its case.
pub(crate) fn is(headers: &HeaderMap, essence: &str) -> bool {
    let content_type = headers.get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let named = content_type.and_then(|value| value.split(|byte| *byte == b';').next());
    named.is_some_and(|named| named.trim_ascii().eq_ignore_ascii_case(essence.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_and_case_do_not_count() {
        for (value, expected) in [
            ("text/plain", true),
            ("Text/PLAIN; charset=utf-8", true),
            ("text/plain ;charset=utf-8", true),
            ("text/plainer", false),
            ("text/html; text/plain", false),
        ] {
            let value = HeaderValue::from_static(value);
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, value.clone())]);
            assert_eq!(is(&headers, "text/plain"), expected, "{value:?}");
        }
        assert!(!is(&HeaderMap::new(), "text/plain"));
    }
}
