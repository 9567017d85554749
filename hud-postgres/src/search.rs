//! Full-text search.
//!
//! The index is a cache. A search brings it up to date first, so that appends do not pay for it. A user who may only
//! read can't do that, and searches the events that are not indexed one by one.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use hud_store::event::{HudEvent, SessionId, StoredEvent};
use hud_store::log::search::{around, indexable};
use hud_store::log::{Hit, Log, LogError, Query, Search};

use crate::PgLog;
use crate::query;
use crate::read::{corrupt, sealed};
use crate::row::Raw;
use crate::server::Server;

/// The number of events that are indexed in one transaction. It blocks nobody, but is lost with the connection.
const PAGE: usize = 500;

/// The maximum number of bytes of an event's different words in the index. The server's limit is 1 MiB.
const MOST_WORDS: usize = 256 * 1024;

/// The maximum number of bytes of a word in the index.
const LONGEST: usize = 256;

/// The result of searching the index.
struct Found {
    /// The words of the query as the index stores them.
    stems: Vec<String>,
    events: Vec<StoredEvent>,
}

impl Search for PgLog {
    fn search(&self, query: &Query) -> Result<Vec<Hit>, LogError> {
        let (words, goes_on) = query.words();
        if words.is_empty() || query.limit == 0 {
            return Ok(Vec::new());
        }
        let indexed = self.bring_up_to_date()?;
        // The events that are not indexed yet are the newest, and come first.
        let mut hits = Vec::new();
        self.read_all(indexed + 1, &mut |event| {
            let said = query.includes(&event).then(|| self.said(&event)).flatten();
            let snippet = said.and_then(|said| query.snippet(&said));
            hits.extend(snippet.map(|snippet| Hit { event, snippet }));
            ControlFlow::Continue(())
        })?;
        hits.reverse();
        let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
        let asked = query.clone();
        let found = self
            .link
            .call(async move |server: &mut Server| find(server, &asked, &words, goes_on).await)?;
        let is_wanted = |word: &str| {
            found
                .stems
                .iter()
                .any(|stem| word.starts_with(stem.as_str()))
        };
        hits.extend(found.events.into_iter().map(|event| Hit {
            snippet: around(&self.said(&event).unwrap_or_default(), is_wanted),
            event,
        }));
        hits.truncate(query.limit);
        Ok(hits)
    }
}

impl PgLog {
    /// The text of an event, including the content that it names by its hash.
    fn said(&self, event: &StoredEvent) -> Option<String> {
        let mut said: HudEvent = event.event.clone();
        if let Some(content) = event.event.content()
            && content.text().is_none()
        {
            // A content that can't be read is not searched.
            said.set_text(self.content(&content.hash).ok().flatten());
        }
        indexable(&said)
    }

    /// Indexes the events since the last search, and returns the seq up to which the index is complete.
    fn bring_up_to_date(&self) -> Result<u64, LogError> {
        loop {
            let (known, head) = self.link.call(async |server: &mut Server| {
                let rows = server.read(query::Query::Searched, &[]).await?;
                let number = |column| {
                    let row = rows.first()?;
                    row.try_get::<_, i64>(column).ok()
                };
                Ok((number(0).unwrap_or(0), number(1).unwrap_or(0)))
            })?;
            if known >= head {
                return Ok(known.unsigned_abs());
            }
            let (mut seqs, mut texts, mut until) = (Vec::new(), Vec::new(), known);
            let mut count = 0;
            let read = self.read_all(known.unsigned_abs() + 1, &mut |event| {
                until = i64::try_from(event.seq).unwrap_or(i64::MAX);
                count += 1;
                if let Some(said) = self.said(&event) {
                    seqs.push(until);
                    texts.push(words_of(&said));
                }
                match count < PAGE {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            if until == known {
                return match read {
                    // The events before the damaged one can still be found.
                    Err(LogError::Corrupt { .. }) => Ok(head.unsigned_abs()),
                    read => read.map(|()| known.unsigned_abs()),
                };
            }
            let indexed = self.link.call(async move |server: &mut Server| {
                let params: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                    [&known, &until, &seqs, &texts];
                match server.write(query::Query::Index, &params).await? {
                    Ok(_) => Ok(()),
                    Err(error) => Err(crate::fault::refused(&server.place(), error)),
                }
            });
            match indexed {
                Ok(()) => {}
                Err(LogError::Denied { .. } | LogError::Newer { .. } | LogError::Schema { .. }) => {
                    return Ok(known.unsigned_abs());
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// The different words of a text, in the form that the index takes.
fn words_of(said: &str) -> String {
    let lower = said.to_lowercase();
    let words = hud_store::log::search::words(&lower).filter(|word| word.len() <= LONGEST);
    let words: BTreeSet<&str> = words.collect();
    let mut text = String::new();
    for word in words {
        if text.len() + word.len() > MOST_WORDS {
            break;
        }
        text.push_str(word);
        text.push(' ');
    }
    text
}

/// The events in the index that have all the words, best first.
async fn find(
    server: &mut Server,
    asked: &Query,
    words: &[String],
    goes_on: bool,
) -> Result<Found, LogError> {
    let session = asked.session.as_ref().map(SessionId::as_str);
    let limit = i64::try_from(asked.limit).unwrap_or(i64::MAX);
    let params: [&(dyn tokio_postgres::types::ToSql + Sync); 5] =
        [&words, &goes_on, &session, &asked.kind, &limit];
    let rows = server.read(query::Query::Search, &params).await?;
    let place = server.place();
    let mut found = Found {
        stems: Vec::new(),
        events: Vec::new(),
    };
    for row in &rows {
        let storage = |error: tokio_postgres::Error| LogError::Storage {
            place: place.clone(),
            source: error.into(),
        };
        found.stems = row.try_get(0).map_err(storage)?;
        let before: Option<Vec<u8>> = row.try_get(1).map_err(storage)?;
        let raw = Raw::of(row, 2).map_err(storage)?;
        let seq = raw.seq;
        sealed(&place, &raw, before)?;
        let event = raw
            .decode()
            .map_err(|reason| corrupt(&place, seq, reason))?;
        found.events.push(event);
    }
    Ok(found)
}
