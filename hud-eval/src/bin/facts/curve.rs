//! Compares the HUD with the end of the conversation, for several budgets in tokens.

use std::error::Error;

use hud_agent::frame::Frame;
use hud_agent::setup::Setup;
use hud_core::Density;
use hud_core::tokens::{Encoding, TokenCounter};
use hud_store::state::HudState;

use super::room::{counted, counting, last};
use super::score::{Fact, Share, Want};
use super::{Outcome, unescaped};

/// The budgets, in tokens of o200k.
const BUDGETS: [u64; 5] = [60, 150, 300, 500, 800];

/// The facts that were held and kept out.
#[derive(Clone, Copy, Default)]
struct Point {
    held: Share,
    out: Share,
    tokens: u64,
}

impl Point {
    fn add(&mut self, text: &str, facts: &[Fact], counter: &dyn TokenCounter) -> Outcome<()> {
        self.tokens += u64::from(counter.count(text)?);
        let text = unescaped(text);
        for fact in facts {
            let share = Share::of(fact, fact.holds(&text)?);
            match fact.want {
                Want::Show => self.held = self.held.add(share),
                Want::Not => self.out = self.out.add(share),
            }
        }
        Ok(())
    }

    fn cells(&self, states: u64) -> String {
        format!(
            "{:>4} {:>6.1} {:>6.1}",
            self.tokens / states.max(1),
            self.held.percent(),
            self.out.percent()
        )
    }
}

/// The curve of all states.
pub(super) struct Curve {
    setup: Setup,
    states: u64,
    /// The points of the HUD and of the conversation's end, by budget.
    points: [[Point; 2]; BUDGETS.len()],
}

impl Curve {
    pub(super) fn new(setup: Setup) -> Self {
        Self {
            setup: counting(setup),
            states: 0,
            points: [[Point::default(); 2]; BUDGETS.len()],
        }
    }

    /// Scores a state and the conversation until then.
    pub(super) fn score(&mut self, state: &HudState, said: &str, facts: &[Fact]) -> Outcome<()> {
        let counters = self.setup.counters.clone();
        let counter = counters.of(Encoding::O200k);
        let state = counted(state);
        self.states += 1;
        for (budget, [hud, end]) in BUDGETS.into_iter().zip(&mut self.points) {
            let (frame, report) = Frame::fitted(&state, Some(Density::Full), budget, &self.setup)?;
            if report.count > budget {
                return Err(format!("{} tokens are more than {budget}", report.count).into());
            }
            hud.add(&frame.system, facts, counter)?;
            end.add(last(said, budget, counter)?, facts, counter)?;
        }
        Ok(())
    }

    /// Prints a line for each budget.
    pub(super) fn print(&self) {
        let name = self.setup.counters.of(Encoding::O200k).name();
        println!("{:>6}  {:<18}  the conversation's end", "tokens", "the HUD");
        let columns = format!("{:>4} {:>6} {:>6}", "has", "held", "out");
        println!("{:>6}  {columns}  {columns}", "");
        for (budget, [hud, end]) in BUDGETS.into_iter().zip(&self.points) {
            let [hud, end] = [hud, end].map(|point| point.cells(self.states));
            println!("{budget:>6}  {hud}  {end}");
        }
        println!(
            "each: tokens ({name}), % of the facts held, % of the wrong things kept out; {} states",
            self.states
        );
    }

    /// Fails if a larger budget does not hold more of the facts, or if the HUD does not hold more than the
    /// conversation's end.
    pub(super) fn check(&self) -> Result<(), Box<dyn Error>> {
        let held = |point: &Point| point.held.percent();
        for ((smaller, [before, _]), (budget, [hud, _])) in BUDGETS
            .iter()
            .zip(&self.points)
            .zip(BUDGETS.iter().zip(&self.points).skip(1))
        {
            if held(hud) <= held(before) {
                return Err(format!("{budget} tokens hold no more than {smaller}").into());
            }
        }
        for (budget, [hud, end]) in BUDGETS.iter().zip(&self.points) {
            if held(hud) <= held(end) {
                return Err(format!(
                    "{budget} tokens of HUD hold no more than as many of the conversation"
                )
                .into());
            }
        }
        Ok(())
    }
}
