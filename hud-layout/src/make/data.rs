//! The state as expressions and tags are given it.

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

/// A state as it is given to tags, and as expressions see it: no more of it is made into values than they read.
pub(crate) struct Data<'s> {
    state: &'s HudState,
    template: Template,
    written: Arc<Written>,
    kept: Option<Kept>,
}

/// What a state is as JSON, part by part, each of which is written once however many tags are given it, and however
/// often one template is tried on it.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// By the members that lead to each.
    parts: Mutex<BTreeMap<String, Arc<str>>>,
    /// What of it the expressions of the template read, or all of it for a state that many templates are tried on.
    value: OnceLock<Value>,
    is_kept: bool,
}

impl Written {
    /// Of a state that many templates are tried on.
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

    /// The same of a state that layouts are tried on, of which something may have been written and made before.
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

    /// What was made of the state before, if layouts are tried on it.
    pub(super) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// How large the state is, as JSON.
    pub(super) fn bytes(&self) -> usize {
        self.whole().len()
    }

    /// All of the state as JSON.
    fn whole(&self) -> Arc<str> {
        let write = || serde_json::to_string(self.state).ok();
        self.written.part(&[], write).unwrap_or_default()
    }

    /// What the expressions of the template read.
    pub(super) fn value(&self) -> &Value {
        let made = &self.written.value;
        made.get_or_init(|| match &self.template.0.reads {
            Reads::Members(names) if !self.written.is_kept => value::some(self.state, names),
            Reads::All | Reads::Members(_) => value::all(self.state),
        })
    }

    /// Members of the state, as they are without the rest of it.
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

    /// What a path such as that of `state.task` leads to.
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
        // It is in something that was left out, or the length of a list.
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

/// What a tag is given of a state.
pub(super) enum Lent {
    /// This JSON.
    Json(Arc<str>),
    /// What an expression finds in this part of the state.
    Within(Value),
}

/// Puts in what was left out of a state since it is empty, as its schema says.
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

/// The value of what is left out.
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

    /// Takes out all that may be left out where it is as usual.
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
