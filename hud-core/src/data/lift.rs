//! Lifts a value to elements: the opposite of each rule that has one.

use super::assemble::sparse;
use super::{Data, DataPiece, key};
use crate::element::Element;
use crate::node::{
    Cell, CodeBlock, Field, Item, Link, List, Meter, Paragraph, Row, Section, Status, Table, Value,
};
use crate::registry::{Lift, LiftError, LiftResult, Lifted, Registry};

type Walk<'l, 'r> = &'l Lift<'r, Data>;
type Members = [(String, Value)];

/// Lifts a whole value.
pub(crate) fn lift_value(
    value: &Value,
    registry: &Registry,
) -> Result<Element<'static>, LiftError> {
    Lift::<Data>::new(registry)
        .siblings(&pieces(value))
        .map(Element::fragment)
}

/// The pieces of a value on its own.
fn pieces(value: &Value) -> Vec<DataPiece> {
    match value {
        Value::None | Value::Hidden => Vec::new(),
        Value::Text(text) if is_line(text) => vec![DataPiece::Text(text.clone())],
        Value::Object(members) => match (as_link(members), as_code(members)) {
            (Some(link), _) => vec![link],
            (_, Some(_)) => vec![DataPiece::Value(value.clone())],
            _ => {
                let has_named = members.iter().any(|(name, _)| !is_unnamed(name));
                pieces_of_members(members, has_named)
            }
        },
        value => vec![DataPiece::Value(value.clone())],
    }
}

/// The pieces of an object's members. With `has_unnamed`, the names of unnamed values are
/// recognized, which they have only beside others.
fn pieces_of_members(members: &Members, has_unnamed: bool) -> Vec<DataPiece> {
    let is_meter = is_meter(members);
    let mut pieces = Vec::with_capacity(members.len());
    for (name, value) in members {
        match (name.as_str(), value) {
            ("text", Value::Text(_)) if has_unnamed => pieces.push(DataPiece::Value(value.clone())),
            ("text", Value::List(texts)) if has_unnamed && texts.iter().all(is_text) => {
                pieces.extend(texts.iter().cloned().map(DataPiece::Value));
            }
            ("items", Value::List(_)) if has_unnamed => {
                pieces.push(DataPiece::Value(value.clone()))
            }
            ("value", Value::Object(inner)) if has_unnamed && as_code(inner).is_some() => {
                pieces.push(DataPiece::Value(value.clone()));
            }
            ("value", Value::Object(inner)) if has_unnamed && as_link(inner).is_some() => {
                pieces.extend(as_link(inner));
            }
            ("text" | "items" | "status", Value::None) if has_unnamed => {}
            (name, Value::None) if is_meter && METER.contains(&name) => {}
            (fact, _) if is_meter && METER.contains(&fact) => {
                pieces.push(DataPiece::Aside(name.clone(), value.clone()));
            }
            ("status", Value::Text(_)) => {
                pieces.push(DataPiece::Aside(name.clone(), value.clone()))
            }
            _ => pieces.push(DataPiece::Member(name.clone(), value.clone())),
        }
    }
    pieces
}

/// The members of a meter.
pub(super) const METER: [&str; 5] = ["used", "limit", "percent", "rounded", "unit"];

/// True if the members include a meter.
pub(super) fn is_meter(members: &Members) -> bool {
    members
        .iter()
        .any(|(name, value)| name == "used" && whole(value).is_some())
}

fn is_unnamed(name: &str) -> bool {
    matches!(name, "text" | "items" | "value")
}

fn is_text(value: &Value) -> bool {
    matches!(value, Value::Text(_))
}

/// True if a text can be the text of a line.
fn is_line(text: &str) -> bool {
    !text.is_empty() && text.trim() == text && !text.contains(['\n', '\r'])
}

/// An unsigned integer, also as a string for formats that only have strings.
fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Integer(number) => u64::try_from(*number).ok(),
        Value::Text(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// A boolean, also as a string for formats that only have strings.
fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// The two strings of an object that has exactly these members, ignoring empty ones.
fn two<'v>(members: &'v Members, names: [&str; 2]) -> Option<[&'v str; 2]> {
    let mut given = members.iter().filter(|(_, value)| *value != Value::None);
    let (first, second, None) = (given.next()?, given.next()?, given.next()) else {
        return None;
    };
    match (first, second) {
        ((a, Value::Text(one)), (b, Value::Text(two))) if [a.as_str(), b.as_str()] == names => {
            Some([one, two])
        }
        _ => None,
    }
}

