//! Draws the screen from its contents, the size of the terminal and its colours.

use hud_inspect::model::Verdict;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::chart::{chart, marks};
use super::page::Page;
use super::panes::{Row, rows_of};
use super::screen::{Pane, Screen};
use super::sessions::Sessions;
use super::text::shown;
use super::theme::Theme;

/// The width from which two panes are side by side, and the width from which there are three.
const TWO: u16 = 72;
const THREE: u16 = 110;

/// The height from which there is a chart, and the height from which it has three rows.
const CHART: u16 = 10;
const HIGH_CHART: u16 = 18;

/// The keys in the help.
const KEYS: [(&str, &str); 16] = [
    ("← →  [ ]", "one turn back or on"),
    ("PgUp PgDn  { }", "ten turns"),
    ("Home", "the first turn"),
    ("End  f", "the newest turn, and follow it"),
    ("/", "search in this session; n and N: next, previous"),
    ("Esc", "forget what was found"),
    ("d", "density: as sent, full, compact, minimal"),
    ("c", "what changed since the turn before"),
    ("s", "the sessions of the log"),
    ("Tab", "the next pane"),
    ("w", "why it is shown or not"),
    ("e", "events"),
    ("↑ ↓  k j", "scroll the pane"),
    ("b  Space", "a page up or down"),
    ("?", "this help"),
    ("q  Ctrl-C", "quit"),
];

/// Draws the screen.
pub(super) fn draw(frame: &mut Frame<'_>, screen: &Screen, theme: Theme) {
    let area = frame.area();
    let places = Places::of(area, screen.pane);
    line(
        frame,
        places.head,
        head(&screen.page, screen.follows, places.head.width, theme),
    );
    let page = &screen.page;
    for (row, cells) in places.chart.rows().zip(chart(page, places.chart, theme)) {
        line(frame, row, Line::from(cells));
    }
    line(
        frame,
        places.marks,
        Line::from(marks(page, places.marks.width, theme)),
    );
    for (pane, place) in &places.panes {
        draw_pane(frame, screen, *pane, *place, theme);
    }
    for place in &places.between {
        for row in place.rows() {
            line(frame, row, Line::styled("│", theme.faint()));
        }
    }
    line(frame, places.foot, foot(screen, places.foot.width, theme));
    if let Some(typed) = &screen.typed {
        let column = Line::raw(shown(typed)).width().saturating_add(1);
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        let last = places.foot.right().saturating_sub(1);
        let at = places.foot.x.saturating_add(column).min(last);
        frame.set_cursor_position(Position::new(at, places.foot.y));
    }
    if let Some(sessions) = &screen.sessions {
        list(frame, area, sessions, theme);
    }
    if screen.is_help {
        help(frame, area, theme);
    }
}

/// Limits the scroll positions to the ends of the panes.
pub(super) fn settle(screen: &mut Screen, area: Rect, theme: Theme) {
    for (pane, place) in Places::of(area, screen.pane).panes {
        let shown = Scrolled::of(screen, pane, place, theme);
        screen.set_moved(pane, shown.moved);
    }
}

/// The areas of the screen.
struct Places {
    head: Rect,
    chart: Rect,
    marks: Rect,
    panes: Vec<(Pane, Rect)>,
    between: Vec<Rect>,
    foot: Rect,
}

impl Places {
    fn of(area: Rect, pane: Pane) -> Self {
        let (chart, marks) = match area.height {
            HIGH_CHART.. => (3, 1),
            CHART.. => (1, 1),
            _ => (0, 0),
        };
        let [head, chart, marks, main, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(chart),
            Constraint::Length(marks),
            Constraint::Fill(1),
            Constraint::Length(u16::from(area.height > 1)),
        ])
        .areas(area);
        let side_by_side = |share| {
            Layout::horizontal([
                Constraint::Percentage(share),
                Constraint::Length(1),
                Constraint::Fill(1),
            ])
            .areas(main)
        };
        let (panes, between) = match area.width {
            THREE.. => {
                let [left, between, right] = side_by_side(52);
                let [above, below] =
                    Layout::vertical([Constraint::Percentage(45), Constraint::Fill(1)])
                        .areas(right);
                let panes = vec![(Pane::Hud, left), (Pane::Why, above), (Pane::Events, below)];
                (panes, vec![between])
            }
            TWO.. => {
                let [left, between, right] = side_by_side(56);
                let first = match pane {
                    Pane::Why => Pane::Why,
                    Pane::Hud | Pane::Events => Pane::Hud,
                };
                (vec![(first, left), (Pane::Events, right)], vec![between])
            }
            _ => (vec![(pane, main)], Vec::new()),
        };
        Self {
            head,
            chart,
            marks,
            panes,
            between,
            foot,
        }
    }
}

