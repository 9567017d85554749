//! What a user can set: [`Settings`]. Here it is data; the program finds the files that it is written in.
//!
//! What the fold of the events does (how many decisions a session keeps, say) can't be set: the same
//! events would be another state on another machine.

mod distill;
mod fleet;
mod memory;
mod permission;
mod shares;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;

use hud_core::Bands;
use hud_core::fit::share::{Share, divide};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use hud_derive::settings::Within;
pub use hud_derive::settings::{Context, Derive, Models, Reminder, Rule, Secrets};

pub use self::distill::Distill;
pub use self::fleet::{Fleet, When};
pub use self::memory::Memory;
pub use self::permission::Permission;
use crate::cost::Profile;
use crate::placement::Choice;
use crate::prune;

/// The [deadlines](Settings::deadline) that there can be, in milliseconds.
pub const DEADLINES: RangeInclusive<u64> = SHORTEST as u64..=LONGEST as u64;

const SHORTEST: i64 = 20;
const LONGEST: i64 = 600_000;

/// More tokens than any window has.
const TOKENS: i64 = 1_000_000_000;

/// The first and the last place that a section may have.
const FIRST: i64 = -1_000;
const LAST: i64 = 1_000;

/// More turns than a passing error is worth.
const TURNS: i64 = 1_000_000;

/// More seconds than any provider remembers a conversation.
const SECONDS: i64 = 86_400;

/// More outputs than anybody recalls, and more days than any log is old.
const OUTPUTS: i64 = 1_000_000;
const DAYS: i64 = 36_500;

/// How many sessions a server can be asked to hold open.
const SESSIONS: i64 = 10_000;

/// More items than any section has.
const ITEMS: i64 = 10_000;

/// What a user can set of how sessions are served. The default is what holds where nothing is set.
///
/// ```
/// use hud_agent::settings::Settings;
///
/// let settings: Settings = serde_json::from_str(r#"{ "bands": { "compact_from": 60 } }"#)?;
/// assert_eq!((settings.bands.compact_from, settings.bands.minimal_from), (60, 85));
/// let mistake = serde_json::from_str::<Settings>(r#"{ "bands": { "compact_from": 600 } }"#);
/// assert!(mistake.unwrap_err().to_string().contains("from 0 to 100"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Settings {
    /// The bands of context use, in per cent of the window, and the density of each.
    #[serde(with = "Percentages")]
    pub bands: Bands,
    /// Where the HUD goes in a request, for clients that take it anywhere and do not ask for a place
    /// themselves: `auto` is where the profile of the provider says.
    pub placement: Choice,
    /// How providers cache requests, by names: those that are built in, and one's own.
    pub profiles: BTreeMap<String, Profile>,
    /// How many tokens the HUD has.
    pub budget: Budget,
    /// How long a turn of the agent waits for the HUD at most, in milliseconds.
    #[serde(with = "Within::<SHORTEST, LONGEST>")]
    pub deadline: u64,
    /// Whether a power failure may take the newest events, never others: several times as fast.
    pub fast: bool,
    /// Whether an agent may set the layout of its own HUD, with the operations `layout.*` of the `hud` tool: `true`,
    /// `false`, or `"ask"`, where it proposes one and you allow it with `hud layout allow`.
    pub agent_layout: Permission,
    /// How many sessions a server holds open at once; what it closes it opens again when it is asked for.
    #[serde(with = "Within::<1, SESSIONS>")]
    pub open_sessions: usize,
    /// What is taken for true of a context window where the client does not say it.
    pub context: Context,
    /// The window of each model, in tokens, by a pattern for its name, in which `*` is for any text; the
    /// longest pattern that fits counts. A list is for a model of which a client can ask for a larger
    /// window: use above one size means that it has the next.
    pub models: Models,
    /// Which outputs of tools leave a conversation that fills. The `hud` tool brings them back.
    pub prune: Prune,
    /// How long the log keeps what left conversations.
    pub storage: Storage,
    /// What is recorded by itself of what the agent does.
    pub derive: Derive,
    /// The size of the handoff.
    pub handoff: Handoff,
    /// When the agent is asked to record something.
    pub reminder: Reminder,
    /// What an agent's memory may hold.
    pub memory: Memory,
    /// Inheritance from the earlier sessions of the project.
    pub inherit: Inherit,
    /// Which model `hud distill` asks, and what it may use. Nothing asks it by itself.
    pub distill: Distill,
    /// Where what agents record is sent besides being kept here, and when.
    pub fleet: Fleet,
    /// The sections of the HUD by their names: which are shown, in which order, and how much of each.
    pub sections: BTreeMap<String, SectionSettings>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            bands: Bands::default(),
            placement: Choice::default(),
            profiles: Profile::built_in().clone(),
            budget: Budget::default(),
            deadline: 1_000,
            fast: false,
            agent_layout: Permission::No,
            open_sessions: 32,
            context: Context::default(),
            models: Models::default(),
            prune: Prune::default(),
            storage: Storage::default(),
            derive: Derive::default(),
            handoff: Handoff::default(),
            reminder: Reminder::default(),
            memory: Memory::default(),
            inherit: Inherit::default(),
            distill: Distill::default(),
            fleet: Fleet::default(),
            sections: BTreeMap::new(),
        }
    }
}

