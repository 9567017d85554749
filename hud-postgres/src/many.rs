//! Appending to several sessions that are written here, at once.

use hud_store::log::record::Record;
use hud_store::log::{AppendMany, Appended, Batch, LogError, Place};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use crate::PgLog;
use crate::append::{self, Columns, adopt_of_first, clash};
use crate::fault::refused;
use crate::query::Query;
use crate::schema::BATCH_UNMET;
use crate::server::Server;

impl AppendMany for PgLog {
    fn append_many(&mut self, batches: &[Batch]) -> Result<Vec<Appended>, LogError> {
        let mut batches = batches.to_vec();
        adopt_of_first(batches.iter_mut().flat_map(|batch| &mut batch.records));
        let mut batches: Vec<_> = batches.into_iter().map(append::Batch::from).collect();
        self.link.call(async move |server: &mut Server| {
            let place = server.place();
            loop {
                let error = match send(server, &batches).await? {
                    Ok(rows) => return answer(&place, &rows, batches.len()),
                    Err(error) => error,
                };
                if let Some(error) = unmet(&place, &error, &batches) {
                    return Err(error);
                }
                let Some((id, seq)) = clash(&error) else {
                    return Err(refused(&place, error));
                };
                // The same as for a single batch.
                let mut is_adopted = false;
                for batch in batches.iter_mut().filter(|batch| batch.has(id)) {
                    is_adopted |= batch.adopt(server, id).await?;
                }
                if !is_adopted {
                    return Err(LogError::IdConflict { id, seq });
                }
            }
        })
    }
}

async fn send(
    server: &mut Server,
    batches: &[append::Batch],
) -> Result<Result<Vec<Row>, Error>, LogError> {
    let patience = server.patience();
    let sessions: Vec<&str> = batches.iter().map(|b| b.session.as_str()).collect();
    let expected: Vec<Option<i64>> = batches.iter().map(append::Batch::demanded).collect();
    let counts: Vec<i32> = batches
        .iter()
        .map(|batch| i32::try_from(batch.records.len()).unwrap_or(i32::MAX))
        .collect();
    let records = batches
        .iter()
        .flat_map(|batch| -> &[Record] { &batch.records });
    let columns = Columns::of(records);
    let mut params: Vec<&(dyn ToSql + Sync)> =
        vec![&patience, &sessions, &expected, &counts, &columns.ids];
    params.extend(columns.params());
    server.write(Query::AppendAll, &params).await
}

/// The result of each batch in the server's answer.
fn answer(place: &Place, rows: &[Row], batches: usize) -> Result<Vec<Appended>, LogError> {
    let storage = |source| LogError::Storage {
        place: place.clone(),
        source,
    };
    if rows.len() != batches {
        return Err(storage(
            "it gave no answer to some of what was appended".into(),
        ));
    }
    let appended = |row: &Row| {
        let number =
            |column| -> Result<u64, Error> { Ok(row.try_get::<_, i64>(column)?.unsigned_abs()) };
        Ok(Appended {
            version: number(0)?,
            first_seq: number(1)?,
            last_seq: number(2)?,
            duplicates: number(3)?,
        })
    };
    let appended: Result<_, Error> = rows.iter().map(appended).collect();
    appended.map_err(|error| storage(error.into()))
}

/// The error of the batch that was refused, if the server reports one.
fn unmet(place: &Place, error: &Error, batches: &[append::Batch]) -> Option<LogError> {
    let db = error
        .as_db_error()
        .filter(|db| db.code().code() == BATCH_UNMET)?;
    let mut words = db.detail()?.split(' ');
    let nth: usize = words.next()?.parse().ok()?;
    let batch = batches.get(nth.checked_sub(1)?)?;
    match (words.next()?, words.next()?.parse().ok()?, words.next()) {
        ("moved", _, Some(home)) => Some(LogError::Moved {
            place: place.clone(),
            session: batch.session.clone(),
            home: home.to_owned(),
        }),
        ("unmet", found, _) => Some(LogError::Conflict {
            session: batch.session.clone(),
            expected: batch.expected,
            found,
        }),
        _ => None,
    }
}
