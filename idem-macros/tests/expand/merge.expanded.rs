#[automatically_derived]
impl<T> ::idem_axum::__private::Merge for Order<T>
where
    Meta<T>: ::idem_axum::__private::Merge,
{
    const RULES: &'static ::idem_axum::__private::MergeRules = &::idem_axum::__private::MergeRules {
        members: &[
            ::idem_axum::__private::MergeMember {
                name: "customer",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::Overwrite,
            },
            ::idem_axum::__private::MergeMember {
                name: "note",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::Overwrite,
            },
            ::idem_axum::__private::MergeMember {
                name: "allTags",
                aliases: &["labels"],
                strategy: {
                    ::idem_axum::__private::is_list::<Vec<String>>();
                    ::idem_axum::__private::MergeStrategy::Union
                },
            },
            ::idem_axum::__private::MergeMember {
                name: "items",
                aliases: &[],
                strategy: {
                    ::idem_axum::__private::is_list::<Vec<T>>();
                    ::idem_axum::__private::MergeStrategy::AppendNew
                },
            },
            ::idem_axum::__private::MergeMember {
                name: "source",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::Keep,
            },
            ::idem_axum::__private::MergeMember {
                name: "address",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::MergePatch,
            },
            ::idem_axum::__private::MergeMember {
                name: "seen",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::With(|base, patch| ::idem_axum::__private::merge_with::<
                    u64,
                >(base, patch, u64::max)),
            },
            ::idem_axum::__private::MergeMember {
                name: "clientTs",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::Replace,
            },
        ],
        flattened: &[<Meta<T> as ::idem_axum::__private::Merge>::RULES],
    };
    fn check(&self) -> ::core::result::Result<(), ::std::string::String> {
        let checked: ::core::result::Result<(), _> = orders::is_sound(self);
        ::core::result::Result::map_err(
            checked,
            |error| { ::std::string::ToString::to_string(&error) },
        )
    }
}
#[automatically_derived]
impl ::idem_axum::__private::Merge for Plain {
    const RULES: &'static ::idem_axum::__private::MergeRules = &::idem_axum::__private::MergeRules {
        members: &[
            ::idem_axum::__private::MergeMember {
                name: "anything",
                aliases: &[],
                strategy: ::idem_axum::__private::MergeStrategy::Overwrite,
            },
        ],
        flattened: &[],
    };
    fn check(&self) -> ::core::result::Result<(), ::std::string::String> {
        ::core::result::Result::Ok(())
    }
}
#[automatically_derived]
impl ::idem_axum::__private::SemanticIdentity for Plain {
    const MASK: &'static ::idem_axum::__private::Mask = &::idem_axum::__private::Mask::new(
        &[],
    );
    const HAS_CRITICAL: ::core::primitive::bool = false;
    fn write_critical(&self, _: &mut ::idem_axum::__private::Identity) {}
}
