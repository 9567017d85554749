//! JSON: <https://www.rfc-editor.org/rfc/rfc8259>.

use super::DataError;
use crate::node::Value;

const FORMAT: &str = "JSON";

/// Serializes a value as JSON on one line, without spaces.
///
/// ```
/// use hud_core::data::json;
/// use hud_core::node::Value;
///
/// let value = Value::Object(vec![("task".to_owned(), Value::Text("say \"hi\"".to_owned()))]);
/// let text = json::to_string(&value)?;
/// assert_eq!(text, r#"{"task":"say \"hi\""}"#);
/// assert_eq!(json::from_str(&text)?, value);
/// # Ok::<(), hud_core::data::DataError>(())
/// ```
///
/// # Errors
///
/// [`DataError`] for infinity or NaN, which JSON does not have.
pub fn to_string(value: &Value) -> Result<String, DataError> {
    serde_json::to_string(value).map_err(|error| DataError::of(FORMAT, error))
}

/// Serializes a value as JSON with one member on each line, indented by two spaces.
///
/// # Errors
///
/// As [`to_string`].
pub fn to_string_pretty(value: &Value) -> Result<String, DataError> {
    serde_json::to_string_pretty(value).map_err(|error| DataError::of(FORMAT, error))
}

/// Parses JSON. The members of an object keep their order.
///
/// # Errors
///
/// [`DataError`] with the line and column, for invalid JSON, a duplicate member, or more than 127
/// nested values.
pub fn from_str(text: &str) -> Result<Value, DataError> {
    serde_json::from_str(text).map_err(|error| DataError::of(FORMAT, error))
}
