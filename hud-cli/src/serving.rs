//! The servers that run for clients. Some clients do not start a server again that has ended: calls of its tool fail
//! then, and what the agent would have recorded is lost. Each server leaves a note beside the log when it begins and
//! when it ends; one that was killed leaves none of its end, and the client's next hook sees that it is gone.

use serde::{Deserialize, Serialize};

use crate::location::{Location, LocationError};
use crate::process::Client;
use crate::{notes, output};

/// The end of the file's name, after the log's.
const FILE: &str = ".servers.jsonl";

/// The bytes of notes from which on those of clients that ended are dropped.
const MANY: u64 = 16 * 1024;

/// The line of the HUD of a session whose client's server is gone.
pub(crate) const GONE: &str = "**Tool**: calls of `hud` fail, and nothing that you record is kept: its server was \
                               ended. Ask your user to connect it again (`/mcp`) or to start this client again.\n";

/// A note: a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    client: Client,
    server: Client,
    /// True if it ended as it was to.
    #[serde(default)]
    ended: bool,
}

/// This process as the server of its client.
#[derive(Debug)]
pub(crate) struct Serving {
    note: Option<Note>,
    is_noted: bool,
}

impl Serving {
    /// The server of a client, if that is known.
    pub(crate) fn of(client: Option<&Client>) -> Self {
        let note = client.cloned().zip(Client::itself());
        Self {
            note: note.map(|(client, server)| Note {
                client,
                server,
                ended: false,
            }),
            is_noted: false,
        }
    }

    /// Leaves a note that it runs, once, where there is a log.
    pub(crate) fn begin(&mut self, location: &Location) {
        if let Some(note) = &self.note
            && !self.is_noted
            && !location.lacks_beside("")
        {
            self.is_noted = true;
            if let Err(error) = leave(location, note) {
                output::problem(error);
            }
        }
    }

    /// Leaves a note that it ends.
    pub(crate) fn end(&mut self, location: &Location) {
        if let Some(note) = self.note.take().filter(|_| self.is_noted) {
            let note = Note {
                ended: true,
                ..note
            };
            if let Err(error) = leave(location, &note) {
                output::problem(error);
            }
        }
    }
}

/// The server of a client that was ended from outside, as long as there is no other one; its process, as a name.
pub(crate) fn gone(location: &Location, client: Option<&Client>) -> Option<String> {
    let notes: Vec<Note> = match location.opened_beside(FILE) {
        Ok(Some(mut file)) => notes::read(&mut file, MANY).ok()?,
        Ok(None) => return None,
        Err(error) => {
            output::problem(error);
            return None;
        }
    };
    let own: Vec<&Note> = { notes.iter() }
        .filter(|note| Some(&note.client) == client)
        .collect();
    let has_ended = |server: &Client| own.iter().any(|note| note.ended && note.server == *server);
    // One that began later was in its place, and may have ended as it was to.
    let last = own.iter().rfind(|note| !note.ended)?;
    let mut running = own.iter().filter(|note| !has_ended(&note.server));
    let is_gone = !has_ended(&last.server) && !running.any(|note| note.server.runs());
    is_gone.then(|| last.server.to_string())
}

fn leave(location: &Location, note: &Note) -> Result<(), LocationError> {
    let mut file = location.open_beside(FILE)?;
    let keep = |mut notes: Vec<Note>| {
        notes.retain(|note| note.client.runs());
        notes
    };
    notes::add(&mut file, note, MANY, keep).map_err(|error| location.failed(FILE, error))
}
