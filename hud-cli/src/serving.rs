//! The servers that run for clients. Some clients do not restart a server that has ended. Calls of its tool
//! then fail, and the agent's records are lost. Each server adds a note next to the log when it begins and when
//! it ends. A server that was killed adds no second note, so the client's next hook detects that it is gone.

use serde::{Deserialize, Serialize};

use crate::location::{Location, LocationError};
use crate::process::Client;
use crate::{notes, output};

/// The end of the file's name, after the log's.
const FILE: &str = ".servers.jsonl";

/// The number of bytes from which the notes of clients that have ended are dropped.
const MANY: u64 = 16 * 1024;

/// The line of the HUD for a session whose client's server was killed.
pub(crate) const GONE: &str = "**Tool**: calls of `hud` fail, and nothing that you record is kept: its server was \
                               ended. Ask your user to connect it again (`/mcp`) or to start this client again.\n";

/// A note, which is a line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Note {
    client: Client,
    server: Client,
    /// True if the server ended normally.
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
    /// Creates the server of a client, if the client is known.
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

    /// Adds a note that the server runs. This is done once, if there is a log.
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

    /// Adds a note that the server ends.
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

/// Returns the process of a client's server if it was killed and no other server of the client runs.
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
    // A later server has replaced the earlier ones, and may have ended normally.
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
