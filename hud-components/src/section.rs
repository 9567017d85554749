//! What the sections have in common: a bulleted list under a heading with a count.

use std::cmp::Reverse;

use hud_core::node::{Code, Item, List, Section};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, rsx};
use hud_store::event::Actor;
use hud_store::state::{Blocker, Check, Constraint, Decision, ErrorRecord, Finding, Note, Request};

use crate::Ceiling;
use crate::text::{join, line, piece, with_code};

/// How much of a name is shown.
const ID: usize = 12;

/// How many items are not shown, and what is called to see them.
pub(crate) fn others(count: usize, which: &str, handle: &Handle) -> Element<'static> {
    let name = handle.name.clone();
    rsx! {
        {count} " " {which.to_owned()}
        if !name.is_empty() { ": " <Code>{name}</Code> }
    }
}

/// How many items a line does not name, behind those that it names, if it names any; and as shortly as the reader
/// understands it what is called to see them.
pub(crate) fn rest(count: usize, is_behind: bool, handle: &Handle) -> Element<'static> {
    let name = handle.brief.clone();
    rsx! {
        if count > 0 {
            if is_behind { "; " }
            "+" {count}
            if name.is_empty() { " more" } else { ": " <Code>{name}</Code> }
        }
    }
}

/// The number of the other items and what is called to see them, where the whole HUD is at minimal density; nothing where
/// the section may be denser.
pub(crate) fn others_counted(count: usize, handle: &Handle, ceiling: Ceiling) -> Element<'static> {
    match ceiling.0 {
        Density::Minimal => rest(count, true, handle),
        _ => rsx! {},
    }
}

/// The number of the items of a section that has no room for any of them, and what is called to see them; nothing where
/// the section may be denser.
pub(crate) fn counted(
    count: usize,
    [one, several]: [&'static str; 2],
    handle: &Handle,
    ceiling: Ceiling,
) -> Element<'static> {
    if count == 0 || ceiling.0 > Density::Minimal {
        return rsx! {};
    }
    let noun = if count == 1 { one } else { several };
    // The brief name is missing where a budget is counted.
    let names = [&handle.brief, &handle.name];
    let name = names.into_iter().find(|name| !name.is_empty()).cloned();
    rsx! {
        {count} " " {noun}
        if let Some(name) = name { ": " <Code>{name}</Code> }
    }
}

/// The first texts on one line, and the number of the others.
pub(crate) fn row<'t>(
    texts: impl ExactSizeIterator<Item = &'t str>,
    most: usize,
    length: usize,
    handle: &Handle,
) -> Element<'static> {
    let more = texts.len().saturating_sub(most);
    let shown = join(texts.take(most), most, length);
    rsx! { {shown} {rest(more, most > 0, handle)} }
}

/// Something that is shown before others or after them by what it is worth: what it weighs by itself, and
/// how it [bears](hud_store::section::Bearing) on the work.
pub(crate) trait Worth {
    /// What names it within its section.
    fn key(&self) -> &str;

    /// The turn in which it was said.
    fn turn(&self) -> u64;

    /// What it is worth in a turn.
    fn worth(&self, turn: u64) -> i64;
}

macro_rules! worth {
    ($($Item:ident by $id:ident),*) => {
        $(impl Worth for $Item {
            fn key(&self) -> &str {
                &self.$id
            }

            fn turn(&self) -> u64 {
                self.turn
            }

            fn worth(&self, turn: u64) -> i64 {
                $Item::worth(self, turn)
            }
        })*
    };
}
worth!(Decision by id, Finding by id);

macro_rules! bearing {
    ($($Item:ident by $id:ident),*) => {
        $(impl Worth for $Item {
            fn key(&self) -> &str {
                &self.$id
            }

            fn turn(&self) -> u64 {
                self.turn
            }

            fn worth(&self, turn: u64) -> i64 {
                self.bearing().points(turn)
            }
        })*
    };
}
bearing!(
    Blocker by id,
    Check by check,
    Constraint by id,
    ErrorRecord by id,
    Note by id,
    Request by id
);

impl<T: Worth> Worth for &T {
    fn key(&self) -> &str {
        T::key(self)
    }

    fn turn(&self) -> u64 {
        T::turn(self)
    }

    fn worth(&self, turn: u64) -> i64 {
        T::worth(self, turn)
    }
}

/// The items that are worth most, as many as `most`, in their order.
pub(crate) fn worthiest<T: Worth>(items: &[T], most: usize) -> Vec<&T> {
    if items.len() <= most {
        return items.iter().collect();
    }
    let now = items.iter().map(Worth::turn).max().unwrap_or(0);
    let mut order: Vec<(usize, &T)> = items.iter().enumerate().collect();
    // Of those that are worth the same, the newest.
    order.sort_by_key(|(at, item)| (Reverse(item.worth(now)), Reverse(*at)));
    order.truncate(most);
    order.sort_unstable_by_key(|(at, _)| *at);
    order.into_iter().map(|(_, item)| item).collect()
}

