#![deny(unused)]

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};

use idem_axum::core::merge::merge;
use idem_axum::{Merge, SemanticIdentity};
use serde::{Deserialize, Serialize};

#[derive(Deserialize, SemanticIdentity, Merge)]
#[serde(rename_all = "camelCase")]
#[idem(check = Self::sound)]
#[allow(dead_code)]
struct Order<T> {
    #[idem(critical)]
    customer: u64,
    note: Option<String>,
    #[idem(merge = "union")]
    #[serde(alias = "labels")]
    all_tags: Vec<String>,
    #[idem(merge = "append_new")]
    items: Option<Vec<T>>,
    #[idem(merge = "union")]
    seen: HashSet<u64>,
    #[idem(merge = "union")]
    sorted: BTreeSet<u64>,
    #[idem(merge = "append_new")]
    queue: VecDeque<u64>,
    #[idem(ignore, merge = "keep")]
    source: Option<String>,
    #[idem(nested, merge = "merge_patch")]
    address: Option<Address>,
    #[idem(merge(with = u64::max))]
    budget: u64,
    #[idem(merge(with = Address::later))]
    billing: Address,
    #[serde(flatten)]
    meta: Meta<T>,
    #[serde(flatten)]
    #[idem(merge = "overwrite")]
    rest: HashMap<String, u64>,
    #[serde(skip)]
    cached: u64,
}

impl<T> Order<T> {
    fn sound(&self) -> Result<(), &'static str> {
        if self.budget > 0 { Ok(()) } else { Err("no budget") }
    }
}

#[derive(Deserialize, Serialize, SemanticIdentity)]
struct Address {
    #[idem(critical)]
    city: String,
}

impl Address {
    fn later(self, patch: Self) -> Self {
        if patch.city.is_empty() { self } else { patch }
    }
}

#[derive(Deserialize, Merge)]
#[allow(dead_code)]
struct Meta<T> {
    #[idem(merge = "keep")]
    trace: Option<T>,
}

fn main() {
    let rules = <Order<String> as Merge>::RULES;
    let names: Vec<&str> = rules.members.iter().map(|member| member.name).collect();
    let own = ["customer", "note", "allTags", "items", "seen", "sorted", "queue", "source"];
    assert_eq!(names[..own.len()], own);
    assert_eq!(rules.members[2].aliases, ["labels"]);
    assert_eq!(rules.flattened[0].members[0].name, "trace");

    let first = br#"{"labels": ["a"], "budget": 7, "trace": "x", "extra": 1}"#;
    let new = br#"{"allTags": ["b", "a"], "budget": 5, "trace": "y", "extra": 2}"#;
    let merged = merge::<Order<String>>(first, new).expect("both can be merged");
    let expected = br#"{"allTags":["a","b"],"budget":7,"trace":"x","extra":2}"#;
    assert_eq!(merged, expected.as_slice());
}
