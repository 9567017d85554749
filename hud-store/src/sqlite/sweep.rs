//! Sweeping contents. Those that a placeholder of a live session names are kept, and also the newest, by count and
//! age.

use std::collections::HashSet;
use std::ops::ControlFlow;

use jiff::{SignedDuration, Timestamp};
use rusqlite::{Transaction, params};

use super::fault::Fault;
use super::{SqliteLog, busy, content, read, search};
use crate::event::{CompactEvent, ContentHash, HudEvent, OutputEvent, SessionEvent, SessionId};
use crate::fold::fold;
use crate::log::{Log, LogError, SessionInfo, kept};

/// The limits of the contents that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The number of the newest contents to keep, whatever their age.
    pub count: u64,
    /// The number of days for which contents are kept after the newest event that names them, whatever their number.
    pub days: u32,
    /// The number of days for which a session is live after its last event. A content that a placeholder in the
    /// conversation of a live session names is kept, whatever its age. With 0 a session is always live.
    pub live_days: u32,
}

impl Default for Limits {
    /// The newest 300 contents, and those of the last 7 days; a session is live for 30 days.
    fn default() -> Self {
        Self {
            count: 300,
            days: 7,
            live_days: 30,
        }
    }
}

/// The result of a sweep, or of a dry run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// The contents that are no longer kept, the newest first.
    pub gone: Vec<Gone>,
    /// The number of contents that are kept only because a placeholder of a live session names them.
    pub held: u64,
    /// The number of contents that are kept.
    pub kept: u64,
    /// The number of bytes that the kept contents take.
    pub kept_bytes: u64,
}

/// A content that is no longer kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The hash.
    pub hash: ContentHash,
    /// The number of bytes that it takes in the file.
    pub bytes: u64,
    /// The newest event that names it; `None` if none does.
    pub named: Option<Named>,
}

/// An event that names a content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The session.
    pub session: SessionId,
    /// The version in the session.
    pub version: u64,
    /// The time of the event.
    pub at: Timestamp,
    /// The tool of the output.
    pub tool: String,
    /// The target of the tool call.
    pub target: Option<String>,
}

/// The maximum number of times that the held contents are computed again because somebody else wrote meanwhile. After
/// that they are computed under the write lock.
const ATTEMPTS: u32 = 3;

/// A content with the newest event that names it.
struct Row {
    id: i64,
    hash: ContentHash,
    bytes: u64,
    seq: Option<i64>,
    at: Option<i64>,
}

pub(super) fn sweep(
    log: &SqliteLog,
    limits: &Limits,
    now: Timestamp,
    is_dry: bool,
) -> Result<Swept, Fault> {
    if log.schema < content::SINCE {
        return Ok(Swept::default());
    }
    log.steps.renew();
    let mut attempt = 0;
    loop {
        attempt += 1;
        let head = read::last_seq(&log.conn)?;
        // Most sweeps find no old contents, and end here.
        let is_idle = old(log, limits, now)?.0.is_empty();
        let held = match is_idle {
            true => HashSet::new(),
            false => held(log, limits, now)?,
        };
        if is_dry || is_idle {
            return report(log, limits, now, &held).map(|(_, swept)| swept);
        }
        let tx = busy::begin_immediate(log)?;
        let held = match read::last_seq(&tx)? == head {
            true => held,
            false if attempt < ATTEMPTS => continue,
            false => self::held(log, limits, now)?,
        };
        let (rows, swept) = report(log, limits, now, &held)?;
        for row in &rows {
            let events = named_by(&tx, &row.hash)?;
            tx.prepare_cached("DELETE FROM content WHERE id = ?1")?
                .execute([row.id])?;
            for seq in events {
                search::renew(log, &tx, seq)?;
            }
        }
        tx.commit()?;
        return Ok(swept);
    }
}

/// The contents outside of the limits, newest first, and those within.
fn old(log: &SqliteLog, limits: &Limits, now: Timestamp) -> Result<(Vec<Row>, Vec<Row>), Fault> {
    let mut select = log.conn.prepare_cached(
        "SELECT content.id, content.hash, octet_length(content.body), named.seq, \
                (SELECT ts FROM event WHERE event.seq = named.seq) \
         FROM content LEFT JOIN (SELECT hash, max(seq) AS seq FROM kept GROUP BY hash) AS named \
             ON named.hash = content.hash \
         ORDER BY named.seq DESC",
    )?;
    let mut rows = select.query([])?;
    let youngest = days_before(now, limits.days).as_microsecond();
    let (mut old, mut young) = (Vec::new(), Vec::new());
    let mut nth = 0;
    while let Some(row) = rows.next()? {
        let row = Row {
            id: row.get(0)?,
            hash: ContentHash::from_bytes(row.get(1)?),
            bytes: row.get::<_, i64>(2)?.unsigned_abs(),
            seq: row.get(3)?,
            at: row.get(4)?,
        };
        nth += 1;
        let is_kept = nth <= limits.count || row.at.is_some_and(|at| at >= youngest);
        match row.seq.is_some() && is_kept {
            true => young.push(row),
            false => old.push(row),
        }
    }
    Ok((old, young))
}

