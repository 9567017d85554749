//! Taking out what an event said.
//!
//! The one thing that changes what was written. The event stays in its place without its words, the
//! chain is sealed anew from there on, and an event says so in the session itself.

use rusqlite::{OptionalExtension, Transaction, params};
use serde_json::Value;

use super::append::{Writer, commit, head};
use super::archive::{self, Unpacked};
use super::checksum::Sum;
use super::fault::Fault;
use super::row::{self, Raw};
use super::{SqliteLog, busy, content, guard, read};
use crate::event::{EventRedact, EventRedacted, HudEvent, NewEvent, SessionId};
use crate::log::{Expected, LogError};

/// How many events are sealed anew before the next are read.
const PAGE: usize = 1000;

/// What a redaction did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    /// Whether the event still had its words.
    pub changed: bool,
    /// The events, by seq, that say one of its texts as well: a state that a compaction recorded or
    /// that a session went on from, a note that was taken over by another session. They were not
    /// changed.
    pub also_in: Vec<u64>,
    /// Whether the old pages still wait in the write-ahead log, because somebody was reading. To
    /// redact again when nobody is takes them away.
    pub lingers: bool,
}

pub(super) fn redact(
    log: &SqliteLog,
    seq: u64,
    by: impl FnOnce(EventRedact) -> NewEvent,
    reason: Option<String>,
) -> Result<Redacted, Fault> {
    log.steps.renew();
    let missing = || LogError::NoEvent {
        place: log.place(),
        event: seq.to_string(),
    };
    let at = i64::try_from(seq).map_err(|_| missing())?;
    // What is deleted is overwritten, in the file and in the index.
    log.conn.pragma_update(None, "secure_delete", true)?;
    let tx = busy::begin_immediate(log)?;
    let mut raw = raw_at(log, &tx, at)?.ok_or_else(missing)?;
    let from = raw.archive;
    Unpacked::new(&tx)
        .restore(&mut raw)
        .map_err(|reason| log.corrupt(at, reason))?;
    let redacted = HudEvent::from(EventRedacted {
        kind: raw.record.kind.clone(),
        call: kept_call(&raw),
    });
    if raw.record.kind == redacted.kind() {
        drop(tx);
        return Ok(Redacted {
            lingers: !empty_wal(log)?,
            ..Redacted::default()
        });
    }
    let stand_in = redacted.encode().map_err(|e| LogError::Invalid {
        id: raw.record.id,
        reason: e.to_string(),
    })?;
    let mut texts = Texts::of(&raw);
    let event = HudEvent::decode(&raw.record.kind, raw.record.v, &raw.record.payload);
    if let Some(hash) = event.ok().and_then(|event| Some(event.content()?.hash))
        && let Some(text) = content::text(log, &hash)?
    {
        texts.add(&text);
    }
    let mut also_in = before(log, at, &texts)?;

    // A redaction must not seal up what is damaged.
    check(log, &tx, at)?;
    guard::lifted(log, &tx, |tx| {
        if let Some(from) = from {
            archive::forget(tx, from, raw.version).map_err(|reason| log.corrupt(at, reason))?;
        }
        tx.execute(
            "UPDATE event SET kind = ?1, v = ?2, payload = ?3, archive = NULL WHERE seq = ?4",
            params![stand_in.kind, stand_in.v, stand_in.payload, at],
        )?;
        content::forget(tx, at)?;
        reseal(log, tx, at, &mut |seq, raw| {
            if seq > at && texts.are_in(raw) {
                also_in.push(seq.unsigned_abs());
            }
        })
    })?;
    tx.execute("DELETE FROM search WHERE rowid = ?1", [at])?;
    // A state is kept without saying from which events it has its words.
    tx.execute("DELETE FROM snapshot", [])?;

    let session =
        SessionId::new(raw.session.clone()).map_err(|e| log.corrupt(at, e.to_string()))?;
    let notice = by(EventRedact {
        version: Some(raw.version.unsigned_abs()),
        kind: raw.record.kind,
        reason,
    });
    let head = head(&tx)?;
    let mut writer = Writer::new(log, &tx, &session, Expected::Any, head)?;
    writer.write(&notice)?;
    writer.finish()?;
    commit(log, tx)?;
    Ok(Redacted {
        changed: true,
        also_in,
        lingers: !empty_wal(log)?,
    })
}

/// The call of an event that kept its output.
fn kept_call(raw: &Raw) -> Option<String> {
    let payload: Value = serde_json::from_str(&raw.record.payload).ok()?;
    let call = payload.get("call").filter(|_| raw.record.kind == KEEP)?;
    call.as_str().map(ToOwned::to_owned)
}

/// The kind of events that keep outputs.
const KEEP: &str = "output.keep";

/// Moves the write-ahead log into the file, so that no old page waits there. Whether that worked:
/// not while somebody reads one.
pub(super) fn empty_wal(log: &SqliteLog) -> rusqlite::Result<bool> {
    log.conn
        .query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| {
            Ok(row.get::<_, i64>(0)? == 0)
        })
}

/// How many characters a text has that is taken for the same wherever it is: shorter ones are in many
/// events by chance.
const TELLING: usize = 8;

