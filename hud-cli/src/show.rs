//! The HUDs of a session in a log.

#[cfg(feature = "formats")]
use std::io::Write as _;
use std::ops::ControlFlow;

#[cfg(feature = "formats")]
use hud_agent::format::{Format, for_terminal};
use hud_agent::frame::Frame;
use hud_agent::handoff::handoff;
use hud_agent::setup::Setup;
use hud_store::event::SessionId;
use hud_store::fold::fold;
use hud_store::log::{Log, state_of, state_while};
use hud_store::state::HudState;

use crate::args::Shown;
use crate::explain;
use crate::output::{self, Failure, JsonFrame, Output};

/// The options for showing HUDs.
pub(crate) struct Show<'s> {
    pub(crate) setup: &'s Setup,
    pub(crate) log: &'s dyn Log,
    pub(crate) session: &'s SessionId,
    pub(crate) shown: Shown,
}

impl Show<'_> {
    /// Shows the HUD that the agent saw in a turn, with the events before that model call. Without a turn,
    /// shows the HUD that the agent would see next.
    pub(crate) fn one(&self, turn: Option<u64>) -> Result<(), Failure> {
        let end = state_of(self.log, self.session)?;
        let next = end.turn + 1;
        let turn = turn.unwrap_or(next);
        if turn == 0 || turn > next {
            return Err(Failure::Other(format!(
                "session {} has no turn {turn}: ask for one from 1 to {next}, which is the next",
                self.session
            )));
        }
        let state = if turn == next {
            end
        } else {
            state_while(self.log, self.session, |event| event.turn < turn)?
        };
        let mut output = Output::new();
        self.frame(&mut output, turn, &state)?;
        Ok(output.flush()?)
    }

    /// Shows the HUD of every `step`-th turn, and the one that the agent would see next.
    pub(crate) fn every(&self, step: u64) -> Result<(), Failure> {
        let mut output = Output::new();
        let mut state = self.log.sections().empty_state();
        let mut turn = 1;
        let mut outcome = Ok(());
        self.log.read(self.session, 1, &mut |event| {
            while event.turn >= turn && outcome.is_ok() {
                if turn % step == 0 {
                    outcome = self.paged(&mut output, turn, &state);
                }
                turn += 1;
            }
            state = fold(std::mem::take(&mut state), &event);
            match outcome {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        outcome?;
        self.paged(&mut output, turn, &state)?;
        Ok(output.flush()?)
    }

    /// Shows one of several HUDs, with a divider for people that names the turn.
    fn paged(&self, output: &mut Output, turn: u64, state: &HudState) -> Result<(), Failure> {
        if !self.shown.json {
            let usage = state
                .context
                .as_ref()
                .and_then(|context| context.percentage())
                .map_or_else(String::new, |percentage| format!(", {percentage}%"));
            output.divider(&format!("turn {turn}{usage}"))?;
        }
        self.frame(output, turn, state)?;
        if !self.shown.json {
            output.text("")?;
        }
        Ok(())
    }

    pub(crate) fn frame(
        &self,
        output: &mut Output,
        turn: u64,
        state: &HudState,
    ) -> Result<(), Failure> {
        let Shown {
            density,
            budget,
            explain,
            handoff,
            json,
            ..
        } = self.shown;
        if handoff {
            return self.handoff(output, state);
        }
        #[cfg(feature = "formats")]
        match self.shown.format {
            Format::Markdown => {}
            Format::Terminal => {
                let terminal = output.terminal(self.shown.width);
                let written = for_terminal(state, density, self.setup, &terminal)?;
                return Ok(output.raw().write_all(written.as_bytes())?);
            }
            format => {
                let written = format.write(state, density, self.setup)?;
                return Ok(output.written(&written)?);
            }
        }
        // The configured budget does not apply to a requested density.
        let configured = self.setup.settings.budget.limit();
        let budget = budget.or(configured.filter(|_| density.is_none()));
        let (frame, report) = match budget {
            None if !explain => (Frame::whole(state, density, self.setup)?, None),
            _ => {
                let tokens = budget.unwrap_or(u64::MAX);
                let (frame, report) = Frame::fitted(state, density, tokens, self.setup)?;
                (frame, Some(report))
            }
        };
        if let Some(report) = &report
            && report.count > report.budget
        {
            output::warning(format!(
                "what has to be there takes {} tokens, and the budget is {}",
                report.count, report.budget
            ));
        }
        if json {
            let report = report.as_ref();
            let frame = JsonFrame::new(self.session, turn, &frame, report, state, self.setup)?;
            output.json(&frame)?;
            return Ok(());
        }
        output.hud(&frame)?;
        if let Some(report) = report.filter(|_| explain) {
            explain::write(output, &report, budget)?;
        }
        Ok(())
    }

    /// Shows the handoff as it would be right after a compaction.
    fn handoff(&self, output: &mut Output, state: &HudState) -> Result<(), Failure> {
        let shown = handoff(state, self.shown.budget, self.setup)
            .map_err(|error| Failure::Other(error.to_string()))?;
        output.markdown(&shown.text)?;
        if self.shown.explain {
            explain::write_handoff(output, &shown)?;
        }
        Ok(())
    }
}
