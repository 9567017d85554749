//! Where a HUD is in a request to a model.
//!
//! Providers cache a request by its prefix: tools, then the system prompt, then messages. What
//! changes from turn to turn must come after what does not, or all that follows it is read anew at
//! the full price. So a HUD has two [layers](hud_core::Layer), and a [`Placement`] says where each
//! goes.

/// Where the layers of a frame go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Placement {
    /// Both at the end of the system prompt. Simple, and each change of the dynamic layer makes the
    /// provider read the whole conversation anew.
    SystemTail,
    /// The static layer at the end of the system prompt; the dynamic one as a last message, which is
    /// not kept, so that the conversation before it stays as it was. Each change of the static layer
    /// makes the provider read the whole conversation anew.
    MessageTail,
    /// As [`MessageTail`](Self::MessageTail), but the static layer stays as it was when the provider
    /// began to read the conversation (at its beginning, after a compaction), and the last message
    /// says what changed in it since: no change makes the provider read anything anew.
    #[default]
    Epoch,
    /// Both once, as a message, and from then on only what changed: for clients that keep what they
    /// are given in the conversation.
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
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// A name that is no [`Placement`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown placement `{0}`: write `epoch`, `message-tail`, `system-tail` or `delta`")]
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
            "unknown placement `tail`: write `epoch`, `message-tail`, `system-tail` or `delta`"
        );
    }
}