/// How many tokens the HUD has. Within them it says as much as fits; what has to be there in any case (the
/// task, rules, what is in the way) is there even if it does not fit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Budget {
    /// The tokens of a turn's HUD at most, in those of the model; 0 is for no limit.
    #[serde(with = "Within::<0, TOKENS>")]
    pub tokens: u64,
    /// How much of that the static layer may have at most, in per cent. What it leaves is for the dynamic one,
    /// which changes every turn; what that leaves is nobody's, so that the static layer stays as it is.
    #[serde(with = "Within::<0, 100>")]
    pub static_percent: u8,
    /// The number of tokens that a last message that is not kept has at most for each thousand in the context, once a part of
    /// the conversation has left that and where the HUD's are not limited: it is paid for in full in each turn, and the rest,
    /// read from a cache, is a tenth of that. After a compaction it has a tenth of the handoff's tokens less. 0 is for no
    /// limit.
    #[serde(with = "Within::<0, 1_000>")]
    pub tail_permille: u64,
    /// The number of tokens that it may have in any case, and while the conversation is whole.
    #[serde(with = "Within::<0, TOKENS>")]
    pub tail_least: u64,
    /// What sections have of it, by their names: `30%`, or `%*` for an equal part of what the others leave; and
    /// the tokens that are reserved for one at least and at most, as `30% from 40 to 200`. It is of what its
    /// layer has. What a section does not use is for the others, which have what is left.
    #[schemars(with = "BTreeMap<String, String>")]
    #[serde(with = "shares")]
    pub shares: BTreeMap<String, Share>,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            tokens: 0,
            static_percent: 60,
            tail_permille: 8,
            tail_least: 300,
            shares: BTreeMap::new(),
        }
    }
}

impl Budget {
    /// The tokens of a turn's HUD at most, if their number is limited.
    pub fn limit(&self) -> Option<u64> {
        (self.tokens > 0).then_some(self.tokens)
    }

    /// The tokens of a last message at most that is not kept, if their number is limited, with so many in the
    /// context.
    ///
    /// ```
    /// use hud_agent::settings::Settings;
    ///
    /// let mut budget = Settings::default().budget;
    /// assert_eq!(budget.tail(100_000), Some(800));
    /// assert_eq!(budget.tail(1_000), Some(300));
    /// budget.tail_permille = 0;
    /// assert_eq!(budget.tail(100_000), None);
    /// ```
    pub fn tail(&self, used: u64) -> Option<u64> {
        let tokens = used.saturating_mul(self.tail_permille) / 1_000;
        (self.tail_permille > 0).then(|| tokens.max(self.tail_least))
    }
}

/// Which outputs of tools leave a conversation that fills: see [`prune`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Prune {
    /// Whether any leave.
    pub on: bool,
    /// After how many requests without a call on it a file that was read may leave; what another agent said
    /// after twice as many, what a command or a search said once it was read.
    #[serde(with = "Within::<1, TURNS>")]
    pub age: u64,
    /// Tokens that must be gained while the context is yellow, or nothing leaves.
    #[serde(with = "Within::<0, TOKENS>")]
    pub minimum: u64,
    /// The same while it is red; half of it while it is critical.
    #[serde(with = "Within::<0, TOKENS>")]
    pub minimum_red: u64,
    /// The same, however full it is, where the provider has forgotten the conversation anyhow.
    #[serde(with = "Within::<0, TOKENS>")]
    pub minimum_cold: u64,
    /// After how many seconds without a request a provider has forgotten a conversation, whatever its profile
    /// says; 0 is for a client of which that is never known.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Within::<0, SECONDS>::some"
    )]
    #[schemars(with = "Within::<0, SECONDS>")]
    pub cache_seconds: Option<u64>,
    /// Tokens of the most recent outputs that stay in any case.
    #[serde(with = "Within::<0, TOKENS>")]
    pub protect: u64,
    /// Tools whose outputs never leave, whatever the case of their letters.
    pub protected_tools: Vec<String>,
    /// Whether long outputs are cut before the model reads them: of more than 50 lines the first and the last
    /// 30 stay, of 30 lines 20 while the context is yellow, of 15 lines 10 while it is red, and as many lines
    /// between them that report an error. What was cut is recalled. Of what models used at once of the outputs of
    /// recorded sessions, that takes at most 9 %, 16 % and 38 %.
    pub entry: bool,
}

