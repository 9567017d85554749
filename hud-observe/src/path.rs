//! Normalizes paths: agents call the same file `./a.rs`, `a.rs` and `/p/a.rs`.

use std::borrow::Cow;

use hud_store::state::ActiveFile;

/// Returns a path without `.`, empty parts, and `..` after a folder. `None` if no part is left that could name
/// a file. The file system is not read, so links are not resolved.
pub fn clean(path: &str) -> Option<String> {
    let path = path.trim();
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return None;
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    Some(format!("{root}{}", parts.join("/")))
}

/// Returns the name of a file without its folder, on any system.
pub fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// True if [`clean`] does not change a path.
fn is_clean(path: &str) -> bool {
    let is_part = |part: &str| !matches!(part, "" | "." | "..");
    path.trim().len() == path.len()
        && path
            .strip_prefix('/')
            .unwrap_or(path)
            .split('/')
            .all(is_part)
}

/// Returns an absolute path, if the directory of a relative one is known. Otherwise the path stays relative.
pub fn absolute<'p>(path: &'p str, directory: Option<&str>) -> Cow<'p, str> {
    let joined = match directory {
        Some(directory) if !path.starts_with('/') => clean(&format!("{directory}/{path}")),
        _ if is_clean(path) => None,
        _ => clean(path),
    };
    joined.map_or(Cow::Borrowed(path), Cow::Owned)
}

/// Returns the name of a file: its name in `files`, or else the cleaned path. `None` if the path does not name
/// a file.
pub fn name(given: &str, directory: Option<&str>, files: &[ActiveFile]) -> Option<String> {
    let given = clean(given)?;
    let place = absolute(&given, directory);
    let last = place.rsplit('/').next().unwrap_or_default().trim();
    // A cheap first check: most paths end in another name.
    let may_be = |path: &str| {
        let ends_in_name = path.ends_with(|c: char| c.is_ascii_alphanumeric());
        if ends_in_name && !path.ends_with(last) {
            return false;
        }
        let end = path.rsplit('/').next().unwrap_or_default().trim();
        matches!(end, "" | "." | "..") || end == last
    };
    let known = files
        .iter()
        .find(|file| may_be(&file.path) && absolute(&file.path, directory) == place);
    Some(known.map_or(given, |file| file.path.clone()))
}

#[cfg(test)]
mod tests {
    use hud_store::state::FileStatus;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_says_nothing_is_left_out_of_a_path() {
        for (given, cleaned) in [
            ("./a.rs", Some("a.rs")),
            (" src//./a.rs ", Some("src/a.rs")),
            ("/p/src/../a.rs", Some("/p/a.rs")),
            ("../a.rs", Some("../a.rs")),
            ("../../a.rs", Some("../../a.rs")),
            ("a b/c.rs", Some("a b/c.rs")),
            ("", None),
            (" ", None),
            ("./", None),
            ("a/..", None),
            ("/", None),
        ] {
            assert_eq!(clean(given).as_deref(), cleaned, "{given}");
            assert_eq!(absolute(given, None), cleaned.unwrap_or(given), "{given}");
        }
    }

    proptest! {
        #[test]
        fn a_file_is_found_by_any_way_to_write_its_path(
            given in "[ab./ ]{0,7}",
            files in prop::collection::vec("[ab./ ]{0,7}", 0..5),
            directory in prop::option::of(Just("/a/b")),
        ) {
            let at = jiff::Timestamp::UNIX_EPOCH;
            let file = |path: &String| ActiveFile::new(path.clone(), FileStatus::Reading, at, 1);
            let files: Vec<ActiveFile> = files.iter().map(file).collect();
            let each = clean(&given).map(|given| {
                let place = absolute(&given, directory);
                let known = files.iter().find(|file| absolute(&file.path, directory) == place);
                known.map_or(given.clone(), |file| file.path.clone())
            });
            prop_assert_eq!(name(&given, directory, &files), each);
        }
    }

    #[test]
    fn a_relative_path_is_of_the_directory_that_is_worked_in() {
        assert_eq!(absolute("src/a.rs", Some("/p")), "/p/src/a.rs");
        assert_eq!(absolute("../a.rs", Some("/p/q")), "/p/a.rs");
        assert_eq!(absolute("/a.rs", Some("/p")), "/a.rs");
        assert_eq!(absolute("./a.rs", None), "a.rs");
    }
}
