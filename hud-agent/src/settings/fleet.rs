//! Where the events of a fleet's agents go.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Where what agents record is sent besides being kept here, and when. Nothing is sent to an address before
/// somebody named it with `hud push --to` or `hud pull --from` on this machine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Fleet {
    /// The log of the fleet: an address such as `postgres://ada@db.example/fleet?log=team`. A password is no
    /// part of it: that is in the variable PGPASSWORD, or printed by the command in HUD_PASSWORD_COMMAND.
    #[serde(with = "Url")]
    pub url: String,
    /// When it is sent: `by_hand`, with `hud push`, or in the `background`, by a process beside the client's.
    pub push: When,
}

/// When what agents record is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum When {
    /// When somebody does it.
    #[default]
    ByHand,
    /// While an agent works, by a process of its own.
    Background,
}

/// An address without a password.
struct Url;

impl Url {
    fn serialize<S: Serializer>(url: &str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(url)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
        let url = String::deserialize(deserializer)?;
        match fault(&url) {
            None => Ok(url),
            // The address is not repeated: it may have a password in it.
            Some(fault) => Err(de::Error::custom(fault)),
        }
    }
}

impl JsonSchema for Url {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Url".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string" })
    }
}

/// What is wrong with an address, if something is.
fn fault(url: &str) -> Option<&'static str> {
    if url.is_empty() {
        return None;
    }
    let rest = url
        .strip_prefix("postgres://")
        .or_else(|| url.strip_prefix("postgresql://"));
    let Some(rest) = rest else {
        return Some("an address begins with `postgres://`");
    };
    let (server, options) = rest.split_once('?').unwrap_or((rest, ""));
    let has_password = server
        .rsplit_once('@')
        .is_some_and(|(user, _)| user.contains([':', '/', '@']))
        || options
            .split('&')
            .any(|option| option.starts_with("password"))
        || options.contains('@');
    has_password.then_some(
        "the address has a password: take it out, and put it into the variable PGPASSWORD, or a command that \
         prints it into HUD_PASSWORD_COMMAND",
    )
}

#[cfg(test)]
mod tests {
    use super::super::Settings;
    use super::*;

    #[test]
    fn an_address_with_a_password_is_refused_and_not_repeated() {
        for url in [
            "postgres://ada:secret@db/fleet",
            "postgres://ada@secret@db/fleet",
            "postgres://db/fleet?password=secret",
            "postgres://db/fleet?user=ada&password=secret",
        ] {
            let settings = format!("{{\"fleet\": {{\"url\": \"{url}\"}}}}");
            let said = match serde_json::from_str::<Settings>(&settings) {
                Ok(_) => String::new(),
                Err(error) => error.to_string(),
            };
            assert!(said.contains("PGPASSWORD"), "{url}: {said}");
            assert!(!said.contains("secret"), "{said}");
        }
        assert_eq!(fault("postgres://ada@n1,n2:5433/fleet?log=team"), None);
        assert!(fault("mysql://db/fleet").is_some());
    }
}
