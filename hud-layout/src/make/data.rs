//! The state as the input of expressions and tags.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hud_store::state::HudState;
use serde_json::{Map, Value as Json};

use super::kept::Kept;
use super::pick;
use super::reads::Reads;
use super::value;
use crate::catalogue::state_schema;
use crate::expr::Value;
use crate::template::Template;

/// A state as the input of tags and expressions. Only the members that they read are converted to values.
pub(crate) struct Data<'s> {
    state: &'s HudState,
    template: Template,
    written: Arc<Written>,
    kept: Option<Kept>,
}

/// The parts of a state as JSON. Each part is serialized once, even if several tags use it or if a template is tried
/// on it several times.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// The parts, by their paths.
    parts: Mutex<BTreeMap<String, Arc<str>>>,
    /// The members that the expressions of the template read, or the whole state if several templates are tried on
    /// it.
    value: OnceLock<Value>,
    is_kept: bool,
}

impl Written {
    /// Returns the cache for a state that many templates are tried on.
    pub(crate) fn kept() -> Self {
        Self {
            is_kept: true,
            ..Self::default()
        }
    }

    fn part(&self, path: &[&str], write: impl FnOnce() -> Option<String>) -> Option<Arc<str>> {
        let path = path.join(".");
        let known = |parts: &mut BTreeMap<String, Arc<str>>| parts.get(&path).cloned();
        if let Some(text) = self.with(known) {
            return Some(text);
        }
        let text: Arc<str> = write()?.into();
        self.with(|parts| parts.insert(path, Arc::clone(&text)));
        Some(text)
    }

    fn with<T>(&self, work: impl FnOnce(&mut BTreeMap<String, Arc<str>>) -> T) -> T {
        work(&mut self.parts.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<'s> Data<'s> {
    pub(crate) fn of(state: &'s HudState, template: &Template) -> Rc<Self> {
        Rc::new(Self {
            state,
            template: template.clone(),
            written: Arc::default(),
            kept: None,
        })
    }

    /// Returns the data of a state that layouts are tried on, with the parts and elements that are already cached.
    pub(crate) fn tried(
        state: &'s HudState,
        written: Arc<Written>,
        kept: Kept,
        template: &Template,
    ) -> Rc<Self> {
        Rc::new(Self {
            state,
            template: template.clone(),
            written,
            kept: Some(kept),
        })
    }

    /// The cached elements of the state, if layouts are tried on it.
    pub(super) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// The size of the state as JSON, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.whole().len()
    }

    /// The whole state as JSON.
    fn whole(&self) -> Arc<str> {
        let write = || serde_json::to_string(self.state).ok();
        self.written.part(&[], write).unwrap_or_default()
    }

    /// The value that the expressions of the template read.
    pub(super) fn value(&self) -> &Value {
        let made = &self.written.value;
        made.get_or_init(|| match &self.template.0.reads {
            Reads::Members(names) if !self.written.is_kept => value::some(self.state, names),
            Reads::All | Reads::Members(_) => value::all(self.state),
        })
    }

    /// Members of the state, including those that are omitted because they are empty.
    fn members(&self, names: &BTreeSet<Arc<str>>) -> Map<String, Json> {
        let mut members = pick::some(self.state, names);
        for name in names {
            let Some(schema) = state_schema()["properties"].get(&**name) else {
                continue;
            };
            match members.get_mut(&**name) {
                Some(member) => fill(member, schema),
                None => members.extend(empty(schema).map(|member| (name.to_string(), member))),
            }
        }
        members
    }

    /// The value at a path such as that of `state.task`.
    pub(super) fn lent(&self, path: &[&str]) -> Lent {
        let Some((first, rest)) = path.split_first() else {
            return Lent::Json(self.whole());
        };
        let write = || pick::text(self.state, path);
        if let Some(text) = self.written.part(path, write) {
            return Lent::Json(text);
        }
        let schema = &state_schema()["properties"];
        if let ([], Some(empty)) = (rest, schema.get(*first).and_then(empty)) {
            return Lent::Json(empty.to_string().into());
        }
        // The path leads into an omitted member, or to the length of a list.
        let member = self.members(&BTreeSet::from([Arc::from(*first)]));
        let found = { rest.iter() }
            .try_fold(member.get(*first).unwrap_or(&Json::Null), |json, name| {
                json.get(name)
            });
        match found.filter(|_| member.contains_key(*first)) {
            Some(found) => Lent::Json(found.to_string().into()),
            None => Lent::Within(Value::from(&Json::Object(member))),
        }
    }
}

/// The value that a tag gets from a state.
pub(super) enum Lent {
    /// The value as JSON.
    Json(Arc<str>),
    /// The part of the state in which an expression finds the value.
    Within(Value),
}

/// Adds the members that were omitted because they are empty, as their schema describes them.
pub(super) fn fill(value: &mut Json, schema: &Json) {
    match value {
        Json::Object(members) => {
            if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
                for (name, schema) in properties {
                    match members.get_mut(name) {
                        Some(value) => fill(value, schema),
                        None => {
                            members.extend(empty(schema).map(|value| (name.clone(), value)));
                        }
                    }
                }
            } else if let Some(schema) = schema.get("additionalProperties") {
                members.values_mut().for_each(|value| fill(value, schema));
            } else if let Some(schema) = schema.get("anyOf").and_then(|of| of.get(0)) {
                fill(value, schema);
            }
        }
        Json::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|value| fill(value, schema));
            }
        }
        _ => {}
    }
}

