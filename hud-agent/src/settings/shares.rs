//! Shares of the budget, as they are written: `30% from 40 to 200`.

use std::collections::BTreeMap;

use hud_core::fit::share::Share;
use serde::{Deserialize, Deserializer, Serializer, de};

pub(super) fn serialize<S: Serializer>(
    shares: &BTreeMap<String, Share>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(shares.iter().map(|(name, share)| (name, share.to_string())))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<BTreeMap<String, Share>, D::Error> {
    let written = BTreeMap::<String, String>::deserialize(deserializer)?;
    let read = |(name, share): (String, String)| match share.parse() {
        Ok(share) => Ok((name, share)),
        Err(error) => Err(de::Error::custom(error)),
    };
    written.into_iter().map(read).collect()
}
