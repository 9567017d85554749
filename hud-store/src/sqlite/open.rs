//! Opening a file: checking its type and permissions, and setting up the connection.

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::bounds::{self, Steps};
use super::fault::Fault;
use super::files::{self, beside};
use super::schema::{self, Found, NEWEST, inspect, migrate};
use super::{Durability, SqliteLog, busy};
use crate::log::LogError;
use crate::section::Sections;

/// Opens for writing, and creates the file if it is missing.
pub(super) fn to_write(
    path: &Path,
    durability: Durability,
    patience: Duration,
) -> Result<SqliteLog, LogError> {
    open_to_write(path, durability, patience, false)
}

/// Opens for writing, and first repairs the guards of the events.
pub(super) fn to_mend(path: &Path) -> Result<SqliteLog, LogError> {
    open_to_write(path, Durability::Full, busy::PATIENCE, true)
}

fn open_to_write(
    path: &Path,
    durability: Durability,
    patience: Duration,
    is_mended: bool,
) -> Result<SqliteLog, LogError> {
    files::refuse_others(path)?;
    files::make(path);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let (conn, steps) = busy::retry(path, patience, || {
        let (conn, steps, found) = recognise(path, flags, patience)?;
        if let Found::Ours(found, _) = found
            && found > NEWEST
        {
            return Err(Fault::from(LogError::Newer {
                place: path.into(),
                found,
                supported: NEWEST,
            }));
        }
        // SQLite silently falls back to reading if it may not write.
        if conn.is_readonly("main")? {
            return Err(Fault::from(LogError::ReadOnly { place: path.into() }));
        }
        let mut is_newest = false;
        if let Found::Ours(schema, differences) = &found {
            is_newest = *schema == NEWEST;
            if !differences.is_empty() && is_mended {
                schema::mend(&conn, path, *schema, patience)?;
            } else {
                schema::verify(path, differences, true)?;
            }
        }
        // This comes before the write-ahead log exists, because SQLite gives that the permissions of the file.
        files::narrow(path)?;
        switch_to_wal(&conn, path)?;
        set_up(&conn, durability)?;
        if !is_newest {
            migrate(&conn, path, patience)?;
        }
        Ok((conn, steps))
    })?;
    Ok(SqliteLog {
        conn,
        steps,
        path: path.into(),
        schema: NEWEST,
        patience: Cell::new(patience),
        sections: Sections::new(),
    })
}

/// Opens for reading, even a log of a newer schema, because schemas only grow.
pub(super) fn to_read(path: &Path, patience: Duration) -> Result<SqliteLog, LogError> {
    files::refuse_others(path)?;
    if !path.exists() {
        return Err(LogError::Missing { place: path.into() });
    }
    let (conn, steps, schema) = busy::retry(path, patience, || {
        let (conn, steps, found) = recognise_to_read(path, patience)?;
        match found {
            Found::Ours(schema, differences) => {
                schema::verify(path, &differences, false)?;
                Ok((conn, steps, schema))
            }
            _ => Err(Fault::from(LogError::Missing { place: path.into() })),
        }
    })?;
    Ok(SqliteLog {
        conn,
        steps,
        path: path.into(),
        schema,
        patience: Cell::new(patience),
        sections: Sections::new(),
    })
}

/// Opens a log that ends with the connection.
pub(super) fn in_memory() -> Result<SqliteLog, LogError> {
    let path = PathBuf::from(":memory:");
    let patience = busy::PATIENCE;
    let open = || -> Result<_, Fault> {
        let conn = Connection::open_in_memory()?;
        bounds::defend(&conn)?;
        keep_plans(&conn)?;
        busy::wait_by_itself(&conn, patience)?;
        set_up(&conn, Durability::Fast)?;
        migrate(&conn, &path, patience)?;
        Ok(conn)
    };
    let conn = open().map_err(|fault| fault.at(&path))?;
    Ok(SqliteLog {
        conn,
        steps: Steps::default(),
        path,
        schema: NEWEST,
        patience: Cell::new(patience),
        sections: Sections::new(),
    })
}

