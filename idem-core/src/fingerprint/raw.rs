//! Payloads that are compared as they are.

/// What stands before the bytes: the media type, its essence in lower case, and a line feed.
pub(super) fn header(media_type: Option<&str>) -> Vec<u8> {
    let (essence, parameters) = match media_type.unwrap_or_default().split_once(';') {
        Some((essence, parameters)) => (essence, parameters.trim()),
        None => (media_type.unwrap_or_default(), ""),
    };
    let essence = essence.trim().to_ascii_lowercase();
    let semicolon = if parameters.is_empty() { "" } else { ";" };
    [&essence, semicolon, parameters, "\n"].concat().into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_essence_is_lower_case_and_parameters_are_as_sent() {
        for (sent, header_of) in [
            (None, "\n"),
            (Some("text/plain"), "text/plain\n"),
            (Some(" Text/PLAIN ; charset=UTF-8 "), "text/plain;charset=UTF-8\n"),
            (Some("text/plain;"), "text/plain\n"),
        ] {
            assert_eq!(header(sent), header_of.as_bytes(), "{sent:?}");
        }
    }
}
