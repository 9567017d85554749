//! Reports with a time. A client may report an occurrence later than it happened.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::observation::Observation;

/// An observation with its time.
///
/// In JSON it is the observation with an `at` next to its `type`: milliseconds since 1970, or a time as in RFC
/// 3339. `at` is missing if the client does not know the time. The resulting events have that time, so a late
/// report or a repeated recording leads to the same events.
///
/// ```
/// use hud_observe::reported::Reported;
/// use jiff::Timestamp;
/// use serde_json::json;
///
/// let said = json!({ "type": "model_call", "at": 1_700_000_000_000_u64 });
/// let reported: Reported = serde_json::from_value(said)?;
/// let heard: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
/// assert_eq!(reported.happened(heard).to_string(), "2023-11-14T22:13:20Z");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    /// The time, if the client knows it.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "time"
    )]
    pub at: Option<Timestamp>,
    /// The observation.
    #[serde(flatten)]
    pub observation: Observation,
}

impl Reported {
    /// Returns the time to record: the client's time, or the time of receipt if that is earlier. The client's
    /// clock may be ahead.
    pub fn happened(&self, heard: Timestamp) -> Timestamp {
        happened(self.at, heard)
    }
}

/// Returns the time to record for an occurrence: see [`Reported::happened`].
pub fn happened(said: Option<Timestamp>, heard: Timestamp) -> Timestamp {
    said.map_or(heard, |said| said.min(heard))
}

/// An observation of which the client does not know the time.
impl From<Observation> for Reported {
    fn from(observation: Observation) -> Self {
        Self {
            at: None,
            observation,
        }
    }
}

/// Deserializes a client's time, for fields that are [`deserialize_with`] it: milliseconds since 1970, a time
/// as in RFC 3339, or null.
///
/// # Errors
///
/// If it is neither.
///
/// [`deserialize_with`]: https://serde.rs/field-attrs.html#deserialize_with
pub fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Timestamp>, D::Error> {
    let said = Value::deserialize(deserializer)?;
    if said.is_null() {
        return Ok(None);
    }
    let wrong = || {
        serde::de::Error::custom(
            "`at` is milliseconds since 1970, or a time as 2026-01-01T12:00:00Z",
        )
    };
    time_in(&said).map(Some).ok_or_else(wrong)
}

/// Parses the time in a client's value: milliseconds since 1970, also as a string, or a time as in RFC 3339.
pub fn time_in(value: &Value) -> Option<Timestamp> {
    match value {
        Value::String(text) => match text.parse::<i64>() {
            Ok(milliseconds) => Timestamp::from_millisecond(milliseconds).ok(),
            Err(_) => text.parse().ok(),
        },
        // The clock of a script may have fractions of a millisecond.
        Value::Number(number) => {
            let whole = number.as_i64().or_else(|| {
                let fraction = number.as_f64().filter(|number| number.abs() < 1e15)?;
                #[allow(
                    clippy::cast_possible_truncation,
                    reason = "it is smaller than an i64 can be"
                )]
                Some(fraction as i64)
            });
            Timestamp::from_millisecond(whole?).ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use serde_json::json;

    use super::*;

    fn read(at: Value) -> Result<Reported, serde_json::Error> {
        serde_json::from_value(json!({ "type": "user", "text": "Go on", "at": at }))
    }

    #[test]
    fn a_time_is_read_as_scripts_and_recordings_write_it() {
        let then: Timestamp = "2026-01-01T12:00:00.250Z".parse().unwrap();
        for at in [
            json!("2026-01-01T12:00:00.250Z"),
            json!("2026-01-01T13:00:00.250+01:00"),
            json!(then.as_millisecond()),
            json!(then.as_millisecond() as f64 + 0.5),
            json!(then.as_millisecond().to_string()),
        ] {
            assert_eq!(read(at.clone()).unwrap().at, Some(then), "{at}");
        }
        assert_eq!(read(json!(null)).unwrap().at, None);
    }

    #[test]
    fn what_is_no_time_is_refused_with_what_is_one() {
        for at in [
            json!("yesterday"),
            json!(u64::MAX),
            json!(1e300),
            json!({}),
            json!(true),
        ] {
            let error = read(at.clone()).unwrap_err().to_string();
            assert!(error.contains("milliseconds since 1970"), "{at}: {error}");
        }
    }

    #[test]
    fn a_clock_that_is_ahead_is_not_believed() {
        let heard: Timestamp = "2026-01-01T12:00:00Z".parse().unwrap();
        let said = |at: &str| read(json!(at)).unwrap().happened(heard);
        assert_eq!(said("2999-01-01T00:00:00Z"), heard);
        assert_eq!(
            said("2026-01-01T11:00:00Z").to_string(),
            "2026-01-01T11:00:00Z"
        );
        assert_eq!(
            Reported::from(Observation::ModelCall).happened(heard),
            heard
        );
    }
}
