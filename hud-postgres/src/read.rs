//! Reading events by pages. Each is checked against its session's checksum chain before it is returned.

use hud_store::event::SessionId;
use hud_store::log::{LogError, Place};
use tokio_postgres::Row;

use crate::query::Query;
use crate::row::Raw;
use crate::server::Server;
use crate::sum::{GENESIS, Sum};

/// The first column of the event in a row of a page.
const EVENT: usize = 4;

/// The events to read.
#[derive(Clone)]
pub(crate) enum Scan {
    /// A session, by version.
    Session(SessionId),
    /// The whole log, by seq.
    Log,
}

/// A scan in progress.
#[derive(Clone)]
pub(crate) struct Pages {
    scan: Scan,
    /// The version, or the seq, of the next event.
    next: i64,
    /// The sum of the last event that was read of the session.
    last: Option<Sum>,
    is_begun: bool,
}

/// The sound part of a page.
pub(crate) struct Page<T> {
    pub(crate) events: Vec<T>,
    /// The rest of the scan, `None` at the end, or the error that ends it.
    pub(crate) rest: Result<Option<Pages>, LogError>,
}

impl Pages {
    /// A scan from that version or seq on; `None` if it is too large for any event.
    pub(crate) fn new(scan: Scan, from: u64) -> Option<Self> {
        Some(Self {
            scan,
            next: i64::try_from(from.max(1)).ok()?,
            last: None,
            is_begun: false,
        })
    }

    /// Reads the next page.
    pub(crate) async fn next<T>(
        mut self,
        server: &mut Server,
        make: fn(Raw) -> Result<T, String>,
    ) -> Result<Page<T>, LogError> {
        let rows = match &self.scan {
            Scan::Session(session) => {
                let session = session.as_str();
                server.read(Query::Session, &[&session, &self.next]).await?
            }
            Scan::Log => server.read(Query::Log, &[&self.next]).await?,
        };
        let place = server.place();
        let mut events = Vec::new();
        for row in &rows {
            // The row with the data of the session has no event if there are none.
            if matches!(row.try_get::<_, Option<i64>>(EVENT), Ok(None)) {
                continue;
            }
            let sound = self.sound(&place, row);
            let made = sound.and_then(|raw| {
                let seq = raw.seq;
                make(raw).map_err(|reason| corrupt(&place, seq, reason))
            });
            match made {
                Ok(event) => events.push(event),
                Err(error) => {
                    return Ok(Page {
                        events,
                        rest: Err(error),
                    });
                }
            }
        }
        let rest = self.rest(&place, rows.first(), events.is_empty());
        Ok(Page { events, rest })
    }

    /// The contents of a row, if it is the next one and its checksum matches.
    fn sound(&mut self, place: &Place, row: &Row) -> Result<Raw, LogError> {
        let storage = |error: tokio_postgres::Error| LogError::Storage {
            place: place.clone(),
            source: error.into(),
        };
        let raw = Raw::of(row, EVENT).map_err(storage)?;
        let (found, next) = match &self.scan {
            Scan::Session(_) => (raw.version, self.next),
            Scan::Log => (raw.seq, self.next),
        };
        if found != next {
            return Err(match &self.scan {
                Scan::Session(session) => corrupt(
                    place,
                    raw.seq,
                    format!("version {next} of {session} should come before it"),
                ),
                Scan::Log => corrupt(place, next, "it is missing".to_owned()),
            });
        }
        let before = match (&self.scan, self.last) {
            (Scan::Session(_), Some(last)) => Some(last.to_vec()),
            _ => row.try_get(3).map_err(storage)?,
        };
        self.last = Some(sealed(place, &raw, before)?);
        self.next += 1;
        Ok(raw)
    }

    /// The rest of the scan. At the end of a complete read, a second source confirms that it is the end.
    fn rest(
        mut self,
        place: &Place,
        row: Option<&Row>,
        is_empty: bool,
    ) -> Result<Option<Self>, LogError> {
        let number = |column| {
            let number = row.map(|row| row.try_get::<_, Option<i64>>(column));
            number.and_then(Result::ok).flatten().unwrap_or(0)
        };
        let (known, newest, read) = (number(0), number(2), self.next - 1);
        if read < known {
            if is_empty {
                let reason = format!("the last is {known}, and {read} could be read");
                return Err(corrupt(place, newest, reason));
            }
            self.is_begun = true;
            return Ok(Some(self));
        }
        let is_read = self.is_begun || !is_empty;
        // A read that starts after the end has seen nothing.
        if is_read && read > known {
            let reason = format!("the last is {known}, and {read} could be read");
            return Err(corrupt(place, newest, reason));
        }
        if let (Scan::Session(_), Some(last), Some(row)) = (&self.scan, self.last, row) {
            let known = row.try_get::<_, Option<&[u8]>>(1);
            if !known.is_ok_and(|known| known == Some(&last)) {
                let reason = "what is known of its session is damaged".to_owned();
                return Err(corrupt(place, newest, reason));
            }
        }
        Ok(None)
    }
}

/// The sum of an event, if it matches the sum `before` of the previous event.
pub(crate) fn sealed(place: &Place, raw: &Raw, before: Option<Vec<u8>>) -> Result<Sum, LogError> {
    let before = match raw.version {
        1 => Some(GENESIS),
        _ => before.and_then(|sum| Sum::try_from(sum).ok()),
    };
    let missing = || format!("version {} of {} is missing", raw.version - 1, raw.session);
    let before = before.ok_or_else(|| corrupt(place, raw.seq, missing()))?;
    let wrong = || corrupt(place, raw.seq, "it doesn't match its checksum".to_owned());
    raw.sum_behind(&before).ok_or_else(wrong)
}

pub(crate) fn corrupt(place: &Place, seq: i64, reason: String) -> LogError {
    LogError::Corrupt {
        place: place.clone(),
        seq: seq.unsigned_abs(),
        reason,
    }
}
