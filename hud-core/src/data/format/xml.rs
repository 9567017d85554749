//! XML: a member is an element, and a list is an element that contains an element for each item.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use quick_xml::Writer;
use quick_xml::escape::{partial_escape, unescape};
use quick_xml::events::{BytesEnd, BytesStart, BytesText, Event};
use quick_xml::reader::Reader;

use super::DataError;
use crate::characters::legal;
use crate::data::assemble::sparse;
use crate::data::key::singular;
use crate::node::Value;
use crate::registry::MAX_DEPTH;

const FORMAT: &str = "XML";

/// The element of a member whose name is no valid element name.
const UNNAMEABLE: &str = "_";

/// Serializes a value as XML, within an element named `root`. Short members of an item are
/// attributes, and its text is the content.
///
/// ```
/// use hud_core::data::{json, xml};
///
/// let value = json::from_str(r#"{"steps":[{"text":"a < b","done":true},{"text":"c","done":false}]}"#)?;
/// assert_eq!(xml::to_string(&value, "hud")?, "\
/// <hud>
///   <steps>
///     <step done=\"true\">a &lt; b</step>
///     <step done=\"false\">c</step>
///   </steps>
/// </hud>");
/// # Ok::<(), hud_core::data::DataError>(())
/// ```
///
/// Characters that XML does not allow are written as U+FFFD.
///
/// # Errors
///
/// [`DataError`] if `root` is no valid name.
pub fn to_string(value: &Value, root: &str) -> Result<String, DataError> {
    if !is_name(root) {
        let message = format!("`{root}` is no name of an element: begin it with a letter");
        return Err(DataError::of(FORMAT, message));
    }
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let fail = |error| DataError::of(FORMAT, error);
    write(&mut writer, BytesStart::new(root), root, value, None).map_err(fail)?;
    String::from_utf8(writer.into_inner()).map_err(|error| DataError::of(FORMAT, error))
}

type Written = std::io::Result<()>;

/// Writes a value as an element. For an item of a list, `attributes` has the names of the members
/// that are attributes.
fn write(
    writer: &mut Writer<Vec<u8>>,
    mut start: BytesStart<'_>,
    name: &str,
    value: &Value,
    attributes: Option<&BTreeSet<&str>>,
) -> Written {
    let end = start.to_end().into_owned();
    match value {
        Value::None | Value::Hidden => writer.write_event(Event::Empty(start)),
        Value::List(values) => {
            if values.is_empty() {
                return writer.write_event(Event::Empty(start));
            }
            let of_each = item_name(name);
            let values = sparse(values);
            let attributes = attributes_of(&values);
            writer.write_event(Event::Start(start))?;
            for value in &values {
                let start = BytesStart::new(of_each.as_str());
                write(writer, start, &of_each, value, Some(&attributes))?;
            }
            writer.write_event(Event::End(end))
        }
        Value::Object(members) => write_object(writer, start, end, name, members, attributes),
        scalar => {
            let text = scalar.to_string();
            if text.is_empty() {
                start.push_attribute(("type", "text"));
                return writer.write_event(Event::Empty(start));
            }
            writer.write_event(Event::Start(start))?;
            write_text(writer, &text)?;
            writer.write_event(Event::End(end))
        }
    }
}

