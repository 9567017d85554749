//! Opening a file: what it is, whether it may be touched, and how it is set up.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::fault;
use super::schema::{Found, NEWEST, inspect, migrate};
use super::{Durability, SqliteLog, busy};
use crate::log::LogError;

/// Opens for writing; makes the file when it's missing.
pub(super) fn to_write(
    path: &Path,
    durability: Durability,
    patience: Duration,
) -> Result<SqliteLog, LogError> {
    refuse_directory(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    let conn = busy::retry(patience, || {
        let (conn, found) = recognise(path, flags, patience)?;
        if let Found::Ours(found) = found
            && found > NEWEST
        {
            return Err(LogError::Newer {
                path: path.into(),
                found,
                supported: NEWEST,
            });
        }
        // SQLite silently falls back to reading when it may not write.
        if conn.is_readonly("main").map_err(|e| fault(path, e))? {
            return Err(LogError::ReadOnly { path: path.into() });
        }
        switch_to_wal(&conn, path)?;
        set_up(&conn, durability).map_err(|e| fault(path, e))?;
        if found != Found::Ours(NEWEST) {
            migrate(&conn, path, patience)?;
        }
        Ok(conn)
    })?;
    Ok(SqliteLog {
        conn,
        path: path.into(),
        schema: NEWEST,
        patience,
    })
}

/// Opens for reading; a log of a newer schema too, as schemas only grow.
pub(super) fn to_read(path: &Path, patience: Duration) -> Result<SqliteLog, LogError> {
    refuse_directory(path)?;
    if !path.exists() {
        return Err(LogError::Missing { path: path.into() });
    }
    let (conn, schema) = busy::retry(patience, || {
        let (conn, found) = recognise(path, OpenFlags::SQLITE_OPEN_READ_ONLY, patience)?;
        match found {
            Found::Ours(schema) => Ok((conn, schema)),
            _ => Err(LogError::Missing { path: path.into() }),
        }
    })?;
    Ok(SqliteLog {
        conn,
        path: path.into(),
        schema,
        patience,
    })
}

/// Opens a log that is gone with the connection.
pub(super) fn in_memory() -> Result<SqliteLog, LogError> {
    let path = PathBuf::from(":memory:");
    let patience = busy::PATIENCE;
    let conn = Connection::open_in_memory().map_err(|e| fault(&path, e))?;
    defend(&conn, patience)
        .and_then(|()| set_up(&conn, Durability::Fast))
        .map_err(|e| fault(&path, e))?;
    migrate(&conn, &path, patience)?;
    Ok(SqliteLog {
        conn,
        path,
        schema: NEWEST,
        patience,
    })
}

fn refuse_directory(path: &Path) -> Result<(), LogError> {
    if path.is_dir() {
        return Err(LogError::Directory { path: path.into() });
    }
    Ok(())
}

/// Connects and looks at what is there, without changing a byte of what isn't ours.
fn recognise(
    path: &Path,
    flags: OpenFlags,
    patience: Duration,
) -> Result<(Connection, Found), LogError> {
    // SQLite takes a file of one byte for an empty one, and would write over it. (Its size, not
    // its bytes: on POSIX, to open and close the file here, past SQLite, would drop the locks of
    // every connection that this process has to it.)
    if size(path) == 1 {
        return Err(LogError::Foreign { path: path.into() });
    }
    // No URI flag: a path is a path, even one that begins with "file:".
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(|e| fault(path, e))?;
    let look = || {
        defend(&conn, patience)?;
        // The last to close a file moves its write-ahead log into it. If one waits beside a file
        // that isn't ours to write, that is for its owner to do.
        let wal_waits = has_wal(path);
        keep_wal(&conn, wal_waits)?;
        let found = inspect(&conn)?;
        if wal_waits && matches!(found, Found::Empty | Found::Ours(..=NEWEST)) {
            keep_wal(&conn, false)?;
        }
        Ok(found)
    };
    match look().map_err(|e| fault(path, e))? {
        Found::Foreign => Err(LogError::Foreign { path: path.into() }),
        found => Ok((conn, found)),
    }
}

fn has_wal(path: &Path) -> bool {
    let mut wal = path.as_os_str().to_owned();
    wal.push("-wal");
    size(wal) > 0
}

fn size(path: impl AsRef<Path>) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

fn keep_wal(conn: &Connection, keep: bool) -> rusqlite::Result<()> {
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)
        .map(drop)
}

/// What a connection needs before it reads the first page of a file that may be anything.
fn defend(conn: &Connection, patience: Duration) -> rusqlite::Result<()> {
    busy::wait_by_itself(conn, patience)?;
    conn.pragma_update(None, "trusted_schema", false)?;
    conn.pragma_update(None, "cell_size_check", true)
}

/// The switch needs the file for itself and doesn't wait: the caller retries.
fn switch_to_wal(conn: &Connection, path: &Path) -> Result<(), LogError> {
    let mode = || {
        let mode: String = conn.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        if mode == "wal" {
            return Ok(mode);
        }
        conn.pragma_update_and_check(None, "journal_mode", "wal", |row| row.get(0))
    };
    let mode = mode().map_err(|e| fault(path, e))?;
    if mode == "wal" {
        return Ok(());
    }
    Err(LogError::NoWal {
        path: path.into(),
        mode,
    })
}

/// Sets what the appends from now on survive.
pub(super) fn set_durability(conn: &Connection, durability: Durability) -> rusqlite::Result<()> {
    let synchronous = match durability {
        Durability::Full => "FULL",
        Durability::Fast => "NORMAL",
    };
    conn.pragma_update(None, "synchronous", synchronous)
}

/// What a connection that writes needs. None of it is kept in the file.
fn set_up(conn: &Connection, durability: Durability) -> rusqlite::Result<()> {
    set_durability(conn, durability)?;
    conn.pragma_update(None, "foreign_keys", true)?;
    conn.pragma_update(None, "recursive_triggers", true)?;
    conn.pragma_update(None, "wal_autocheckpoint", 1000)?;
    conn.pragma_update(None, "journal_size_limit", 16 * 1024 * 1024)
}
