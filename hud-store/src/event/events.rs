//! Families of kinds: what a section's events are, and how they are stored.

use std::borrow::Cow;
use std::fmt::Debug;

use super::Json;

/// An event's stored form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoded {
    /// The dotted name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// The payload: one JSON value.
    pub payload: String,
}

/// A payload that doesn't fit its kind.
#[derive(Debug, thiserror::Error)]
#[error("the payload does not fit {kind} v{v}: {source}")]
pub struct PayloadError {
    /// The dotted name.
    pub kind: String,
    /// The payload's version.
    pub v: u32,
    /// What serde found wrong, and where in the payload.
    pub source: serde_json::Error,
}

/// A family of kinds, with a payload for each: an enum that [`events!`](crate::events) makes.
pub trait Events: Sized + Clone + Debug + PartialEq {
    /// The dotted names of the kinds, each with the version of the payload that this program writes.
    const KINDS: &'static [(&'static str, u32)];

    /// The dotted name.
    fn kind(&self) -> &'static str;

    /// The payload's version as this program writes it.
    fn v(&self) -> u32;

    /// What the event is about within its section: an id, a path.
    fn item(&self) -> Option<&str>;

    /// The id that the event gives to a new item: none is to have it again.
    fn names(&self) -> Option<&str>;

    /// The texts that somebody might look for later; empty if it has none.
    fn words(&self) -> Cow<'_, str>;

    /// The same with the beginnings of its texts, if one of them is too long for a state.
    fn clipped(&self) -> Option<Self>;

    /// The payload as JSON. The same event always gives the same bytes.
    ///
    /// # Errors
    /// When serde can't write it, as a map whose keys are no texts.
    fn payload(&self) -> Result<String, serde_json::Error>;

    /// The typed form of a payload. `None` if the kind is not of this family, or the payload is of a
    /// newer version than this program knows.
    fn decode(kind: &str, v: u32, payload: &str) -> Option<Result<Self, PayloadError>>;

    /// The JSON Schema of a kind's payload as this program writes it. `None` if the kind is not of this
    /// family, or the family is not built in.
    #[cfg(feature = "schema")]
    fn schema(kind: &str) -> Option<schemars::Schema> {
        let _ = kind;
        None
    }

    /// The stored form.
    ///
    /// # Errors
    /// As [`Events::payload`].
    fn encode(&self) -> Result<Encoded, PayloadError> {
        let (kind, v) = (self.kind().to_owned(), self.v());
        match self.payload() {
            Ok(payload) => Ok(Encoded { kind, v, payload }),
            Err(source) => Err(PayloadError { kind, v, source }),
        }
    }

    /// The payload as it is kept in an event of a kind that is not built in. What serde can't write
    /// becomes `null`, which a log that knows the kind refuses to append.
    #[doc(hidden)]
    fn json(&self) -> Json {
        let payload = self.payload().unwrap_or_default();
        Json::parse(&payload).unwrap_or_else(|_| Json::from(serde_json::Value::Null))
    }
}

/// The events of a section that folds what others say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoEvents {}

impl Events for NoEvents {
    const KINDS: &'static [(&'static str, u32)] = &[];

    fn kind(&self) -> &'static str {
        match *self {}
    }

    fn v(&self) -> u32 {
        match *self {}
    }

    fn item(&self) -> Option<&str> {
        match *self {}
    }

    fn names(&self) -> Option<&str> {
        match *self {}
    }

    fn words(&self) -> Cow<'_, str> {
        match *self {}
    }

    fn clipped(&self) -> Option<Self> {
        match *self {}
    }

    fn payload(&self) -> Result<String, serde_json::Error> {
        match *self {}
    }

    fn decode(_: &str, _: u32, _: &str) -> Option<Result<Self, PayloadError>> {
        None
    }
}

/// What names an item: a text, or one of a few that have names.
pub trait ItemName {
    /// The name.
    fn item_name(&self) -> &str;
}

impl ItemName for String {
    fn item_name(&self) -> &str {
        self
    }
}

/// A text, or one that may be missing.
#[doc(hidden)]
pub trait Words {
    fn words(&self) -> Option<&str>;
}

impl Words for String {
    fn words(&self) -> Option<&str> {
        Some(self)
    }
}

impl Words for Option<String> {
    fn words(&self) -> Option<&str> {
        self.as_deref()
    }
}

/// Texts one below the other.
#[doc(hidden)]
pub fn joined<'e>(texts: &[Option<&'e str>]) -> Cow<'e, str> {
    let texts: Vec<&str> = texts.iter().flatten().copied().collect();
    match texts.as_slice() {
        [] => Cow::from(""),
        [one] => Cow::from(*one),
        texts => Cow::from(texts.join("\n")),
    }
}