fn write_object(
    writer: &mut Writer<Vec<u8>>,
    mut start: BytesStart<'_>,
    end: BytesEnd<'_>,
    name: &str,
    members: &[(String, Value)],
    attributes: Option<&BTreeSet<&str>>,
) -> Written {
    let is_item = attributes.is_some();
    let (attributes, mut within): (Vec<_>, Vec<_>) = members
        .iter()
        .partition(|(name, _)| attributes.is_some_and(|names| names.contains(name.as_str())));
    // The position of text content is not in the XML. So text always comes first in an item.
    if is_item {
        within.sort_by_key(|(name, value)| name != "text" || *value == Value::None);
    }
    for (name, value) in &attributes {
        let value = value.to_string();
        start.push_attribute((name.as_str(), legal(&value)));
    }
    // The text is the content if there is nothing else.
    let words = match within.as_slice() {
        [(name, Value::Text(words))] if is_item && name == "text" && !words.trim().is_empty() => {
            Some(words.clone())
        }
        _ => None,
    };
    if let Some(words) = words {
        within.clear();
        writer.write_event(Event::Start(start))?;
        write_text(writer, &words)?;
        return writer.write_event(Event::End(end));
    }
    let of_each = item_name(name);
    let is_like_a_list = within.iter().all(|(name, _)| *name == of_each);
    if attributes.is_empty() && is_like_a_list {
        start.push_attribute(("type", "object"));
    }
    if within.is_empty() {
        return writer.write_event(Event::Empty(start));
    }
    writer.write_event(Event::Start(start))?;
    for (name, value) in within {
        let mut start = BytesStart::new(if is_name(name) { name } else { UNNAMEABLE });
        if !is_name(name) {
            start.push_attribute(("name", legal(name)));
        }
        write(writer, start, name, value, None)?;
    }
    writer.write_event(Event::End(end))
}

fn write_text(writer: &mut Writer<Vec<u8>>, text: &str) -> Written {
    // An XML parser reads a CRLF line ending as one character.
    let escaped = partial_escape(&*legal(text)).replace('\r', "&#13;");
    writer.write_event(Event::Text(BytesText::from_escaped(escaped)))
}

/// The element name of the items of a list.
fn item_name(name: &str) -> String {
    let singular = singular(name).filter(|name| is_name(name));
    singular.unwrap_or_else(|| "item".to_owned())
}

/// The names of the members that are attributes in a list: those that can be one in each item.
fn attributes_of(items: &[Value]) -> BTreeSet<&str> {
    let mut can_be = BTreeMap::new();
    for item in items {
        let Value::Object(members) = item else {
            continue;
        };
        for (name, value) in members.iter().filter(|(name, _)| name != "text") {
            *can_be.entry(name.as_str()).or_insert(true) &= is_attribute(name, value);
        }
    }
    let attributes = can_be.into_iter().filter(|(_, can_be)| *can_be);
    attributes.map(|(name, _)| name).collect()
}

/// True if a member can be an attribute: it is short and on one line.
fn is_attribute(name: &str, value: &Value) -> bool {
    let is_short = match value {
        Value::Text(text) => !legal(text).contains(char::is_control),
        Value::Bool(_) | Value::Integer(_) | Value::Float(_) => true,
        _ => false,
    };
    is_short && is_name(name) && !matches!(name, "type" | "name")
}

/// True if an element can have this name, as <https://www.w3.org/TR/xml/#NT-Name> defines it,
/// without colons.
fn is_name(name: &str) -> bool {
    let begins = |c: char| {
        c.is_ascii_alphabetic()
            || matches!(c,
                'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
                | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}' | '\u{3001}'..='\u{D7FF}'
                | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}' | '\u{10000}'..='\u{EFFFF}')
    };
    let goes_on = |c: char| {
        begins(c)
            || c.is_ascii_digit()
            || matches!(c, '_' | '-' | '.' | '·' | '\u{300}'..='\u{36F}' | '‿' | '⁀')
    };
    let is_reserved = name
        .get(..3)
        .is_some_and(|start| start.eq_ignore_ascii_case("xml"));
    name.starts_with(begins) && name.chars().all(goes_on) && !is_reserved
}

