//! Props as data: a component's props as a tool's schema (feature `schema`).
//!
//! `#[component(schema)]` implements `serde::Deserialize` and `schemars::JsonSchema` for the struct
//! of the props. The docs of the arguments are the schema's descriptions. A prop that is optional
//! in `rsx!` is optional in the data, and an unknown prop is an error. Slots are text.
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
//! # Props that borrow
//!
//! A component with borrowed props, such as `&'a [Task]` or `Option<&'a Task>`, can be deserialized,
//! too. The macro generates a struct that owns the values, as `<[Task] as ToOwned>::Owned`, and lends
//! them while the component is rendered. The struct is the [`Data`](FromData::Data) of the tag:
//!
#![cfg_attr(feature = "schema", doc = "```")]
#![cfg_attr(not(feature = "schema"), doc = "```ignore")]
//! use hud_core::schema::{FromData, Slots, schemars};
//! use hud_core::{Density, Element, component, render, rsx};
//!
//! /// Who comes.
//! #[component(schema)]
//! fn Guests<'a>(
//!     /// Their names.
//!     names: &'a [String],
//!     /// The one who asks for help.
//!     lost: Option<&'a String>,
//! ) -> Element<'a> {
//!     rsx! { {names.join(", ")} if let Some(name) = lost { "; where is " {name} "?" } }
//! }
//!
//! let schema = schemars::schema_for!(<Guests<'_> as FromData>::Data);
//! assert_eq!(schema.pointer("/properties/names/items/type").unwrap(), "string");
//!
//! let guests = serde_json::from_str(r#"{"names": ["Ada", "Grace"], "lost": "Edsger"}"#)?;
//! let element = Guests::element(guests, &mut Slots::default());
//! assert_eq!(render(&element, Density::Full)?, "Ada, Grace; where is Edsger?\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Types of your own
//!
//! The type of a prop is deserialized as well: derive `Deserialize` and `JsonSchema` for it. The
//! two attributes point both derives to this crate's re-exports, so a manifest needs neither
//! dependency.
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
//! assert!(wrong.err().unwrap().to_string().starts_with("unknown variant `medium`"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "schema")]
pub use schemars;
#[cfg(feature = "schema")]
pub use serde;

/// A tag that can be deserialized: a component with `#[component(schema)]`, or a node with
/// `#[node(schema)]`.
#[cfg(feature = "schema")]
pub trait FromData: crate::component::Tag {
    /// The deserialized props. Its schema has their docs.
    type Data: serde::de::DeserializeOwned + schemars::JsonSchema;

    /// The element with these props. The elements in `slots` override the props of the same name in
    /// the data, which can only be text.
    fn element(data: Self::Data, slots: &mut Slots) -> crate::Element<'static>;
}

/// Elements for props of type `Element`, which data cannot represent.
#[cfg(feature = "schema")]
#[derive(Debug, Default)]
pub struct Slots {
    children: Option<Vec<crate::Element<'static>>>,
    named: Vec<(String, crate::Element<'static>)>,
}

#[cfg(feature = "schema")]
impl Slots {
    /// Sets the children.
    pub fn set_children(&mut self, children: Vec<crate::Element<'static>>) {
        self.children = Some(children);
    }

    /// Sets the element of a prop.
    pub fn set(&mut self, prop: impl Into<String>, element: crate::Element<'static>) {
        self.named.push((prop.into(), element));
    }

    /// The names of the props that are set.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let children = self.children.iter().map(|_| "children");
        children.chain(self.named.iter().map(|(name, _)| name.as_str()))
    }

    /// Removes and returns the children.
    pub fn children(&mut self) -> Vec<crate::Element<'static>> {
        self.children.take().unwrap_or_default()
    }

    /// Removes and returns the element of a prop.
    pub fn take(&mut self, prop: &str) -> Option<crate::Element<'static>> {
        if prop == "children" {
            return self.children.take().map(crate::Element::fragment);
        }
        let at = self.named.iter().position(|(name, _)| name == prop)?;
        Some(self.named.swap_remove(at).1)
    }
}

/// Reports that the feature is missing, at the key that needs it.
#[doc(hidden)]
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! __schema_required {
    () => {};
}

/// Reports that the feature is missing, at the key that needs it.
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
    use crate::node::{AlertKind, Align};
    use crate::part::Layer;

    /// Deserializes from a string, which is not parsed as markup.
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

    /// Deserializes from the name.
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

    /// Implements types that are one of a few strings in data.
    macro_rules! from_words {
        ($($(#[$docs:meta])* $Type:ident { $($word:literal => $value:expr),* })*) => {$(
            $(#[$docs])*
            impl<'de> Deserialize<'de> for $Type {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    match String::deserialize(deserializer)?.as_str() {
                        $($word => Ok($value),)*
                        other => Err(D::Error::unknown_variant(other, &[$($word),*])),
                    }
                }
            }

            impl JsonSchema for $Type {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> Cow<'static, str> {
                    stringify!($Type).into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!({ "type": "string", "enum": [$($word),*] })
                }
            }
        )*};
    }
    from_words! {
        /// From its name.
        Layer { "static" => Layer::Static, "dynamic" => Layer::Dynamic }
        /// From the word for the side; `none` where it is not said.
        Align {
            "none" => Align::None,
            "left" => Align::Left,
            "center" => Align::Center,
            "right" => Align::Right
        }
        /// From its name.
        AlertKind {
            "note" => AlertKind::Note,
            "tip" => AlertKind::Tip,
            "important" => AlertKind::Important,
            "warning" => AlertKind::Warning,
            "caution" => AlertKind::Caution
        }
    }
}
