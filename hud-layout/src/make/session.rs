//! Checks of agents' layouts. They protect the task, the requests and the rules of the user: a layout can't show
//! other text as one of these.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use hud_core::{Density, Element, marker};
use serde_json::Value as Json;

use super::Given;
use super::data::{Data, Lent};
use crate::expr::{Mistake, Span, Value};
use crate::file::{self, Piece};
use crate::states;
use crate::template::{BUILT_IN, picture};

/// The props that only take values of the session's state. Each has the tag, the prop and the member of the state,
/// which is empty for the whole state.
const OF_STATE: &[(&str, &str, &str)] = &[
    ("Hud", "state", ""),
    ("TaskSection", "task", "task"),
    ("WarningBanner", "context", "context"),
    ("WarningBanner", "state", ""),
    ("RequestsList", "requests", "requests"),
    ("RequestsList", "task", "task"),
    ("ConstraintsList", "constraints", "constraints"),
    ("BlockersList", "blockers", "blockers"),
];

/// The props that are shown as a title.
const TITLES: &[(&str, &str)] = &[
    ("Section", "title"),
    ("Callout", "label"),
    ("Field", "label"),
    ("Description", "term"),
];

/// True for a tag whose children are shown as a title.
pub(super) fn has_title_in_it(tag: &str) -> bool {
    matches!(tag, "Heading" | "Strong" | "Emphasis")
}

/// Checks a prop of a tag in an agent's layout.
pub(super) fn check_prop(
    tag: &str,
    prop: &str,
    given: &Given<'_>,
    data: &Data<'_>,
    span: Span,
) -> Result<(), Mistake> {
    if TITLES.contains(&(tag, prop)) {
        return check_title(&given.text(), span);
    }
    let own = OF_STATE.iter().find(|own| (own.0, own.1) == (tag, prop));
    let Some((_, _, member)) = own else {
        return Ok(());
    };
    if is_of_state(given, member, data) {
        return Ok(());
    }
    let path = match *member {
        "" => "state".to_owned(),
        member => format!("state.{member}"),
    };
    let message = format!("`{prop}` of `<{tag}>` takes what the session has, as it is");
    let help =
        format!("write `{prop}={{{path}}}`, and show what is your own in a section of your own");
    Err(Mistake::new(span, message).with_help(help))
}

/// True if the value is the state's own, or a part of it.
fn is_of_state(given: &Given<'_>, member: &str, data: &Data<'_>) -> bool {
    let path: &[&str] = if member.is_empty() { &[] } else { &[member] };
    let lent = match data.lent(path) {
        Lent::Json(lent) => lent,
        Lent::Within(value) => value.to_json().to_string().into(),
    };
    let given = match given {
        Given::Json(json) if **json == *lent => return true,
        Given::Json(json) => serde_json::from_str(json).unwrap_or_default(),
        Given::Value(value) => match &**value {
            Value::Undefined => return true,
            value => value.to_json(),
        },
    };
    // The value as expressions see it, and the value as it is stored, where empty members are omitted.
    let stored: Json = serde_json::from_str(&lent).unwrap_or_default();
    let seen = match (data.value(), member) {
        (Value::Object(state), member) if !member.is_empty() => state.get(member),
        (state, _) => Some(state),
    };
    let known = [
        Some(Value::from(&stored).to_json()),
        seen.map(Value::to_json),
    ];
    known.iter().flatten().any(|known| match (&given, known) {
        (Json::Null, _) => true,
        (Json::Array(given), Json::Array(known)) => given.iter().all(|item| known.contains(item)),
        (given, known) => given == known,
    })
}

/// Checks a text that is shown as a title.
pub(super) fn check_title(title: &str, span: Span) -> Result<(), Mistake> {
    let Some(tag) = BUILT_IN_TITLES.get(&letters(title)) else {
        return Ok(());
    };
    let shown: String = title.trim().chars().take(40).collect();
    let message =
        format!("`{shown}` is the title of a built-in section, which only that section has");
    let help = format!("show the section, with `<{tag} .. />`, or give yours another title");
    Err(Mistake::new(span, message).with_help(help))
}

/// Checks elements that are shown as a title.
pub(super) fn check_title_of(title: &[Element<'static>], span: Span) -> Result<(), Mistake> {
    let title = Element::fragment(title.to_vec());
    // A title that can't be rendered is reported where it is shown.
    let title = hud_core::render(&title, Density::Full).unwrap_or_default();
    check_title(&title, span)
}

/// The titles of the built-in sections, normalized by [`letters`], each with the tag of its section.
static BUILT_IN_TITLES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut titles = BTreeMap::new();
    let mut add = |tag: &str| {
        let Some(shown) = picture(tag, states::overfull()) else {
            return;
        };
        for density in Density::ALL {
            let text = hud_core::render(&shown, density).unwrap_or_default();
            for title in text.lines().filter_map(title) {
                let title = letters(title);
                if !title.is_empty() {
                    titles.entry(title).or_insert_with(|| tag.to_owned());
                }
            }
        }
    };
    fn each(pieces: &[Piece], add: &mut dyn FnMut(&str)) {
        for piece in pieces {
            if let Piece::Tag(tag) = piece {
                tag.name.iter().for_each(|name| add(&name.text));
                each(&tag.children, add);
            }
        }
    }
    each(&file::read(BUILT_IN).0.pieces, &mut add);
    titles
});

/// The title at the start of a line of the built-in HUD.
fn title(line: &str) -> Option<&str> {
    let line = line.trim_start_matches(['>', ' ']);
    if let Some(heading) = line.strip_prefix('#') {
        return Some(heading);
    }
    Some(line.strip_prefix("**")?.split_once("**")?.0)
}

/// The lowercase letters of a title, without digits, spaces, marks and text in parentheses.
fn letters(title: &str) -> String {
    let mut letters = String::new();
    let mut depth = 0_usize;
    for c in title.chars().map(marker::narrow) {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            c if depth == 0 && c.is_alphabetic() => letters.extend(c.to_lowercase()),
            _ => {}
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_those_of_the_built_in_sections() {
        for title in [
            "Task",
            "Rules (7)",
            "  r u l e s ",
            "*RULES*",
            "Ｒｕｌｅｓ",
            "Ru\u{200B}les:",
            "Decisions",
            "Blockers",
        ] {
            assert!(check_title(title, Span::default()).is_err(), "{title}");
        }
        for title in ["", "(1)", "Mine", "Rules of the road", "Tasks of mine"] {
            assert!(check_title(title, Span::default()).is_ok(), "{title}");
        }
    }
}
