//! What each section is worth: the score without it, of all sessions and of each half of them.

use std::error::Error;

use hud_agent::setup::Setup;
use hud_store::state::HudState;

use super::{Fact, Share, Want, hud};

/// The sections that are derived.
const SECTIONS: &[&str] = &[
    "task",
    "requests",
    "constraints",
    "decisions",
    "findings",
    "active_files",
    "next_steps",
    "errors",
    "checks",
    "repository",
    "notes",
];

/// The shares of the facts that are held and kept out, of all sessions and of each half.
#[derive(Clone, Copy, Default)]
struct Shares([[Share; 2]; 3]);

/// The scores with all sections, and without each.
pub(super) struct Ablation {
    rows: Vec<(String, Setup, Shares)>,
    chars: Option<usize>,
}

impl Ablation {
    pub(super) fn new(chars: Option<usize>) -> Self {
        let mut rows = vec![("-".to_owned(), Setup::default(), Shares::default())];
        for section in SECTIONS {
            rows.push((
                (*section).to_owned(),
                without([*section]),
                Shares::default(),
            ));
        }
        Self { rows, chars }
    }

    /// Scores a state of a session with that number.
    pub(super) fn score(
        &mut self,
        session: usize,
        state: &HudState,
        facts: &[Fact],
    ) -> Result<(), Box<dyn Error>> {
        for (_, setup, Shares(shares)) in &mut self.rows {
            let text = hud(state, self.chars, setup)?;
            for fact in facts {
                let share = Share::of(fact, fact.holds(&text)?);
                let want = usize::from(fact.want == Want::Not);
                for half in [0, 1 + session % 2] {
                    shares[half][want] = shares[half][want].add(share);
                }
            }
        }
        Ok(())
    }

    /// One line a section: what is held and kept out without it, and how much that is less or more.
    pub(super) fn print(&self) {
        let columns = ["all sessions", "1st, 3rd, ..", "2nd, 4th, .."];
        println!(
            "{:<14} {}",
            "without",
            columns.map(|name| format!("{name:<27}")).join(" ")
        );
        let whole = self.rows.first().map(|(_, _, shares)| *shares);
        let Shares(whole) = whole.unwrap_or_default();
        for (name, _, Shares(shares)) in &self.rows {
            let cells = [0, 1, 2].map(|half| {
                let cell = |want: usize| {
                    let (now, all) = (shares[half][want].percent(), whole[half][want].percent());
                    format!("{now:>5.1} {:>+6.1}", now - all)
                };
                format!("{}, {}  ", cell(0), cell(1))
            });
            println!("{name:<14} {}", cells.join(" "));
        }
        println!("each: % of the facts held and how that changes, % of the wrong things kept out");
    }
}

/// The default setup without some sections.
pub(super) fn without<'s>(sections: impl IntoIterator<Item = &'s str>) -> Setup {
    let mut setup = Setup::default();
    for section in sections {
        let of = setup.settings.sections.entry(section.to_owned());
        of.or_default().on = false;
    }
    setup
}
