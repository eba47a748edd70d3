#[derive(Merge)]
#[serde(rename_all = "camelCase")]
#[idem(check = orders::is_sound)]
struct Order<T> {
    #[idem(critical)]
    customer: u64,
    note: Option<String>,
    #[idem(merge = "union")]
    #[serde(alias = "labels")]
    all_tags: Vec<String>,
    #[idem(merge = "append_new")]
    items: Vec<T>,
    #[idem(merge = "keep")]
    source: String,
    #[idem(nested, merge = "merge_patch")]
    address: Address,
    #[idem(merge(with = u64::max))]
    seen: u64,
    #[serde(flatten)]
    meta: Meta<T>,
    #[serde(flatten)]
    #[idem(merge = "overwrite")]
    rest: HashMap<String, Value>,
    #[serde(skip)]
    cached: u64,
    #[idem(ignore)]
    client_ts: Option<String>,
}

#[derive(Merge, SemanticIdentity)]
struct Plain {
    anything: String,
}
