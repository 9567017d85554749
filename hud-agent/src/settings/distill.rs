//! Which model is asked what a conversation amounts to, and what that may cost.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{TOKENS, Within};

/// More dollars than any run should cost, and than any million of tokens costs.
const DOLLARS: f64 = 10_000.0;

/// Which model `hud distill` asks, and what it may use. A key is never a setting: it comes from the
/// environment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, expecting = "a table of settings")]
#[schemars(deny_unknown_fields)]
#[non_exhaustive]
pub struct Distill {
    /// Where chat completions are: an address such as `https://api.openai.com/v1`. Without one, nothing is
    /// asked.
    pub endpoint: String,
    /// The model.
    pub model: String,
    /// The environment variable that holds the key.
    pub key_env: String,
    /// How many tokens one run may use, sent and written together.
    #[serde(with = "Within::<1, TOKENS>")]
    pub max_tokens: u64,
    /// How many tokens an answer may have.
    #[serde(with = "Within::<1, TOKENS>")]
    pub max_answer: u64,
    /// How many tokens of a conversation are sent at once.
    #[serde(with = "Within::<1, TOKENS>")]
    pub batch: u64,
    /// How many dollars one run may cost; 0 is for any.
    #[serde(with = "Dollars")]
    pub budget: f64,
    /// What a million tokens cost that are sent, in dollars.
    #[serde(with = "Dollars")]
    pub price_in: f64,
    /// What a million tokens cost that the model writes, in dollars.
    #[serde(with = "Dollars")]
    pub price_out: f64,
}

impl Default for Distill {
    fn default() -> Self {
        Self {
            endpoint: String::new(),
            model: String::new(),
            key_env: "OPENAI_API_KEY".to_owned(),
            max_tokens: 100_000,
            max_answer: 2_000,
            batch: 8_000,
            budget: 0.0,
            price_in: 0.0,
            price_out: 0.0,
        }
    }
}

/// An amount of money.
struct Dollars;

impl Dollars {
    fn serialize<S: Serializer>(amount: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(*amount)
    }

    fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        let amount = f64::deserialize(deserializer)?;
        match (0.0..=DOLLARS).contains(&amount) {
            true => Ok(amount),
            false => Err(de::Error::custom(format!(
                "{amount} is out of range: from 0 to {DOLLARS}"
            ))),
        }
    }
}

impl JsonSchema for Dollars {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Dollars".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": DOLLARS })
    }
}
