//! The schema: creating it, migrating to it, and checking it.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use super::checksum::{self, Sum};
use super::fault::Fault;
use super::{busy, session};
use crate::log::LogError;

/// The application id of our SQLite files, "HUD1".
pub(super) const APPLICATION_ID: i32 = 0x4855_4431;

/// The step from schema n to n + 1 is at n. Steps are never edited, only added.
const MIGRATIONS: &[&str] = &[
    include_str!("schema_1.sql"),
    include_str!("schema_2.sql"),
    include_str!("schema_3.sql"),
    include_str!("schema_4.sql"),
    include_str!("schema_5.sql"),
];

/// The sum of all objects of schema n + 1 is at n. The differences are computed only if the sum does not match, so
/// that opening is fast.
const SUMS: [u128; MIGRATIONS.len()] = [
    0xed0a_f2f3_4f04_c555_545b_204d_cadf_b857,
    0x786c_30bf_ddb2_2e2c_3981_c98d_c4bf_8a02,
    0x2645_f20d_ebb0_a0ae_6651_f8fe_ceee_de35,
    0x0dd7_213c_5547_5029_a4c3_eef9_7408_7309,
    0x3294_a13b_ff49_643c_3693_d81e_4b71_618d,
];

/// The newest schema that this program writes.
pub(super) const NEWEST: u32 = MIGRATIONS.len() as u32;

/// The type of a file, as its marks and its schema show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Found {
    /// An empty file.
    Empty,
    /// A log of that schema, with its differences from it.
    Ours(u32, Vec<Difference>),
    /// Another file.
    Foreign,
}

/// A difference between a file and its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Difference {
    /// The description.
    pub(super) what: String,
    /// True if the events can still be read correctly.
    pub(super) is_readable: bool,
    /// The statement that fixes it, if there is one.
    mend: Option<String>,
}

/// Reads the marks and the schema in one transaction. Between two transactions another process could migrate the
/// file, and an unmarked file with tables would look foreign.
///
/// It asks SQLite instead of reading the header, because the header is out of date in WAL mode.
pub(super) fn inspect(conn: &Connection) -> rusqlite::Result<Found> {
    let tx = Transaction::new_unchecked(conn, TransactionBehavior::Deferred)?;
    look(&tx)
}

fn look(tx: &Transaction<'_>) -> rusqlite::Result<Found> {
    let application_id: i32 = tx.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let user_version: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    match (application_id, u32::try_from(user_version)) {
        (APPLICATION_ID, Ok(schema @ 1..)) => {
            Ok(Found::Ours(schema, differences_of_any(tx, schema)?))
        }
        (0, Ok(0)) => {
            let is_empty = "SELECT NOT EXISTS (SELECT 1 FROM sqlite_schema)";
            match tx.query_row(is_empty, [], |row| row.get(0)) {
                Ok(true) => Ok(Found::Empty),
                Ok(false) => Ok(Found::Foreign),
                // A schema that SQLite can't or won't parse is not ours.
                Err(error) if is_unreadable(&error) => Ok(Found::Foreign),
                Err(error) => Err(error),
            }
        }
        _ => Ok(Found::Foreign),
    }
}

/// True if an error means that a schema is too large, or is not valid SQL.
fn is_unreadable(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::Unknown
                | ErrorCode::TooBig
                | ErrorCode::OperationInterrupted
                | ErrorCode::OperationAborted
        )
    )
}

fn differences_of_any(tx: &Transaction<'_>, schema: u32) -> rusqlite::Result<Vec<Difference>> {
    match differences(tx, schema) {
        Err(error) if is_unreadable(&error) => Ok(vec![Difference {
            what: format!("its schema can't be read: {error}"),
            is_readable: false,
            mend: None,
        }]),
        outcome => outcome,
    }
}

/// A table, an index, a trigger or a view.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Object {
    /// `table`, `index`, `trigger` or `view`.
    sort: String,
    name: String,
    /// The table that it belongs to.
    table: String,
    /// The statement that creates it, with single spaces between its words.
    sql: String,
}

/// All objects of a file, except the automatic indices and the statistics of SQLite.
fn objects(conn: &Connection) -> rusqlite::Result<Vec<Object>> {
    let mut select = conn.prepare(
        "SELECT CAST(type AS TEXT), CAST(name AS TEXT), CAST(tbl_name AS TEXT), CAST(sql AS TEXT) \
         FROM sqlite_schema WHERE (type <> 'index' OR sql IS NOT NULL) \
         AND (type <> 'table' OR name NOT IN ('sqlite_stat1', 'sqlite_stat4')) \
         ORDER BY type, name LIMIT 1000",
    )?;
    let text = |row: &rusqlite::Row<'_>, column| -> rusqlite::Result<String> {
        Ok(row.get::<_, Option<String>>(column)?.unwrap_or_default())
    };
    select
        .query_map([], |row| {
            let sql = text(row, 3)?;
            Ok(Object {
                sort: text(row, 0)?,
                name: text(row, 1)?,
                table: text(row, 2)?,
                sql: sql.split_whitespace().collect::<Vec<_>>().join(" "),
            })
        })?
        .collect()
}

