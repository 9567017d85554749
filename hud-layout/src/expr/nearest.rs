//! Suggestions for misspelled names.

/// The name among `names` that is most like `wrong`, if one is near enough. As in rustc, one edit is allowed for
/// each three letters. Names that differ only in case are the nearest.
///
/// ```
/// use hud_layout::expr::nearest;
///
/// assert_eq!(nearest("fliter", ["map", "filter"]), Some("filter"));
/// assert_eq!(nearest("x", ["map", "filter"]), None);
/// ```
pub fn nearest<'n>(wrong: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let most = (wrong.chars().count() / 3).max(1);
    names
        .into_iter()
        .filter_map(|name| {
            let distance = if name.eq_ignore_ascii_case(wrong) {
                0
            } else {
                strsim::damerau_levenshtein(wrong, name)
            };
            (distance <= most && distance < name.chars().count()).then_some((distance, name))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The name that `wrong` is, without its first or last word: `NotesSection` for `Notes`.
pub(crate) fn with_a_word_more<'n>(wrong: &str, names: &[&'n str]) -> Option<&'n str> {
    let parts = names.iter().flat_map(|name| {
        let words = name
            .char_indices()
            .filter(|(_, letter)| letter.is_ascii_uppercase());
        let words: Vec<usize> = words.map(|(at, _)| at).filter(|at| *at > 0).collect();
        let (second, last) = (words.first().copied(), words.last().copied());
        let beginning = last.map(|at| (&name[..at], *name));
        let end = second.map(|at| (&name[at..], *name));
        beginning.into_iter().chain(end)
    });
    let parts: Vec<(&str, &str)> = parts.collect();
    let near = nearest(wrong, parts.iter().map(|(part, _)| *part))?;
    let found = parts.into_iter().find(|(part, _)| *part == near);
    found.map(|(_, name)| name)
}