/// How many characters of a longer text are looked for: a state has only the beginnings of long texts.
const BEGINNING: usize = 256;

/// What a payload says, to be found in others.
struct Texts {
    /// The beginnings of its texts.
    plain: Vec<String>,
    /// The same as this program writes them in JSON.
    escaped: Vec<String>,
}

impl Texts {
    fn of(raw: &Raw) -> Self {
        let mut texts = Self {
            plain: Vec::new(),
            escaped: Vec::new(),
        };
        each_text(raw, &mut |text| {
            texts.add(text);
            false
        });
        texts
    }

    fn add(&mut self, text: &str) {
        if text.chars().count() < TELLING {
            return;
        }
        let plain: String = text.chars().take(BEGINNING).collect();
        let json = Value::from(plain.as_str()).to_string();
        let escaped = json.get(1..json.len() - 1).map(str::to_owned);
        self.escaped.extend(escaped);
        self.plain.push(plain);
    }

    /// Whether another payload says one of them.
    fn are_in(&self, raw: &Raw) -> bool {
        let payload = &raw.record.payload;
        if self.escaped.iter().any(|text| payload.contains(text)) {
            return true;
        }
        // Others may have escaped more of it.
        payload.contains('\\')
            && each_text(raw, &mut |text| {
                self.plain.iter().any(|plain| text.contains(plain))
            })
    }
}

/// Gives each text of a payload, until one is found.
fn each_text(raw: &Raw, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
    fn gather(value: &Value, is_found: &mut dyn FnMut(&str) -> bool) -> bool {
        match value {
            Value::String(text) => is_found(text),
            Value::Array(values) => values.iter().any(|value| gather(value, is_found)),
            Value::Object(fields) => fields.values().any(|value| gather(value, is_found)),
            _ => false,
        }
    }
    serde_json::from_str(&raw.record.payload).is_ok_and(|payload| gather(&payload, is_found))
}

/// The events before `at` that say one of the texts.
fn before(log: &SqliteLog, at: i64, texts: &Texts) -> Result<Vec<u64>, Fault> {
    let mut found = Vec::new();
    each_from(log, 1, &mut |seq, raw| {
        if seq < at && texts.are_in(raw) {
            found.push(seq.unsigned_abs());
        }
        Ok(seq < at)
    })?;
    Ok(found)
}

/// Refuses a log whose chain does not hold from `at` on.
pub(super) fn check(log: &SqliteLog, tx: &Transaction<'_>, at: i64) -> Result<(), Fault> {
    let mut previous = sum_before(log, tx, at)?;
    each_from(log, at, &mut |seq, raw| {
        if raw.sum_behind(&previous) != raw.sum {
            return Err(log.corrupt(seq, "it doesn't match its checksum").into());
        }
        previous = raw.sum;
        Ok(true)
    })
}

fn sum_before(log: &SqliteLog, tx: &Transaction<'_>, seq: i64) -> Result<Sum, Fault> {
    read::sum_at(tx, seq - 1)?.ok_or_else(|| log.corrupt(seq - 1, "it is missing").into())
}

/// Gives each event from `seq` on, with its payload, a page at a time, until `each` says to stop.
fn each_from(
    log: &SqliteLog,
    mut seq: i64,
    each: &mut dyn FnMut(i64, &Raw) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut unpacked = Unpacked::new(&log.conn);
    loop {
        log.steps.renew();
        let page = page(log, seq)?;
        let Some((last, _)) = page.last() else {
            return Ok(());
        };
        seq = last + 1;
        for (seq, mut raw) in page {
            // What is missing here shows in the chain.
            let _ = unpacked.restore(&mut raw);
            if !each(seq, &raw)? {
                return Ok(());
            }
        }
    }
}

fn page(log: &SqliteLog, from: i64) -> rusqlite::Result<Vec<(i64, Raw)>> {
    let columns = row::columns(log.schema);
    log.conn
        .prepare_cached(&format!(
            "SELECT {columns} FROM event WHERE seq >= ?1 ORDER BY seq LIMIT {PAGE}"
        ))?
        .query_map([from], |row| Ok((row.get(row::SEQ)?, row::raw(row)?)))?
        .collect()
}

fn raw_at(log: &SqliteLog, tx: &Transaction<'_>, seq: i64) -> rusqlite::Result<Option<Raw>> {
    let columns = row::columns(log.schema);
    tx.prepare_cached(&format!("SELECT {columns} FROM event WHERE seq = ?1"))
        .and_then(|mut select| select.query_row([seq], row::raw).optional())
}

/// Seals all events from `at` on anew, and gives each to `look`.
pub(super) fn reseal(
    log: &SqliteLog,
    tx: &Transaction<'_>,
    at: i64,
    look: &mut dyn FnMut(i64, &Raw),
) -> Result<(), Fault> {
    let mut previous = sum_before(log, tx, at)?;
    each_from(log, at, &mut |seq, raw| {
        look(seq, raw);
        previous = raw.sum_behind(&previous);
        tx.prepare_cached("UPDATE event SET sum = ?1 WHERE seq = ?2")
            .and_then(|mut update| update.execute(params![previous, seq]))?;
        Ok(true)
    })
}
