use markdown::mdast::{AlignKind, Node, Table as MdastTable, TableCell, TableRow};

use super::{Mdast, lift_line, pieces_of_line, refuse_in_line, refuse_outside};
use crate::element::Element;
use crate::mdast::content::ended;
use crate::mdast::phrasing;
use crate::node::{Align, Cell, Row, Table};
use crate::registry::{Lift, LiftResult, Lifted, Lower, LowerResult, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(table, lift_table))
        .register(two_way(row, lift_row))
        .register(two_way(cell, lift_cell));
}

fn table(node: &Table, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    refuse_in_line(
        lower,
        "put it beside that node, or name what matters of it there",
    )?;
    let rows: Vec<Node> = pieces_of_line(children, lower)?
        .into_iter()
        .map(|child| match child {
            row @ Node::TableRow(_) => row,
            other => row_of(vec![other]),
        })
        .collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let align = node.align.iter().map(|align| match align {
        Align::None => AlignKind::None,
        Align::Left => AlignKind::Left,
        Align::Center => AlignKind::Center,
        Align::Right => AlignKind::Right,
    });
    Ok(vec![Node::Table(MdastTable {
        children: rows,
        align: align.collect(),
        position: None,
    })])
}

fn lift_table(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Table> {
    let Some(Node::Table(table)) = nodes.first() else {
        return Ok(None);
    };
    let align = table.align.iter().map(|align| match align {
        AlignKind::None => Align::None,
        AlignKind::Left => Align::Left,
        AlignKind::Center => Align::Center,
        AlignKind::Right => Align::Right,
    });
    let node = Table {
        align: align.collect(),
    };
    let children = lift_line(&table.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn row(_: &Row, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    refuse_outside("Table", lower, "write `<Table><Row>..</Row></Table>`")?;
    Ok(vec![row_of(pieces_of_line(children, lower)?)])
}

fn lift_row(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Row> {
    let Some(Node::TableRow(row)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&row.children, lift)?;
    Ok(Some(Lifted::one(Row {}, children)))
}

fn row_of(children: Vec<Node>) -> Node {
    let cells = children.into_iter().map(|child| match child {
        cell @ Node::TableCell(_) => cell,
        other => cell_of(vec![other]),
    });
    Node::TableRow(TableRow {
        children: cells.collect(),
        position: None,
    })
}

fn cell(_: &Cell, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    refuse_outside("Row", lower, "write `<Row><Cell>..</Cell></Row>`")?;
    Ok(vec![cell_of(pieces_of_line(children, lower)?)])
}

fn lift_cell(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Cell> {
    let Some(Node::TableCell(cell)) = nodes.first() else {
        return Ok(None);
    };
    let children = lift_line(&cell.children, lift)?;
    Ok(Some(Lifted::one(Cell {}, children)))
}

fn cell_of(children: Vec<Node>) -> Node {
    Node::TableCell(TableCell {
        children: ended(phrasing(children)),
        position: None,
    })
}
