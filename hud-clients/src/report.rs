//! Reports of clients as JSON, in which a call may use the client's own tool name and input.

use std::fmt;

use hud_observe::action::Action;
use hud_observe::observation::Observation;
use hud_observe::reported::Reported;
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::{CLIENTS, actions, named};

/// Parses a report. A call in it may have a `tool`, an `input` and the name of the `client`
/// ([`Client::name`](crate::Client::name)) that has the tool. Without `client`, the first of [`CLIENTS`]
/// that knows such a call is used. A call without `tool` has `actions`.
///
/// ```
/// use hud_clients::report;
/// use serde_json::json;
///
/// let call = json!({ "type": "tool_call", "call": "c", "client": "opencode", "tool": "bash", "input": { "command": "make" } });
/// let same = json!({ "type": "tool_call", "call": "c", "actions": [{ "run": { "command": "make" } }] });
/// assert_eq!(report(call)?, report(same)?);
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// # Errors
///
/// The value is not a report, or it names an unknown client.
pub fn report(mut value: Value) -> Result<Reported, serde_json::Error> {
    if let Some(actions) = spelled(&value).map_err(serde_json::Error::custom)?
        && let Value::Object(fields) = &mut value
    {
        for key in ["client", "tool", "input"] {
            fields.remove(key);
        }
        fields.insert("actions".to_owned(), serde_json::to_value(actions)?);
    }
    serde_json::from_value(value)
}

/// Deserializes the observation of a [`report()`], for `#[serde(deserialize_with)]`.
///
/// # Errors
///
/// As [`report()`].
pub fn observation<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Observation, D::Error> {
    let read = report(Value::deserialize(deserializer)?);
    read.map(|report| report.observation)
        .map_err(D::Error::custom)
}

/// Returns the actions of a call that names its tool.
fn spelled(report: &Value) -> Result<Option<Vec<Action>>, UnknownClient> {
    let is_call = matches!(report["type"].as_str(), Some("tool_call" | "tool_result"));
    let Some(tool) = report["tool"].as_str().filter(|_| is_call) else {
        return Ok(None);
    };
    let input = &report["input"];
    Ok(Some(match report["client"].as_str() {
        None => actions(tool, input),
        Some(name) => named(name)
            .ok_or_else(|| UnknownClient(name.to_owned()))?
            .actions(tool, input),
    }))
}

#[derive(Debug)]
struct UnknownClient(String);

impl fmt::Display for UnknownClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = CLIENTS.iter().map(|known| known.name()).collect();
        let (name, names) = (&self.0, names.join(", "));
        write!(f, "no client is called `{name}`: there are {names}")
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_unknown_client_is_refused_with_the_names_of_all() {
        let said = json!({ "type": "tool_call", "call": "c", "client": "vi", "tool": "x" });
        let refused = report(said).unwrap_err().to_string();
        assert!(
            refused.contains("`vi`: there are") && refused.contains("opencode"),
            "{refused}"
        );
    }
}
