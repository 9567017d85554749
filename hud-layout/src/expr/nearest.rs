//! The name that was probably meant by another.

/// The name among `names` that is most like `wrong`, if one is: one slip in three letters, as rustc
/// has it, or the same letters in another case.
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
