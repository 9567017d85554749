use markdown::mdast::{
    MdxFlowExpression as MdastFlowExpression, MdxJsxFlowElement as MdastFlowElement,
    MdxJsxTextElement as MdastTextElement, MdxTextExpression as MdastTextExpression, MdxjsEsm,
    Node,
};

use super::{Mdast, blocks, lift_blocks, lift_line, line};
use crate::element::Element;
use crate::node::{
    MdxEsm, MdxFlowExpression, MdxJsxFlowElement, MdxJsxTextElement, MdxTextExpression,
};
use crate::registry::{Lift, LiftResult, Lifted, Lower, LowerResult, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(flow_element, lift_flow_element))
        .register(two_way(text_element, lift_text_element))
        .register(two_way(flow_expression, lift_flow_expression))
        .register(two_way(text_expression, lift_text_expression))
        .register(two_way(esm, lift_esm));
}

fn flow_element(
    node: &MdxJsxFlowElement,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::MdxJsxFlowElement(MdastFlowElement {
        children: blocks(children, lower)?,
        name: node.name.clone(),
        attributes: node.attributes.clone(),
        position: None,
    })])
}

fn lift_flow_element(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<MdxJsxFlowElement> {
    let Some(Node::MdxJsxFlowElement(element)) = nodes.first() else {
        return Ok(None);
    };
    let node = MdxJsxFlowElement {
        name: element.name.clone(),
        attributes: element.attributes.clone(),
    };
    let children = lift_blocks(&element.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn text_element(
    node: &MdxJsxTextElement,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::MdxJsxTextElement(MdastTextElement {
        children: line(children, lower)?,
        name: node.name.clone(),
        attributes: node.attributes.clone(),
        position: None,
    })])
}

fn lift_text_element(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<MdxJsxTextElement> {
    let Some(Node::MdxJsxTextElement(element)) = nodes.first() else {
        return Ok(None);
    };
    let node = MdxJsxTextElement {
        name: element.name.clone(),
        attributes: element.attributes.clone(),
    };
    let children = lift_line(&element.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn flow_expression(
    node: &MdxFlowExpression,
    _: &[Element<'_>],
    _: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::MdxFlowExpression(MdastFlowExpression {
        value: node.value.clone(),
        position: None,
        stops: Vec::new(),
    })])
}

fn lift_flow_expression(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<MdxFlowExpression> {
    let Some(Node::MdxFlowExpression(expression)) = nodes.first() else {
        return Ok(None);
    };
    let value = expression.value.clone();
    Ok(Some(Lifted::one(MdxFlowExpression { value }, [])))
}

fn text_expression(
    node: &MdxTextExpression,
    _: &[Element<'_>],
    _: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::MdxTextExpression(MdastTextExpression {
        value: node.value.clone(),
        position: None,
        stops: Vec::new(),
    })])
}

fn lift_text_expression(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<MdxTextExpression> {
    let Some(Node::MdxTextExpression(expression)) = nodes.first() else {
        return Ok(None);
    };
    let value = expression.value.clone();
    Ok(Some(Lifted::one(MdxTextExpression { value }, [])))
}

fn esm(node: &MdxEsm, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![Node::MdxjsEsm(MdxjsEsm {
        value: node.value.clone(),
        position: None,
        stops: Vec::new(),
    })])
}

fn lift_esm(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<MdxEsm> {
    let Some(Node::MdxjsEsm(esm)) = nodes.first() else {
        return Ok(None);
    };
    let value = esm.value.clone();
    Ok(Some(Lifted::one(MdxEsm { value }, [])))
}
