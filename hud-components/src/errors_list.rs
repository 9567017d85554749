use std::borrow::Cow;

use hud_core::node::{Code, Field, Relates};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::Attempted;
use hud_store::state::ErrorRecord;

use crate::text::{line, path, piece, said, with_code};
use crate::{Ceiling, section};

/// The errors that nothing has resolved yet.
#[component(layer = dynamic, worth = 7, cap = 5, part = "errors", schema)]
pub fn ErrorsList<'a>(
    /// The errors, oldest first; the resolved ones are not shown.
    errors: &'a [ErrorRecord],
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let open: Vec<&ErrorRecord> = errors
        .iter()
        .filter(|error| error.resolved_at.is_none())
        .collect();
    let Some(newest) = open.last() else {
        return rsx! {};
    };
    let more = open.len() - 1;
    match density {
        Density::Full => {
            let full = |error: &&'a ErrorRecord| {
                rsx! {
                    {target(error, 48)} {with_code(both_ends(&error.message, 180))}
                    {section::id(&error.id)}
                }
            };
            section::worthiest_list("Open Errors", &open, cap, handle, full)
        }
        Density::Compact => rsx! {
            <Field label="Open errors">
                {target(newest, 32)} {with_code(piece(cause(&newest.message), 80))}
                {section::rest(more, true, handle)}
            </Field>
        },
        Density::Minimal => rsx! {
            "failing: " {path(named(newest), 40)}
            {section::others_counted(more, handle, ceiling)}
            if ceiling.0 > Density::Minimal && more > 0 { " +" {more} }
        },
    }
}

/// What failed in a few words: the test or the place that the message begins with, else what was run.
fn named(error: &ErrorRecord) -> &str {
    let name = error.message.split_once(": ").map(|(name, _)| name);
    let is_name = |name: &&str| {
        let mut signs = name.chars().filter(|c| !c.is_lowercase());
        !name.contains(char::is_whitespace) && signs.next().is_some()
    };
    let target = || said(error.target.as_ref());
    name.filter(is_name)
        .or_else(target)
        .unwrap_or(&error.message)
}

/// A message without the word that says what every one of them is.
fn cause(message: &str) -> &str {
    let words = ["error: ", "Error: "];
    let cause = words.iter().find_map(|word| message.strip_prefix(word));
    cause
        .filter(|cause| !cause.trim().is_empty())
        .unwrap_or(message)
}

/// A message that is too long by its beginning, which says where, and its end, which says why.
fn both_ends(message: &str, length: usize) -> Cow<'_, str> {
    let end = length / 3;
    if message.chars().nth(length).is_none() {
        return line(message, length);
    }
    let from = message.char_indices().rev().nth(end);
    let end = from.map_or("", |(from, _)| &message[from..]);
    // From a whole word on.
    let end = end.split_once(' ').map_or("", |(_, end)| end);
    match end.trim().is_empty() {
        true => line(message, length),
        false => Cow::Owned(format!(
            "{} {}",
            line(message, length * 2 / 3),
            line(end, length / 3)
        )),
    }
}

/// What failed, before how it did: what was run, or the tool that was called and what for.
fn target(error: &ErrorRecord, length: usize) -> Element<'_> {
    let called = error
        .tool
        .as_ref()
        .filter(|_| error.attempted == Some(Attempted::Call));
    let of = [said(called), said(error.target.as_ref())];
    let what = of.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let how = match error.attempted {
        Some(Attempted::Read | Attempted::Edit) => "is in",
        Some(Attempted::Run | Attempted::Call) | None => "comes from",
    };
    rsx! {
        if !what.is_empty() {
            <Relates how to={what.clone()}><Code>{path(&what, length).into_owned()}</Code></Relates>
            ": "
        }
    }
}

#[cfg(test)]
mod tests {
    use hud_core::rsx;

    use super::ErrorsList;
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "errors_list",
            |state| rsx! { <ErrorsList errors={&state.errors} /> },
        );
    }
}
