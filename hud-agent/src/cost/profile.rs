//! The caching and the prices of providers: [`Profile`].

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hud_store::event::CallTokens;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::placement::{Breakpoint, Placement};
use hud_derive::settings::{Within, pattern};

/// A number of tokens above that of any window.
const TOKENS: i64 = 1_000_000_000;

/// A number of seconds above the lifetime of any cache.
const SECONDS: i64 = 366 * 24 * 60 * 60;

/// An hour in seconds.
const HOUR: u32 = 60 * 60;

/// A number of breakpoints or blocks above that of any request.
const BLOCKS: i64 = 1_000_000;

/// An upper limit of prices, as a multiple of the price of an uncached token, and in dollars per million
/// tokens.
const MOST: f64 = 10_000.0;

/// The built-in profiles.
const BUILT_IN: &str = include_str!("profiles.json");

/// How a provider caches requests. Prices are in times the price of a token that is read anew.
///
/// The default caches nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Profile {
    /// Where all of this is from.
    pub source: String,
    /// Patterns for the provider's name as clients report it, in which `*` is for any text.
    pub providers: Vec<String>,
    /// What is known of each model, by a pattern for its name; the longest that fits counts.
    pub models: BTreeMap<String, Model>,
    /// Which beginnings of a request are kept: `none`, `any`, those behind what the client `marked`, or
    /// those and the one behind the `last` message.
    pub caching: Caching,
    /// Whether clients mark what [`breakpoints`](Self::breakpoints) has them mark.
    pub clients_mark: bool,
    /// Tokens that a beginning must have to be kept.
    #[serde(with = "Within::<0, TOKENS>")]
    pub min_prefix: u64,
    /// In which steps a beginning is read, in tokens.
    #[serde(with = "Within::<1, TOKENS>")]
    pub step: u64,
    /// How many breakpoints a request may have.
    #[serde(with = "Within::<0, BLOCKS>")]
    pub max_breakpoints: u32,
    /// How many blocks before a breakpoint are looked at for a beginning that was kept; all, where there is no
    /// such number.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Within::<0, BLOCKS>::some"
    )]
    #[schemars(with = "Within::<0, BLOCKS>")]
    pub lookback: Option<u32>,
    /// How long a beginning is kept, in seconds.
    #[serde(with = "Within::<0, SECONDS>")]
    pub lifetime: u32,
    /// Whether it is kept anew from when it is read.
    pub refresh: bool,
    /// The price of a token that is written to the cache.
    #[serde(with = "Amount")]
    pub write: f64,
    /// The price of one that is written to be kept for an hour, where a client can ask for that.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Amount::some"
    )]
    #[schemars(with = "Amount")]
    pub write_hour: Option<f64>,
    /// The price of a token that is read from the cache.
    #[serde(with = "Amount")]
    pub read: f64,
    /// Where the HUD goes, where the placement is `auto` and the client takes it anywhere.
    #[serde(with = "crate::placement::Name")]
    pub placement: Placement,
}

impl Default for Profile {
    fn default() -> Self {
        Self {
            source: String::new(),
            providers: Vec::new(),
            models: BTreeMap::new(),
            caching: Caching::None,
            clients_mark: true,
            min_prefix: 0,
            step: 1,
            max_breakpoints: 0,
            lookback: None,
            lifetime: 300,
            refresh: true,
            write: 1.0,
            write_hour: None,
            read: 1.0,
            placement: Placement::default(),
        }
    }
}

/// The prefixes of a request that a provider caches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Caching {
    /// No prefix.
    #[default]
    None,
    /// Every prefix.
    Any,
    /// The prefixes that end with a block that the client marked.
    Marked,
    /// The marked prefixes, and the whole request.
    Last,
}

impl JsonSchema for Caching {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Caching".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": ["none", "any", "marked", "last"] })
    }
}

/// What is known of a model, besides what is so for all of its provider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Model {
    /// Tokens that a beginning must have to be kept.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Within::<0, TOKENS>::some"
    )]
    #[schemars(with = "Within::<0, TOKENS>")]
    pub min_prefix: Option<u64>,
    /// The price of a token that is read from the cache.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Amount::some"
    )]
    #[schemars(with = "Amount")]
    pub read: Option<f64>,
    /// What a million tokens cost that are read anew, in dollars.
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "Amount::some"
    )]
    #[schemars(with = "Amount")]
    pub price: Option<f64>,
}

