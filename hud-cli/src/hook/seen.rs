//! The state that hooks keep of each session beside its events, in a file beside the log. If the file is lost, the
//! model is shown the whole HUD once more.

use std::collections::BTreeMap;

use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};

use crate::location::Location;
use crate::output;

/// The state of all sessions.
#[derive(Default, Deserialize, Serialize)]
#[serde(default)]
pub(super) struct Seen {
    /// The version that the session's model saw last.
    shown: BTreeMap<String, u64>,
    /// The later versions, each with true if it comes from the conversation that the model sees.
    known: BTreeMap<String, BTreeMap<u64, bool>>,
    /// The number of bytes of the client's transcript that were read.
    read: BTreeMap<String, u64>,
    /// The length of the transcript at the user's last prompt. The agent's messages before it are answered.
    answered: BTreeMap<String, u64>,
    /// The hash of the HUD that the client received last, for clients that receive it repeatedly.
    handed: BTreeMap<String, String>,
    /// The server of the client that the agent knows to be gone.
    gone: BTreeMap<String, String>,
}

/// The largest number of versions that are remembered of a session.
const MOST_KNOWN: usize = 1 << 10;

impl Seen {
    /// The end of the file's name, after the log's name.
    const FILE: &str = ".seen.json";

    pub(super) fn of(location: &Location) -> Self {
        let text = location.read_beside(Self::FILE).unwrap_or_else(|error| {
            output::problem(error);
            None
        });
        serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default()
    }

    /// Writes the file. Returns true if that succeeded.
    pub(super) fn save(&self, location: &Location) -> bool {
        let text = serde_json::to_vec(self).unwrap_or_default();
        let saved = location.write_beside(Self::FILE, &text);
        saved.map_err(output::problem).is_ok()
    }

    pub(super) fn shown(&self, session: &SessionId) -> Option<u64> {
        self.shown.get(session.as_str()).copied()
    }

    pub(super) fn set_shown(&mut self, session: &SessionId, version: u64) {
        self.shown.insert(session.to_string(), version);
        self.known.remove(session.as_str());
    }

    /// True if a version after the shown one comes from the conversation that the model sees; `None` if that is not
    /// known.
    pub(super) fn is_seen(&self, session: &SessionId, version: u64) -> Option<bool> {
        self.known.get(session.as_str())?.get(&version).copied()
    }

    pub(super) fn set_seen(
        &mut self,
        session: &SessionId,
        versions: impl Iterator<Item = u64>,
        is_seen: bool,
    ) {
        let known = self.known.entry(session.to_string()).or_default();
        known.extend(versions.map(|version| (version, is_seen)));
        while known.len() > MOST_KNOWN {
            known.pop_first();
        }
    }

    pub(super) fn forget_shown(&mut self, session: &SessionId) {
        self.shown.remove(session.as_str());
        self.known.remove(session.as_str());
    }

    /// Forgets a session. Returns true if anything was known of it.
    pub(super) fn forget(&mut self, session: &SessionId) -> bool {
        let name = session.as_str();
        let known = [
            self.shown.remove(name).is_some(),
            self.known.remove(name).is_some(),
            self.read.remove(name).is_some(),
            self.answered.remove(name).is_some(),
            self.handed.remove(name).is_some(),
            self.gone.remove(name).is_some(),
        ];
        known.contains(&true)
    }

    pub(super) fn read(&self, session: &SessionId) -> Option<u64> {
        self.read.get(session.as_str()).copied()
    }

    pub(super) fn set_read(&mut self, session: &SessionId, bytes: u64) {
        self.read.insert(session.to_string(), bytes);
    }

    pub(super) fn answered(&self, session: &SessionId) -> Option<u64> {
        self.answered.get(session.as_str()).copied()
    }

    /// Notes the hash of the HUD that a client receives. Returns true if it differs from the last one.
    pub(super) fn hands(&mut self, session: &SessionId, hash: String) -> bool {
        let before = self.handed.insert(session.to_string(), hash.clone());
        before != Some(hash)
    }

    /// Notes that the agent is informed of a server that is gone. Returns true if it was not before.
    pub(super) fn tells_gone(&mut self, session: &SessionId, server: String) -> bool {
        let before = self.gone.insert(session.to_string(), server.clone());
        before != Some(server)
    }

    pub(super) fn set_answered(&mut self, session: &SessionId, bytes: u64) {
        self.answered.insert(session.to_string(), bytes);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn nothing_is_left_of_a_forgotten_session() {
        let session = SessionId::new("erased").unwrap();
        let mut seen = Seen::default();
        seen.set_read(&session, 7);
        seen.hands(&session, "hash".to_owned());
        seen.tells_gone(&session, "server".to_owned());
        assert!(seen.forget(&session));
        let text = serde_json::to_string(&seen).unwrap();
        assert!(!text.contains("erased"), "{text}");
        assert!(!seen.forget(&session));
    }
}
