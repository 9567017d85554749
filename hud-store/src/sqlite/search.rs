//! Full-text search.
//!
//! The index is a cache. It is brought up to date by a search, so that appends do not pay for it, and it can be
//! deleted at any time.

use std::collections::HashMap;
use std::ops::ControlFlow;

use rusqlite::{Connection, OptionalExtension, Row, params};

use super::archive::Unpacked;
use super::fault::Fault;
use super::{SqliteLog, busy, content, read, row};
use crate::event::{HudEvent, SessionId};
use crate::log::search::{Hit, Query, indexable, marked_out};
use crate::log::{Log, LogError};

/// The number of tokens in a snippet.
const SNIPPET: u8 = 16;

pub(super) fn search(log: &SqliteLog, query: &Query) -> Result<Vec<Hit>, Fault> {
    log.steps.renew();
    let Some(matching) = matching(query) else {
        return Ok(Vec::new());
    };
    let place = bring_up_to_date(log)?;
    // The hits are ranked first. A snippet of every match would cost ten times the search.
    let mut rank = log.conn.prepare_cached(&format!(
        "SELECT search.rowid FROM {place}search WHERE search MATCH ?1 \
             AND (?2 IS NULL AND ?3 IS NULL OR EXISTS ( \
                 SELECT 1 FROM event WHERE seq = search.rowid AND (?2 IS NULL OR stream = ?2) \
                 AND (?3 IS NULL OR kind = ?3 OR substr(kind, 1, length(?3) + 1) = ?3 || '.'))) \
             ORDER BY rank, search.rowid DESC LIMIT ?4"
    ))?;
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    let session = query.session.as_ref().map(SessionId::as_str);
    let seqs: Vec<i64> = rank
        .query_map(params![matching, session, query.kind, limit], |row| {
            row.get(0)
        })
        .and_then(Iterator::collect)?;
    // All hits are read in one pass over the matches, in their order. A lookup of each row would make SQLite evaluate
    // the query again each time. The `+` prevents such lookups.
    let mut look = log.conn.prepare_cached(&format!(
        "SELECT {}, snippet(search, 0, char(1), char(2), '…', {SNIPPET}) \
             FROM {place}search CROSS JOIN event ON event.seq = search.rowid \
             WHERE search MATCH ?1 AND +search.rowid IN (SELECT value FROM json_each(?2)) \
             ORDER BY search.rowid",
        row::columns(log.schema)
    ))?;
    let ranks: HashMap<u64, usize> = (0..)
        .zip(&seqs)
        .map(|(rank, seq)| (seq.unsigned_abs(), rank))
        .collect();
    let wanted = serde_json::Value::from(seqs).to_string();
    let mut unpacked = Unpacked::new(&log.conn);
    let mut hits = Vec::with_capacity(ranks.len());
    let mut rows = look.query(params![matching, wanted])?;
    while let Some(row) = rows.next()? {
        hits.push(hit(log, row, &mut unpacked)?);
    }
    hits.sort_by_key(|hit| ranks.get(&hit.event.seq));
    Ok(hits)
}

fn hit(log: &SqliteLog, row: &Row<'_>, unpacked: &mut Unpacked<'_>) -> Result<Hit, Fault> {
    let seq: i64 = row.get(row::SEQ)?;
    let mut raw = row::raw(row).map_err(|e| log.corrupt(seq, e.to_string()))?;
    unpacked
        .restore(&mut raw)
        .map_err(|reason| log.corrupt(seq, reason))?;
    if !read::is_linked(&log.conn, seq, &raw)? {
        return Err(log.corrupt(seq, "it doesn't match its checksum").into());
    }
    let snippet: String = row.get(row::SEQ + 5)?;
    Ok(Hit {
        event: raw.decode(seq).map_err(|reason| log.corrupt(seq, reason))?,
        snippet: marked_out(&snippet),
    })
}

/// The query in the syntax of FTS5. Each word is in quotes, so that none is an operator, and the last is a prefix.
/// `None` if there are no words.
fn matching(query: &Query) -> Option<String> {
    let (words, goes_on) = query.words();
    let mut words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let last = words.last_mut()?;
    if goes_on {
        last.push('*');
    }
    Some(words.join(" "))
}

