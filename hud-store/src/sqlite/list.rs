//! Listing sessions.

use super::fault::Fault;
use super::{SqliteLog, session};
use crate::event::SessionId;
use crate::log::{Listing, Order, SessionInfo};

/// The SQL condition that a session was not deleted.
const LIVES: &str =
    "NOT EXISTS (SELECT 1 FROM event WHERE seq = session.last AND kind = 'session.delete')";

/// The sessions that match a listing, in its order.
pub(super) fn list(log: &SqliteLog, listing: &Listing) -> Result<Vec<SessionInfo>, Fault> {
    log.steps.renew();
    if log.schema < 2 {
        return Ok(listing.of(sessions_of_schema_1(log)?));
    }
    let columns = session::COLUMNS;
    let (behind, order) = match listing.order {
        Order::Begun => (
            "first > (SELECT first FROM session WHERE stream = ?1)",
            "first",
        ),
        Order::Newest => (
            "(last_ts, first) < (SELECT ?2, first FROM session WHERE stream = ?1)",
            "last_ts DESC, first DESC",
        ),
    };
    let mut select = log.conn.prepare_cached(&format!(
        "SELECT {columns} FROM session WHERE {LIVES} AND (?1 IS NULL OR {behind}) \
         AND (?2 IS NULL OR true) ORDER BY {order}"
    ))?;
    let after = listing.after.as_ref();
    let mut rows = select.query((
        after.map(|info| info.id.as_str()),
        after.map(|info| info.last_at.as_microsecond()),
    ))?;
    let mut sessions = Vec::new();
    while sessions.len() < listing.limit
        && let Some(row) = rows.next()?
    {
        let (name, found) = session::found(row)?;
        let info = info(log, name, found)?;
        if listing.includes(&info) {
            sessions.push(info);
        }
    }
    Ok(sessions)
}

fn info(log: &SqliteLog, name: String, found: session::Found) -> Result<SessionInfo, Fault> {
    let row = found.sound(log)?;
    let info = row.info(name);
    Ok(info.map_err(|reason| log.corrupt(row.last, reason))?)
}

/// A session, looked up without reading the others; `None` if there is none of that name.
pub(super) fn session(log: &SqliteLog, id: &SessionId) -> Result<Option<SessionInfo>, Fault> {
    log.steps.renew();
    if log.schema < 2 {
        let all = sessions_of_schema_1(log)?;
        return Ok(all.into_iter().find(|known| known.id == *id));
    }
    let select = format!(
        "SELECT {} FROM session WHERE stream = ?1 AND {LIVES}",
        session::COLUMNS
    );
    let mut select = log.conn.prepare_cached(&select)?;
    let mut rows = select.query([id.as_str()])?;
    let Some(row) = rows.next()? else {
        return Ok(None);
    };
    let (name, found) = session::found(row)?;
    info(log, name, found).map(Some)
}

/// All sessions of a log that has no table of sessions and can't be given one. The query hops through the index from
/// one session to the next, so it is as fast for long sessions as for short ones.
fn sessions_of_schema_1(log: &SqliteLog) -> Result<Vec<SessionInfo>, Fault> {
    let mut select = log.conn.prepare_cached(
        "WITH RECURSIVE session(stream) AS (
                 SELECT min(stream) FROM event
                 UNION ALL
                 SELECT (SELECT min(stream) FROM event WHERE stream > session.stream)
                 FROM session WHERE session.stream IS NOT NULL
             )
             SELECT session.stream, last.ver, first.seq, last.seq, first.ts, last.ts, '{}'
             FROM session
             JOIN event AS first ON first.stream = session.stream AND first.ver = 1
             JOIN event AS last ON last.stream = session.stream
                 AND last.ver = (SELECT max(ver) FROM event WHERE stream = session.stream)
             ORDER BY first.seq",
    )?;
    let mut rows = select.query([])?;
    let mut sessions = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, fields) = session::fields(row)?;
        let info = fields.info(name);
        sessions.push(info.map_err(|reason| log.corrupt(fields.first, reason))?);
    }
    Ok(sessions)
}
