//! The files of the page, compiled into the program.

/// The page.
pub(crate) const HTML: &str = include_str!("../page/index.html");
/// Its style sheet.
pub(crate) const CSS: &str = include_str!("../page/app.css");
/// Its icon.
pub(crate) const ICON: &str = include_str!("../page/icon.svg");

/// Its scripts: modules, without a build step, with the names that they import each other by. The entry
/// module is the last. No module uses values of another one before the entry module runs.
pub(crate) const MODULES: &[(&str, &str)] = &[
    ("dom.js", include_str!("../page/dom.js")),
    ("now.js", include_str!("../page/now.js")),
    ("ask.js", include_str!("../page/ask.js")),
    ("place.js", include_str!("../page/place.js")),
    ("sessions.js", include_str!("../page/sessions.js")),
    ("chart.js", include_str!("../page/chart.js")),
    ("turns.js", include_str!("../page/turns.js")),
    ("views.js", include_str!("../page/views.js")),
    ("why.js", include_str!("../page/why.js")),
    ("acts.js", include_str!("../page/acts.js")),
    ("events.js", include_str!("../page/events.js")),
    ("live.js", include_str!("../page/live.js")),
    ("app.js", include_str!("../page/app.js")),
];

/// Returns all modules as one script, for a page in one file. No name may be in two of them, because a
/// browser would reject it.
pub(crate) fn script() -> String {
    let mut script = String::new();
    for line in MODULES.iter().flat_map(|(_, text)| text.lines()) {
        if !line.starts_with("import ") {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_modules_import_is_in_those_that_are_served() {
        let script = script();
        assert!(!script.contains("\nimport ") && !script.contains("\nexport "));
        for (name, text) in MODULES {
            for line in text.lines().filter(|line| line.starts_with("import ")) {
                let imported = line
                    .split("\"./")
                    .nth(1)
                    .and_then(|rest| rest.split('"').next());
                let is_served = MODULES.iter().any(|(known, _)| Some(*known) == imported);
                assert!(is_served, "{name}: {line}");
            }
        }
    }
}
