//! Statements with their values written into them.
//!
//! A statement whose values are sent apart is prepared first, which takes another round trip on
//! every new connection and is lost behind a pooler that gives each transaction another server
//! connection. These are sent as one message, whatever stands between us and the server.

use std::borrow::Cow;
use std::sync::Arc;

use crate::store::StoreError;

/// A statement that has `$1`, `$2` and so on in the place of its values, which are given in that
/// order.
pub(super) struct Statement {
    sql: Cow<'static, str>,
    literals: Vec<String>,
    has_nul: bool,
}

impl Statement {
    pub(super) fn new(sql: &'static str) -> Self {
        Self { sql: Cow::Borrowed(sql), literals: Vec::new(), has_nul: false }
    }

    /// Goes on with `sql`.
    pub(super) fn then(mut self, sql: &'static str) -> Self {
        self.sql += sql;
        self
    }

    /// Goes on with `sql` and the value that is given next.
    pub(super) fn with(self, sql: &'static str) -> Self {
        let Self { sql: before, literals, .. } = &self;
        let sql = Cow::Owned(format!("{before}{sql}${}", literals.len() + 1));
        Self { sql, ..self }
    }

    pub(super) fn bytes<'v>(mut self, value: impl Into<Option<&'v [u8]>>) -> Self {
        self.literals.push(match value.into() {
            None => "NULL::bytea".to_owned(),
            Some(bytes) => literal(bytes),
        });
        self
    }

    pub(super) fn text<'v>(mut self, value: impl Into<Option<&'v str>>) -> Self {
        self.literals.push(match value.into() {
            None => "NULL::text".to_owned(),
            Some(text) => {
                self.has_nul |= text.contains('\0');
                format!("E'{}'::text", text.replace('\\', r"\\").replace('\'', r"\'"))
            }
        });
        self
    }

    pub(super) fn integer(mut self, value: impl Into<Option<i64>>) -> Self {
        self.literals.push(match value.into() {
            None => "NULL::bigint".to_owned(),
            Some(number) => format!("'{number}'::bigint"),
        });
        self
    }

    pub(super) fn flag(mut self, value: bool) -> Self {
        self.literals.push(value.to_string());
        self
    }

    /// The whole statement.
    ///
    /// # Errors
    /// When a text has a NUL character, which no text of PostgreSQL can have.
    pub(super) fn write(&self) -> Result<Arc<str>, StoreError> {
        if self.has_nul {
            let reason = "PostgreSQL has no text with a NUL character: keep it out of the \
                          identifiers of principals";
            return Err(StoreError::Unusable { reason: reason.to_owned() });
        }
        let mut written = String::new();
        let mut parts = self.sql.split('$');
        written.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = part.split_at(digits);
            let number: usize = number.parse().expect("a `$` is followed by a number");
            written.push_str(&self.literals[number - 1]);
            written.push_str(rest);
        }
        Ok(written.into())
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

/// A byte string. The backslash is escaped, so that it is read alike under every setting.
fn literal(bytes: &[u8]) -> String {
    let mut literal = String::with_capacity(2 * bytes.len() + 16);
    literal.push_str(r"E'\\x");
    for byte in bytes {
        literal.push(char::from(HEX[usize::from(byte >> 4)]));
        literal.push(char::from(HEX[usize::from(byte & 15)]));
    }
    literal.push_str("'::bytea");
    literal
}