fn sum(objects: &[Object]) -> Sum {
    let mut hasher = blake3::Hasher::new();
    for object in objects {
        for text in [&object.sort, &object.name, &object.table, &object.sql] {
            hasher.update(&(text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        }
    }
    checksum::sum(&hasher)
}

/// The differences of a file from the schema that it claims to have.
pub(super) fn differences(conn: &Connection, schema: u32) -> rusqlite::Result<Vec<Difference>> {
    let found = objects(conn)?;
    let step = schema.saturating_sub(1) as usize;
    if let Some(known) = SUMS.get(step) {
        if sum(&found) == known.to_be_bytes() {
            return Ok(Vec::new());
        }
        return Ok(compare(&found, &released(schema)?));
    }
    // The file is of a newer program. Its schema has grown, but the tables that this program reads must exist.
    let ours = released(NEWEST)?;
    let is_table = |known: &&Object| known.sort == "table" && !known.sql.contains(" VIRTUAL ");
    let kept = found.iter().filter(|object| object.sort == "table");
    let kept: Vec<_> = kept
        .filter(|object| !object.sql.contains(" VIRTUAL "))
        .collect();
    Ok(ours
        .iter()
        .filter(is_table)
        .filter(|known| kept.iter().all(|object| object.name != known.name))
        .map(Difference::lacking)
        .collect())
}

/// The objects of a schema as this program creates it.
fn released(schema: u32) -> rusqlite::Result<Vec<Object>> {
    let conn = Connection::open_in_memory()?;
    for step in MIGRATIONS.iter().take(schema as usize) {
        conn.execute_batch(step)?;
    }
    objects(&conn)
}

fn compare(found: &[Object], released: &[Object]) -> Vec<Difference> {
    let find = |all: &[Object], name: &str| all.iter().find(|object| object.name == name).cloned();
    let lacking = released.iter().filter_map(|known| {
        match find(found, &known.name) {
            Some(other) if other == *known => None,
            // A changed trigger is also dropped with the added ones.
            _ => Some(Difference::lacking(known)),
        }
    });
    let added = found
        .iter()
        .filter_map(|object| match find(released, &object.name) {
            Some(known) if known == *object => None,
            Some(known) if known.sort == "table" => None,
            _ => Some(Difference::added(object)),
        });
    // Added objects are dropped before missing ones are created.
    added.chain(lacking).collect()
}

impl Difference {
    fn lacking(known: &Object) -> Self {
        let is_table = known.sort == "table";
        Self {
            what: format!(
                "the {} `{}` is missing or is another",
                known.sort, known.name
            ),
            is_readable: !is_table,
            mend: (!is_table).then(|| known.sql.clone()),
        }
    }

    fn added(object: &Object) -> Self {
        let name = object.name.replace('"', "\"\"");
        let drop = match object.sort.as_str() {
            sort @ ("index" | "trigger" | "view") => Some(format!("DROP {sort} \"{name}\"")),
            // A table may hold data that somebody wants to keep.
            _ => None,
        };
        Self {
            what: format!(
                "there is a {} `{}` that no log has",
                object.sort, object.name
            ),
            is_readable: true,
            mend: drop,
        }
    }
}

/// Refuses a log whose tables are not those of its schema. A log that is to be written is also refused if its guards
/// differ.
pub(super) fn verify(
    path: &Path,
    differences: &[Difference],
    is_written: bool,
) -> Result<(), LogError> {
    if let Some(fatal) = differences.iter().find(|other| !other.is_readable) {
        let what = fatal.what.clone();
        return Err(LogError::Schema {
            place: path.into(),
            what,
        });
    }
    match differences.first() {
        Some(first) if is_written => {
            let what = first.what.clone();
            Err(LogError::Unguarded {
                path: path.into(),
                what,
            })
        }
        _ => Ok(()),
    }
}

/// Drops the objects that were added to a log, and creates missing guards again. Added tables stay, because they may
/// hold data that somebody wants to keep.
pub(super) fn mend(
    conn: &Connection,
    path: &Path,
    schema: u32,
    patience: Duration,
) -> Result<(), Fault> {
    let tx = busy::begin(conn, path, patience)?;
    let mend = || {
        for difference in differences(&tx, schema)? {
            if let Some(sql) = &difference.mend {
                tx.execute_batch(sql)?;
            }
        }
        differences(&tx, schema)
    };
    let left = mend()?;
    verify(path, &left, true)?;
    Ok(tx.commit()?)
}

/// Migrates an empty file or an older log to the newest schema, even if another process tries the same.
pub(super) fn migrate(conn: &Connection, path: &Path, patience: Duration) -> Result<(), Fault> {
    let tx = busy::begin(conn, path, patience)?;
    // The schema is read again under the write lock, because another process may have been faster.
    let from = match look(&tx)? {
        Found::Empty => 0,
        Found::Ours(schema, differences) => {
            verify(path, &differences, true)?;
            schema
        }
        Found::Foreign => return Err(Fault::from(LogError::Foreign { place: path.into() })),
    };
    if from < NEWEST {
        step_up(&tx, from)?;
    }
    Ok(tx.commit()?)
}

fn step_up(tx: &Transaction<'_>, from: u32) -> rusqlite::Result<()> {
    for step in MIGRATIONS.iter().skip(from as usize) {
        tx.execute_batch(step)?;
    }
    if from == 1 {
        session::rebuild(tx)?;
    }
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", NEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files in the field have these statements. They never change.
    #[test]
    fn the_sum_of_each_schema_is_as_released() {
        let sums = (1..=NEWEST).map(|schema| u128::from_be_bytes(sum(&released(schema).unwrap())));
        let sums: Vec<String> = sums.map(|sum| format!("{sum:x}")).collect();
        assert_eq!(sums, SUMS.map(|sum| format!("{sum:x}")));
    }
}
