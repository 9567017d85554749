//! Detects macro expansion by an editor.

use std::sync::OnceLock;

/// True if rust-analyzer expands the macro. The expansion then contains code for completion, renaming and
/// navigation. It has no check and nothing that rust-analyzer could take for a declaration. The expansion for rustc
/// has none of this additional code.
///
/// rust-analyzer is recognized by the name of its process. A server with another name gets the expansion for rustc,
/// and completes less.
pub(crate) fn is_editor() -> bool {
    static IS_EDITOR: OnceLock<bool> = OnceLock::new();
    *IS_EDITOR.get_or_init(|| {
        std::env::current_exe().is_ok_and(|program| {
            (program.file_stem())
                .is_some_and(|name| name.to_string_lossy().contains("rust-analyzer"))
        })
    })
}
