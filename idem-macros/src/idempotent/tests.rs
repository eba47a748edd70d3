mod options;

use quote::quote;
use syn::parse_str;

use super::*;

/// The messages for a handler with these options.
fn faults(args: &str, item: &str) -> Vec<String> {
    let mut diagnostics = Diagnostics::default();
    let (args, item) = (
        parse_str(args).expect("the options are tokens"),
        parse_str(item).expect("the item is tokens"),
    );
    let model = lower(args, item, Some(Runtime::of_crate("idem_axum")), &mut diagnostics);
    let messages = diagnostics.messages();
    assert!(model.is_some() || !messages.is_empty(), "nothing came out and nothing was said");
    messages
}

fn option_faults(args: &str) -> Vec<String> {
    faults(args, "async fn pay(Json(payment): Json<Payment>) {}")
}

fn handler_faults(item: &str) -> Vec<String> {
    faults("", item)
}

/// Each row has exactly one fault, whose message contains the text beside it.
fn each_has_one_fault(rows: &[(&str, &str)], faults: fn(&str) -> Vec<String>) {
    for (written, message) in rows {
        let messages = faults(written);
        assert_eq!(messages.len(), 1, "{written}: {messages:?}");
        assert!(messages[0].contains(message), "{written}: {}", messages[0]);
        assert!(messages[0].contains("\nhelp: "), "{written} gets no help");
    }
}

#[test]
fn every_faulty_handler_is_refused_with_help() {
    let rows = [
        ("fn pay() {}", "a handler must be async\nhelp: write `async fn pay`"),
        ("const fn pay() {}", "a handler cannot be `const`"),
        ("async unsafe fn pay() {}", "a handler cannot be `unsafe`"),
        ("async extern \"C\" fn pay() {}", "a handler cannot have a foreign ABI"),
        (
            "async fn pay(self) {}",
            "a handler cannot take `self`\nhelp: move it out to a free function",
        ),
        ("async fn pay(&self, body: Bytes) {}", "a handler cannot take `self`"),
        ("async fn pay(body: Json<Self>) {}", "a handler cannot name `Self`"),
        ("async fn pay() -> Result<(), Self> {}", "a handler cannot name `Self`"),
        (
            "async fn pay(body: impl FromRequest) {}",
            "the parameters of a handler need types with a name",
        ),
        (
            "async fn pay(body: Request) {}",
            "a streaming body cannot be fingerprinted, and `Request` is one",
        ),
        ("async fn pay(body: axum::http::Request<Body>) {}", "and `Request` is one"),
        ("async fn pay(body: axum::body::Body) {}", "and `Body` is one"),
        ("async fn pay(State(s): State<S>, form: Multipart) {}", "and `Multipart` is one"),
        (
            "async fn pay(#[cfg(unix)] body: Bytes) {}",
            "the last parameter of a handler cannot be conditional",
        ),
        ("async fn pay();", "a handler needs a body"),
        ("#[idempotent] async fn pay() {}", "`#[idempotent]` is given twice"),
        ("struct Pay;", "`#[idempotent]` cannot be on a struct"),
        ("impl Pay { async fn pay() {} }", "`#[idempotent]` cannot be on an `impl` block"),
        ("pub const PAY: u8 = 1;", "`#[idempotent]` cannot be on a constant"),
        ("mod pay {}", "`#[idempotent]` cannot be on a module"),
    ];
    each_has_one_fault(&rows, handler_faults);
}

#[test]
fn critical_fields_need_a_payload() {
    let faults = faults("critical = [\"amount\"]", "async fn pay() {}");
    assert_eq!(faults.len(), 1);
    assert!(faults[0].starts_with("`critical` names fields of a payload"), "{}", faults[0]);
}

#[test]
fn what_is_merged_or_reviewed_is_a_payload() {
    for policy in ["merge", "review"] {
        let faults = faults(&format!("policy = \"{policy}\""), "async fn pay() {}");
        assert_eq!(faults.len(), 1, "{faults:?}");
        let start =
            format!("`policy = \"{policy}\"` is about payloads, but the handler takes none");
        assert!(faults[0].starts_with(&start), "{}", faults[0]);
    }
    assert!(faults("policy = \"last_write_wins\"", "async fn pay() {}").is_empty());
}