fn line(frame: &mut Frame<'_>, area: Rect, line: Line<'_>) {
    frame.render_widget(line, area);
}

/// A part of the head line, in a long and in a short form.
struct Told {
    long: String,
    short: String,
    style: Style,
}

impl Told {
    fn new(long: impl Into<String>, short: impl Into<String>, style: Style) -> Self {
        let (long, short) = (long.into(), short.into());
        Self { long, short, style }
    }
}

/// Returns the head line, with the most important part first. If there is not enough room, parts are shortened
/// from the end on. If there is still not enough room, parts are omitted from the end on. No part is cut off.
fn head(page: &Page, follows: bool, width: u16, theme: Theme) -> Line<'static> {
    let told = told(page, follows, theme);
    let width = usize::from(width);
    let of = |short_from: usize, until: usize| {
        let pieces = told.iter().take(until).enumerate().flat_map(|(at, told)| {
            let text = if at < short_from {
                &told.long
            } else {
                &told.short
            };
            let gap = if at == 0 { "" } else { "  " };
            [Span::raw(gap), Span::styled(text.clone(), told.style)]
        });
        Line::from(pieces.collect::<Vec<_>>())
    };
    let all = told.len();
    let shorter = (0..=all).rev().map(|from| of(from, all));
    let fewer = (1..all).rev().map(|until| of(0, until));
    let mut fitting = shorter.chain(fewer).filter(|line| line.width() <= width);
    fitting.next().unwrap_or_else(|| of(0, 1))
}

fn told(page: &Page, follows: bool, theme: Theme) -> Vec<Told> {
    let mut told = vec![Told::new(
        short(&page.session, 24),
        short(&page.session, 12),
        theme.strong(),
    )];
    told.push(match page.turn == page.next {
        true => Told::new(
            format!("turn {}, the next", page.turn),
            format!("turn {}", page.turn),
            theme.strong(),
        ),
        false => {
            let last = page.next.saturating_sub(1);
            Told::new(
                format!("turn {} of {last}", page.turn),
                format!("turn {}/{last}", page.turn),
                theme.strong(),
            )
        }
    });
    if follows {
        told.push(Told::new("● live", "●", theme.good()));
    }
    if let Some(used) = page.used {
        let limit = page
            .limit
            .map_or_else(String::new, |limit| format!("/{}", tokens(limit)));
        let used = format!("{}{limit}", tokens(used));
        told.push(match page.percent {
            Some(percent) => Told::new(
                format!("context {percent}% {used}"),
                format!("context {percent}%"),
                theme.band(page.bands.band(percent)),
            ),
            None => Told::new(format!("context {used}"), used, Style::new()),
        });
    }
    told.push(Told::new(
        format!("HUD {} tokens, {}", tokens(page.tokens), page.density),
        format!("HUD {} {}", tokens(page.tokens), page.density),
        Style::new(),
    ));
    told.push(match page.sent {
        Verdict::Same => Told::new("✓ as sent", "✓ sent", theme.good()),
        Verdict::Other | Verdict::OtherChanges => {
            Told::new("! not as it was sent", "! not sent", theme.warning())
        }
        Verdict::Changes => Told::new("only changes were sent", "changes sent", theme.faint()),
        Verdict::Trial => Told::new("as it would be", "trial", theme.warning()),
        _ => Told::new("rendered now", "rendered", theme.faint()),
    });
    if let Some(call) = page.call.filter(|call| call.sent() > 0) {
        let share = u128::from(call.cache_read) * 100 / u128::from(call.sent());
        let said = format!("cache {share}%");
        told.push(Told::new(said.clone(), said, Style::new()));
    }
    told
}

fn draw_pane(frame: &mut Frame<'_>, screen: &Screen, pane: Pane, place: Rect, theme: Theme) {
    let [title, body] = Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]).areas(place);
    let has_keys = screen.pane == pane;
    let style = if has_keys {
        theme.strong()
    } else {
        theme.faint()
    };
    let mark = if has_keys { "▸ " } else { "  " };
    let shown = Scrolled::of(screen, pane, place, theme);
    let below = shown
        .rows
        .len()
        .saturating_sub(shown.top + usize::from(body.height));
    let more = match (shown.top, below) {
        (0, 0) => String::new(),
        (above, below) => format!("  ↑{above} ↓{below}"),
    };
    let said = format!("{mark}{}{more}", pane.name());
    line(frame, title, Line::styled(said, style));
    let rows = shown.rows.into_iter().skip(shown.top);
    for (area, row) in body.rows().zip(rows) {
        line(frame, area, row.line);
    }
}

/// The rows of a pane, and the index of the first visible one.
struct Scrolled {
    rows: Vec<Row>,
    top: usize,
    /// The scroll position, limited to the ends of the pane.
    moved: isize,
}

