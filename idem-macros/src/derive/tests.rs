use syn::parse_str;

use super::*;

fn faults<D: Derive>(item: &str) -> Vec<String> {
    let input: DeriveInput = parse_str(item).unwrap_or_else(|fault| panic!("{item}: {fault}"));
    let mut diagnostics = Diagnostics::default();
    let _ = Options::read(&input.attrs, &mut diagnostics);
    let _ = D::lower(&input, &mut diagnostics);
    diagnostics.messages()
}

/// Each row has exactly one fault, whose message contains the text beside it.
fn each_has_one_fault<D: Derive>(rows: &[(&str, &str)]) {
    for (written, message) in rows {
        let messages = faults::<D>(written);
        assert_eq!(messages.len(), 1, "{written}: {messages:?}");
        assert!(messages[0].contains(message), "{written}: {}", messages[0]);
        assert!(messages[0].contains("\nhelp: "), "{written} gets no help");
    }
}

#[test]
fn marks_that_contradict_are_refused() {
    each_has_one_fault::<Semantic>(&[
        ("struct P { #[idem(critical, ignore)] a: u8 }", "cannot be both `critical` and `ignore`"),
        (
            "struct P { #[idem(nested)] #[idem(critical)] a: u8 }",
            "cannot be both `critical` and `nested`",
        ),
        ("struct P { #[idem(critical)] #[idem(critical)] a: u8 }", "`critical` is given twice"),
        (
            "struct P { #[idem(critcal)] a: u8 }",
            "unknown mark `critcal`\nhelp: did you mean `critical`?",
        ),
        ("struct P { #[idem] a: u8 }", "`idem` needs a mark in parentheses"),
        ("struct P { #[idem(\"critical\")] a: u8 }", "unreadable mark"),
        ("struct P { #[idem(critical = yes)] a: u8 }", "`critical` takes no value"),
        (
            "struct P { #[idem(critical = true)] a: u8 }",
            "`critical` takes no value\nhelp: write `#[idem(critical)]`",
        ),
        ("struct P { #[idem(ignore = \"yes\")] a: u8 }", "`ignore` takes no value"),
        ("struct P { #[idem(critical(true))] a: u8 }", "`critical` takes no value"),
        ("struct P { #[idem(critical =)] a: u8 }", "unreadable mark"),
        ("struct P { #[idem = \"critical\"] a: u8 }", "`idem` needs a mark in parentheses"),
        ("struct P { #[idem()] a: u8 }", "`idem` needs a mark in parentheses"),
        (
            "struct P { #[idem(nested)] a: u64 }",
            "and `u64` has none\nhelp: write `#[idem(critical)]`",
        ),
        ("struct P { #[idem(nested)] a: std::string::String }", "and `String` has none"),
        ("struct P { #[idem(crate = a)] a: u8 }", "`crate` is not a mark of a field"),
        ("#[idem(critical)] struct P { a: u8 }", "`critical` is a mark of fields"),
        ("#[idem(krate = a)] struct P { a: u8 }", "unknown option `krate`"),
        ("#[idem(crate)] struct P { a: u8 }", "`crate` needs a path"),
        ("#[idem(crate = a, crate = b)] struct P { a: u8 }", "`crate` is given twice"),
        (
            "#[idem(check = \"f\")] struct P { a: u8 }",
            "the path of `check` is written without quotes\nhelp: write `#[idem(check = f)]`",
        ),
        (
            "#[idem(check = 1)] struct P { a: u8 }",
            "`check` needs a path\nhelp: write `#[idem(check = path)]`",
        ),
        ("#[idem(merge = \"union\")] struct P { a: u8 }", "`merge` is a mark of fields"),
        ("struct P { #[idem(check = f)] a: u8 }", "`check` is not a mark of a field"),
    ]);
}

#[test]
fn unreadable_strategies_are_refused() {
    each_has_one_fault::<Merge>(&[
        (
            "struct P { #[idem(merge = \"unoin\")] a: Vec<u8> }",
            "unknown value `unoin` for `merge`\nhelp: did you mean `union`? the choices are `overwrite`, `keep`, `replace`, `union`, `append_new`, `merge_patch`",
        ),
        (
            "struct P { #[idem(merge = union)] a: Vec<u8> }",
            "a strategy is written as a string\nhelp: write `#[idem(merge = \"union\")]`",
        ),
        (
            "struct P { #[idem(merge)] a: u8 }",
            "`merge` needs a strategy\nhelp: write for example `#[idem(merge = \"union\")]`",
        ),
        (
            "struct P { #[idem(merge = 3)] a: u8 }",
            "a strategy is written as a string\nhelp: write for example",
        ),
        ("struct P { #[idem(merge())] a: u8 }", "`merge(..)` takes the path of a function"),
        (
            "struct P { #[idem(merge(\"union\"))] a: u8 }",
            "`merge(..)` takes the path of a function",
        ),
        (
            "struct P { #[idem(merge(by = f))] a: u8 }",
            "help: write for example `#[idem(merge = \"union\")]`, or `#[idem(merge(with = path))]`",
        ),
        (
            "struct P { #[idem(with = f)] a: u8 }",
            "`with` stands inside of `merge`\nhelp: write `#[idem(merge(with = path))]`",
        ),
        ("struct P { #[idem(merge = with = f)] a: u8 }", "unreadable mark"),
        (
            "struct P { #[idem(merge = \"keep\", merge = \"union\")] a: u8 }",
            "`merge` is given twice",
        ),
    ]);
}