/// The events of a section: an enum with a variant for each kind, and the payload of each kind as a
/// struct.
///
/// Each row has the dotted name of a kind, the version of its payload, and the payload. Behind it may be
///
/// - `item id`: the field that names what the event is about;
/// - `names id`: the field with the id of an item that is new, so that its number is not given again;
/// - `words [summary, details]`: the fields, texts or optional texts, that a search finds. (Of a kind
///   that is not built in, every text is found, since programs that don't know it share the index.)
/// - `from [v1_to_2]`: functions that turn older payloads into the next version, oldest first.
///
/// Attributes, serde's too, may be on everything. A field that is `Option` should have
/// `#[serde(skip_serializing_if = "Option::is_none")]`: a payload may gain such fields without
/// another version. The crate needs `serde` with its derives.
///
/// ```
/// use hud_store::event::{Events, HudEvent};
///
/// hud_store::events! {
///     /// What happens to risks.
///     pub enum RiskEvent {
///         /// the agent sees a risk.
///         "risk.add" 1 Add(
///             /// Adds a risk.
///             RiskAdd {
///                 /// Names it within the session.
///                 id: String,
///                 /// What may go wrong.
///                 description: String,
///             }
///         ) item id,
///     }
/// }
///
/// let event = HudEvent::from(RiskAdd { id: "r1".into(), description: "A cold cache".into() });
/// assert_eq!(event.kind(), "risk.add");
/// let read: RiskEvent = event.read()?.unwrap();
/// assert_eq!(read.item(), Some("r1"));
/// # Ok::<(), hud_store::event::PayloadError>(())
/// ```
#[macro_export]
macro_rules! events {
    // The payload of a built-in kind has a schema; `schema` is a feature of this crate, which others lack.
    (@payload built_in $payload:item) => {
        #[cfg_attr(feature = "schema", derive(::schemars::JsonSchema))]
        $payload
    };
    (@payload own $payload:item) => {
        $payload
    };
    (@schema built_in $($kind:literal $Payload:ident)*) => {
        #[cfg(feature = "schema")]
        fn schema(kind: &str) -> ::core::option::Option<::schemars::Schema> {
            match kind {
                $($kind => ::core::option::Option::Some(::schemars::schema_for!($Payload)),)*
                _ => ::core::option::Option::None,
            }
        }
    };
    (@schema own $($kind:literal $Payload:ident)*) => {};
    (@built_in $($enum:tt)*) => {
        $crate::events!(@made built_in $($enum)*);
    };
    (@made $whose:ident
        $(#[$meta:meta])*
        $vis:vis enum $Events:ident {
            $(
                $(#[$variant_meta:meta])*
                $kind:literal $v:literal $Variant:ident(
                    $(#[$payload_meta:meta])*
                    $Payload:ident {
                        $($(#[$field_meta:meta])* $field:ident: $Type:ty),* $(,)?
                    }
                )
                $(item $item:ident)?
                $(names $names:ident)?
                $(words [$($words:ident),*])?
                $(from [$($from:path),*])?
            ),* $(,)?
        }
    ) => {
        $(
            $crate::events!(@payload $whose
                $(#[$payload_meta])*
                #[derive(Debug, Clone, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
                $vis struct $Payload {
                    $($(#[$field_meta])* pub $field: $Type,)*
                }
            );

            impl $crate::event::Clip for $Payload {
                fn is_long(&self) -> bool {
                    false $(|| $crate::event::Clip::is_long(&self.$field))*
                }

                fn clipped(&self) -> Self {
                    Self { $($field: $crate::event::Clip::clipped(&self.$field),)* }
                }
            }

            impl From<$Payload> for $Events {
                fn from(payload: $Payload) -> Self {
                    Self::$Variant(payload)
                }
            }

            impl From<$Payload> for $crate::event::HudEvent {
                fn from(payload: $Payload) -> Self {
                    Self::from($Events::$Variant(payload))
                }
            }
        )*

        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        $vis enum $Events {
            $(
                #[doc = concat!("`", $kind, "`: ")]
                $(#[$variant_meta])*
                $Variant($Payload),
            )*
        }

        impl $crate::event::Events for $Events {
            const KINDS: &'static [(&'static str, u32)] = &[$(($kind, $v)),*];

            fn kind(&self) -> &'static str {
                match self {
                    $(Self::$Variant(_) => $kind,)*
                }
            }

            fn v(&self) -> u32 {
                match self {
                    $(Self::$Variant(_) => $v,)*
                }
            }

            fn item(&self) -> ::core::option::Option<&str> {
                match self {
                    $(Self::$Variant(_payload) => {
                        [$($crate::event::ItemName::item_name(&_payload.$item))?]
                            .first()
                            .copied()
                    })*
                }
            }

            fn names(&self) -> ::core::option::Option<&str> {
                match self {
                    $(Self::$Variant(_payload) => {
                        [$($crate::event::ItemName::item_name(&_payload.$names))?]
                            .first()
                            .copied()
                    })*
                }
            }

            fn words(&self) -> ::std::borrow::Cow<'_, str> {
                match self {
                    $(Self::$Variant(_payload) => $crate::event::joined(&[
                        $($($crate::event::Words::words(&_payload.$words)),*)?
                    ]),)*
                }
            }

            fn clipped(&self) -> ::core::option::Option<Self> {
                match self {
                    $(Self::$Variant(payload) => $crate::event::Clip::is_long(payload)
                        .then(|| Self::$Variant($crate::event::Clip::clipped(payload))),)*
                }
            }

            fn payload(&self) -> ::core::result::Result<::std::string::String, $crate::event::JsonError> {
                match self {
                    $(Self::$Variant(payload) => $crate::event::to_json(payload),)*
                }
            }

            fn decode(
                kind: &str,
                v: u32,
                payload: &str,
            ) -> ::core::option::Option<
                ::core::result::Result<Self, $crate::event::PayloadError>,
            > {
                match kind {
                    $($kind if v <= $v => ::core::option::Option::Some(
                        $crate::event::decode_payload(kind, v, $v, &[$($($from),*)?], payload)
                            .map(Self::$Variant),
                    ),)*
                    _ => ::core::option::Option::None,
                }
            }

            $crate::events!(@schema $whose $($kind $Payload)*);
        }
    };
    ($(#[$meta:meta])* $vis:vis enum $Events:ident $body:tt) => {
        $crate::events!(@made own $(#[$meta])* $vis enum $Events $body);

        impl From<$Events> for $crate::event::HudEvent {
            fn from(event: $Events) -> Self {
                use $crate::event::Events as _;
                Self::Other {
                    kind: event.kind().to_owned(),
                    v: event.v(),
                    payload: event.json(),
                }
            }
        }
    };
}