/// Parses the output of [`to_string`]. Everything except objects and lists is a string, because XML
/// has no numbers.
///
/// # Errors
///
/// [`DataError`] with the position in bytes, for invalid XML, a document type declaration (never
/// parsed), or more than [`MAX_DEPTH`] nested elements.
pub fn from_str(text: &str) -> Result<Value, DataError> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().expand_empty_elements = true;
    let mut open: Vec<Open> = Vec::new();
    let mut whole = None;
    loop {
        let at = reader.buffer_position();
        let fail = |error: &dyn std::fmt::Display| {
            DataError::of(FORMAT, format_args!("{error}, at byte {at}"))
        };
        let event = reader.read_event().map_err(|error| fail(&error))?;
        match event {
            Event::Start(_) if open.len() == MAX_DEPTH => {
                return Err(fail(&"too many elements are nested"));
            }
            Event::Start(_) if whole.is_some() => {
                return Err(fail(&"an element after the last one"));
            }
            Event::Start(start) => open.push(Open::of(&start).map_err(|error| fail(&error))?),
            Event::End(_) => {
                let Some(done) = open.pop() else { continue };
                let (name, value) = done.close();
                match open.last_mut() {
                    Some(around) => around.within.push((name, value)),
                    None => whole = Some(value),
                }
            }
            Event::Text(text) => {
                let text = text.xml10_content();
                if let Some(open) = open.last_mut() {
                    open.text.push_str(&text);
                } else if !text.trim().is_empty() {
                    return Err(fail(&"text outside of the elements"));
                }
            }
            Event::CData(data) => {
                if let Some(open) = open.last_mut() {
                    open.text.push_str(&data.xml10_content());
                }
            }
            Event::GeneralRef(reference) => {
                let text = unescape(&format!("&{};", &*reference))
                    .map(Cow::into_owned)
                    .map_err(|error| fail(&error))?;
                if let Some(open) = open.last_mut() {
                    open.text.push_str(&text);
                }
            }
            Event::DocType(_) => return Err(fail(&"a document type: remove it")),
            // An empty element is read as a start and an end event.
            Event::Empty(_) | Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => break,
        }
    }
    match (open.pop(), whole) {
        (None, Some(value)) => Ok(value),
        (Some(open), _) => {
            let message = format!("`<{}>` is not closed", open.name);
            Err(DataError::of(FORMAT, message))
        }
        (None, None) => Err(DataError::of(FORMAT, "there is no element")),
    }
}

/// An element while it is parsed.
struct Open {
    name: String,
    attributes: Vec<(String, Value)>,
    within: Vec<(String, Value)>,
    text: String,
    /// The kind that the writer noted, if it is not evident from the content.
    kind: Option<String>,
}

impl Open {
    fn of(start: &BytesStart<'_>) -> Result<Self, quick_xml::Error> {
        let tag = start.name();
        let mut open = Self {
            name: tag.as_ref().to_owned(),
            attributes: Vec::new(),
            within: Vec::new(),
            text: String::new(),
            kind: None,
        };
        for attribute in start.attributes() {
            let attribute = attribute?;
            let name = attribute.key.as_ref().to_owned();
            let value = unescape(&attribute.value)?.into_owned();
            match name.as_str() {
                "type" => open.kind = Some(value),
                "name" if open.name == UNNAMEABLE => open.name = value,
                _ => open.attributes.push((name, Value::Text(value))),
            }
        }
        Ok(open)
    }

    fn close(self) -> (String, Value) {
        let Self {
            name,
            mut attributes,
            within,
            text,
            kind,
        } = self;
        let is_object = kind.as_deref() == Some("object");
        let value = match (within.is_empty(), attributes.is_empty() && !is_object) {
            (true, true) if kind.as_deref() == Some("text") => Value::Text(text),
            (true, true) if text.is_empty() => Value::None,
            (true, true) => Value::Text(text),
            (true, false) => {
                if !text.is_empty() {
                    attributes.insert(0, ("text".to_owned(), Value::Text(text)));
                }
                Value::Object(attributes)
            }
            (false, is_bare) => {
                let of_each = item_name(&name);
                match is_bare && within.iter().all(|(name, _)| *name == of_each) {
                    true => Value::List(within.into_iter().map(|(_, value)| value).collect()),
                    false => {
                        attributes.extend(within);
                        Value::Object(attributes)
                    }
                }
            }
        };
        (name, value)
    }
}