impl Scrolled {
    fn of(screen: &Screen, pane: Pane, place: Rect, theme: Theme) -> Self {
        let rows = rows_of(screen, pane, place.width, theme);
        let height = usize::from(place.height.saturating_sub(1));
        let last = rows.len().saturating_sub(height);
        // The wanted row is in view, with more rows before it than after it.
        let wanted = rows.iter().position(|row| row.is_wanted);
        let first = wanted
            .map_or(0, |at| at.saturating_sub(height * 2 / 3))
            .min(last);
        let top = first.saturating_add_signed(screen.moved(pane)).min(last);
        let moved = isize::try_from(top).unwrap_or(0) - isize::try_from(first).unwrap_or(0);
        Self { rows, top, moved }
    }
}

fn foot(screen: &Screen, width: u16, theme: Theme) -> Line<'static> {
    if let Some(typed) = &screen.typed {
        return Line::raw(format!("/{}", shown(typed)));
    }
    if let Some(notice) = &screen.notice {
        return Line::styled(
            shown(&notice.replace('\n', " ")).into_owned(),
            theme.warning(),
        );
    }
    if let Some(read) = screen.reading {
        return Line::styled(format!("reading: {read} events so far"), theme.faint());
    }
    if !screen.found.hits.is_empty() {
        let found = &screen.found;
        return Line::raw(format!(
            "{} of {} found: {}   n next  N previous  Esc forget",
            found.at + 1,
            found.hits.len(),
            short(&found.words.join(" "), 30)
        ));
    }
    let density = screen.density.map_or("as sent", |density| density.name());
    let long = format!(
        "←→ turn  PgUp/PgDn ten  f follow  / search  d {density}  c changes  w why  s sessions  ? help  q quit"
    );
    let all = [
        &*long,
        "←→ turn  f follow  / search  c changes  Tab pane  s sessions  ? help  q quit",
        "←→ turn  f follow  ? help  q quit",
    ];
    let mut fitting = all
        .into_iter()
        .filter(|said| Line::raw(*said).width() <= usize::from(width));
    let said = fitting.next().unwrap_or("? help  q quit").to_owned();
    Line::styled(said, theme.faint())
}

/// Draws the list of sessions, one in each row, with the current one in view.
fn list(frame: &mut Frame<'_>, area: Rect, sessions: &Sessions, theme: Theme) {
    let room = usize::from(area.height.saturating_sub(2)).max(1);
    let from = (sessions.at + 1).saturating_sub(room);
    let rows = sessions.rows.iter().enumerate().skip(from).take(room);
    let rows = rows.map(|(at, row)| {
        let style = if at == sessions.at {
            theme.found()
        } else {
            Style::new()
        };
        let name = short(row.id.as_str(), 24);
        let last = row.last_at.strftime("%Y-%m-%d %H:%M");
        let said = format!(
            " {name:<25} {:>9}  {last}  {}",
            row.events,
            shown(&row.about)
        );
        Line::styled(said, style)
    });
    let rows: Vec<Line<'_>> = rows.collect();
    let title = match sessions.rows.len() {
        1 => " One session: events, the last one, task ".to_owned(),
        count => format!(" {count} sessions: events, the last one, task; Enter opens "),
    };
    over(frame, area, (area.width, rows), &title);
}

fn help(frame: &mut Frame<'_>, area: Rect, theme: Theme) {
    let rows = KEYS.iter().map(|(keys, what)| {
        Line::from(vec![
            Span::styled(format!(" {keys:<15} "), theme.strong()),
            Span::raw(*what),
        ])
    });
    let rows: Vec<Line<'_>> = rows.collect();
    let widest = rows.iter().map(Line::width).max().unwrap_or(0);
    let width = u16::try_from(widest + 3).unwrap_or(u16::MAX);
    over(frame, area, (width, rows), " Keys ");
}

/// Draws rows in the middle of the screen, over the panes.
fn over(frame: &mut Frame<'_>, area: Rect, (width, rows): (u16, Vec<Line<'_>>), title: &str) {
    let width = width.min(area.width);
    let height = u16::try_from(rows.len() + 2)
        .unwrap_or(u16::MAX)
        .min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    frame.render_widget(Clear, place);
    let block = Block::bordered().title(title);
    frame.render_widget(Paragraph::new(rows).block(block), place);
}

/// Returns the beginning of a text, up to a number of columns.
fn short(text: &str, width: usize) -> String {
    let text = shown(text);
    let mut rows = super::text::rows(&text, width).into_iter();
    let first = rows.next().unwrap_or_default();
    match rows.next() {
        Some(_) => format!("{first}…"),
        None => first,
    }
}

/// Formats a number of tokens in a short form.
fn tokens(count: u64) -> String {
    match count {
        0..10_000 => count.to_string(),
        10_000..10_000_000 => format!("{}k", count / 1_000),
        _ => format!("{}M", count / 1_000_000),
    }
}