fn as_link(members: &Members) -> Option<DataPiece> {
    let [text, url] = two(members, ["text", "url"])?.map(str::to_owned);
    Some(DataPiece::Link { text, url })
}

fn as_code(members: &Members) -> Option<[&str; 2]> {
    two(members, ["language", "code"])
}

/// True if a value is a link or code, which is alone in its place.
pub(super) fn is_link_or_code(value: &Value) -> bool {
    match value {
        Value::Object(members) => as_link(members).is_some() || as_code(members).is_some(),
        _ => false,
    }
}

/// Lifts the content of a value.
fn inner(value: &Value, lift: Walk<'_, '_>) -> Result<Vec<Element<'static>>, LiftError> {
    lift.siblings(&pieces(value))
}

pub(super) fn paragraph(pieces: &[DataPiece], _: Walk<'_, '_>) -> LiftResult<Paragraph> {
    Ok(match pieces.first() {
        Some(DataPiece::Value(Value::Text(text))) if is_line(text) => {
            Some(Lifted::one(Paragraph {}, [Element::text(text.clone())]))
        }
        _ => None,
    })
}

pub(super) fn code_block(pieces: &[DataPiece], _: Walk<'_, '_>) -> LiftResult<CodeBlock> {
    let (lang, code) = match pieces.first() {
        Some(DataPiece::Value(Value::Text(text))) if !is_line(text) => ("", text.as_str()),
        Some(DataPiece::Value(Value::Object(members))) => match as_code(members) {
            Some([lang, code]) => (lang, code),
            None => return Ok(None),
        },
        _ => return Ok(None),
    };
    let node = CodeBlock {
        lang: lang.to_owned(),
        meta: String::new(),
    };
    Ok(Some(Lifted::one(node, [Element::text(code.to_owned())])))
}

pub(super) fn list(pieces: &[DataPiece], lift: Walk<'_, '_>) -> LiftResult<List> {
    let Some(DataPiece::Value(Value::List(values))) = pieces.first() else {
        return Ok(None);
    };
    let items: Vec<DataPiece> = sparse(values).into_iter().map(DataPiece::Item).collect();
    let node = List {
        ordered: false,
        start: 1,
        spread: false,
    };
    Ok(Some(Lifted::one(node, lift.siblings(&items)?)))
}

pub(super) fn item(pieces: &[DataPiece], lift: Walk<'_, '_>) -> LiftResult<Item> {
    let Some(DataPiece::Item(value)) = pieces.first() else {
        return Ok(None);
    };
    let done = match value {
        Value::Object(members) => members
            .iter()
            .find(|(name, _)| name == "done")
            .and_then(|(_, value)| flag(value)),
        _ => None,
    };
    let children = match (done, value) {
        (Some(_), Value::Object(members)) => {
            let others = members.iter().filter(|(name, _)| name != "done");
            let others: Vec<_> = others.cloned().collect();
            lift.siblings(&pieces_of_members(&others, true))?
        }
        _ => inner(value, lift)?,
    };
    let node = Item {
        key: None,
        checked: done,
        spread: false,
    };
    Ok(Some(Lifted::one(node, children)))
}

pub(super) fn table(pieces: &[DataPiece], lift: Walk<'_, '_>) -> LiftResult<Table> {
    let Some(DataPiece::Value(Value::List(values))) = pieces.first() else {
        return Ok(None);
    };
    let rows = values.iter().map(|value| match value {
        Value::Object(members) => Some(members.as_slice()),
        _ => None,
    });
    let rows: Option<Vec<&Members>> = rows.collect();
    let Some((rows, first)) = rows.and_then(|rows| Some((rows.clone(), *rows.first()?))) else {
        return Ok(None);
    };
    let names = || first.iter().map(|(name, _)| name);
    let alike = |row: &&Members| row.iter().map(|(name, _)| name).eq(names());
    let is_column = |name: &String| {
        let is_else = ["done", "status", "title", "url", "code"].contains(&name.as_str());
        !is_unnamed(name)
            && !METER.contains(&name.as_str())
            && !is_else
            && key(&key::title(name)) == *name
    };
    if first.is_empty() || !rows.iter().all(alike) || !names().all(is_column) {
        return Ok(None);
    }
    let row = |cells: Vec<Element<'static>>| Element::node(Row {}, cells);
    let head = names().map(|name| Element::node(Cell {}, vec![Element::text(key::title(name))]));
    let mut lifted = vec![row(head.collect())];
    for members in rows {
        let mut cells = Vec::with_capacity(members.len());
        for (_, value) in members {
            cells.push(Element::node(Cell {}, inner(value, lift)?));
        }
        lifted.push(row(cells));
    }
    let align = Vec::new();
    Ok(Some(Lifted::one(Table { align }, lifted)))
}

