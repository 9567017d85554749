//! The contents of the panes, row by row.

use hud_inspect::model::{DiffLine, SectionShown, Sign};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::page::{Page, Said};
use super::screen::{Pane, Screen};
use super::text::{found, rows, shown};
use super::theme::Theme;
use crate::log::summary;

/// The number of hidden items that are named for each reason.
const NAMED: usize = 5;

/// A row of a pane.
pub(super) struct Row {
    pub(super) line: Line<'static>,
    /// True if the row has to be in view.
    pub(super) is_wanted: bool,
}

/// Returns all rows of a pane with a width.
pub(super) fn rows_of(screen: &Screen, pane: Pane, width: u16, theme: Theme) -> Vec<Row> {
    let mut writer = Writer {
        rows: Vec::new(),
        width: usize::from(width),
        words: &screen.found.words,
        theme,
    };
    match pane {
        Pane::Hud => match &screen.page.diff {
            Some(lines) => diff(&mut writer, lines),
            None => hud(&mut writer, &screen.page),
        },
        Pane::Why => why(&mut writer, &screen.page),
        Pane::Events => events(&mut writer, screen),
    }
    writer.rows
}

struct Writer<'w> {
    rows: Vec<Row>,
    width: usize,
    /// The words of the search.
    words: &'w [String],
    theme: Theme,
}

impl Writer<'_> {
    /// Writes a line in as many rows as it needs. The rows after the first one are indented.
    fn line(&mut self, text: &str, style: Style, indent: usize) {
        let indent = indent.min(self.width / 2);
        let text = shown(text);
        let first = rows(&text, self.width)
            .into_iter()
            .next()
            .unwrap_or_default();
        let rest = text
            .get(first.len()..)
            .unwrap_or_default()
            .trim_start_matches(' ');
        self.row(&first, style, false);
        if rest.is_empty() {
            return;
        }
        for row in rows(rest, self.width.saturating_sub(indent)) {
            self.row(&format!("{:indent$}{row}", ""), style, false);
        }
    }

    /// Writes a row with the words of the search highlighted. The terminal cuts off a row that is too long.
    fn row(&mut self, text: &str, style: Style, is_wanted: bool) {
        let mut spans = Vec::new();
        let mut at = 0;
        for range in found(text, self.words) {
            spans.push(Span::styled(
                text.get(at..range.start).unwrap_or_default().to_owned(),
                style,
            ));
            let hit = text.get(range.clone()).unwrap_or_default().to_owned();
            spans.push(Span::styled(hit, style.patch(self.theme.found())));
            at = range.end;
        }
        spans.push(Span::styled(
            text.get(at..).unwrap_or_default().to_owned(),
            style,
        ));
        let line = Line::from(spans);
        self.rows.push(Row { line, is_wanted });
    }
}

fn hud(writer: &mut Writer<'_>, page: &Page) {
    let theme = writer.theme;
    if page.texts.is_empty() {
        writer.line(
            "The model sees nothing of the HUD in this turn.",
            theme.faint(),
            0,
        );
    }
    for (at, (name, lines)) in page.texts.iter().enumerate() {
        if page.texts.len() > 1 {
            if at > 0 {
                writer.row("", Style::new(), false);
            }
            let place = match *name {
                "system" => "at the end of the system prompt",
                "message" => "in a last message",
                other => other,
            };
            writer.line(&format!("── {place}"), theme.faint(), 0);
        }
        for Said { text, event } in lines {
            let style = match text.starts_with('#') {
                true => theme.strong(),
                false => Style::new(),
            };
            // The line comes from an event since the previous turn.
            let is_new = page.turn > 1 && event.is_some_and(|event| event > page.before);
            let mark = if is_new { '+' } else { ' ' };
            writer.line(&format!("{mark}{text}"), style, 3);
        }
    }
}

/// The number of unchanged lines that are shown around changed ones.
const AROUND: usize = 2;

