use markdown::mdast::{List as MdastList, ListItem, Node};

use super::hud::after_label;
use super::{Mdast, blocks, lift_each_block, open_paragraph, pieces_of_block, refuse_in_line};
use crate::element::Element;
use crate::mdast::{flow, text};
use crate::node::{Description, DescriptionList, Item, List};
use crate::registry::{
    Lift, LiftResult, Lifted, Lower, LoweredPiece, Registry, one_way_piece, two_way_piece,
};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way_piece(list, lift_list))
        .register(two_way_piece(item, lift_item))
        .register(one_way_piece(description_list))
        .register(one_way_piece(description));
}

fn list(node: &List, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    refuse_in_line(
        lower,
        "join its items there, as `<Line separator=\"; \">` does",
    )?;
    let mut items = pieces_of_block(children, lower)?;
    for item in &mut items {
        if !matches!(item, Node::ListItem(_)) {
            let other = std::mem::replace(item, text(""));
            *item = item_of(&Item::default(), vec![other]);
        }
    }
    if items.is_empty() {
        return Ok(None);
    }
    Ok(Some(Node::List(MdastList {
        children: items,
        ordered: node.ordered,
        start: node.ordered.then_some(node.start),
        spread: node.spread,
        position: None,
    })))
}

fn lift_list(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<List> {
    let Some(Node::List(list)) = nodes.first() else {
        return Ok(None);
    };
    let node = List {
        ordered: list.ordered,
        start: list.start.filter(|_| list.ordered).unwrap_or(1),
        spread: list.spread,
    };
    let children = lift_each_block(&list.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn item(node: &Item, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    refuse_in_line(
        lower,
        "write `<List><Item>..</Item></List>` beside that node",
    )?;
    Ok(Some(item_of(node, pieces_of_block(children, lower)?)))
}

fn lift_item(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Item> {
    let Some(Node::ListItem(item)) = nodes.first() else {
        return Ok(None);
    };
    let mut children = lift_each_block(&item.children, lift)?;
    if children.len() == 1 || !item.spread {
        open_paragraph(&mut children);
    }
    let node = Item {
        key: None,
        checked: item.checked,
        spread: item.spread,
    };
    Ok(Some(Lifted::one(node, children)))
}

/// A list whose items begin with their terms.
fn description_list(
    _: &DescriptionList,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LoweredPiece<Mdast> {
    let node = List {
        ordered: false,
        start: 1,
        spread: false,
    };
    list(&node, children, lower)
}

fn description(
    node: &Description,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LoweredPiece<Mdast> {
    refuse_in_line(
        lower,
        "put its list beside that node, or show a `<Field>` there",
    )?;
    let children = after_label(&node.term, blocks(children, lower)?);
    Ok(Some(item_of(&Item::default(), children)))
}

fn item_of(node: &Item, children: Vec<Node>) -> Node {
    Node::ListItem(ListItem {
        children: flow(children),
        spread: node.spread,
        checked: node.checked,
        position: None,
    })
}
