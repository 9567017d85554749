//! `hud layout allow` and `hud layout refuse`: the user's answer to a layout that an agent proposes.

use std::path::Path;

use hud_layout::live::Shared;
use hud_layout::section::{LayoutAllow, LayoutRefuse, Proposal};
use hud_store::event::{Actor, HudEvent, NewEvent, SessionId};
use hud_store::log::{append_with, state_of};
use hud_store::sqlite::Durability;

use super::other;
use crate::app::App;
use crate::args::Source;
use crate::output::{self, Failure, Output};
use crate::own;

/// A layout that an agent proposes, and its session.
struct Found {
    session: SessionId,
    proposal: Proposal,
}

impl Found {
    /// Returns the proposal of the named session, or else of the latest session that has one.
    fn of(source: &Source, app: &App) -> Result<Self, Failure> {
        let setup = app.setup(Path::new("."))?;
        let live: Option<&Shared> = setup.operations.provided();
        let log = source.db.open(app)?.log;
        let mut sessions = log.sessions()?;
        sessions.retain(|info| {
            source
                .session
                .as_ref()
                .is_none_or(|wanted| info.id == *wanted)
        });
        sessions.sort_by_key(|info| std::cmp::Reverse(info.last_at));
        for info in sessions {
            if let Some(proposal) = Proposal::of(&state_of(&*log, &info.id)?, live) {
                return Ok(Self {
                    session: info.id,
                    proposal,
                });
            }
        }
        Err(other(match &source.session {
            Some(session) => format!("the agent of session {session} proposes no layout"),
            None => "no agent of this project proposes a layout: they do with the setting `agent_layout = \"ask\"`"
                .to_owned(),
        }))
    }

    /// Records the user's answer.
    fn answer(
        &self,
        event: impl Into<HudEvent>,
        source: &Source,
        app: &App,
    ) -> Result<(), Failure> {
        let event = event.into();
        let mut log = source.db.location(app)?.write(Durability::Full)?;
        append_with(&mut log, &self.session, |state| {
            Ok::<_, Failure>(vec![NewEvent::now(state.turn, Actor::User, event.clone())])
        })?;
        Ok(())
    }
}

pub(super) fn allow(hash: Option<&str>, source: &Source, app: &App) -> Result<(), Failure> {
    let found = Found::of(source, app)?;
    let Found { session, proposal } = &found;
    let Some(hash) = hash else {
        let mut output = Output::new();
        output.text(proposal.source.trim_end())?;
        output.flush()?;
        match &proposal.tried {
            Ok(accepted) => output::note(format_args!(
                "session {session} would have this layout, of {} tokens where the built-in one has {}; nothing was \
                 changed yet: `{} {}` allows it, `{}` refuses it",
                accepted.tokens[0],
                accepted.built_in[0],
                own::command("layout allow"),
                proposal.hash,
                own::command("layout refuse"),
            )),
            Err(why) => output::warning(format_args!("it cannot be shown any more: {why}")),
        }
        return Ok(());
    };
    if hash != proposal.hash {
        return Err(other(format!(
            "session {session} proposes another layout by now, with the hash {}: see it with `{}`",
            proposal.hash,
            own::command("layout allow")
        )));
    }
    if let Err(why) = &proposal.tried {
        return Err(other(format!("it cannot be shown any more: {why}")));
    }
    let hash = proposal.hash.clone();
    found.answer(LayoutAllow { hash }, source, app)?;
    output::note(format_args!(
        "session {session} has this layout once its turn is over"
    ));
    Ok(())
}

pub(super) fn refuse(source: &Source, app: &App) -> Result<(), Failure> {
    let found = Found::of(source, app)?;
    found.answer(LayoutRefuse {}, source, app)?;
    output::note(format_args!(
        "session {} keeps the layout that it has",
        found.session
    ));
    Ok(())
}