/// The value of an omitted member.
pub(super) fn empty(schema: &Json) -> Option<Json> {
    let ty = match schema.get("type") {
        Some(Json::String(ty)) => ty.as_str(),
        Some(Json::Array(types)) if types.iter().any(|ty| ty == "null") => return Some(Json::Null),
        _ if schema.get("anyOf").is_some() => return Some(Json::Null),
        _ => return schema.get("default").cloned(),
    };
    match (schema.get("default"), ty) {
        (Some(default), ty) if ty != "object" => Some(default.clone()),
        (_, "array") => Some(Json::Array(Vec::new())),
        (_, "object") => {
            let mut value = Json::Object(Map::new());
            fill(&mut value, schema);
            Some(value)
        }
        (_, "string") if schema.get("enum").is_none() => Some("".into()),
        (_, "boolean") => Some(false.into()),
        (_, "integer" | "number") => Some(0.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::panic,
        reason = "a test that cannot go on has failed"
    )]

    use super::*;
    use crate::catalogue::Catalogue;
    use crate::states;

    /// Removes all members that may be omitted if they have their usual value.
    fn spare(value: &mut Json) {
        match value {
            Json::Object(members) => {
                members.remove("by");
                members.values_mut().for_each(spare);
            }
            Json::Array(items) => items.iter_mut().for_each(spare),
            _ => {}
        }
    }

    #[test]
    fn what_is_left_out_of_a_state_is_filled_in_as_the_state_means_it() {
        for state in [
            HudState::default(),
            states::overfull().clone(),
            states::hostile().clone(),
        ] {
            let mut json = serde_json::to_value(&state).unwrap();
            for is_spared in [false, true] {
                if is_spared {
                    spare(&mut json);
                }
                let state: HudState = serde_json::from_value(json.clone()).unwrap();
                let mut filled = serde_json::to_value(&state).unwrap();
                fill(&mut filled, state_schema());
                assert_eq!(serde_json::from_value::<HudState>(filled).unwrap(), state);
            }
        }
    }

    #[test]
    fn a_tag_is_given_what_there_is_and_what_was_left_out() {
        let template = Template::built_in(&Catalogue::built_in()).unwrap();
        for state in [
            HudState::default(),
            states::overfull().clone(),
            states::hostile().clone(),
        ] {
            let mut filled = serde_json::to_value(&state).unwrap();
            fill(&mut filled, state_schema());
            let data = Data::of(&state, &template);
            for (name, member) in filled.as_object().unwrap() {
                let mut paths = vec![(vec![name.as_str()], member)];
                let inner = member.as_object().into_iter().flatten();
                paths.extend(inner.map(|(inner, value)| (vec![name.as_str(), inner], value)));
                for (path, expected) in paths {
                    match data.lent(&path) {
                        Lent::Json(text) => {
                            let mut found: Json = serde_json::from_str(&text).unwrap();
                            let mut schema = state_schema();
                            for name in &path {
                                let inner = schema.pointer("/anyOf/0").unwrap_or(schema);
                                schema = inner["properties"].get(*name).unwrap_or(&Json::Null);
                            }
                            fill(&mut found, schema);
                            assert_eq!(&found, expected, "{path:?}");
                        }
                        Lent::Within(_) => panic!("{path:?} is there"),
                    }
                }
            }
            let Lent::Json(all) = data.lent(&[]) else {
                panic!("the state is there");
            };
            assert_eq!(serde_json::from_str::<HudState>(&all).unwrap(), state);
            assert!(matches!(
                data.lent(&["decisions", "length"]),
                Lent::Within(_)
            ));
            assert!(matches!(data.lent(&["nothing"]), Lent::Within(_)));
        }
    }
}
