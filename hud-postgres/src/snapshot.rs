//! Snapshots: states at a version, so that opening a long session reads only the events after it.

use hud_store::event::SessionId;
use hud_store::log::LogError;

use crate::query::Query;
use crate::server::Server;
use crate::sum::seal;

/// The version and the state of a session's snapshot, if there is a valid one.
pub(crate) async fn load(
    server: &mut Server,
    session: &SessionId,
    projector: i64,
) -> Result<Option<(u64, String)>, LogError> {
    let params = (session.as_str(), projector);
    let rows = server
        .read(Query::Snapshot, &[&params.0, &params.1])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let found = || {
        let (version, state): (i64, String) = (row.try_get(0)?, row.try_get(1)?);
        let (sum, event): (&[u8], &[u8]) = (row.try_get(2)?, row.try_get(3)?);
        // The seal contains the event's sum, which depends on all events before it. A snapshot of a rewritten history
        // does not match.
        let is_sound = seal(event, &state)[..] == *sum;
        Ok::<_, tokio_postgres::Error>(is_sound.then_some((version.unsigned_abs(), state)))
    };
    Ok(found().ok().flatten())
}

/// Saves the state of a session at a version.
pub(crate) async fn save(
    server: &mut Server,
    session: &SessionId,
    projector: i64,
    version: i64,
    state: &str,
) -> Result<(), LogError> {
    let session = session.as_str();
    let params: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
        [&session, &projector, &version, &state];
    server.write(Query::SaveSnapshot, &params).await.map(drop)
}