#[test]
fn strategies_with_nothing_to_work_on_are_refused() {
    each_has_one_fault::<Merge>(&[
        (
            "struct P { #[idem(critical, merge = \"keep\")] a: u8 }",
            "a critical field is never merged",
        ),
        (
            "struct P { #[serde(skip)] #[idem(merge = \"keep\")] a: u8 }",
            "a field that serde skips cannot be merged",
        ),
        (
            "struct P { #[serde(flatten)] #[idem(merge = \"merge_patch\")] a: A }",
            "a flattened field has no name on the wire that could be merged\nhelp: remove `merge` and derive `Merge` for its type",
        ),
        (
            "#[serde(try_from = \"Q\")] struct P { #[idem(merge = \"keep\")] a: A }",
            "which serde's `try_from` takes from another type",
        ),
        ("enum P { A }", "`Merge` cannot be derived for an enum"),
        ("struct P(u8);", "`Merge` cannot be derived for a struct without field names"),
    ]);
}

#[test]
fn one_type_bears_the_marks_of_all_derives() {
    let item = "#[idem(check = Self::check)] struct P { \
        #[idem(critical)] a: u8, \
        #[idem(ignore, merge = \"keep\")] b: u8, \
        #[idem(nested)] #[idem(merge(with = A::merge))] c: A, \
        #[serde(flatten)] #[idem(nested)] d: D, \
        #[serde(flatten)] #[idem(critical)] e: E }";
    assert!(faults::<Semantic>(item).is_empty());
    assert!(faults::<Merge>(item).is_empty());
}

#[test]
fn marks_that_serde_contradicts_are_refused() {
    each_has_one_fault::<Semantic>(&[
        (
            "struct P { #[idem(critical)] #[serde(skip)] a: u8 }",
            "a field that serde skips cannot be `critical`",
        ),
        ("struct P { #[idem(nested)] #[serde(skip_deserializing)] a: A }", "cannot be `nested`"),
        (
            "struct P { #[idem(ignore)] #[serde(flatten)] a: A }",
            "a flattened field has no name on the wire",
        ),
        (
            "#[serde(from = \"Q\")] struct P { #[idem(ignore)] a: A }",
            "which serde's `from` takes from another type",
        ),
        (
            "#[serde(transparent)] struct P { #[idem(nested)] a: A }",
            "which serde's `transparent` takes",
        ),
    ]);
}

#[test]
fn floats_are_refused_in_whatever_they_are_wrapped() {
    each_has_one_fault::<Semantic>(&[
        ("struct P { #[idem(critical)] a: f64 }", "`f64` cannot be part of a semantic identity"),
        (
            "struct P { #[idem(critical)] a: Option<Vec<f32>> }",
            "`f32` cannot be part of a semantic identity",
        ),
        ("struct P { #[idem(critical)] a: [(u8, f64); 2] }", "help: use `rust_decimal::Decimal`"),
    ]);
    each_has_one_fault::<Value>(&[
        ("struct V(f64);", "`f64`"),
        ("enum V { A { b: Box<f32> } }", "`f32`"),
    ]);
    assert!(
        faults::<Semantic>("struct P { latitude: f64, #[idem(ignore)] clock: f64 }").is_empty()
    );
    assert!(
        faults::<Value>("struct V { #[idem(ignore)] clock: f64, #[serde(skip)] cache: f64 }")
            .is_empty()
    );
}

#[test]
fn shapes_without_meaning_are_refused() {
    each_has_one_fault::<Semantic>(&[
        ("enum P { A }", "`SemanticIdentity` cannot be derived for an enum"),
        ("struct P(u8);", "`SemanticIdentity` cannot be derived for a struct without field names"),
        ("struct P;", "`SemanticIdentity` cannot be derived for a struct without field names"),
        ("union P { a: u8 }", "`SemanticIdentity` cannot be derived for a union"),
    ]);
    each_has_one_fault::<Value>(&[
        ("union V { a: u8 }", "`IdentityValue` cannot be derived for a union"),
        ("enum V { #[idem(ignore)] A }", "`ignore` has no meaning here"),
    ]);
}

#[test]
fn a_state_has_one_engine() {
    each_has_one_fault::<Engine>(&[
        (
            "struct S { bank: Bank }",
            "`S` has no field for the engine\nhelp: add a field `idempotency: Idempotency<",
        ),
        (
            "struct S { a: Idempotency<A, M>, b: idem::Idempotency<B, M> }",
            "`S` has several engines",
        ),
        ("struct S { #[idem(engine)] a: A, #[idem(engine)] b: B }", "the engine is marked twice"),
        ("enum S { A }", "`IdempotencyState` can only be derived for a struct"),
    ]);
    assert!(
        faults::<Engine>("struct S { a: Idempotency<A, M>, #[idem(engine)] b: Idempotency<B, M> }")
            .is_empty()
    );
}

#[test]
fn all_faults_of_a_type_are_reported_at_once() {
    let item = "struct P { #[idem(critcal)] a: u8, #[idem(critical)] b: f64, #[idem(ignore, nested)] c: C }";
    assert_eq!(faults::<Semantic>(item).len(), 3);
}

#[test]
fn a_faulty_derive_still_implements_its_trait() {
    let item = quote::quote! { struct P<T> { #[idem(critical)] amount: f64, of: T } };
    let expanded = expand::<Semantic>(item, Some(Runtime::of_crate("idem_axum"))).to_string();
    assert!(expanded.contains("compile_error"), "{expanded}");
    assert!(expanded.contains("SemanticIdentity for P < T >"), "{expanded}");
    let item = quote::quote! { #[idem(check)] struct P<T> { #[idem(merge = "all")] of: T } };
    let expanded = expand::<Merge>(item, Some(Runtime::of_crate("idem_axum"))).to_string();
    assert_eq!(expanded.matches("compile_error").count(), 2, "{expanded}");
    assert!(expanded.contains("Merge for P < T >"), "{expanded}");
}
