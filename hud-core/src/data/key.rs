//! The names of members.

/// The name of a member for a title: its words in lower case, up to the first count in brackets.
///
/// ```
/// use hud_core::data::key;
///
/// assert_eq!(key("Active Files (5) in src/auth"), "active_files");
/// assert_eq!(key("Étapes suivantes"), "étapes_suivantes");
/// assert_eq!(key("?"), "section");
/// ```
pub fn key(title: &str) -> String {
    let (name, _) = parted(title);
    let words = name.split(|c: char| !is_of_a_word(c));
    let words = words.filter(|word| !word.is_empty());
    let key = words.collect::<Vec<_>>().join("_").to_lowercase();
    match key.is_empty() {
        true => "section".to_owned(),
        false => key,
    }
}

/// True if a word can contain the character. It includes combining accents, such as in the
/// lower-case form of `İ`.
fn is_of_a_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36F}')
}

/// True if a title has more than a name and a count.
pub(super) fn says_more(title: &str) -> bool {
    parted(title).1.contains(char::is_alphanumeric)
}

/// The parts of a title before and after the first count in brackets.
fn parted(title: &str) -> (&str, &str) {
    let counts = title.match_indices('(').filter_map(|(at, _)| {
        let (name, behind) = (title.get(..at)?, title.get(at + 1..)?);
        let (count, rest) = behind.split_once(')')?;
        let is_count = count.starts_with(|c: char| c.is_ascii_digit());
        (is_count && name.contains(char::is_alphanumeric)).then_some((name, rest))
    });
    let mut counts = counts;
    counts.next().unwrap_or((title, ""))
}

/// A title with this key.
pub(super) fn title(key: &str) -> String {
    let words = key.replace('_', " ");
    let mut letters = words.chars();
    let Some(first) = letters.next() else {
        return words;
    };
    // Some letters have no single capital, or one whose lower-case form is different.
    let capital: String = first.to_uppercase().collect();
    match capital.to_lowercase().eq(&first.to_string()) {
        true => capital + letters.as_str(),
        false => words,
    }
}

/// The singular of a name, if the name is a plural.
#[cfg(feature = "data")]
pub(super) fn singular(key: &str) -> Option<String> {
    if let Some(stem) = key.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return Some(format!("{stem}y"));
    }
    let has_es = ["sses", "shes", "ches", "xes"];
    if has_es.iter().any(|ending| key.ends_with(ending)) {
        return key.strip_suffix("es").map(str::to_owned);
    }
    let stem = key.strip_suffix('s')?;
    (stem.len() > 1 && !stem.ends_with(['s', 'u', 'i'])).then(|| stem.to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_title_of_a_key_has_that_key(title_given in "\\PC{0,24}") {
            let key = key(&title_given);
            prop_assert_eq!(super::key(&title(&key)), key);
        }
    }

    #[test]
    fn an_accent_is_a_part_of_its_word() {
        for (title, name) in [
            ("İş listesi", "i\u{307}ş_listesi"),
            ("E\u{301}tapes", "e\u{301}tapes"),
        ] {
            assert_eq!(key(title), name);
            assert_eq!(key(&super::title(name)), name);
        }
    }

    #[test]
    fn a_count_is_no_part_of_a_name_and_what_is_behind_it_is_kept() {
        let titles = [
            ("Rules (1)", "rules", false),
            ("Next Steps (1/3 done)", "next_steps", false),
            ("Active Files (5) in src", "active_files", true),
            ("Memory (working)", "memory_working", false),
            ("(2)", "2", false),
        ];
        for (title, name, more) in titles {
            assert_eq!((key(title).as_str(), says_more(title)), (name, more));
        }
    }
}
