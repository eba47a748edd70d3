//! Objects as their members, in order, with their values as they are written.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::rules::{MergeRules, MergeStrategy};
use super::{MergeError, lists, patch};

/// The text of a JSON value.
pub(super) type Text<'a> = Cow<'a, str>;

/// The members of an object, found by name however many there are.
#[derive(Default)]
pub(super) struct Members<'a> {
    /// In order; a removed one leaves its place empty.
    entries: Vec<(Cow<'a, str>, Option<Text<'a>>)>,
    places: HashMap<Cow<'a, str>, usize>,
}

/// Merges `patch` into `base` by the rules.
pub(super) fn merge(rules: &MergeRules, base: &[u8], patch: &[u8]) -> Result<String, MergeError> {
    let [base, patch] = [base, patch].map(serde_json::from_slice::<&RawValue>);
    let (base, patch) = (base?.get(), patch?.get());
    if !is_object(patch) {
        return Ok(patch.to_owned());
    }
    let mut merged = Members::named_by(rules, base)?;
    merged.keep(|name| !matches!(strategy_of(rules, name), MergeStrategy::Replace));
    for (name, value) in Members::named_by(rules, patch)?.into_iter() {
        let strategy = strategy_of(rules, &name);
        let result = match merged.get(&name) {
            Some(base) => merge_value(strategy, base, &value)?,
            None => added(strategy, value)?,
        };
        match result {
            Some(result) => merged.set(name, result),
            None => merged.remove(&name),
        }
    }
    Ok(merged.write())
}

fn strategy_of(rules: &MergeRules, name: &str) -> MergeStrategy {
    rules.of(name).map_or(MergeStrategy::Overwrite, |rule| rule.strategy)
}

/// The value of a member that both have; `None` removes it.
fn merge_value<'a>(
    strategy: MergeStrategy,
    base: &str,
    patch: &str,
) -> Result<Option<Text<'a>>, MergeError> {
    if let MergeStrategy::MergePatch = strategy {
        return patch::apply(Some(base), patch);
    }
    if is_null(patch) {
        return Ok(Some(Cow::Owned(base.to_owned())));
    }
    if is_null(base) {
        return added(strategy, Cow::Owned(patch.to_owned()));
    }
    let text = match strategy {
        MergeStrategy::Keep => base.to_owned(),
        MergeStrategy::Union => lists::union(base, patch),
        MergeStrategy::AppendNew => lists::append_new(base, patch),
        MergeStrategy::With(with) => {
            with(serde_json::from_str(base)?, serde_json::from_str(patch)?)?.get().to_owned()
        }
        MergeStrategy::Overwrite | MergeStrategy::Replace | MergeStrategy::MergePatch => {
            patch.to_owned()
        }
    };
    Ok(Some(Cow::Owned(text)))
}

/// The value of a member of which only the patch has one.
fn added(strategy: MergeStrategy, patch: Text<'_>) -> Result<Option<Text<'_>>, MergeError> {
    Ok(match strategy {
        MergeStrategy::MergePatch => patch::apply(None, &patch)?,
        MergeStrategy::Union => Some(lists::distinct(&patch).map_or(patch, Cow::Owned)),
        _ => Some(patch),
    })
}

impl<'a> Members<'a> {
    /// The members of an object, each under its primary name; none of what is no object.
    fn named_by(rules: &MergeRules, text: &'a str) -> Result<Self, MergeError> {
        let mut members = Self::default();
        for (name, value) in Self::of(text)?.into_iter() {
            let name = rules.of(&name).map_or(name, |rule| Cow::Borrowed(rule.name));
            members.set(name, value);
        }
        Ok(members)
    }

    /// The members of an object; none of what is no object.
    pub(super) fn of(text: &'a str) -> Result<Self, MergeError> {
        if is_object(text) { Ok(serde_json::from_str(text)?) } else { Ok(Self::default()) }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Text<'a>> {
        self.entries[*self.places.get(name)?].1.as_ref()
    }

    pub(super) fn set(&mut self, name: Cow<'a, str>, value: Text<'a>) {
        match self.places.get(&name) {
            Some(place) => self.entries[*place].1 = Some(value),
            None => {
                self.places.insert(name.clone(), self.entries.len());
                self.entries.push((name, Some(value)));
            }
        }
    }

    pub(super) fn remove(&mut self, name: &str) {
        if let Some(place) = self.places.get(name) {
            self.entries[*place].1 = None;
        }
    }

    fn keep(&mut self, keeps: impl Fn(&str) -> bool) {
        for (name, value) in &mut self.entries {
            if !keeps(name) {
                *value = None;
            }
        }
    }

    pub(super) fn into_iter(self) -> impl Iterator<Item = (Cow<'a, str>, Text<'a>)> {
        self.entries.into_iter().filter_map(|(name, value)| Some((name, value?)))
    }

    /// The object.
    pub(super) fn write(&self) -> String {
        let mut out = String::from("{");
        let there = self.entries.iter().filter_map(|(name, value)| Some((name, value.as_ref()?)));
        for (name, value) in there {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&serde_json::Value::from(&**name).to_string());
            out.push(':');
            out.push_str(value);
        }
        out.push('}');
        out
    }
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Members::default();
        while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
            members.set(Cow::Owned(name), Cow::Borrowed(value.get()));
        }
        Ok(members)
    }
}

pub(super) fn is_null(text: &str) -> bool {
    text == "null"
}

pub(super) fn is_object(text: &str) -> bool {
    text.starts_with('{')
}
