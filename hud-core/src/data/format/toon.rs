//! TOON, a format that lists the member names of similar objects once:
//! <https://github.com/toon-format/spec>.

use super::DataError;
use crate::node::Value;

const FORMAT: &str = "TOON";

/// Serializes a value as TOON.
///
/// ```
/// use hud_core::data::toon;
/// use hud_core::node::{Cell, Row, Table};
/// use hud_core::{Renderer, Scope, rsx};
///
/// let table = rsx! {
///     <Table>
///         <Row><Cell>"Name"</Cell><Cell>"Seat"</Cell></Row>
///         <Row><Cell>"Ada"</Cell><Cell>"by the door"</Cell></Row>
///         <Row><Cell>"Grace"</Cell><Cell>"window"</Cell></Row>
///     </Table>
/// };
/// let value = Renderer::builtin().data(&table, Scope::default())?;
/// assert_eq!(toon::to_string(&value)?, "[2]{name,seat}:\n  Ada,by the door\n  Grace,window");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// [`DataError`] if the value cannot be serialized.
pub fn to_string(value: &Value) -> Result<String, DataError> {
    serde_toon::to_string(value).map_err(|error| DataError::of(FORMAT, error))
}

/// Parses TOON.
///
/// # Errors
///
/// [`DataError`] for invalid TOON.
pub fn from_str(text: &str) -> Result<Value, DataError> {
    serde_toon::from_str(text).map_err(|error| DataError::of(FORMAT, error))
}
