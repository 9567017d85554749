//! The functions by which SQLite opens, finds and removes files.

use std::ffi::{CStr, c_char, c_int};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::ffi;

use super::{io, resolve};
use crate::disk::How;
use crate::rng::Rng;

/// The longest path.
const PATH_BYTES: c_int = 256;

/// Makes our disks the ones that SQLite uses unless another one is named.
pub(super) fn register() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let vfs = Box::leak(Box::new(ffi::sqlite3_vfs {
            iVersion: 2,
            szOsFile: io::SIZE,
            mxPathname: PATH_BYTES,
            pNext: std::ptr::null_mut(),
            zName: c"hud-power".as_ptr(),
            pAppData: std::ptr::null_mut(),
            xOpen: Some(open),
            xDelete: Some(delete),
            xAccess: Some(access),
            xFullPathname: Some(full_pathname),
            xDlOpen: None,
            xDlError: None,
            xDlSym: None,
            xDlClose: None,
            xRandomness: Some(randomness),
            xSleep: Some(sleep),
            xCurrentTime: Some(current_time),
            xGetLastError: Some(get_last_error),
            xCurrentTimeInt64: Some(current_time_i64),
            xSetSystemCall: None,
            xGetSystemCall: None,
            xNextSystemCall: None,
        }));
        // SAFETY: the struct is whole, its name ends with NUL, and both live for ever. SQLite
        // is the only one to use it from here on.
        let code = unsafe { ffi::sqlite3_vfs_register(vfs, 1) };
        assert_eq!(code, ffi::SQLITE_OK, "SQLite takes any VFS");
    });
}

/// The text of a path.
///
/// # Safety
/// `path` is null or ends with NUL, and lives as long as the result is used.
unsafe fn text<'a>(path: *const c_char) -> Option<&'a str> {
    if path.is_null() {
        return None;
    }
    // SAFETY: not null; the rest is promised by the caller.
    unsafe { CStr::from_ptr(path) }.to_str().ok()
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    path: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    flags_out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives room for a file of the size that we registered.
    unsafe { io::put_closed(file) };
    let logs =
        ffi::SQLITE_OPEN_WAL | ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_SUPER_JOURNAL;
    let create = flags & ffi::SQLITE_OPEN_CREATE != 0;
    let how = How {
        create,
        sync_names: create && flags & logs != 0,
        delete_on_close: flags & ffi::SQLITE_OPEN_DELETEONCLOSE != 0,
    };
    // SAFETY: SQLite gives null or a path, for the time of the call at least.
    let path = unsafe { text(path) };
    let opened = match path.map(resolve) {
        // Only a scratch file has no path. It belongs to no disk.
        None => crate::disk::Disk::new().open(None, how),
        Some(Some((disk, name))) => disk.open(Some(name), how),
        Some(None) => Err(ffi::SQLITE_CANTOPEN),
    };
    match opened {
        Ok(opened) => {
            // SAFETY: as above; and SQLite gives null or a place for the flags.
            unsafe {
                io::put_open(file, opened);
                if !flags_out.is_null() {
                    *flags_out = flags;
                }
            }
            ffi::SQLITE_OK
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn delete(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    sync_names: c_int,
) -> c_int {
    // SAFETY: SQLite gives a path, for the time of the call.
    match unsafe { text(path) }.and_then(resolve) {
        Some((disk, name)) => io::code(disk.delete(name, sync_names != 0)),
        None => ffi::SQLITE_IOERR_DELETE,
    }
}

unsafe extern "C" fn access(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    _: c_int,
    found: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gives a path, for the time of the call.
    let has = match unsafe { text(path) }.and_then(resolve) {
        Some((disk, name)) => disk.has(name),
        None => Ok(false),
    };
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *found = c_int::from(has == Ok(true)) };
    io::code(has.map(drop))
}

/// Our paths are full as they are.
unsafe extern "C" fn full_pathname(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    size: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite gives a path.
    let bytes = unsafe { CStr::from_ptr(path) }.to_bytes_with_nul();
    if bytes.len() > io::count(size) {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: `out` has room for `size` bytes, and is not the path itself.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), out.cast(), bytes.len()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, size: c_int, out: *mut c_char) -> c_int {
    static SEED: AtomicU64 = AtomicU64::new(0);
    // SAFETY: SQLite gives room for `size` bytes, which it has set before.
    let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), io::count(size)) };
    let mut rng = Rng::new(SEED.fetch_add(1, Ordering::Relaxed));
    for byte in out {
        *byte = rng.number() as u8;
    }
    size
}

/// Nobody else is there to wait for.
unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, microseconds: c_int) -> c_int {
    microseconds
}

/// Milliseconds since noon in Greenwich on November 24, 4714 B.C.
fn julian() -> i64 {
    const UNIX_EPOCH_JULIAN: i64 = 210_866_760_000_000;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    UNIX_EPOCH_JULIAN + i64::try_from(now.as_millis()).unwrap_or(0)
}

unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *out = julian() as f64 / 86_400_000.0 };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_time_i64(
    _: *mut ffi::sqlite3_vfs,
    out: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *out = julian() };
    ffi::SQLITE_OK
}

/// There is nothing to add to the code.
unsafe extern "C" fn get_last_error(_: *mut ffi::sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}