impl Default for Prune {
    fn default() -> Self {
        Self {
            on: true,
            age: prune::AGE,
            minimum: prune::MINIMUM,
            minimum_red: prune::MINIMUM_RED,
            minimum_cold: prune::MINIMUM_COLD,
            cache_seconds: None,
            protect: 0,
            protected_tools: prune::PROTECTED_TOOLS
                .iter()
                .map(|tool| (*tool).to_owned())
                .collect(),
            entry: false,
        }
    }
}

impl Prune {
    /// Whether a tool's outputs never leave.
    pub fn protects(&self, tool: &str) -> bool {
        let mut names = self.protected_tools.iter();
        names.any(|name| name.eq_ignore_ascii_case(tool))
    }
}

/// How long the log of a project keeps what left conversations: what a placeholder in the conversation of a live
/// session names stays in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Storage {
    /// Whether the rest is taken away by itself: when a session begins, and with every 500 events. `hud sweep`
    /// does it in any case.
    pub sweep: bool,
    /// How many of the newest outputs are kept, however old they are.
    #[serde(with = "Within::<0, OUTPUTS>")]
    pub outputs: u64,
    /// For how many days each is kept, however many there are.
    #[serde(with = "Within::<0, DAYS>")]
    pub days: u32,
    /// For how many days after its last event a session is live; 0 is for ever.
    #[serde(with = "Within::<0, DAYS>")]
    pub live_days: u32,
}

impl Default for Storage {
    fn default() -> Self {
        Self {
            sweep: true,
            outputs: 300,
            days: 7,
            live_days: 30,
        }
    }
}

/// The size of the [handoff](crate::handoff), by the model's window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Handoff {
    /// The part of the window that it may have, in percent.
    #[serde(with = "Within::<1, 10>")]
    pub percent: u64,
    /// The number of tokens that it may have at least, but for 10 % of the window.
    #[serde(with = "Within::<0, TOKENS>")]
    pub least: u64,
}

impl Default for Handoff {
    fn default() -> Self {
        Self {
            percent: 2,
            least: 1_000,
        }
    }
}

/// Inheritance from the earlier sessions of the project, in the project's own log: the rules that the user set,
/// notes, blocks of core memory, the files that were changed last, and the unfinished work of the last one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Inherit {
    /// True if a session inherits anything.
    pub on: bool,
    /// The number of days after which unfinished work is left where it is.
    #[serde(with = "Within::<0, DAYS>")]
    pub days: u16,
    /// The number of tokens of all that it inherits at most.
    #[serde(with = "Within::<0, TOKENS>")]
    pub tokens: u64,
}

impl Default for Inherit {
    fn default() -> Self {
        Self {
            on: true,
            days: 7,
            tokens: 600,
        }
    }
}

/// What a user can set of a section of the HUD.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct SectionSettings {
    /// Whether it is shown. What it holds is recorded in any case.
    pub on: bool,
    /// Its place among the sections: they are shown from the lowest number to the highest, and those with
    /// the same one as the layout has them.
    #[serde(with = "Within::<FIRST, LAST>")]
    pub order: i32,
    /// How many of its items are shown at most.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Within::<0, ITEMS>::some"
    )]
    #[schemars(with = "Within::<0, ITEMS>")]
    pub cap: Option<u32>,
}

impl Default for SectionSettings {
    fn default() -> Self {
        Self {
            on: true,
            order: 0,
            cap: None,
        }
    }
}

/// A setting, or a table of them, that only a user's own file may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsersOwn {
    /// The setting's key.
    pub key: &'static str,
    /// Why a project's file may not have it.
    pub why: &'static str,
}

