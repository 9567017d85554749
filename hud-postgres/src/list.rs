//! Listing sessions, one page at a time.

use hud_store::event::SessionId;
use hud_store::log::{Listing, LogError, Order, SessionInfo};
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::query::Query;
use crate::read::corrupt;
use crate::server::Server;

/// The maximum number of sessions of a page.
pub(crate) const PAGE: usize = 10_000;

/// The first sessions of a listing, at most as many as its limit.
pub(crate) async fn page(
    server: &mut Server,
    listing: &Listing,
) -> Result<Vec<SessionInfo>, LogError> {
    let limit = i64::try_from(listing.limit).unwrap_or(i64::MAX);
    let after = listing.after.as_ref();
    let name = after.map(|info| info.id.as_str());
    let time = after.map_or(i64::MAX, |info| info.last_at.as_microsecond());
    let parent = listing.parent.as_ref().map(SessionId::as_str);
    let is_newest = listing.order == Order::Newest;
    let mut params: Vec<&(dyn ToSql + Sync)> = vec![&limit, &name];
    if is_newest {
        params.push(&time);
    }
    if parent.is_some() {
        params.push(&parent);
    }
    let query = Query::Sessions {
        is_newest,
        is_of_parent: parent.is_some(),
    };
    let rows = server.read(query, &params).await?;
    infos(server, &rows)
}

/// The session of that name.
pub(crate) async fn session(
    server: &mut Server,
    id: &SessionId,
) -> Result<Option<SessionInfo>, LogError> {
    let rows = server.read(Query::OneSession, &[&id.as_str()]).await?;
    Ok(infos(server, &rows)?.pop())
}

fn infos(server: &Server, rows: &[Row]) -> Result<Vec<SessionInfo>, LogError> {
    let info = |row| {
        info(row).map_err(|reason| {
            let newest = number(row, 2).unwrap_or_default();
            corrupt(&server.place(), newest, reason)
        })
    };
    rows.iter().map(info).collect()
}

fn number(row: &Row, column: usize) -> Result<i64, String> {
    row.try_get(column)
        .map_err(|error: tokio_postgres::Error| error.to_string())
}

/// The session of a row, or the problem of the row.
fn info(row: &Row) -> Result<SessionInfo, String> {
    let reason = |error: &dyn std::fmt::Display| error.to_string();
    let time = |column| {
        let micros = number(row, column)?;
        Timestamp::from_microsecond(micros).map_err(|e| reason(&e))
    };
    let text = |column| row.try_get::<_, &str>(column).map_err(|e| reason(&e));
    Ok(SessionInfo {
        id: SessionId::new(text(0)?).map_err(|e| reason(&e))?,
        events: number(row, 1)?.unsigned_abs(),
        first_at: time(3)?,
        last_at: time(4)?,
        origin: serde_json::from_str(text(5)?).map_err(|e| reason(&e))?,
    })
}
