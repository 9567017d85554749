//! The chart of the context use over the turns, as wide as the terminal.

use hud_inspect::model::Column;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::page::Page;
use super::theme::Theme;

/// The characters for the eighths of a cell.
const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Returns the rows of the chart, the highest first.
pub(super) fn chart(page: &Page, area: Rect, theme: Theme) -> Vec<Vec<Span<'static>>> {
    let highest = page.columns.iter().filter_map(|column| column.max).max();
    let height = usize::from(area.height) * 8;
    let bars: Vec<(usize, Span<'static>)> = (0..area.width)
        .map(|at| {
            let column = column_at(page, at, area.width);
            let used = column
                .and_then(|column| column.max)
                .filter(|used| *used > 0);
            let Some(used) = used else {
                return (0, Span::raw(""));
            };
            // Without a limit, the highest use counts as full.
            let percent = column.and_then(|column| column.percent);
            let share = match (percent, highest) {
                (Some(percent), _) => u128::from(percent),
                (None, Some(highest)) => u128::from(used) * 100 / u128::from(highest.max(1)),
                (None, None) => 0,
            };
            let eighths = usize::try_from(share).unwrap_or(100).min(100) * height / 100;
            let style = percent.map(|percent| theme.band(page.bands.band(percent)));
            (eighths.max(1), Span::styled("", style.unwrap_or_default()))
        })
        .collect();
    let rows = (0..usize::from(area.height)).rev();
    rows.map(|row| {
        let cell = |(eighths, span): &(usize, Span<'static>)| {
            let full = eighths.saturating_sub(row * 8).min(8);
            Span::styled(EIGHTHS.get(full).copied().unwrap_or(" "), span.style)
        };
        bars.iter().map(cell).collect()
    })
    .collect()
}

/// Returns the row below the chart. It marks the shown turn, compactions, open errors, and turns in which the
/// static layer changed.
pub(super) fn marks(page: &Page, width: u16, theme: Theme) -> Vec<Span<'static>> {
    let place = place_of(page, width);
    (0..width)
        .map(|at| match column_at(page, at, width) {
            _ if Some(at) == place => Span::styled("▲", theme.strong()),
            Some(column) if !is_first(page, at, width) => faint_rest(column, theme),
            Some(Column {
                compacted: true, ..
            }) => Span::styled("c", theme.strong()),
            Some(Column { errors: 1.., .. }) => Span::styled("!", theme.warning()),
            Some(Column { steady: true, .. }) => Span::styled("·", theme.faint()),
            _ => Span::raw(" "),
        })
        .collect()
}

/// Returns the mark for the rest of a column that is wider than a cell. An open error is marked over the whole
/// column.
fn faint_rest(column: &Column, theme: Theme) -> Span<'static> {
    match column.errors {
        0 => Span::raw(" "),
        _ => Span::styled("!", theme.warning()),
    }
}

/// Returns the column above a cell. The last cell belongs to the next turn.
fn column_at(page: &Page, at: u16, width: u16) -> Option<&Column> {
    page.columns.get(index(page, at, width)?)
}

fn index(page: &Page, at: u16, width: u16) -> Option<usize> {
    let cells = usize::from(width.checked_sub(1).filter(|cells| *cells > 0)?);
    let at = usize::from(at);
    (at < cells).then(|| at * page.columns.len() / cells)
}

/// True if a cell is the first of its column.
fn is_first(page: &Page, at: u16, width: u16) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|before| index(page, before, width));
    before != index(page, at, width)
}

/// Returns the cell of the turn that is shown.
fn place_of(page: &Page, width: u16) -> Option<u16> {
    let last = width.checked_sub(1)?;
    let column = page
        .columns
        .iter()
        .position(|column| page.turn <= column.last);
    let Some(column) = column else {
        return Some(last);
    };
    (0..last).find(|at| index(page, *at, width).is_some_and(|index| index >= column))
}