/// The items that are worth most on one line, the newest first, and the number of the others.
pub(crate) fn joined<'i, T: Worth>(
    items: &'i [T],
    most: usize,
    length: usize,
    handle: &Handle,
    text: impl Fn(&'i T) -> &'i String,
) -> Element<'static> {
    let shown = worthiest(items, most);
    let more = items.len() - shown.len();
    let texts = shown.iter().rev().map(|item| text(item).as_str());
    rsx! {
        {join(texts, most, length)}
        {rest(more, most > 0, handle)}
    }
}

/// A section with the items that are worth most, and one that counts the others.
pub(crate) fn worthiest_list<'a, 'i, T: Worth>(
    title: &str,
    items: &'i [T],
    cap: Cap,
    handle: &Handle,
    full: impl Fn(&'i T) -> Element<'a>,
) -> Element<'a> {
    let shown = worthiest(items, cap.of(items.len()));
    let more = items.len() - shown.len();
    let title = format!("{title} ({})", items.len());
    rsx! {
        <Section title>
            <List>
                for item in shown { <Item key={item.key()}>{full(item)}</Item> }
                if more > 0 { <Item>{others(more, "more", handle)}</Item> }
            </List>
        </Section>
    }
}

/// The name of an item that the agent said nothing of itself, by which it can be reviewed, and whether another
/// model worded it. What the agent recorded shows none, nor what its own summary says.
pub(crate) fn mark<'a>(id: &'a str, by: &Actor) -> Element<'a> {
    rsx! {
        if !by.is_agent() && *by != Actor::Summary {
            " ("
            {line(id, ID)}
            if *by == Actor::Distilled { ", distilled" }
            ")"
        }
    }
}

/// Who said something, behind it, where that was not the user: `(agent)`, `(summary)`. What a model worded shows the
/// name by which it is reviewed as well.
pub(crate) fn source(id: &str, by: &Actor) -> String {
    match by {
        Actor::User => String::new(),
        Actor::Agent | Actor::Summary => format!(" ({by})"),
        _ if id.is_empty() => format!(" ({})", line(by.as_str(), SPEAKER)),
        _ => format!(" ({}, {})", line(id, ID), line(by.as_str(), SPEAKER)),
    }
}

/// The sub-agent that an item came up from, behind what it says.
pub(crate) fn sub_agent(id: &str) -> String {
    match id.split_once('@') {
        Some((_, name)) => format!(" (from {})", line(name, ID)),
        None => String::new(),
    }
}

/// How much of the name of who said something is shown.
const SPEAKER: usize = 16;

/// As [`joined`], with who said it behind each item, which no cut takes away.
pub(crate) fn joined_by<'i, T: Worth>(
    items: &'i [T],
    most: usize,
    length: usize,
    handle: &Handle,
    said: impl Fn(&'i T) -> (&'i str, String),
) -> Element<'static> {
    let shown = worthiest(items, most);
    let more = items.len() - shown.len();
    let pieces = shown.iter().rev().enumerate().map(|(at, item)| {
        let (text, by) = said(item);
        let text = piece(text, length).into_owned();
        rsx! { if at > 0 { "; " } {with_code(text)} {by} }
    });
    let pieces: Vec<Element<'static>> = pieces.collect();
    rsx! {
        for piece in pieces { {piece} }
        {rest(more, most > 0, handle)}
    }
}

/// The name of an item behind what it says.
pub(crate) fn id(id: &str) -> Element<'_> {
    rsx! { " (" {line(id, ID)} ")" }
}

#[cfg(test)]
mod tests {
    use hud_core::mdast::{Mdast, text};
    use hud_core::{Lower, LowerResult, Registry, Renderer, Scope, one_way};

    use super::*;
    use crate::Hud;
    use crate::fixture::example;

    /// An item by its key, without what it says.
    fn by_key(item: &Item, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
        Ok(vec![text(item.key.clone().unwrap_or_default())])
    }

    #[test]
    fn each_item_says_which_one_of_its_section_it_is() {
        let mut registry = Registry::builtin();
        registry.replace(one_way(by_key));
        let state = example(60_000);
        let hud = rsx! { <Hud state={&state} /> };
        let scope = Scope::new(Density::Full);
        let keys = Renderer::new(registry).markdown(&hud, scope);
        insta::assert_snapshot!(keys.unwrap_or_default());
    }
}
