//! Tables in columns.

use anstyle::Style;
use markdown::mdast::{AlignKind, Node, Table};

use super::line::{Line, Span, width_of};
use super::writer::{DIM, PLAIN, Writer};

/// The separator of two columns.
const BETWEEN: &str = " │ ";

/// The minimum width of a column.
const NARROW: usize = 6;

pub(super) fn table(writer: &Writer<'_>, table: &Table, width: usize) -> Vec<Line> {
    let rows: Vec<Vec<&[Node]>> = table.children.iter().map(cells).collect();
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    if columns == 0 {
        return Vec::new();
    }
    let mut natural = vec![1; columns];
    for (at, row) in rows.iter().enumerate() {
        for (column, cell) in row.iter().enumerate() {
            let lines = writer.filled(cell, style(at), usize::MAX);
            let widest = lines.iter().map(width_of).max().unwrap_or(0);
            natural[column] = natural[column].max(widest);
        }
    }
    let between = BETWEEN.chars().count() * (columns - 1);
    let least = natural
        .iter()
        .map(|width| NARROW.min(*width))
        .sum::<usize>();
    match width.checked_sub(between) {
        Some(room) if room >= least => {
            let widths = narrowed(natural, room);
            in_columns(writer, table, &rows, &widths)
        }
        _ => as_records(writer, &rows, width),
    }
}

fn cells(row: &Node) -> Vec<&[Node]> {
    match row {
        Node::TableRow(row) => {
            let cells = row.children.iter().map(|cell| match cell {
                Node::TableCell(cell) => cell.children.as_slice(),
                other => std::slice::from_ref(other),
            });
            cells.collect()
        }
        other => vec![std::slice::from_ref(other)],
    }
}

fn style(row: usize) -> Style {
    match row {
        0 => PLAIN.bold(),
        _ => PLAIN,
    }
}

/// Narrows columns to a total of at most `room`, the widest first.
fn narrowed(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    loop {
        let sum = widths
            .iter()
            .fold(0_usize, |sum, width| sum.saturating_add(*width));
        let Some(over) = sum.checked_sub(room).filter(|over| *over > 0) else {
            return widths;
        };
        let widest = widths.iter().copied().max().unwrap_or(0);
        let next = widths.iter().copied().filter(|width| *width < widest).max();
        let next = next.unwrap_or(0).max(NARROW);
        let of_widest = widths.iter().filter(|width| **width == widest).count();
        let step = (widest - next.min(widest))
            .min(over.div_ceil(of_widest))
            .max(1);
        for width in widths.iter_mut().filter(|width| **width == widest) {
            *width = width.saturating_sub(step).max(1);
        }
    }
}

fn in_columns(
    writer: &Writer<'_>,
    table: &Table,
    rows: &[Vec<&[Node]>],
    widths: &[usize],
) -> Vec<Line> {
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let cells = widths.iter().enumerate().map(|(column, width)| {
            let cell = row.get(column).copied().unwrap_or_default();
            writer.filled(cell, style(at), *width)
        });
        let cells: Vec<Vec<Line>> = cells.collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for number in 0..height {
            let mut line = Line::new();
            for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
                if column > 0 {
                    line.push(Span::new(BETWEEN, DIM));
                }
                let own = cell.get(number).cloned().unwrap_or_default();
                let free = width.saturating_sub(width_of(&own));
                let before = match table.align.get(column) {
                    Some(AlignKind::Right) => free,
                    Some(AlignKind::Center) => free / 2,
                    _ => 0,
                };
                line.push(Span::new(" ".repeat(before), PLAIN));
                line.extend(own);
                line.push(Span::new(" ".repeat(free - before), PLAIN));
            }
            lines.push(line);
        }
        if at == 0 {
            let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
            lines.push(vec![Span::new(rule.join("─┼─"), DIM)]);
        }
    }
    lines
}

/// A table without room for its columns: each cell is on lines of its own, after the head of its
/// column.
fn as_records(writer: &Writer<'_>, rows: &[Vec<&[Node]>], width: usize) -> Vec<Line> {
    let Some((head, rows)) = rows.split_first() else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        if at > 0 {
            lines.push(Line::new());
        }
        for (column, cell) in row.iter().enumerate() {
            if let Some(title) = head.get(column) {
                lines.extend(writer.filled(title, style(0), width));
            }
            for mut line in writer.filled(cell, PLAIN, width.saturating_sub(2).max(1)) {
                line.insert(0, Span::new("  ", PLAIN));
                lines.push(line);
            }
        }
    }
    match rows.is_empty() {
        true => head
            .iter()
            .flat_map(|title| writer.filled(title, style(0), width))
            .collect(),
        false => lines,
    }
}