/// Indexes the events since the last search, and returns the database that has the index. A log that is read-only
/// gets an index that ends with the connection.
pub(super) fn bring_up_to_date(log: &SqliteLog) -> Result<&'static str, Fault> {
    let head = read::last_seq(&log.conn)?;
    if log.schema >= 2 {
        if searched(&log.conn, "main.")? == head {
            return Ok("main.");
        }
        if !log.conn.is_readonly("main")? {
            match log.named(index(log, "main.")) {
                // There may be space elsewhere for a temporary index.
                Err(LogError::Full { .. }) => {}
                outcome => return Ok(outcome.map(|()| "main.")?),
            }
        }
    }
    let is_made = log
        .conn
        .prepare("SELECT 1 FROM sqlite_temp_schema WHERE name = 'search'")
        .and_then(|mut select| select.exists([]))?;
    if !is_made {
        log.conn.execute_batch(
            "CREATE VIRTUAL TABLE temp.search \
                 USING fts5 (words, tokenize = \"porter unicode61 tokenchars '_'\");
                 CREATE TABLE temp.searched (one INTEGER PRIMARY KEY, seq INTEGER NOT NULL);
                 INSERT INTO temp.searched VALUES (1, 0);",
        )?;
    }
    index(log, "temp.")?;
    Ok("temp.")
}

fn searched(conn: &Connection, place: &str) -> rusqlite::Result<i64> {
    let seq = conn
        .prepare_cached(&format!("SELECT seq FROM {place}searched WHERE one = 1"))?
        .query_row([], |row| row.get(0))
        .optional()?;
    Ok(seq.unwrap_or(0))
}

fn index(log: &SqliteLog, place: &str) -> Result<(), Fault> {
    // The temporary index needs a transaction too, so that it is complete or not there.
    let tx = if place == "main." {
        busy::begin_immediate(log)?
    } else {
        log.conn.unchecked_transaction()?
    };
    let mut from = searched(&tx, place)? + 1;
    let columns = row::columns(log.schema);
    let mut select = tx.prepare_cached(&format!(
        "SELECT {columns} FROM event WHERE seq >= ?1 ORDER BY seq"
    ))?;
    let mut insert = tx.prepare_cached(&format!(
        "INSERT INTO {place}search (rowid, words) VALUES (?1, ?2)"
    ))?;
    let mut unpacked = Unpacked::new(&log.conn);
    let mut rows = select.query([from])?;
    while let Some(row) = rows.next()? {
        log.steps.renew();
        let seq: i64 = row.get(row::SEQ)?;
        if let Some(words) = words(log, row, &mut unpacked) {
            insert.execute(params![seq, words])?;
        }
        from = seq + 1;
    }
    drop(rows);
    tx.execute(
        &format!("UPDATE {place}searched SET seq = ?1 WHERE one = 1"),
        [from - 1],
    )?;
    drop((select, insert));
    Ok(tx.commit()?)
}

/// The text of the event in a row. A damaged event has no text here. Reading reports the damage, and the other events
/// can still be found.
fn words(log: &SqliteLog, row: &Row<'_>, unpacked: &mut Unpacked<'_>) -> Option<String> {
    let mut raw = row::raw(row).ok()?;
    unpacked.restore(&mut raw).ok()?;
    let mut event = HudEvent::decode(&raw.record.kind, raw.record.v, &raw.record.payload).ok()?;
    content::fill(log, &mut event).ok()?;
    indexable(&event)
}

/// Indexes an event again if it was indexed, because the content that it names may be gone.
pub(super) fn renew(log: &SqliteLog, tx: &Connection, seq: i64) -> Result<(), Fault> {
    let columns = row::columns(log.schema);
    let words = tx
        .prepare_cached(&format!("SELECT {columns} FROM event WHERE seq = ?1"))?
        .query_row([seq], |row| Ok(words(log, row, &mut Unpacked::new(tx))))
        .optional()?
        .flatten();
    tx.prepare_cached("UPDATE search SET words = ?1 WHERE rowid = ?2")?
        .execute(params![words.unwrap_or_default(), seq])?;
    Ok(())
}