#[test]
fn options_with_a_meaning_beside_each_other_are_accepted() {
    for args in [
        "policy = \"merge\", max_history = 1",
        "max_history = 1, policy = \"last_write_wins\"",
        "max_conflicts = 1, max_history = 1, on_accept = desk::settle::<Bank>, policy = \"review\"",
        "max_history = 1, fresh_after = \"12h\"",
        "suspicious_within = \"10s\", fresh_after = \"11s\", ttl = \"12s\", lease = \"5s\"",
        "ttl = \"72h\", fresh_after = \"48h\"",
        "suspicious_within = \"23h\"",
        "policy = \"review\", on_accept = settle::<Card, fn(Card) -> Bank, [u8; 4]>, max_conflicts = 4",
        "lease = \"2s\", concurrent = \"wait\", wait = \"1s\"",
        "lease = \"6s\", concurrent = \"wait\"",
    ] {
        assert!(option_faults(args).is_empty(), "{args}: {:?}", option_faults(args));
    }
}

#[test]
fn a_derived_key_needs_a_payload() {
    for args in ["key = identity", "key = field(\"id\")"] {
        let faults = faults(args, "async fn pay() {}");
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults[0].starts_with("`key` is taken from the payload"), "{}", faults[0]);
    }
}

#[test]
fn all_faults_are_reported_at_once_and_in_source_order() {
    let faults = faults(
        "tll = \"72h\", critical = [\"\", \"a-b\"], policy = \"queue\", lease = \"1h\", ttl = \"1h\", policy = \"reject\"",
        "#[idempotent] unsafe fn pay(&self, body: Request) {}",
    );
    let starts = [
        "unknown option `tll`",
        "a critical field cannot be empty",
        "`a-b` is not the name",
        "unknown value `queue`",
        "the lease `1h`",
        "`policy` is given twice",
        "a handler cannot be `unsafe`",
        "a handler must be async",
        "a handler cannot take `self`",
        "a streaming body",
        "`#[idempotent]` is given twice",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

#[test]
fn a_faulty_handler_is_emitted_again_as_it_was() {
    let item = quote! { #[doc = "kept"] async fn pay(body: Request) { body. } };
    let expanded =
        expand(quote!(tll = "72h"), item.clone(), Some(Runtime::of_crate("idem_axum"))).to_string();
    assert!(expanded.ends_with(&item.to_string()), "{expanded}");
    assert_eq!(expanded.matches("compile_error").count(), 2);
}

#[test]
fn a_body_that_does_not_parse_yet_keeps_its_handler() {
    let item = quote! { async fn pay(Json(payment): Json<Payment>) -> Json<Receipt> { payment. } };
    let expanded = expand(quote!(), item, Some(Runtime::of_crate("idem_axum"))).to_string();
    assert!(!expanded.contains("compile_error"), "{expanded}");
    assert!(expanded.contains("{ payment . }"), "{expanded}");
}

#[test]
fn without_a_runtime_the_dependency_is_asked_for() {
    let expanded = expand(
        quote!(),
        quote!(
            async fn pay() {}
        ),
        None,
    )
    .to_string();
    assert!(expanded.contains("`idem-axum` is not a dependency"), "{expanded}");
}

#[test]
fn a_header_is_compared_in_lower_case_and_a_raw_name_loses_its_prefix() {
    let args = quote!(header = "X-Retry-Key", crate = facade::idem);
    let expanded = expand(
        args,
        quote!(
            async fn r#move() {}
        ),
        None,
    )
    .to_string();
    assert!(expanded.contains("new (\"move\")"), "{expanded}");
    assert!(expanded.contains("\"x-retry-key\""), "{expanded}");
    assert!(
        expanded.contains("facade :: idem :: __private :: Opening :: with_headers_of"),
        "{expanded}"
    );
}

#[test]
fn a_retry_waits_five_seconds_unless_another_wait_is_given() {
    let rows = [
        ("concurrent = \"wait\"", Some("wait_millis (5000)")),
        ("concurrent = \"wait\", wait = \"2s\"", Some("wait_millis (2000)")),
        ("wait = \"2s\", lease = \"3s\", concurrent = \"wait\"", Some("wait_millis (2000)")),
        ("concurrent = \"reject\"", None),
        ("", None),
    ];
    for (args, wait) in rows {
        let args = parse_str(args).expect("the options are tokens");
        let item = quote! { async fn pay() {} };
        let expanded = expand(args, item, Some(Runtime::of_crate("idem_axum"))).to_string();
        assert!(!expanded.contains("compile_error"), "{expanded}");
        assert_eq!(expanded.contains("wait_millis"), wait.is_some(), "{expanded}");
        assert!(expanded.contains(wait.unwrap_or_default()), "{expanded}");
    }
}
