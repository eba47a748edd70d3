#[derive(IdentityValue)]
struct Unit;

#[derive(IdentityValue)]
struct Cents(i64);

#[derive(IdentityValue)]
struct Pair<A, B>(A, B);

#[derive(IdentityValue)]
#[serde(rename_all = "camelCase")]
struct Money {
    minor_units: i64,
    #[serde(rename = "iso")]
    currency: Currency,
    #[idem(ignore)]
    display: String,
    #[serde(skip)]
    cached: f64,
}

#[derive(IdentityValue)]
#[serde(rename_all = "snake_case", rename_all_fields = "kebab-case")]
enum Method {
    BankTransfer,
    Card { last_four: u16, r#type: String },
    #[serde(rename = "wallet")]
    Purse(String, u8),
    #[serde(rename_all = "UPPERCASE")]
    Voucher { code: String },
}

#[derive(IdentityValue)]
enum Never {}
