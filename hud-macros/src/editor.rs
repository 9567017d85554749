//! Whether it is an editor that expands a macro.

use std::sync::OnceLock;

/// Whether rust-analyzer expands the macro: it is given what it completes, renames and goes to, and is spared the check
/// and what it could take for a declaration. rustc is given nothing that it would have to skip.
///
/// Its process has its name. One with another name gets what rustc does, and completes less.
pub(crate) fn is_editor() -> bool {
    static IS_EDITOR: OnceLock<bool> = OnceLock::new();
    *IS_EDITOR.get_or_init(|| {
        std::env::current_exe().is_ok_and(|program| {
            (program.file_stem())
                .is_some_and(|name| name.to_string_lossy().contains("rust-analyzer"))
        })
    })
}
