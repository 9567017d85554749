//! The functions by which SQLite uses an open file.

use std::ffi::{c_int, c_void};
use std::sync::atomic::{Ordering, fence};

use rusqlite::ffi;

use crate::disk::OpenFile;

/// An open file where SQLite keeps it. It begins as SQLite wants.
#[repr(C)]
struct Slot {
    base: ffi::sqlite3_file,
    /// From a `Box`; never null while `base` has methods.
    open: *mut OpenFile,
}

/// The room that a file needs.
pub(super) const SIZE: c_int = size_of::<Slot>() as c_int;

/// Version 2: with shared memory, without mapped pages.
static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// SQLite's code for an outcome.
pub(super) fn code(outcome: Result<(), i32>) -> c_int {
    outcome.err().unwrap_or(ffi::SQLITE_OK)
}

/// A size or place from SQLite, which never is negative.
pub(super) fn count(number: impl TryInto<usize>) -> usize {
    number.try_into().unwrap_or(0)
}

/// Marks a file as not open.
///
/// # Safety
/// `file` has room for [`SIZE`] bytes, aligned for a pointer.
pub(super) unsafe fn put_closed(file: *mut ffi::sqlite3_file) {
    let slot = Slot {
        base: ffi::sqlite3_file {
            pMethods: std::ptr::null(),
        },
        open: std::ptr::null_mut(),
    };
    // SAFETY: promised by the caller.
    unsafe { file.cast::<Slot>().write(slot) };
}

/// Puts an open file where SQLite keeps it.
///
/// # Safety
/// As [`put_closed`], and nothing is open there.
pub(super) unsafe fn put_open(file: *mut ffi::sqlite3_file, open: OpenFile) {
    let slot = Slot {
        base: ffi::sqlite3_file {
            pMethods: &raw const METHODS,
        },
        open: Box::into_raw(Box::new(open)),
    };
    // SAFETY: promised by the caller.
    unsafe { file.cast::<Slot>().write(slot) };
}

/// The open file behind SQLite's.
///
/// # Safety
/// `file` was filled by [`put_open`] and not closed since. The result is used for one call only:
/// SQLite makes one call at a time for a file.
unsafe fn opened<'a>(file: *mut ffi::sqlite3_file) -> &'a mut OpenFile {
    // SAFETY: by the caller's promise `open` came from a `Box` that was not freed, and nobody
    // else uses it now.
    unsafe { &mut *(*file.cast::<Slot>()).open }
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: SQLite closes what it opened, once; `open` came from a `Box`.
    drop(unsafe { Box::from_raw((*file.cast::<Slot>()).open) });
    // SAFETY: the room is still SQLite's to give.
    unsafe { put_closed(file) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    size: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    let size = count(size);
    // SAFETY: SQLite gives an open file and room for `size` bytes. They may be unset, so they
    // are set before a reference is made to them.
    let (file, into) = unsafe {
        into.cast::<u8>().write_bytes(0, size);
        (
            opened(file),
            std::slice::from_raw_parts_mut(into.cast::<u8>(), size),
        )
    };
    match file.read(into, count(at)) {
        Ok(true) => ffi::SQLITE_OK,
        Ok(false) => ffi::SQLITE_IOERR_SHORT_READ,
        Err(code) => code,
    }
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    size: c_int,
    at: ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives an open file and `size` bytes.
    let (file, from) = unsafe {
        (
            opened(file),
            std::slice::from_raw_parts(from.cast::<u8>(), count(size)),
        )
    };
    code(file.write(from, count(at)))
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite gives an open file.
    code(unsafe { opened(file) }.truncate(count(size)))
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: SQLite gives an open file.
    code(unsafe { opened(file) }.sync())
}

unsafe extern "C" fn file_size(
    file: *mut ffi::sqlite3_file,
    size: *mut ffi::sqlite3_int64,
) -> c_int {
    // SAFETY: SQLite gives an open file.
    match unsafe { opened(file) }.size() {
        Ok(found) => {
            // SAFETY: SQLite gives a place for the answer.
            unsafe { *size = ffi::sqlite3_int64::try_from(found).unwrap_or(0) };
            ffi::SQLITE_OK
        }
        Err(code) => code,
    }
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite gives an open file.
    code(unsafe { opened(file) }.lock(level))
}

/// Works without power too: the process that ends lets go of its locks.
unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: SQLite gives an open file.
    unsafe { opened(file) }.unlock(level);
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, found: *mut c_int) -> c_int {
    // SAFETY: SQLite gives an open file.
    let is_reserved = unsafe { opened(file) }.is_reserved();
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *found = c_int::from(is_reserved == Ok(true)) };
    code(is_reserved.map(drop))
}

/// No control is needed.
unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    512
}

/// What SQLite takes for granted on real disks: a torn write spoils nothing beside it.
unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    size: c_int,
    grow: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: SQLite gives an open file.
    let mapped = unsafe { opened(file) }.map(count(region), count(size), grow != 0);
    // The region lives until its last user unmaps it, and SQLite doesn't use it after that. Its
    // cells are atomics, so that writing through a shared pointer is allowed.
    let region = mapped.map_or(std::ptr::null_mut(), |region| region.cast_mut().cast());
    // SAFETY: SQLite gives a place for the answer.
    unsafe { *out = region };
    code(mapped.map(drop))
}

unsafe extern "C" fn shm_lock(
    file: *mut ffi::sqlite3_file,
    first: c_int,
    n: c_int,
    flags: c_int,
) -> c_int {
    // SAFETY: SQLite gives an open file.
    let file = unsafe { opened(file) };
    let mask = (first..first + n).fold(0, |mask, lock| mask | 1 << lock);
    if flags & ffi::SQLITE_SHM_UNLOCK != 0 {
        file.unlock_shared(mask);
        return ffi::SQLITE_OK;
    }
    code(file.lock_shared(mask, flags & ffi::SQLITE_SHM_EXCLUSIVE != 0))
}

unsafe extern "C" fn shm_barrier(_: *mut ffi::sqlite3_file) {
    fence(Ordering::SeqCst);
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: SQLite gives an open file.
    unsafe { opened(file) }.unmap();
    ffi::SQLITE_OK
}