impl Profile {
    /// The built-in profiles, by name: those of Anthropic for entries of 5 minutes and of one hour, those of
    /// OpenAI from GPT-5.6 on and before it, and that of Gemini.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    ///
    /// let profiles = Profile::built_in();
    /// assert_eq!(profiles["anthropic"].write, 1.25);
    /// assert!(profiles.values().all(|profile| !profile.source.is_empty()));
    /// ```
    pub fn built_in() -> &'static BTreeMap<String, Self> {
        static PROFILES: LazyLock<BTreeMap<String, Profile>> =
            LazyLock::new(|| serde_json::from_str(BUILT_IN).unwrap_or_default());
        &PROFILES
    }

    /// Returns the best profile, with its name, for a provider and a model as clients report them. A match of
    /// the provider precedes one of the model, and among equal matches the first name wins. `None` if neither
    /// matches.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    ///
    /// let of = |provider, model| {
    ///     Profile::of(Profile::built_in(), provider, model).map(|(name, _)| name)
    /// };
    /// assert_eq!(of(Some("anthropic"), "claude-opus-4-5"), Some("anthropic"));
    /// assert_eq!(of(None, "openai/gpt-5.2"), Some("openai-before-5.6"));
    /// assert_eq!(of(Some("openai"), "gpt-5.6-codex"), Some("openai"));
    /// assert_eq!(of(Some("ollama"), "qwen3"), None);
    /// ```
    pub fn of<'p>(
        profiles: &'p BTreeMap<String, Self>,
        provider: Option<&str>,
        model: &str,
    ) -> Option<(&'p str, &'p Self)> {
        Self::best(profiles.iter(), provider, model)
    }

    fn best<'p>(
        profiles: impl Iterator<Item = (&'p String, &'p Self)>,
        provider: Option<&str>,
        model: &str,
    ) -> Option<(&'p str, &'p Self)> {
        let provider = provider.map(str::to_lowercase);
        let mut best: Option<((bool, usize), &str, &Self)> = None;
        for (name, profile) in profiles {
            let is_providers = provider.as_ref().is_some_and(|provider| {
                let mut patterns = profile.providers.iter();
                patterns.any(|pattern| pattern::fits(pattern, provider))
            });
            let length = profile
                .fitting(model)
                .map_or(0, |(pattern, _)| pattern.len());
            let fit = (is_providers, length);
            if fit != (false, 0) && best.is_none_or(|(other, ..)| fit > other) {
                best = Some((fit, name, profile));
            }
        }
        best.map(|(_, name, profile)| (name, profile))
    }

    /// Returns a profile as [`of`](Self::of), for a client that asks for a lifetime of an hour. Prefers
    /// matching profiles with that lifetime.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    ///
    /// let of = |model| Profile::of_hours(Profile::built_in(), None, model).map(|(name, _)| name);
    /// assert_eq!(of("claude-opus-4-6"), Some("anthropic-1h"));
    /// assert_eq!(of("gemini-2.5-pro"), Some("gemini"));
    /// ```
    pub fn of_hours<'p>(
        profiles: &'p BTreeMap<String, Self>,
        provider: Option<&str>,
        model: &str,
    ) -> Option<(&'p str, &'p Self)> {
        let lasting = profiles.iter();
        let lasting = lasting.filter(|(_, profile)| profile.lifetime >= HOUR);
        Self::best(lasting, provider, model).or_else(|| Self::of(profiles, provider, model))
    }

    /// Returns the cost of a call in uncached tokens, from the provider's counts and without the output.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    /// use hud_store::event::CallTokens;
    ///
    /// let call = CallTokens {
    ///     input: 1,
    ///     cache_write: 1_100,
    ///     cache_write_hour: 100,
    ///     cache_read: 10_000,
    ///     output: 7,
    /// };
    /// let cost = Profile::built_in()["anthropic"].charged(&call);
    /// assert_eq!(cost, 1.0 + 1_000.0 * 1.25 + 100.0 * 2.0 + 10_000.0 * 0.1);
    /// ```
    pub fn charged(&self, call: &CallTokens) -> f64 {
        let hour = call.cache_write_hour.min(call.cache_write);
        let others = call.cache_write - hour;
        call.input as f64
            + others as f64 * self.write
            + hour as f64 * self.write_hour.unwrap_or(self.write)
            + call.cache_read as f64 * self.read
    }

    /// Returns the longest pattern that matches a model, with the model's values.
    fn fitting(&self, model: &str) -> Option<(&str, &Model)> {
        let model = model.to_lowercase();
        let fitting = self.models.iter();
        let fitting = fitting.filter(|(pattern, _)| pattern::fits(pattern, &model));
        let (pattern, known) = fitting.max_by_key(|(pattern, _)| pattern.len())?;
        Some((pattern, known))
    }

    /// Returns the profile with the values of a model.
    #[must_use]
    pub fn for_model(&self, model: &str) -> Self {
        let known = self.fitting(model).map(|(_, known)| known);
        let known = known.cloned().unwrap_or_default();
        Self {
            min_prefix: known.min_prefix.unwrap_or(self.min_prefix),
            read: known.read.unwrap_or(self.read),
            ..self.clone()
        }
    }

    /// Returns the breakpoints that a client marks so that the provider caches the client's own blocks. Empty
    /// if the provider takes no marks.
    ///
    /// ```
    /// use hud_agent::cost::Profile;
    /// use hud_agent::placement::Breakpoint;
    ///
    /// let of = |name: &str| Profile::built_in()[name].breakpoints();
    /// assert_eq!(of("anthropic"), [Breakpoint::System, Breakpoint::Conversation]);
    /// assert_eq!(of("gemini"), []);
    /// ```
    pub fn breakpoints(&self) -> &'static [Breakpoint] {
        match self.caching {
            Caching::Marked | Caching::Last if self.max_breakpoints > 0 => &Breakpoint::ALL,
            _ => &[],
        }
    }

    /// Returns the price of a million uncached tokens of a model in dollars, if it is known.
    pub fn price(&self, model: &str) -> Option<f64> {
        self.fitting(model)?.1.price
    }
}

