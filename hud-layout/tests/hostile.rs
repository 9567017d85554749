//! Layouts that are meant to break what reads them, and files that are half written.

use std::time::{Duration, Instant};

use hud_core::{Density, Element, render, rsx};
use hud_layout::live::{Found, Live, PATIENCE, Shared};
use hud_layout::{Catalogue, Source, Template, states};
use hud_store::state::HudState;

fn read(layout: &str) -> Result<Template, hud_layout::Mistakes> {
    Template::read(
        &Source::new("layout.mdx", layout),
        &[],
        &Catalogue::built_in(),
    )
}

#[test]
fn no_layout_takes_long_to_be_refused() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(10_000), close.repeat(10_000))
    };
    let cases = [
        "x".repeat(10 * 1024 * 1024),
        deep("<>", "x", "</>"),
        deep("<Section title=\"a\">", "x", "</Section>")
            .chars()
            .take(60_000)
            .collect(),
        deep("{[", "1", "]}"),
        "<".repeat(60_000),
        "{".repeat(60_000),
        "</a>".repeat(15_000),
        "<a>".repeat(20_000),
        "`".repeat(60_000),
        "- ".repeat(30_000),
        "> ".repeat(30_000),
        "*a ".repeat(20_000),
        "[".repeat(60_000),
        "\n".repeat(60_000),
        "Hi <>\n=====".to_owned(),
        "---\n".repeat(15_000),
        "\u{0}\u{f0001}\u{feff}".repeat(1_000),
        "<Part>".repeat(64) + &"</Part>".repeat(64),
    ];
    for layout in cases {
        let began = Instant::now();
        let start: String = layout.chars().take(12).collect();
        if let Ok(template) = read(&layout) {
            let _ = template.elements(&HudState::default());
        }
        // A debug build on a busy machine is given its time.
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "{start}: {:?}",
            began.elapsed()
        );
    }
}

#[test]
fn what_a_state_says_opens_nothing() {
    let template = read("{state.task?.description}\n\n<Section title=\"Notes\">\n{state.notes.map(note => <Item>{note.content}</Item>)}\n</Section>").unwrap();
    let shown = render(&template.elements(states::hostile()).element, Density::Full).unwrap();
    assert!(
        !shown.contains("</hud>") || shown.contains("\\</hud>"),
        "{shown}"
    );
    assert_eq!(
        shown.lines().filter(|line| line.starts_with("# ")).count(),
        1,
        "{shown}"
    );
}

#[test]
fn an_expression_that_takes_too_much_gives_way_alone() {
    let bomb = "{state.notes.map(a => state.notes.map(b => state.notes.map(c => state.notes.map(d => state.notes.map(e => \
                state.notes.map(f => 'x'.repeat(1000)))))))}";
    let template = read(&format!("<NotesSection notes={{state.notes}} />\n\n{bomb}")).unwrap();
    let made = template.elements(states::overfull());
    assert_eq!(made.failures.len(), 1, "{:?}", made.failures);
    let shown = render(&made.element, Density::Full).unwrap();
    assert!(
        shown.contains("## Notes") || shown.contains("# Notes"),
        "{shown}"
    );
    assert!(shown.contains("layout 3:"), "{shown}");
}

/// Whether a live layout shows something of a state that has a task.
fn shows(live: &Shared, state: &HudState) -> bool {
    let own: Element<'_> = rsx! { "built-in" };
    let shown = live.show(state, own);
    render(&shown, Density::Full).is_ok_and(|shown| !shown.trim().is_empty())
}

#[test]
fn a_thousand_edits_and_half_written_files_leave_no_frame_without_a_hud() {
    let live = Shared::new(Live::new(Catalogue::built_in()));
    let good = hud_layout::template::BUILT_IN;
    let state = states::overfull();
    let mut number = 7_u64;
    let mut random = |most: usize| {
        number = number
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(number >> 33).unwrap_or(0) % most.max(1)
    };
    for edit in 0..1_000 {
        let now = Duration::from_millis(u64::try_from(edit).unwrap() * 700);
        let mut text = good.to_owned();
        match random(5) {
            // Half written.
            0 => text.truncate(random(text.len())),
            1 => {
                let at = random(text.len());
                text.replace_range(at..=at, ["{", "<", "}", "`", "\u{7f}"][random(5)]);
            }
            2 => {
                let (a, b) = (random(text.len()), random(text.len()));
                text.replace_range(a.min(b)..a.max(b), "");
            }
            3 => text.clear(),
            _ => {}
        }
        let found = match text.is_empty() {
            true => Found::Nothing,
            false => Found::Layout(Source::new("layout.mdx", text), Vec::new()),
        };
        live.with(|live| live.found(found, now));
        assert!(shows(&live, state), "edit {edit}");
    }
}

#[test]
fn the_last_good_layout_stays_until_a_better_one_passes() {
    let mut live = Live::new(Catalogue::built_in());
    let layout = |text: &str| Found::Layout(Source::new("layout.mdx", text), Vec::new());
    let at = Duration::from_millis;
    assert!(live.found(layout("Good one.\n"), at(0)));
    assert!(!live.found(layout("Good one.\n"), at(1)), "the same bytes");
    assert!(live.found(layout("<Bad />"), at(2)));
    let current = live.current();
    assert_eq!(
        current.template.as_ref().unwrap().source().text,
        "Good one.\n"
    );
    assert_eq!(
        current.line.as_deref(),
        Some("layout file: 1 mistake at 1:2, last good shown; run `hud layout check`")
    );
    // A file that an editor replaces is no change.
    assert!(!live.found(Found::Nothing, at(1_000)));
    assert!(live.is_waiting());
    assert!(live.found(layout("Better.\n"), at(1_500)));
    assert!(!live.found(Found::Nothing, at(2_000)));
    assert!(live.found(Found::Nothing, at(2_000) + PATIENCE));
    assert!(live.current().template.is_none());
}
