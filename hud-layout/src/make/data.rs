//! The state as expressions and tags are given it.

use std::cell::OnceCell;
use std::rc::Rc;

use hud_store::state::HudState;
use serde_json::{Map, Value as Json};

use crate::catalogue::state_schema;
use crate::expr::{Expr, ExprKind, LinkKind, Value};

/// A state as expressions see it.
pub(crate) struct Data {
    json: Json,
    value: OnceCell<Value>,
}

impl Data {
    pub(crate) fn of(state: &HudState) -> Rc<Self> {
        let mut json = serde_json::to_value(state).unwrap_or_default();
        fill(&mut json, state_schema());
        Rc::new(Self {
            json,
            value: OnceCell::new(),
        })
    }

    pub(super) fn json(&self) -> &Json {
        &self.json
    }

    pub(super) fn value(&self) -> &Value {
        self.value.get_or_init(|| Value::from(&self.json))
    }

    /// What an expression such as `state.task` names, without a copy of it.
    pub(super) fn path(&self, expr: &Expr) -> Option<&Json> {
        let is_state =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if &**name == "state");
        match &expr.kind {
            ExprKind::Path { of, links } if is_state(of) => {
                links
                    .iter()
                    .try_fold(&self.json, |value, link| match &link.kind {
                        LinkKind::Member(name) => value.get(&*name.text),
                        _ => None,
                    })
            }
            _ if is_state(expr) => Some(&self.json),
            _ => None,
        }
    }
}

/// Puts in what was left out of a state since it is empty, as its schema says.
fn fill(value: &mut Json, schema: &Json) {
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
fn empty(schema: &Json) -> Option<Json> {
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
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;
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
                let filled = Data::of(&state);
                assert_eq!(
                    serde_json::from_value::<HudState>(filled.json.clone()).unwrap(),
                    state
                );
            }
        }
    }
}
