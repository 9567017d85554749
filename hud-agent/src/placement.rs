//! The position of a HUD in a request to a model.
//!
//! Providers cache a request by its prefix: tools, then the system prompt, then messages. Content that changes
//! from turn to turn must follow the content that does not. Otherwise the provider reads all that follows it
//! again at the full price. So a HUD has two [layers](hud_core::Layer), and a [`Placement`] sets the position
//! of each. A [`Choice`] can leave the placement to the profile of the provider.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::cost::Profile;
use hud_clients::Portion;

/// The positions of the layers of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Both layers at the end of the system prompt. This is simple, but each change of the dynamic layer makes
    /// the provider read the whole conversation again.
    SystemTail,
    /// The static layer at the end of the system prompt, and the dynamic layer as a last message. The client
    /// does not keep that message, so the conversation before it does not change. Each change of the static
    /// layer makes the provider read the whole conversation again.
    MessageTail,
    /// As [`MessageTail`](Self::MessageTail), but the static layer is fixed when the provider begins to read
    /// the conversation (at its beginning, and after a compaction). The last message contains the changes of
    /// the static layer since then. No change makes the provider read anything again.
    #[default]
    Epoch,
    /// Both layers once as a message, and then only their changes. For clients that keep each message in the
    /// conversation.
    Delta,
}

impl Placement {
    /// All placements.
    pub const ALL: [Self; 4] = [
        Self::SystemTail,
        Self::MessageTail,
        Self::Epoch,
        Self::Delta,
    ];

    /// The name: `system-tail`, `message-tail`, `epoch` or `delta`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SystemTail => "system-tail",
            Self::MessageTail => "message-tail",
            Self::Epoch => "epoch",
            Self::Delta => "delta",
        }
    }

    /// Returns the placement for hooks that show this portion of the HUD; `None` for hooks that never show all
    /// of it.
    pub const fn of_hooks(shows: Portion) -> Option<Self> {
        match shows {
            Portion::Nothing | Portion::Changes => None,
            Portion::Whole => Some(Self::Delta),
            Portion::Once => Some(Self::MessageTail),
        }
    }
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A cache breakpoint: a place in a request up to which a client has the provider cache the prefix. The
/// breakpoints are the same in all placements, because none follows content that changes with each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakpoint {
    /// After the client's own system prompt, and before the HUD's text there.
    System,
    /// After the last message of the conversation that is kept, and before the HUD's last message, which is
    /// not.
    Conversation,
}

impl Breakpoint {
    /// Both, in the order of a request.
    pub const ALL: [Self; 2] = [Self::System, Self::Conversation];

    /// The name: `system` or `conversation`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Conversation => "conversation",
        }
    }
}

/// A name that is not a [`Placement`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown placement `{0}`: write `auto`, `epoch`, `message-tail`, `system-tail` or `delta`")]
pub struct UnknownPlacement(pub String);

impl std::str::FromStr for Placement {
    type Err = UnknownPlacement;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|placement| placement.name() == name)
            .ok_or_else(|| UnknownPlacement(name.to_owned()))
    }
}

/// Serializes a [`Placement`] by its name in settings. For `#[serde(with)]`.
pub(crate) struct Name;

impl Name {
    pub(crate) fn serialize<S: Serializer>(
        placement: &Placement,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(placement.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Placement, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Name {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Placement".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Placement::ALL.map(Placement::name) })
    }
}

/// The choice of a placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The placement of the provider's [profile](Profile); [`Placement::default`] if the provider is unknown.
    #[default]
    Auto,
    /// This placement for every provider.
    Is(Placement),
}

impl Choice {
    const AUTO: &str = "auto";

    /// The name: `auto`, or the placement's.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => Self::AUTO,
            Self::Is(placement) => placement.name(),
        }
    }

    /// Returns the placement for a provider, whose profile is `None` if it is unknown.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    /// use hud_agent::placement::{Choice, Placement};
    ///
    /// let at = |choice: Choice, name: &str| choice.at(Profile::built_in().get(name));
    /// assert_eq!(at(Choice::Auto, "anthropic"), Placement::Epoch);
    /// assert_eq!(at(Choice::Auto, "openai"), Placement::Delta);
    /// assert_eq!(at(Choice::Auto, "mine"), Placement::default());
    /// assert_eq!(at(Choice::Is(Placement::SystemTail), "openai"), Placement::SystemTail);
    /// ```
    pub fn at(self, profile: Option<&Profile>) -> Placement {
        match self {
            Self::Auto => profile.map_or_else(Placement::default, |profile| profile.placement),
            Self::Is(placement) => placement,
        }
    }
}

impl std::fmt::Display for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

impl From<Placement> for Choice {
    fn from(placement: Placement) -> Self {
        Self::Is(placement)
    }
}

impl std::str::FromStr for Choice {
    type Err = UnknownPlacement;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        match name {
            Self::AUTO => Ok(Self::Auto),
            name => name.parse().map(Self::Is),
        }
    }
}

impl Serialize for Choice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Choice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

impl JsonSchema for Choice {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Choice".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let names = Placement::ALL.map(Placement::name);
        let all = [Self::AUTO].into_iter().chain(names);
        json_schema!({ "type": "string", "enum": all.collect::<Vec<_>>() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for placement in Placement::ALL {
            assert_eq!(placement.name().parse(), Ok(placement));
        }
        let unknown = "tail".parse::<Placement>().unwrap_err();
        assert_eq!(
            unknown.to_string(),
            "unknown placement `tail`: write `auto`, `epoch`, `message-tail`, `system-tail` or `delta`"
        );
    }
}
