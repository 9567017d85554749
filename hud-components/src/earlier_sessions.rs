use hud_core::node::{Code, Field, Item, List, Section};
use hud_core::part::{Cap, Handle};
use hud_core::{Density, Element, component, rsx};
use hud_store::state::{Earlier, EarlierSession, Unfinished};
use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Unit};

use crate::text::{join, line, piece, prose};
use crate::{Ceiling, section};

/// The operation that takes unfinished work over, and the one that drops it.
const RESUME: &str = "sessions.resume";
const FORGET: &str = "sessions.forget";

/// The operation that gives all of the state.
const STATE: &str = "hud snapshot";

/// The earlier sessions of the project, and the work that the last of them left unfinished.
#[component(layer = static, worth = 5, cap = 10, part = "earlier", schema)]
pub fn EarlierSessions<'a>(
    /// The earlier sessions, as they were when this one began.
    earlier: &'a Earlier,
    density: Density,
    #[prop(ambient)] cap: Cap,
    #[prop(ambient)] handle: &Handle,
    #[prop(ambient)] ceiling: Ceiling,
) -> Element<'a> {
    let Some(begun) = earlier.begun else {
        return rsx! {};
    };
    let unfinished = earlier.unfinished.as_ref();
    match density {
        Density::Full => rsx! {
            <Section title="Earlier Sessions">
                if let Some(left) = unfinished { {work(left, begun, cap)} }
                <List>
                    for session in &earlier.sessions {
                        <Item key={session.session.as_str()}>
                            {opening(session, begun)} {prose(&session.task, 120)}
                        </Item>
                    }
                </List>
                if !earlier.files.is_empty() {
                    <Field label="Changed last">
                        for (at, path) in earlier.files.iter().rev().enumerate() {
                            if at > 0 { ", " }
                            <Code>{line(path, 120)}</Code>
                        }
                    </Field>
                }
                if earlier.omitted > 0 {
                    <Field label="Not inherited">
                        {section::others(size(earlier.omitted), "more", &RESUME.into())}
                    </Field>
                }
            </Section>
        },
        Density::Compact => rsx! {
            <Field label="Earlier">
                if let Some(left) = unfinished {
                    "from " {day(left.at, begun)} ", unfinished: " {piece(&left.task, 80)}
                    " (" {left.steps.len()} " steps; " <Code>{RESUME}</Code> " or "
                    <Code>{FORGET}</Code> ")"
                } else {
                    for session in earlier.sessions.iter().take(1) {
                        {opening(session, begun)} {piece(&session.task, 60)}
                    }
                    {section::rest(earlier.sessions.len().saturating_sub(1), true, handle)}
                }
            </Field>
        },
        Density::Minimal => rsx! {
            if let Some(left) = unfinished {
                "unfinished from " {day(left.at, begun)} ": "
                {join([left.task.as_str()].into_iter(), 1, 40)}
            } else {
                {section::counted(earlier.sessions.len(), ["earlier session", "earlier sessions"], handle, ceiling)}
            }
        },
    }
}

/// Unfinished work: where it is from, its task, and its open steps.
fn work<'a>(left: &'a Unfinished, begun: Timestamp, cap: Cap) -> Element<'a> {
    let shown = cap.of(left.steps.len());
    let more = left.steps.len() - shown;
    rsx! {
        <Field label="Unfinished">
            "from the session of " {day(left.at, begun)}
            if let Some(branch) = &left.branch { " on " <Code>{line(branch, 60)}</Code> }
            "; " <Code>{RESUME}</Code> " to go on with it, "
            <Code>{FORGET}</Code> " if it is not wanted: "
            {prose(&left.task, 500)}
        </Field>
        <List>
            for (at, step) in left.steps.iter().take(shown).enumerate() {
                <Item key={format!("step {at}")}>{prose(step, 200)}</Item>
            }
            if more > 0 {
                <Item key="more">{section::others(more, "more steps", &STATE.into())}</Item>
            }
        </List>
    }
}

/// The day of a session, in front of its task.
fn opening(session: &EarlierSession, begun: Timestamp) -> Element<'static> {
    rsx! {
        {day(session.at, begun)}
        if session.runs { " (still running)" }
        ": "
    }
}

/// A day as it is called on another one, both in UTC: `yesterday`, `Tuesday`, `2026-11-20`.
fn day(at: Timestamp, now: Timestamp) -> String {
    let [date, today] = [at, now].map(|time| time.to_zoned(TimeZone::UTC).date());
    let days = date.until((Unit::Day, today)).map(|span| span.get_days());
    match days {
        Ok(0) => "today".to_owned(),
        Ok(1) => "yesterday".to_owned(),
        Ok(2..=6) => match date.weekday() {
            Weekday::Monday => "Monday",
            Weekday::Tuesday => "Tuesday",
            Weekday::Wednesday => "Wednesday",
            Weekday::Thursday => "Thursday",
            Weekday::Friday => "Friday",
            Weekday::Saturday => "Saturday",
            Weekday::Sunday => "Sunday",
        }
        .to_owned(),
        _ => date.to_string(),
    }
}

fn size(count: u32) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use hud_core::{render_densities, rsx};
    use hud_store::state::{Earlier, EarlierSession, Unfinished};

    use super::{EarlierSessions, day};
    use crate::fixture::assert_snapshots;

    #[test]
    fn every_density_of_every_state() {
        assert_snapshots(
            "earlier_sessions",
            |state| rsx! { <EarlierSessions earlier={&state.earlier} /> },
        );
    }

    #[test]
    fn unfinished_work_is_quoted_with_what_takes_it_over_and_what_drops_it() {
        let at = |day: &str| format!("2026-11-{day}T12:00:00Z").parse().unwrap();
        let session = |name: &str, day, task: &str, runs| EarlierSession {
            session: hud_store::event::SessionId::new(name).unwrap(),
            at: at(day),
            task: task.to_owned(),
            runs,
        };
        let mut earlier = Earlier {
            begun: Some(at("27")),
            sessions: vec![
                session("c", "27", "Fix the typo", true),
                session("b", "24", "Rotate *refresh* tokens", false),
                session("a", "02", "Set up CI", false),
            ],
            unfinished: Some(Unfinished {
                session: hud_store::event::SessionId::new("b").unwrap(),
                at: at("24"),
                task: "Rotate *refresh* tokens".into(),
                steps: (1..=12).map(|n| format!("step {n}")).collect(),
                branch: Some("auth".into()),
            }),
            files: vec!["src/auth.rs".into(), "src/jwt.rs".into()],
            omitted: 2,
            ..Earlier::default()
        };
        let shown =
            |earlier: &Earlier| render_densities(&rsx! { <EarlierSessions earlier /> }).unwrap();
        insta::assert_snapshot!("earlier_unfinished", shown(&earlier));
        earlier.unfinished = None;
        insta::assert_snapshot!("earlier_finished", shown(&earlier));
    }

    #[test]
    fn a_day_is_named_by_how_long_ago_it_is() {
        let at = |time: &str| time.parse().unwrap();
        let named = |then| day(at(then), at("2026-11-27T00:10:00Z"));
        assert_eq!(named("2026-11-27T00:00:00Z"), "today");
        assert_eq!(named("2026-11-26T23:59:00Z"), "yesterday");
        assert_eq!(named("2026-11-24T12:00:00Z"), "Tuesday");
        assert_eq!(named("2026-11-20T12:00:00Z"), "2026-11-20");
        assert_eq!(named("2199-01-01T12:00:00Z"), "2199-01-01");
    }
}
