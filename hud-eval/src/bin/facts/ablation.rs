//! Scores the HUD without each derivation rule and each section, for all sessions and for each half of them.

use std::error::Error;

use hud_agent::settings::Rule;
use hud_agent::setup::Setup;

use super::room::Room;
use super::score::{Fact, Share, Want};
use super::{ByState, States, hud};

/// The derived sections.
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

/// The shares of the facts that are held and kept out, for all sessions and for each half.
#[derive(Clone, Copy, Default)]
struct Shares([[Share; 2]; 3]);

/// The scores with everything, and without each rule and section.
pub(super) struct Ablation {
    rows: Vec<Row>,
    room: Option<Room>,
}

struct Row {
    name: String,
    /// The setup for deriving and showing states.
    setup: Setup,
    shares: Shares,
}

impl Ablation {
    pub(super) fn new(room: Option<Room>) -> Self {
        let row = |name: String, setup| Row {
            name,
            setup,
            shares: Shares::default(),
        };
        let mut rows = vec![row("-".to_owned(), Setup::default())];
        for rule in Rule::ALL {
            let mut setup = Setup::default();
            setup.settings.derive.without.insert(rule);
            rows.push(row(rule.name().to_owned(), setup));
        }
        for section in SECTIONS {
            rows.push(row(format!("section {section}"), without([*section])));
        }
        Self { rows, room }
    }

    /// Scores the session with that number and name. `states` returns its states with a setup.
    pub(super) fn score(
        &mut self,
        (number, session): (usize, &str),
        mut states: impl FnMut(&Setup) -> Result<States, Box<dyn Error>>,
        facts: &ByState<Fact>,
    ) -> Result<(), Box<dyn Error>> {
        for row in &mut self.rows {
            let Shares(shares) = &mut row.shares;
            for (turn, state, _) in states(&row.setup)? {
                let text = hud(&state, self.room, &row.setup)?;
                let place = (session.to_owned(), turn);
                for fact in facts.get(&place).into_iter().flatten() {
                    let share = Share::of(fact, fact.holds(&text)?);
                    let want = usize::from(fact.want == Want::Not);
                    for half in [0, 1 + number % 2] {
                        shares[half][want] = shares[half][want].add(share);
                    }
                }
            }
        }
        Ok(())
    }

    /// Prints one line for each rule and section: the shares without it, and their differences.
    pub(super) fn print(&self) {
        let columns = ["all sessions", "1st, 3rd, ..", "2nd, 4th, .."];
        println!(
            "{:<22} {}",
            "without",
            columns.map(|name| format!("{name:<27}")).join(" ")
        );
        let whole = self.rows.first().map(|row| row.shares);
        let Shares(whole) = whole.unwrap_or_default();
        for row in &self.rows {
            let (name, Shares(shares)) = (&row.name, &row.shares);
            let cells = [0, 1, 2].map(|half| {
                let cell = |want: usize| {
                    let (now, all) = (shares[half][want].percent(), whole[half][want].percent());
                    format!("{now:>5.1} {:>+6.1}", now - all)
                };
                format!("{}, {}  ", cell(0), cell(1))
            });
            println!("{name:<22} {}", cells.join(" "));
        }
        println!("each: % of the facts held and how that changes, % of the wrong things kept out");
    }
}

/// Returns the default setup without some sections.
pub(super) fn without<'s>(sections: impl IntoIterator<Item = &'s str>) -> Setup {
    let mut setup = Setup::default();
    for section in sections {
        let of = setup.settings.sections.entry(section.to_owned());
        of.or_default().on = false;
    }
    setup
}