fn days_before(now: Timestamp, days: u32) -> Timestamp {
    now.checked_sub(SignedDuration::from_hours(24 * i64::from(days)))
        .unwrap_or(Timestamp::MIN)
}

/// The contents to remove, and the report.
fn report(
    log: &SqliteLog,
    limits: &Limits,
    now: Timestamp,
    held: &HashSet<ContentHash>,
) -> Result<(Vec<Row>, Swept), Fault> {
    let (old, young) = old(log, limits, now)?;
    let is_held = |row: &Row| held.contains(&row.hash);
    let (stays, goes): (Vec<Row>, Vec<Row>) = old.into_iter().partition(is_held);
    let mut gone = Vec::with_capacity(goes.len());
    for row in &goes {
        let named = row.seq.map(|seq| named(log, seq)).transpose()?;
        gone.push(Gone {
            hash: row.hash,
            bytes: row.bytes,
            named: named.flatten(),
        });
    }
    let kept = || young.iter().chain(&stays);
    let swept = Swept {
        gone,
        held: stays.len() as u64,
        kept: kept().count() as u64,
        kept_bytes: kept().map(|row| row.bytes).sum(),
    };
    Ok((goes, swept))
}

/// The event at `seq`, if it keeps an output.
fn named(log: &SqliteLog, seq: i64) -> Result<Option<Named>, LogError> {
    let mut found = None;
    log.read_all(seq.unsigned_abs(), &mut |event| {
        if let HudEvent::Output(OutputEvent::Keep(keep)) = event.event {
            found = Some(Named {
                session: event.session,
                version: event.version,
                at: event.at,
                tool: keep.tool,
                target: keep.target,
            });
        }
        ControlFlow::Break(())
    })?;
    Ok(found)
}

fn named_by(tx: &Transaction<'_>, hash: &ContentHash) -> rusqlite::Result<Vec<i64>> {
    tx.prepare_cached("SELECT seq FROM kept WHERE hash = ?1")?
        .query_map([hash.as_bytes()], |row| row.get(0))?
        .collect()
}

/// The contents that placeholders in the conversations of live sessions name.
fn held(log: &SqliteLog, limits: &Limits, now: Timestamp) -> Result<HashSet<ContentHash>, Fault> {
    let since = match limits.live_days {
        0 => Timestamp::MIN,
        days => days_before(now, days),
    };
    let is_live = |info: &SessionInfo| info.last_at >= since;
    let mut held = HashSet::new();
    for info in log.sessions()?.into_iter().filter(is_live) {
        log.steps.renew();
        for seq in placeholders(log, &info.id)? {
            let hash = log
                .conn
                .prepare_cached("SELECT hash FROM kept WHERE seq = ?1")?
                .query_map(params![seq], |row| row.get(0))?
                .next()
                .transpose()?;
            held.extend(hash.map(ContentHash::from_bytes));
        }
    }
    Ok(held)
}

/// The events that placeholders in a session's conversation name. They are those of its state, and those since the
/// last compaction that keep an output without a call.
fn placeholders(log: &SqliteLog, session: &SessionId) -> Result<Vec<i64>, Fault> {
    let mut state = log
        .snapshot(session)
        .unwrap_or_else(|| log.sections().empty_state());
    let folded = state.version;
    let has_others = log
        .conn
        .prepare_cached(
            "SELECT 1 FROM kept JOIN event USING (seq) WHERE NOT called AND stream = ?1",
        )?
        .exists([session.as_str()])?;
    let (mut without_call, mut since) = (Vec::new(), 0);
    // A snapshot does not contain outputs that were kept without a call.
    let from = if has_others { 1 } else { folded + 1 };
    log.read(session, from, &mut |event| {
        match &event.event {
            HudEvent::Output(OutputEvent::Keep(keep)) if keep.call.is_none() => {
                without_call.push(event.seq);
            }
            HudEvent::Compact(CompactEvent::After(_)) => since = without_call.len(),
            // The conversation may be restored to a point before a compaction.
            HudEvent::Session(SessionEvent::Restore(_)) => since = 0,
            _ => {}
        }
        if event.version > folded {
            state = fold(std::mem::take(&mut state), &event);
        }
        ControlFlow::Continue(())
    })?;
    let mut seqs = without_call.split_off(since.min(without_call.len()));
    for left in &state.pruned {
        seqs.extend(kept(log, session, left)?.map(|event| event.seq));
    }
    Ok(seqs
        .into_iter()
        .filter_map(|seq| i64::try_from(seq).ok())
        .collect())
}
