#[automatically_derived]
impl ::idem_axum::__private::IdentityValue for Unit {
    fn write(&self, out: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        out.unit()
    }
}
#[automatically_derived]
impl ::idem_axum::__private::IdentityValue for Cents {
    fn write(&self, out: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        out.value(&self.0)
    }
}
#[automatically_derived]
impl<
    A: ::idem_axum::__private::IdentityValue,
    B: ::idem_axum::__private::IdentityValue,
> ::idem_axum::__private::IdentityValue for Pair<A, B> {
    fn write(&self, out: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        out.tuple(|out| {
            out.value(&self.0);
            out.value(&self.1);
        })
    }
}
#[automatically_derived]
impl ::idem_axum::__private::IdentityValue for Money {
    fn write(&self, out: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        out.record(|record| {
            record.member("minorUnits", |out| out.value(&self.minor_units));
            record.member("iso", |out| out.value(&self.currency));
        })
    }
}
#[automatically_derived]
impl ::idem_axum::__private::IdentityValue for Method {
    fn write(&self, out: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        match self {
            Self::BankTransfer => out.variant("bank_transfer", |_| ()),
            Self::Card { last_four: field_last_four, r#type: field_type, .. } => {
                out.variant(
                    "card",
                    |out| {
                        out
                            .record(|record| {
                                record
                                    .member("last-four", |out| out.value(field_last_four));
                                record.member("type", |out| out.value(field_type));
                            })
                    },
                )
            }
            Self::Purse { 0: field_0, 1: field_1, .. } => {
                out.variant(
                    "wallet",
                    |out| {
                        out.value(field_0);
                        out.value(field_1);
                    },
                )
            }
            Self::Voucher { code: field_code, .. } => {
                out.variant(
                    "voucher",
                    |out| {
                        out
                            .record(|record| {
                                record.member("CODE", |out| out.value(field_code));
                            })
                    },
                )
            }
        }
    }
}
#[automatically_derived]
impl ::idem_axum::__private::IdentityValue for Never {
    fn write(&self, _: &mut ::idem_axum::__private::IdentityWriter<'_>) {
        match *self {}
    }
}