/// Empties the index, so that the next search rebuilds it.
pub(super) fn forget(conn: &Connection) -> rusqlite::Result<()> {
    conn.execute_batch("DELETE FROM search; UPDATE searched SET seq = 0 WHERE one = 1")
}

/// Replaces the index with a new one, so that no old data remains in it.
pub(super) fn replace(conn: &Connection) -> rusqlite::Result<()> {
    let select = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'search'";
    let sql: String = conn.query_row(select, [], |row| row.get(0))?;
    conn.execute_batch(&format!(
        "DROP TABLE search; {sql}; INSERT INTO search (search, rank) VALUES ('secure-delete', 1); \
         UPDATE searched SET seq = 0 WHERE one = 1"
    ))
}

/// True if the index matches the text of the events.
pub(super) fn is_sound(log: &SqliteLog) -> Result<bool, Fault> {
    let until = searched(&log.conn, "main.")?;
    let mut indexed = log
        .conn
        .prepare("SELECT rowid, words FROM search ORDER BY rowid")?;
    let mut indexed = indexed.query([])?;
    let mut next = || -> rusqlite::Result<Option<(i64, String)>> {
        indexed
            .next()?
            .map(|row| Ok((row.get(0)?, row.get(1)?)))
            .transpose()
    };
    let mut sound = Ok(true);
    log.read_all(1, &mut |mut event| {
        log.steps.renew();
        if let Err(error) = content::fill(log, &mut event.event) {
            sound = Err(error.into());
            return ControlFlow::Break(());
        }
        if event.seq > until.unsigned_abs() {
            return ControlFlow::Break(());
        }
        let Some(words) = indexable(&event.event) else {
            return ControlFlow::Continue(());
        };
        if let HudEvent::Other { .. } = event.event {
            // An index of version 0.1 has no text of kinds that are not built in.
            let has = is_indexed(log, event.seq);
            match has {
                Ok(true) => {}
                Ok(false) => return ControlFlow::Continue(()),
                Err(error) => {
                    sound = Err(error.into());
                    return ControlFlow::Break(());
                }
            }
        }
        match next() {
            Ok(Some((seq, indexed))) if seq.unsigned_abs() == event.seq && indexed == words => {
                ControlFlow::Continue(())
            }
            Ok(_) => {
                sound = Ok(false);
                ControlFlow::Break(())
            }
            Err(error) => {
                sound = Err(Fault::from(error));
                ControlFlow::Break(())
            }
        }
    })?;
    sound
}

fn is_indexed(log: &SqliteLog, seq: u64) -> rusqlite::Result<bool> {
    let seq = i64::try_from(seq).unwrap_or(i64::MAX);
    log.conn
        .prepare_cached("SELECT 1 FROM search WHERE rowid = ?1")?
        .exists([seq])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Actor, NewEvent, NoteAdd};
    use crate::log::{Expected, Search as _};

    #[test]
    fn a_full_disk_keeps_nobody_from_finding_what_was_said() {
        let dir = tempfile::tempdir().unwrap();
        let mut log = SqliteLog::open(dir.path().join("hud.db")).unwrap();
        let notes: Vec<_> = (0..200)
            .map(|n| {
                let (id, content) = (format!("n{n}"), format!("tests need redis {n}"));
                NewEvent::now(1, Actor::Agent, NoteAdd { id, content })
            })
            .collect();
        let session = SessionId::new("s").unwrap();
        log.append(&session, Expected::Any, &notes).unwrap();
        let pages: i64 = log
            .conn
            .pragma_query_value(None, "page_count", |row| row.get(0))
            .unwrap();
        log.conn
            .pragma_update_and_check(None, "max_page_count", pages, |_| Ok(()))
            .unwrap();
        assert_eq!(log.search(&Query::new("redis")).unwrap().len(), 20);
        let large = NoteAdd {
            id: "n".to_owned(),
            content: "x".repeat(100_000),
        };
        let large = NewEvent::now(1, Actor::Agent, large);
        let error = log.append(&session, Expected::Any, &[large]).unwrap_err();
        assert!(error.to_string().contains("do the same again"), "{error}");
    }
}
