//! The names of events on the command line.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use hud_store::event::{SessionId, StoredEvent};
use hud_store::log::{Log, LogError};

/// The name of an event. It is the version in a session, which is the same in every log, or the position in one
/// log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EventName {
    Seq(u64),
    Version(SessionId, u64),
}

impl EventName {
    /// Returns the event with this name.
    pub(crate) fn find<L: Log>(&self, log: &L) -> Result<Option<StoredEvent>, LogError> {
        let mut found = None;
        let mut first = |event| {
            found = Some(event);
            ControlFlow::Break(())
        };
        match self {
            Self::Seq(seq) => log.read_all(*seq, &mut first)?,
            Self::Version(session, version) => log.read(session, *version, &mut first)?,
        }
        Ok(found.filter(|event| match self {
            Self::Seq(seq) => event.seq == *seq,
            Self::Version(_, version) => event.version == *version,
        }))
    }
}

impl FromStr for EventName {
    type Err = String;

    /// Parses a name. The name of a session can contain colons, so the version follows the last one.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| {
            let number = text.parse().ok().filter(|number| *number > 0);
            number.ok_or_else(|| {
                "an event is named SESSION:VERSION, or by its seq; both count from 1".to_owned()
            })
        };
        match text.rsplit_once(':') {
            None => number(text).map(Self::Seq),
            Some((session, version)) => {
                let session = SessionId::new(session).map_err(|error| error.to_string())?;
                Ok(Self::Version(session, number(version)?))
            }
        }
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seq(seq) => seq.fmt(f),
            Self::Version(session, version) => write!(f, "{session}:{version}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_behind_the_last_colon_and_without_one_it_is_a_seq() {
        for name in ["42", "ses_01:7", "a:b:7"] {
            assert_eq!(name.parse::<EventName>().unwrap().to_string(), name);
        }
        let version = EventName::Version(SessionId::new("a:b").unwrap(), 7);
        assert_eq!("a:b:7".parse(), Ok(version));
        for wrong in ["", "0", "x", "s:", ":7", "s:0", "s:x", "-1"] {
            assert!(wrong.parse::<EventName>().is_err(), "{wrong}");
        }
    }
}
