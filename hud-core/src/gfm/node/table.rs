//! Tables: cells between pipes, and a delimiter row after the first row.

use std::borrow::Cow;

use markdown::mdast::{AlignKind, Node};

use super::super::character::{push_encoding_last, push_reference};
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::description::{Phrasing, PhrasingRole};
use super::super::safe::Info;

pub(super) fn describe_cell<'a>(context: &Context<'a>, children: &'a [Node]) -> Phrasing<'a> {
    let constructs = context
        .constructs
        .and(Constructs::PHRASING)
        .and(Constructs::TABLE_CELL);
    let around = match context.options.table_cell_padding {
        Some(true) => ' ',
        _ => '|',
    };
    Phrasing {
        role: PhrasingRole::TableCell,
        children,
        lead: String::new(),
        constructs,
        info: Info::new(around, around),
    }
}

/// The cell with this text.
pub(super) fn close_cell<'t>(context: &Context<'_>, text: &'t str) -> Cow<'t, str> {
    let is_blank = |c| matches!(c, '\t' | ' ');
    if context.options.strict && (text.starts_with(is_blank) || text.ends_with(is_blank)) {
        keep_edges(text).into()
    } else {
        text.into()
    }
}

/// Encodes white space at the edges of a cell, which would be parsed as padding.
fn keep_edges(text: &str) -> String {
    let is_blank = |c| matches!(c, '\t' | ' ');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    if let Some(first) = rest.chars().next().filter(|first| is_blank(*first)) {
        push_reference(&mut out, first);
        rest = &rest[1..];
    }
    if rest.ends_with(is_blank) {
        push_encoding_last(&mut out, rest);
    } else {
        out.push_str(rest);
    }
    out
}

/// A table with these rows.
pub(in super::super) fn write(
    context: &Context<'_>,
    mut rows: Vec<Vec<String>>,
    align: &[AlignKind],
) -> String {
    let widest = rows.iter().map(Vec::len).max().unwrap_or(0);
    if let Some(head) = rows.first_mut() {
        let columns = if align.is_empty() {
            widest
        } else {
            align.len()
        };
        if head.len() < columns {
            head.resize(columns, String::new());
        }
    }
    Grid::new(context, rows, align).write()
}

/// A row without a table.
pub(in super::super) fn write_row(context: &Context<'_>, cells: Vec<String>) -> String {
    let text = write(context, vec![cells], &[]);
    text.split('\n').next().unwrap_or_default().to_owned()
}

/// The cells of a table and their layout.
struct Grid<'a> {
    rows: Vec<Vec<String>>,
    align: &'a [AlignKind],
    /// The width of each column, if pipes are aligned.
    widths: Option<Vec<usize>>,
    length: fn(&str) -> usize,
    is_padded: bool,
}

impl<'a> Grid<'a> {
    fn new(context: &Context<'_>, rows: Vec<Vec<String>>, align: &'a [AlignKind]) -> Self {
        let options = context.options;
        let mut grid = Self {
            rows,
            align,
            widths: None,
            length: options.string_length.0,
            is_padded: options.table_cell_padding.unwrap_or(true),
        };
        if options.table_pipe_align {
            let columns = grid.rows.iter().map(Vec::len).max().unwrap_or(0);
            let mut widths: Vec<usize> = (0..columns)
                .map(|column| grid.delimiter(column, 1).len())
                .collect();
            for row in &grid.rows {
                for (width, cell) in widths.iter_mut().zip(row) {
                    *width = (*width).max((grid.length)(cell));
                }
            }
            grid.widths = Some(widths);
        }
        grid
    }

    fn write(&self) -> String {
        // An estimate: all cells padded, with a space and a pipe more for each.
        let line: usize = self.widths.iter().flatten().map(|width| width + 3).sum();
        let mut out = String::with_capacity((line + 2) * (self.rows.len() + 1));
        let mut rows = self.rows.iter();
        let head = rows.next();
        if let Some(head) = head {
            self.write_row(&mut out, head);
            out.push('\n');
        }
        let columns = head.map_or(0, Vec::len);
        let delimiters: Vec<String> = (0..columns)
            .map(|column| self.delimiter(column, self.width(column)))
            .collect();
        self.write_row(&mut out, &delimiters);
        for row in rows {
            out.push('\n');
            self.write_row(&mut out, row);
        }
        out
    }

    /// Writes a row of cells. A row without cells gets one empty cell.
    fn write_row(&self, out: &mut String, row: &[String]) {
        out.push('|');
        for column in 0..row.len().max(1) {
            let cell = row.get(column).map(String::as_str).unwrap_or_default();
            let missing = self.width(column).saturating_sub((self.length)(cell));
            let (left, right) = match self.align.get(column) {
                Some(AlignKind::Right) => (missing, 0),
                Some(AlignKind::Center) => (missing.div_ceil(2), missing / 2),
                _ => (0, missing),
            };
            // One space is enough for an empty cell.
            if self.is_padded && (self.widths.is_some() || !cell.is_empty()) {
                out.push(' ');
            }
            push_spaces(out, left);
            out.push_str(cell);
            push_spaces(out, right);
            if self.is_padded {
                out.push(' ');
            }
            out.push('|');
        }
    }

    /// The delimiter of a column, with a minimum width.
    fn delimiter(&self, column: usize, width: usize) -> String {
        let (before, after) = match self.align.get(column) {
            Some(AlignKind::Left) => (":", ""),
            Some(AlignKind::Right) => ("", ":"),
            Some(AlignKind::Center) => (":", ":"),
            Some(AlignKind::None) | None => ("", ""),
        };
        let dashes = width.saturating_sub(before.len() + after.len()).max(1);
        format!("{before}{}{after}", "-".repeat(dashes))
    }

    fn width(&self, column: usize) -> usize {
        self.widths
            .as_ref()
            .and_then(|widths| widths.get(column).copied())
            .unwrap_or(0)
    }
}

fn push_spaces(out: &mut String, mut count: usize) {
    const SPACES: &str = "                                ";
    while count > 0 {
        let some = count.min(SPACES.len());
        out.push_str(&SPACES[..some]);
        count -= some;
    }
}
