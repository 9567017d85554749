//! An agent's own room, its name and its sleep.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::{Turn, line};
use crate::action::begin;
use crate::gate::{Gate, Refusal};
use crate::limits::{BILLBOARD_TOKENS, LEAST_WPM, MOST_WPM, NAME_CHARS};
use crate::world::{AgentAlter, AgentSleep, RoomBillboard, RoomPace};

impl Turn<'_> {
    pub(super) fn set_billboard(&mut self, text: &str) -> Result<(), Refusal> {
        let room = self.my_room()?.id;
        let text = self
            .bounded("the billboard", text, BILLBOARD_TOKENS)?
            .to_owned();
        self.world(
            RoomBillboard {
                room,
                text: Some(text),
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn clear_billboard(&mut self) -> Result<(), Refusal> {
        let room = self.my_room()?;
        if room.billboard.is_none() {
            return Err(Refusal::at(
                Gate::Effect,
                "your room has no billboard: there is nothing to clear",
            ));
        }
        let room = room.id;
        self.world(RoomBillboard { room, text: None }.into());
        Ok(())
    }

    pub(super) fn set_wpm(&mut self, wpm: u64) -> Result<(), Refusal> {
        let room = self.my_room()?.id;
        let allowed = u64::from(LEAST_WPM)..=u64::from(MOST_WPM);
        let Some(wpm) = u32::try_from(wpm)
            .ok()
            .filter(|wpm| allowed.contains(&u64::from(*wpm)))
        else {
            return Err(Refusal::at(
                Gate::Range,
                format!(
                    "{wpm} words a minute are not from {LEAST_WPM} to {MOST_WPM}: write a number that is"
                ),
            ));
        };
        self.world(RoomPace { room, wpm }.into());
        Ok(())
    }

    pub(super) fn set_name(&mut self, name: &str) -> Result<(), Refusal> {
        let name = Some(line("the name", name, NAME_CHARS)?.to_owned());
        let id = self.me()?.id;
        self.world(
            AgentAlter {
                id,
                name,
                model: None,
                prompt: None,
            }
            .into(),
        );
        Ok(())
    }

    pub(super) fn sleep(&mut self, until: &str) -> Result<(), Refusal> {
        let id = self.me()?.id;
        let Some(until) = moment(until.trim()) else {
            return Err(Refusal::at(
                Gate::Form,
                format!(
                    "`{}` is no time: write one as {}",
                    begin(until),
                    clock(self.now)
                ),
            ));
        };
        if until <= self.now {
            return Err(Refusal::at(
                Gate::Range,
                format!(
                    "{} is over: it is {}, so name a later time",
                    clock(until),
                    clock(self.now)
                ),
            ));
        }
        self.world(AgentSleep { id, until }.into());
        Ok(())
    }
}

/// Parses a time. Without a time zone, it is taken as UTC.
fn moment(text: &str) -> Option<Timestamp> {
    let civil = || {
        let civil: DateTime = text.parse().ok()?;
        civil
            .to_zoned(TimeZone::UTC)
            .ok()
            .map(|zoned| zoned.timestamp())
    };
    text.parse().ok().or_else(civil)
}

/// Formats a time as HUDs show it: in UTC, to the second.
pub(crate) fn clock(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%S").to_string()
}