/// Writes the changes since the previous turn.
fn diff(writer: &mut Writer<'_>, lines: &[DiffLine]) {
    let theme = writer.theme;
    let is_other = |line: &DiffLine| line.sign != Sign::Same;
    if !lines.iter().any(is_other) {
        writer.line("The same as in the turn before.", theme.faint(), 0);
        return;
    }
    let mut passed = 0;
    for (at, line) in lines.iter().enumerate() {
        let near = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
        if !lines.get(near).unwrap_or_default().iter().any(is_other) {
            passed += 1;
            continue;
        }
        if passed > 0 {
            writer.line(&format!("⋯ {passed} the same"), theme.faint(), 0);
            passed = 0;
        }
        let (mark, style) = match line.sign {
            Sign::Added => ('+', theme.good()),
            Sign::Removed => ('−', theme.gone()),
            Sign::Same => (' ', Style::new()),
        };
        let text: String = line.pieces.iter().map(|piece| &*piece.text).collect();
        writer.line(&format!("{mark}{text}"), style, 3);
    }
    if passed > 0 {
        writer.line(&format!("⋯ {passed} the same"), theme.faint(), 0);
    }
}

fn why(writer: &mut Writer<'_>, page: &Page) {
    let theme = writer.theme;
    let is_silent = |section: &&SectionShown| section.full == 0 && section.absent == 0;
    for section in page.sections.iter().filter(|section| !is_silent(section)) {
        let name = if section.name.is_empty() {
            "(no part)"
        } else {
            &section.name
        };
        let of = match section.full > section.tokens {
            true => format!(" of {}", section.full),
            false => String::new(),
        };
        let said = format!(
            "{name}: {}, {}{of} tokens, worth {}",
            section.choice, section.tokens, section.worth
        );
        writer.line(&said, theme.name(), 2);
        writer.line(&format!("  {}", section.reason), theme.faint(), 4);
        if let Some(because) = &section.because {
            writer.line(&format!("  {because}"), theme.faint(), 4);
        }
        absent(writer, page, &section.name);
    }
    let silent = page.sections.iter().filter(is_silent);
    let silent: Vec<&str> = silent.map(|section| &*section.name).collect();
    if !silent.is_empty() {
        writer.line(
            &format!("nothing to say: {}", silent.join(", ")),
            theme.faint(),
            2,
        );
    }
    let mut others: Vec<&str> = page.absent.iter().map(|absent| &*absent.section).collect();
    others.retain(|name| page.sections.iter().all(|section| section.name != *name));
    others.dedup();
    for name in others {
        writer.line(&format!("{name}: not shown"), theme.name(), 2);
        absent(writer, page, name);
    }
}

/// Writes the hidden items of a section, with the reasons.
fn absent(writer: &mut Writer<'_>, page: &Page, section: &str) {
    for (reason, count) in page.reasons(section) {
        writer.line(
            &format!("  {count} not shown: {reason}"),
            writer.theme.warning(),
            4,
        );
        let of_reason = page
            .absent
            .iter()
            .filter(|absent| absent.section == section && absent.why.to_string() == reason);
        for absent in of_reason.take(NAMED) {
            let name = match absent.item.is_empty() || absent.item == absent.text {
                true => String::new(),
                false => format!("{}: ", absent.item),
            };
            let text = absent.text.lines().next().unwrap_or_default();
            writer.line(&format!("    − {name}{text}"), Style::new(), 6);
        }
        if count > NAMED {
            writer.line(
                &format!("    … {} more", count - NAMED),
                writer.theme.faint(),
                6,
            );
        }
    }
}

fn events(writer: &mut Writer<'_>, screen: &Screen) {
    let (theme, page) = (writer.theme, &screen.page);
    let wanted = screen.found.version();
    let has_wanted = page
        .events
        .iter()
        .any(|event| Some(event.version) == wanted);
    let mut is_past = true;
    for event in &page.events {
        if is_past && event.version > page.version {
            is_past = false;
            let said = format!(
                "── turn {}: what is below, the model had not seen",
                page.turn
            );
            writer.row(&said, theme.faint(), !has_wanted);
        }
        let is_wanted = has_wanted && Some(event.version) == wanted;
        let mark = if is_wanted { "▸" } else { " " };
        let payload = match event.cut {
            Some(bytes) => format!("{bytes} bytes"),
            None => summary(&event.payload),
        };
        let said = format!(
            "{mark}{:>4} t{:<3} {:<7} {} {payload}",
            event.version, event.turn, event.actor, event.kind
        );
        let style = match (is_wanted, is_past) {
            (true, _) => theme.strong(),
            (false, true) => Style::new(),
            (false, false) => theme.faint(),
        };
        writer.row(&shown(&said), style, is_wanted);
    }
    if is_past {
        let said = match page.events.is_empty() {
            true => "── nothing has happened yet",
            false => "── nothing has happened since",
        };
        writer.row(said, theme.faint(), !has_wanted);
    }
}