/// The settings that only a user's own file may have: a project's file came with a repository, and must
/// not loosen what its user relies on.
pub const USERS_OWN: &[UsersOwn] = &[
    UsersOwn {
        key: "deadline",
        why: "it is how long agents wait",
    },
    UsersOwn {
        key: "fast",
        why: "it is what a power failure may take of the log",
    },
    UsersOwn {
        key: "agent_layout",
        why: "it is what agents may change of what they are shown",
    },
    UsersOwn {
        key: "open_sessions",
        why: "it is what servers hold open",
    },
    UsersOwn {
        key: "prune",
        why: "it takes outputs of tools out of conversations",
    },
    UsersOwn {
        key: "storage",
        why: "it takes away outputs that were kept",
    },
    UsersOwn {
        key: "derive",
        why: "what is not derived is not in the log",
    },
    UsersOwn {
        key: "inherit",
        why: "it is which rules of the user's hold in the next session",
    },
    UsersOwn {
        key: "distill",
        why: "it says where conversations are sent",
    },
];

/// Settings that do not go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{}.{}` {said}", .table, .key)]
pub struct Contradiction {
    /// The table that they are in.
    pub table: &'static str,
    /// The key of the one that should be another.
    pub key: &'static str,
    /// What is wrong with it.
    pub said: &'static str,
}

impl Settings {
    /// The part of them that derivation reads.
    pub(crate) fn of_derivation(&self) -> Arc<hud_derive::settings::Settings> {
        let (context, models) = (self.context.clone(), self.models.clone());
        let (derive, reminder) = (self.derive.clone(), self.reminder.clone());
        let settings =
            hud_derive::settings::Settings::new(self.bands, context, models, derive, reminder);
        Arc::new(settings)
    }

    /// Checks what no setting shows by itself.
    ///
    /// # Errors
    ///
    /// [`Contradiction`], the first that is found.
    pub fn check(&self) -> Result<(), Contradiction> {
        let Bands {
            compact_from,
            minimal_from,
            red_above,
            critical_above,
            ..
        } = self.bands;
        let shares: Vec<Share> = self.budget.shares.values().copied().collect();
        if divide(u64::MAX, &[shares.as_slice(), &[Share::REST]].concat()).is_err() {
            return Err(Contradiction {
                table: "budget",
                key: "shares",
                said: "must not be more than 100 % together",
            });
        }
        let wrong = |key, said| {
            let table = "bands";
            Err(Contradiction { table, key, said })
        };
        if minimal_from < compact_from {
            return wrong("minimal_from", "must not be below `bands.compact_from`");
        }
        if critical_above < red_above {
            return wrong("critical_above", "must not be below `bands.red_above`");
        }
        Ok(())
    }

    /// The settings as a JSON Schema: of the JSON that [`Settings`] is read from, and of the same in TOML.
    pub fn schema() -> Schema {
        let settings = SchemaSettings::draft2020_12().with(|settings| {
            settings.inline_subschemas = true;
        });
        settings.into_generator().into_root_schema_for::<Self>()
    }
}

/// [`Bands`] as they are written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
struct Percentages {
    /// The first percentage that is compact, and yellow.
    #[serde(with = "Within::<0, 100>")]
    compact_from: u8,
    /// The first percentage that is minimal.
    #[serde(with = "Within::<0, 100>")]
    minimal_from: u8,
    /// A percentage above this one is red.
    #[serde(with = "Within::<0, 100>")]
    red_above: u8,
    /// A percentage above this one is critical.
    #[serde(with = "Within::<0, 100>")]
    critical_above: u8,
    /// How far the use must fall before it counts as fallen, in percentage points.
    #[serde(with = "Within::<0, 100>")]
    margin: u8,
    /// In which steps the use is shown, in percentage points.
    #[serde(with = "Within::<0, 100>")]
    step: u8,
    /// How many turns before the client compacts the conversation that is announced.
    #[serde(with = "Within::<0, 100>")]
    announced_turns: u8,
}

impl Default for Percentages {
    fn default() -> Self {
        Self::of(&Bands::default())
    }
}

impl Percentages {
    fn of(bands: &Bands) -> Self {
        let Bands {
            compact_from,
            minimal_from,
            red_above,
            critical_above,
            margin,
            step,
            announced_turns,
        } = *bands;
        Self {
            compact_from,
            minimal_from,
            red_above,
            critical_above,
            margin,
            step,
            announced_turns,
        }
    }

    fn serialize<S: Serializer>(bands: &Bands, serializer: S) -> Result<S::Ok, S::Error> {
        Serialize::serialize(&Self::of(bands), serializer)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bands, D::Error> {
        let Self {
            compact_from,
            minimal_from,
            red_above,
            critical_above,
            margin,
            step,
            announced_turns,
        } = Deserialize::deserialize(deserializer)?;
        Ok(Bands {
            compact_from,
            minimal_from,
            red_above,
            critical_above,
            margin,
            step,
            announced_turns,
        })
    }
}

#[cfg(test)]
mod tests;
