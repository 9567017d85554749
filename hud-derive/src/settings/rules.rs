//! The rules by which a session is derived: [`Rule`].

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// A rule by which something is derived from what user and agent say and do. Each of them can be left out
/// (`without` in [`Derive`](super::Derive)): what it says then is not there, and all others go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Rule {
    /// Standing rules of the user: "never commit".
    Constraints,
    /// A short answer takes in what the agent offered: "yes".
    Offers,
    /// The items of a list are requests, each by itself.
    Items,
    /// Requests that are done, taken back or replaced are over.
    Closing,
    /// What the agent asked for is no new task, and what is pasted is of the one before.
    Replies,
    /// Failures in output that the user pastes.
    Pasted,
    /// What the agent concludes, in its own words.
    Conclusions,
    /// Where a look-up found something.
    Places,
    /// What tools of other programs changed there.
    Done,
    /// The results of tests, linters and builds, whatever hides their exit code.
    Checks,
    /// Branch, commits and pushes.
    Repository,
    /// What shell commands do to files.
    Shell,
    /// Errors and calls that were refused are over when the work went on without them.
    Outdated,
    /// What was derived is over once a check passes, it is taken back, or the agent records it.
    Contradicted,
    /// The summary of a compaction is lifted.
    Summaries,
    /// A plan that the agent writes into its text.
    Plans,
}

impl Rule {
    /// All of them.
    pub const ALL: [Self; 16] = [
        Self::Constraints,
        Self::Offers,
        Self::Items,
        Self::Closing,
        Self::Replies,
        Self::Pasted,
        Self::Conclusions,
        Self::Places,
        Self::Done,
        Self::Checks,
        Self::Repository,
        Self::Shell,
        Self::Outdated,
        Self::Contradicted,
        Self::Summaries,
        Self::Plans,
    ];

    /// Its name in the settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Constraints => "constraints",
            Self::Offers => "offers",
            Self::Items => "items",
            Self::Closing => "closing",
            Self::Replies => "replies",
            Self::Pasted => "pasted",
            Self::Conclusions => "conclusions",
            Self::Places => "places",
            Self::Done => "done",
            Self::Checks => "checks",
            Self::Repository => "repository",
            Self::Shell => "shell",
            Self::Outdated => "outdated",
            Self::Contradicted => "contradicted",
            Self::Summaries => "summaries",
            Self::Plans => "plans",
        }
    }
}

impl JsonSchema for Rule {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rule".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Self::ALL.map(Self::name) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_by_its_name() {
        for rule in Rule::ALL {
            let read: Rule = serde_json::from_value(rule.name().into()).unwrap();
            assert_eq!(read, rule);
        }
    }
}
