//! Tables.

use markdown::mdast::{AlignKind, Node, Table};

use super::options::Options;
use super::phrasing::{Place, line};

pub(super) fn table(table: &Table, options: &Options) -> String {
    let mut rows: Vec<Vec<String>> = table.children.iter().map(row).collect();
    let columns = rows
        .iter()
        .map(Vec::len)
        .max()
        .unwrap_or(0)
        .max(table.align.len());
    if rows.is_empty() || columns == 0 {
        return String::new();
    }
    // A head with fewer cells than there are columns would be no head.
    rows[0].resize(columns, String::new());
    let align: Vec<AlignKind> = (0..columns)
        .map(|column| table.align.get(column).copied().unwrap_or(AlignKind::None))
        .collect();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let widest = cells.map(|cell| cell.chars().count()).max().unwrap_or(0);
            widest.max(narrowest(align[column]))
        })
        .collect();
    let mut lines = Vec::with_capacity(rows.len() + 1);
    for (index, row) in rows.iter().enumerate() {
        let cells = row.iter().enumerate().map(|(column, cell)| {
            if options.table_pipe_align {
                padded(cell, widths[column], align[column])
            } else {
                cell.clone()
            }
        });
        lines.push(joined(cells.collect()));
        if index == 0 {
            let rules = align.iter().zip(&widths).map(|(align, width)| {
                rule(
                    *align,
                    if options.table_pipe_align {
                        *width
                    } else {
                        narrowest(*align)
                    },
                )
            });
            lines.push(joined(rules.collect()));
        }
    }
    lines.join("\n")
}

fn row(node: &Node) -> Vec<String> {
    let cells = node.children().into_iter().flatten();
    cells
        .map(|cell| match cell.children() {
            Some(children) => line(children, Place::CELL),
            None => line(std::slice::from_ref(cell), Place::CELL),
        })
        .collect()
}

fn joined(cells: Vec<String>) -> String {
    format!("| {} |", cells.join(" | "))
}

const fn narrowest(align: AlignKind) -> usize {
    match align {
        AlignKind::None => 1,
        AlignKind::Left | AlignKind::Right => 2,
        AlignKind::Center => 3,
    }
}

fn rule(align: AlignKind, width: usize) -> String {
    match align {
        AlignKind::None => "-".repeat(width),
        AlignKind::Left => format!(":{}", "-".repeat(width - 1)),
        AlignKind::Right => format!("{}:", "-".repeat(width - 1)),
        AlignKind::Center => format!(":{}:", "-".repeat(width - 2)),
    }
}

fn padded(cell: &str, width: usize, align: AlignKind) -> String {
    let room = width - cell.chars().count().min(width);
    let before = match align {
        AlignKind::None | AlignKind::Left => 0,
        AlignKind::Right => room,
        AlignKind::Center => room / 2,
    };
    format!("{}{cell}{}", " ".repeat(before), " ".repeat(room - before))
}
