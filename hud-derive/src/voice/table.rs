//! Tables, read as lists of their rows.

use super::message::Line;
use crate::prose::Kind;

/// The rows of a table, without its head and the numbers of its rows.
pub(super) fn rows(lines: &[Line<'_>]) -> Vec<String> {
    let is_rule = |text: &str| text.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let mut rows = lines.iter().filter(|line| line.kind == Kind::Row);
    let has_head = rows.clone().nth(1).is_some_and(|line| is_rule(line.text));
    if has_head {
        rows.next();
    }
    let row = |line: &Line<'_>| {
        let cells = cells(line.text)
            .into_iter()
            .map(|cell| cell.trim().to_owned());
        let said = cells.filter(|cell| cell.chars().any(char::is_alphabetic));
        said.collect::<Vec<_>>().join(": ")
    };
    rows.filter(|line| !is_rule(line.text))
        .map(row)
        .filter(|row| !row.is_empty())
        .collect()
}

/// The cells of a row, with escaped bars restored and HTML formatting tags removed.
fn cells(row: &str) -> Vec<String> {
    let mut cells = vec![String::new()];
    let mut letters = row.trim_start_matches('|').chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, cells.last_mut()) {
            ('\\', Some(cell)) if letters.peek() == Some(&'|') => {
                cell.push('|');
                letters.next();
            }
            ('|', _) | (_, None) => cells.push(String::new()),
            (letter, Some(cell)) => cell.push(letter),
        }
    }
    cells.into_iter().map(|cell| without_tags(&cell)).collect()
}

/// A cell without the tags that only format its text. Tags without an end are part of the text and are kept.
fn without_tags(cell: &str) -> String {
    const TAGS: &[&str] = &["b", "i", "u", "em", "strong", "code", "kbd", "sub", "sup"];
    if !cell.contains('<') {
        return cell.to_owned();
    }
    let mut text = cell.to_owned();
    for br in ["<br>", "<br/>", "<br />"] {
        text = text.replace(br, " ");
    }
    for tag in TAGS {
        let (begin, end) = (format!("<{tag}>"), format!("</{tag}>"));
        if text.matches(&begin).count() == text.matches(&end).count() {
            text = text.replace(&begin, "").replace(&end, "");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_its_text_without_escapes_and_tags() {
        assert_eq!(
            cells(r"| `a.rs` | <b>Never</b> freed \| leak<br>twice | <b> stays |"),
            [" `a.rs` ", " Never freed | leak twice ", " <b> stays ", ""]
        );
    }
}