/// Recognises a file like [`recognise`], for reading. SQLite may be unable to create the files that it needs next to
/// a log, for example on a read-only disk. If no writer has created them either, the log is opened as an immutable
/// file.
fn recognise_to_read(path: &Path, patience: Duration) -> Result<(Connection, Steps, Found), Fault> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    match recognise(path, flags, patience).map_err(|fault| fault.at(path)) {
        Err(LogError::CannotOpen { .. } | LogError::ReadOnly { .. })
            if !beside(path, "-wal").exists() =>
        {
            recognise(path, flags | OpenFlags::SQLITE_OPEN_URI, patience)
        }
        recognised => Ok(recognised?),
    }
}

/// The URI that makes SQLite treat a file as immutable.
fn unchanging(path: &Path) -> String {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut address = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' => address.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => address.push(char::from(*byte)),
            byte => address.push_str(&format!("%{byte:02x}")),
        }
    }
    address + "?immutable=1"
}

/// Connects and checks the type of the file, without changing a byte of a foreign file.
fn recognise(
    path: &Path,
    flags: OpenFlags,
    patience: Duration,
) -> Result<(Connection, Steps, Found), Fault> {
    // SQLite treats a file of one byte as empty, and would overwrite it. Only the size is read here. On POSIX,
    // opening and closing the file outside of SQLite would drop the locks of every connection that this process has
    // to it.
    if size(path) == 1 {
        return Err(Fault::from(LogError::Foreign { place: path.into() }));
    }
    // No URI flag in all other cases, so that a path that begins with "file:" is still a path.
    let is_unchanging = flags.contains(OpenFlags::SQLITE_OPEN_URI);
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = match is_unchanging {
        true => Connection::open_with_flags(unchanging(path), flags),
        false => Connection::open_with_flags(path, flags),
    }?;
    let steps = Steps::default();
    steps.limit(&mut conn, path)?;
    let look = || -> rusqlite::Result<_> {
        busy::wait_by_itself(&conn, patience)?;
        bounds::defend(&conn)?;
        keep_plans(&conn)?;
        // The last connection to close a file moves its write-ahead log into it. If the file is not ours to write,
        // its owner has to do that.
        let wal_waits = has_wal(path);
        keep_wal(&conn, wal_waits)?;
        let found = inspect(&conn)?;
        if wal_waits && matches!(found, Found::Empty | Found::Ours(..=NEWEST, _)) {
            keep_wal(&conn, false)?;
        }
        Ok(found)
    };
    match look()? {
        Found::Foreign => Err(Fault::from(LogError::Foreign { place: path.into() })),
        found => Ok((conn, steps, found)),
    }
}

/// Compiles each statement only once, so that no plan depends on its parameters. Otherwise SQLite compiles some
/// statements again whenever another value is bound, which takes longer than running them.
fn keep_plans(conn: &Connection) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map(drop)
}

fn has_wal(path: &Path) -> bool {
    size(beside(path, "-wal")) > 0
}

fn size(path: impl AsRef<Path>) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

fn keep_wal(conn: &Connection, keep: bool) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)
        .map(drop)
}

/// Switches to WAL mode. This needs exclusive access to the file and doesn't wait, so the caller retries.
fn switch_to_wal(conn: &Connection, path: &Path) -> Result<(), Fault> {
    let mode = || {
        let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode == "wal" {
            return Ok(mode);
        }
        conn.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
    };
    let mode = mode()?;
    if mode == "wal" {
        return Ok(());
    }
    Err(Fault::from(LogError::NoWal {
        path: path.into(),
        mode,
    }))
}

/// Sets the durability of the appends from now on.
pub(super) fn set_durability(conn: &Connection, durability: Durability) -> rusqlite::Result<()> {
    let synchronous = match durability {
        Durability::Full => "FULL",
        Durability::Fast => "NORMAL",
    };
    conn.pragma_update(None, "synchronous", synchronous)
}

/// Sets up a connection for writing. None of these settings is stored in the file.
fn set_up(conn: &Connection, durability: Durability) -> rusqlite::Result<()> {
    set_durability(conn, durability)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "recursive_triggers", true)?;
    // Data that is deleted from a page is overwritten if the page is written anyway.
    conn.pragma_update(None, "secure_delete", "fast")?;
    conn.pragma_update(None, "wal_autocheckpoint", 1000)?;
    conn.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)
}
