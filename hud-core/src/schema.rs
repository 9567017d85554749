//! Props as data: a component's props as a tool's schema (feature `schema`).
//!
//! `#[component(schema)]` gives the struct of the props `serde::Deserialize` and
//! `schemars::JsonSchema`. The docs of the arguments are the schema's descriptions, a prop that
//! may be left out in `rsx!` may be left out in the data, and one that does not exist is an error.
//! Slots are text.
//!
#![cfg_attr(feature = "schema", doc = "```")]
#![cfg_attr(not(feature = "schema"), doc = "```ignore")]
//! use hud_core::schema::{schemars, serde};
//! use hud_core::{Density, Element, component, render, rsx};
//!
//! /// Says that something is wrong.
//! #[component(schema)]
//! fn Warning(
//!     /// What is wrong.
//!     message: String,
//!     /// How often it was seen.
//!     #[prop(default = 1)]
//!     times: u32,
//!     /// What to do about it.
//!     help: Option<Element<'static>>,
//! ) -> Element<'static> {
//!     rsx! { {message} " (" {times} ") " {help} }
//! }
//!
//! let schema = schemars::schema_for!(Warning);
//! assert_eq!(schema.get("description").unwrap(), "Says that something is wrong.");
//! assert_eq!(schema.pointer("/properties/times/default").unwrap(), 1);
//! assert_eq!(schema.pointer("/required").unwrap(), &serde_json::json!(["message"]));
//!
//! let warning: Warning = serde_json::from_str(r##"{"message": "# low", "help": "Save it."}"##)?;
//! assert_eq!(render(&rsx! { {warning} }, Density::Full)?, "\\# low (1) Save it.\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types of your own
//!
//! A prop's type is read from data, too: derive `Deserialize` and `JsonSchema` for it. Both derives
//! are those of this crate's dependencies, whose names the two attributes give them, so that a
//! manifest needs neither.
//!
#![cfg_attr(feature = "schema", doc = "```")]
#![cfg_attr(not(feature = "schema"), doc = "```ignore")]
//! use hud_core::schema::schemars::{self, JsonSchema};
//! use hud_core::schema::serde::{self, Deserialize};
//! use hud_core::{Density, Element, component, render, rsx};
//!
//! /// How bad it is.
//! #[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
//! #[serde(crate = "hud_core::schema::serde", rename_all = "lowercase")]
//! #[schemars(crate = "hud_core::schema::schemars")]
//! enum Level {
//!     /// It can wait.
//!     #[default]
//!     Low,
//!     /// It can not.
//!     High,
//! }
//!
//! #[component(schema)]
//! fn Alarm(message: String, #[prop(default)] level: Level) -> Element<'static> {
//!     rsx! {
//!         match level {
//!             Level::Low => "note: ",
//!             Level::High => "alarm: ",
//!         }
//!         {message}
//!     }
//! }
//!
//! let schema = schemars::schema_for!(Alarm);
//! let level = schema.pointer("/$defs/Level/oneOf/1").unwrap();
//! assert_eq!(level["const"], "high");
//! assert_eq!(level["description"], "It can not.");
//!
//! let alarm: Alarm = serde_json::from_str(r#"{"message": "disk", "level": "high"}"#)?;
//! assert_eq!(render(&rsx! { {alarm} }, Density::Full)?, "alarm: disk\n");
//! let wrong = serde_json::from_str::<Alarm>(r#"{"message": "disk", "level": "medium"}"#);
//! assert!(wrong.unwrap_err().to_string().starts_with("unknown variant `medium`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "schema")]
pub use schemars;
#[cfg(feature = "schema")]
pub use serde;

/// Tells that the feature is missing, at the key that needs it.
#[doc(hidden)]
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! __schema_required {
    () => {};
}

/// Tells that the feature is missing, at the key that needs it.
#[doc(hidden)]
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! __schema_required {
    () => {
        ::core::compile_error!(
            "`schema` needs the feature of the same name: write \
             `hud-core = { .., features = [\"schema\"] }` in Cargo.toml"
        );
    };
}

#[doc(hidden)]
pub use __schema_required as required;

#[cfg(feature = "schema")]
mod implementations {
    use std::borrow::Cow;

    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer};

    use crate::density::Density;
    use crate::element::Element;

    /// From text, which stays text: it is not read as markup.
    impl<'de> Deserialize<'de> for Element<'_> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            String::deserialize(deserializer).map(Element::text)
        }
    }

    impl JsonSchema for Element<'_> {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Element".into()
        }

        fn json_schema(generator: &mut SchemaGenerator) -> Schema {
            String::json_schema(generator)
        }
    }

    /// From its name.
    impl<'de> Deserialize<'de> for Density {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            String::deserialize(deserializer)?
                .parse()
                .map_err(D::Error::custom)
        }
    }

    impl JsonSchema for Density {
        fn inline_schema() -> bool {
            true
        }

        fn schema_name() -> Cow<'static, str> {
            "Density".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "enum": Density::ALL.map(Density::name) })
        }
    }
}
