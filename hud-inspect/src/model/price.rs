//! The prices of model calls.

use hud_agent::cost::Profile;
use hud_agent::setup::Setup;
use serde::Serialize;

use super::turn::Tokens;

/// The prices of the tokens that are sent to a model, from the profile of its provider. Profiles have no
/// price for the tokens that the model writes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prices {
    /// The name of the profile.
    pub profile: String,
    /// The model.
    pub model: String,
    /// The price in dollars of a million input tokens that are not cached.
    pub input: f64,
    /// The price of a million tokens that are read from the cache.
    pub cache_read: f64,
    /// The price of a million tokens that are written to the cache.
    pub cache_write: f64,
    /// The price of a million tokens that are written to the cache for an hour.
    pub cache_write_hour: f64,
}

impl Prices {
    /// Returns the prices of a model, given the names that clients report for it and its provider.
    /// `None` if they are unknown.
    pub(super) fn of(model: &str, provider: Option<&str>, setup: &Setup) -> Option<Self> {
        let (name, profile) = Profile::of(&setup.settings.profiles, provider, model)?;
        let price = profile.price(model)?;
        let profile = profile.for_model(model);
        Some(Self {
            profile: name.to_owned(),
            model: model.to_owned(),
            input: price,
            cache_read: price * profile.read,
            cache_write: price * profile.write,
            cache_write_hour: price * profile.write_hour.unwrap_or(profile.write),
        })
    }

    /// Returns the price of the sent tokens, in dollars.
    pub fn dollars(&self, tokens: Tokens) -> f64 {
        let hour = tokens.cache_write_hour.min(tokens.cache_write);
        (tokens.input as f64 * self.input
            + tokens.cache_read as f64 * self.cache_read
            + (tokens.cache_write - hour) as f64 * self.cache_write
            + hour as f64 * self.cache_write_hour)
            / 1e6
    }
}

#[cfg(test)]
mod tests {
    use hud_store::event::CallTokens;

    use super::*;

    #[test]
    fn tokens_cost_what_their_profile_charges() {
        let setup = Setup::default();
        let (model, provider) = ("claude-opus-4-5", Some("anthropic"));
        let prices = Prices::of(model, provider, &setup).unwrap_or_else(|| unreachable!("a price"));
        let call = CallTokens {
            input: 1_000,
            cache_write: 20_000,
            cache_write_hour: 5_000,
            cache_read: 300_000,
            output: 900,
        };
        let profile = Profile::built_in()["anthropic"].for_model(model);
        let charged = profile.charged(&call) * prices.input / 1e6;
        assert!(
            (prices.dollars(call.into()) - charged).abs() < 1e-9,
            "{charged}"
        );
        assert_eq!(Prices::of("a-model-of-nobody", None, &setup), None);
    }
}
