//! Whether something may be done: [`Permission`].

use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// Whether an agent may do something: `true`, `false`, or `"ask"`.
///
/// ```
/// use hud_agent::settings::{Permission, Settings};
///
/// let settings: Settings = serde_json::from_str(r#"{ "agent_layout": "ask" }"#)?;
/// assert_eq!(settings.agent_layout, Permission::Ask);
/// let mistake = serde_json::from_str::<Settings>(r#"{ "agent_layout": "yes" }"#);
/// assert!(mistake.unwrap_err().to_string().contains("`true`, `false` or `\"ask\"`"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Permission {
    /// It may not.
    #[default]
    No,
    /// It proposes it, and the user allows it.
    Ask,
    /// It may.
    Yes,
}

const ASK: &str = "ask";

impl Serialize for Permission {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::No => serializer.serialize_bool(false),
            Self::Ask => serializer.serialize_str(ASK),
            Self::Yes => serializer.serialize_bool(true),
        }
    }
}

impl<'de> Deserialize<'de> for Permission {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Given;

        impl Visitor<'_> for Given {
            type Value = Permission;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "`true`, `false` or `\"{ASK}\"`")
            }

            fn visit_bool<E: de::Error>(self, given: bool) -> Result<Permission, E> {
                Ok(match given {
                    true => Permission::Yes,
                    false => Permission::No,
                })
            }

            fn visit_str<E: de::Error>(self, given: &str) -> Result<Permission, E> {
                match given {
                    ASK => Ok(Permission::Ask),
                    other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
                }
            }
        }

        deserializer.deserialize_any(Given)
    }
}

impl JsonSchema for Permission {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Permission".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["boolean", "string"], "enum": [true, false, ASK] })
    }
}