pub(super) fn section(pieces: &[DataPiece], lift: Walk<'_, '_>) -> LiftResult<Section> {
    let Some(DataPiece::Member(name, value)) = pieces.first() else {
        return Ok(None);
    };
    let (title, children) = match value {
        Value::Object(members) if members.is_empty() => return Ok(None),
        Value::Object(members) => match members.split_first() {
            Some(((first, Value::Text(title)), rest))
                if first == "title" && key::says_more(title) && key(title) == *name =>
            {
                if rest.is_empty() {
                    return Ok(None);
                }
                let children = match (as_link(rest), as_code(rest)) {
                    (None, None) => lift.siblings(&pieces_of_members(rest, true))?,
                    _ => inner(&Value::Object(rest.to_vec()), lift)?,
                };
                (title.clone(), children)
            }
            _ => (key::title(name), inner(value, lift)?),
        },
        Value::List(values) if !values.is_empty() => (key::title(name), inner(value, lift)?),
        _ => return Ok(None),
    };
    if key(&title) != *name {
        return Ok(None);
    }
    let level = None;
    Ok(Some(Lifted::one(Section { title, level }, children)))
}

pub(super) fn field(pieces: &[DataPiece], lift: Walk<'_, '_>) -> LiftResult<Field> {
    let Some(DataPiece::Member(name, value)) = pieces.first() else {
        return Ok(None);
    };
    let (label, children) = match value {
        Value::None | Value::Text(_) => (key::title(name), inner(value, lift)?),
        Value::Object(members) => match members.as_slice() {
            [(first, Value::Text(title))] if first == "title" && key::says_more(title) => {
                (title.clone(), Vec::new())
            }
            _ => return Ok(None),
        },
        _ => return Ok(None),
    };
    if key(&label) != *name {
        return Ok(None);
    }
    Ok(Some(Lifted::one(Field { label }, children)))
}

pub(super) fn link(pieces: &[DataPiece], _: Walk<'_, '_>) -> LiftResult<Link> {
    let Some(DataPiece::Link { text, url }) = pieces.first() else {
        return Ok(None);
    };
    let node = Link {
        url: url.clone(),
        title: String::new(),
    };
    Ok(Some(Lifted::one(node, [Element::text(text.clone())])))
}

pub(super) fn meter(pieces: &[DataPiece], _: Walk<'_, '_>) -> LiftResult<Meter> {
    let facts = pieces.iter().map_while(|piece| match piece {
        DataPiece::Aside(name, value) if METER.contains(&name.as_str()) => {
            Some((name.as_str(), value))
        }
        _ => None,
    });
    let facts: Vec<(&str, &Value)> = facts.collect();
    let fact = |wanted: &str| {
        let found = facts.iter().find(|(name, _)| *name == wanted);
        found.map(|(_, value)| *value)
    };
    let Some(used) = fact("used").and_then(whole) else {
        return Ok(None);
    };
    let limit = fact("limit").and_then(whole);
    let share = fact("percent")
        .and_then(whole)
        .and_then(|share| u8::try_from(share).ok());
    let unit = match fact("unit") {
        Some(Value::Text(unit)) => unit.clone(),
        _ => String::new(),
    };
    let node = Meter {
        used,
        limit,
        share: share.filter(|_| limit.is_some()),
        rounded: fact("rounded").and_then(flag) == Some(true),
        unit,
    };
    Ok(Some(Lifted {
        node,
        children: Vec::new(),
        taken: facts.len(),
    }))
}

pub(super) fn status(pieces: &[DataPiece], _: Walk<'_, '_>) -> LiftResult<Status> {
    Ok(match pieces.first() {
        Some(DataPiece::Aside(name, Value::Text(state))) if name == "status" => {
            let state = state.clone();
            Some(Lifted::one(Status { state }, []))
        }
        _ => None,
    })
}