/// A price, as a number from 0 on.
struct Amount;

impl Amount {
    fn serialize<S: Serializer>(amount: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(*amount)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let amount = f64::deserialize(deserializer)?;
        match (0.0..=MOST).contains(&amount) {
            true => Ok(amount),
            false => Err(de::Error::custom(format!(
                "{amount} is out of range: from 0 to {MOST}"
            ))),
        }
    }

    fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Self::deserialize(deserializer).map(Some)
    }
}

impl JsonSchema for Amount {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Amount".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": MOST })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_profiles_are_read_and_each_says_where_it_is_from() {
        let names: Vec<&str> = Profile::built_in().keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "anthropic",
                "anthropic-1h",
                "gemini",
                "openai",
                "openai-before-5.6"
            ]
        );
        for (name, profile) in Profile::built_in() {
            assert!(profile.read < 1.0 && profile.write >= 1.0, "{name}");
            assert!(
                profile.source.contains("2026") || profile.source.contains("as anthropic"),
                "{name}"
            );
        }
    }

    #[test]
    fn the_provider_counts_more_than_the_model_and_the_longest_pattern_most() {
        let of = |provider, model: &str| {
            Profile::of(Profile::built_in(), provider, model).map(|(name, _)| name)
        };
        for (provider, model, name) in [
            (
                Some("google-vertex-anthropic"),
                "claude-sonnet-4-5@20250929",
                Some("anthropic"),
            ),
            (Some("google-vertex"), "gemini-3-pro", Some("gemini")),
            (
                Some("openrouter"),
                "anthropic/claude-sonnet-4.5",
                Some("anthropic"),
            ),
            (Some("openrouter"), "google/gemini-2.5-pro", Some("gemini")),
            (Some("Azure"), "gpt-4.1-mini", Some("openai-before-5.6")),
            (
                Some("openai"),
                "gpt-5-2025-08-07",
                Some("openai-before-5.6"),
            ),
            (Some("openai"), "gpt-12", Some("openai")),
            (None, "", None),
            (None, "mixtral", None),
        ] {
            assert_eq!(of(provider, model), name, "{provider:?} {model}");
        }
    }

    #[test]
    fn what_is_known_of_a_model_takes_the_place_of_what_is_so_for_all() {
        let profile = &Profile::built_in()["anthropic"];
        assert_eq!(
            profile.for_model("claude-opus-4-5-20251101").min_prefix,
            4_096
        );
        assert_eq!(profile.for_model("claude-sonnet-4-5").min_prefix, 1_024);
        assert_eq!(profile.price("claude-opus-4-5-20251101"), Some(5.0));
        assert_eq!(profile.price("claude-opus-4-1"), Some(15.0));
        assert_eq!(profile.price("claude-next"), None);
        let before = &Profile::built_in()["openai-before-5.6"];
        assert_eq!(before.for_model("gpt-4o-mini").read, 0.5);
    }

    #[test]
    fn a_price_that_is_none_is_refused() {
        for wrong in ["-1", "1e9"] {
            let said = serde_json::from_str::<Profile>(&format!(r#"{{ "read": {wrong} }}"#));
            assert!(said.unwrap_err().to_string().contains("out of range"));
        }
    }
}
