use markdown::mdast::{Code as MdastCode, InlineCode, InlineMath, Math as MdastMath, Node};

use super::{Mdast, given, or_empty, pieces_of_line, refuse_in_line};
use crate::element::{Element, Repr};
use crate::node::{Code, CodeBlock, Math, MathBlock};
use crate::registry::{
    Lift, LiftResult, Lifted, Lower, LowerError, LowerResult, LoweredPiece, Registry, two_way,
    two_way_piece,
};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(code_block, lift_code_block))
        .register(two_way_piece(code, lift_code))
        .register(two_way(math_block, lift_math_block))
        .register(two_way(math, lift_math));
}

fn code_block(
    node: &CodeBlock,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "use `<Code>` there")?;
    Ok(vec![Node::Code(MdastCode {
        value: plain(children, lower)?,
        lang: given(&node.lang),
        meta: given(&node.meta),
        position: None,
    })])
}

fn lift_code_block(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<CodeBlock> {
    let Some(Node::Code(code)) = nodes.first() else {
        return Ok(None);
    };
    let node = CodeBlock {
        lang: or_empty(code.lang.as_ref()),
        meta: or_empty(code.meta.as_ref()),
    };
    Ok(Some(Lifted::one(node, verbatim(&code.value))))
}

fn code(_: &Code, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LoweredPiece<Mdast> {
    Ok(Some(Node::InlineCode(InlineCode {
        value: plain(children, lower)?,
        position: None,
    })))
}

fn lift_code(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Code> {
    let Some(Node::InlineCode(code)) = nodes.first() else {
        return Ok(None);
    };
    Ok(Some(Lifted::one(Code {}, verbatim(&code.value))))
}

fn math_block(
    node: &MathBlock,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "use `<Math>` there")?;
    Ok(vec![Node::Math(MdastMath {
        value: plain(children, lower)?,
        meta: given(&node.meta),
        position: None,
    })])
}

fn lift_math_block(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<MathBlock> {
    let Some(Node::Math(math)) = nodes.first() else {
        return Ok(None);
    };
    let node = MathBlock {
        meta: or_empty(math.meta.as_ref()),
    };
    Ok(Some(Lifted::one(node, verbatim(&math.value))))
}

fn math(_: &Math, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![Node::InlineMath(InlineMath {
        value: plain(children, lower)?,
        position: None,
    })])
}

fn lift_math(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Math> {
    let Some(Node::InlineMath(math)) = nodes.first() else {
        return Ok(None);
    };
    Ok(Some(Lifted::one(Math {}, verbatim(&math.value))))
}

/// The verbatim text of children.
fn plain(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Result<String, LowerError> {
    if let [Element(Repr::Text(text))] = children {
        return Ok(text.to_string());
    }
    let pieces = pieces_of_line(children, &lower.verbatim())?.into_iter();
    let texts = pieces.map(|piece| match piece {
        Node::Text(text) => text.value,
        piece => piece.to_string(),
    });
    Ok(texts.collect())
}

fn verbatim(value: &str) -> Vec<Element<'static>> {
    if value.is_empty() {
        return Vec::new();
    }
    vec![Element::text(value.to_owned())]
}
