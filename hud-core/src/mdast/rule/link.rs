use markdown::mdast::{
    Definition as MdastDefinition, FootnoteDefinition as MdastFootnoteDefinition,
    FootnoteReference as MdastFootnoteReference, Image as MdastImage,
    ImageReference as MdastImageReference, Link as MdastLink, LinkReference as MdastLinkReference,
    Node, ReferenceKind,
};

use super::{Mdast, blocks, given, label, lift_blocks, lift_line, line, or_empty, refuse_in_line};
use crate::element::Element;
use crate::gfm::association::{association, normalize};
use crate::mdast::Context;
use crate::node::{
    Definition, FootnoteDefinition, FootnoteReference, Image, ImageReference, Link, LinkReference,
    ReferenceForm,
};
use crate::registry::{Lift, LiftResult, Lifted, Lower, LowerResult, Registry, two_way};

pub(super) fn register(registry: &mut Registry) {
    registry
        .register(two_way(link, lift_link))
        .register(two_way(image, lift_image))
        .register(two_way(definition, lift_definition))
        .register(two_way(link_reference, lift_link_reference))
        .register(two_way(image_reference, lift_image_reference))
        .register(two_way(footnote_reference, lift_footnote_reference))
        .register(two_way(footnote_definition, lift_footnote_definition));
}

fn link(node: &Link, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![Node::Link(MdastLink {
        children: line_of_link(children, lower)?,
        url: node.url.clone(),
        title: given(&node.title),
        position: None,
    })])
}

/// The content of a link. It cannot contain other links.
fn line_of_link(children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    let context = *lower.context();
    if context.is_in_link {
        return Err(lower.misplaced(context.within, "end the link around it first"));
    }
    line(
        children,
        &lower.with_context(Context {
            is_in_link: true,
            ..context
        }),
    )
}

fn lift_link(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<Link> {
    let Some(Node::Link(link)) = nodes.first() else {
        return Ok(None);
    };
    let node = Link {
        url: link.url.clone(),
        title: or_empty(link.title.as_ref()),
    };
    let children = lift_line(&link.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn image(node: &Image, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
    Ok(vec![Node::Image(MdastImage {
        alt: node.alt.clone(),
        url: node.url.clone(),
        title: given(&node.title),
        position: None,
    })])
}

fn lift_image(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Image> {
    let Some(Node::Image(image)) = nodes.first() else {
        return Ok(None);
    };
    let node = Image {
        url: image.url.clone(),
        alt: image.alt.clone(),
        title: or_empty(image.title.as_ref()),
    };
    Ok(Some(Lifted::one(node, [])))
}

fn definition(
    node: &Definition,
    _: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node")?;
    Ok(vec![Node::Definition(MdastDefinition {
        url: node.url.clone(),
        title: given(&node.title),
        identifier: normalize(&node.label),
        label: Some(node.label.clone()),
        position: None,
    })])
}

fn lift_definition(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<Definition> {
    let Some(Node::Definition(definition)) = nodes.first() else {
        return Ok(None);
    };
    let node = Definition {
        label: association(&definition.label, &definition.identifier),
        url: definition.url.clone(),
        title: or_empty(definition.title.as_ref()),
    };
    Ok(Some(Lifted::one(node, [])))
}

fn link_reference(
    node: &LinkReference,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::LinkReference(MdastLinkReference {
        children: line_of_link(children, lower)?,
        reference_kind: kind(node.form),
        identifier: normalize(&node.label),
        label: Some(node.label.clone()),
        position: None,
    })])
}

fn lift_link_reference(nodes: &[Node], lift: &Lift<'_, Mdast>) -> LiftResult<LinkReference> {
    let Some(Node::LinkReference(reference)) = nodes.first() else {
        return Ok(None);
    };
    let node = LinkReference {
        label: association(&reference.label, &reference.identifier),
        form: form(reference.reference_kind),
    };
    let children = lift_line(&reference.children, lift)?;
    Ok(Some(Lifted::one(node, children)))
}

fn image_reference(
    node: &ImageReference,
    _: &[Element<'_>],
    _: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    Ok(vec![Node::ImageReference(MdastImageReference {
        alt: node.alt.clone(),
        reference_kind: kind(node.form),
        identifier: normalize(&node.label),
        label: Some(node.label.clone()),
        position: None,
    })])
}

fn lift_image_reference(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<ImageReference> {
    let Some(Node::ImageReference(reference)) = nodes.first() else {
        return Ok(None);
    };
    let node = ImageReference {
        label: association(&reference.label, &reference.identifier),
        alt: reference.alt.clone(),
        form: form(reference.reference_kind),
    };
    Ok(Some(Lifted::one(node, [])))
}

fn kind(form: ReferenceForm) -> ReferenceKind {
    match form {
        ReferenceForm::Full => ReferenceKind::Full,
        ReferenceForm::Collapsed => ReferenceKind::Collapsed,
        ReferenceForm::Shortcut => ReferenceKind::Shortcut,
    }
}

fn form(kind: ReferenceKind) -> ReferenceForm {
    match kind {
        ReferenceKind::Full => ReferenceForm::Full,
        ReferenceKind::Collapsed => ReferenceForm::Collapsed,
        ReferenceKind::Shortcut => ReferenceForm::Shortcut,
    }
}

fn footnote_reference(
    node: &FootnoteReference,
    _: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    let label = label(&node.label, lower)?;
    Ok(vec![Node::FootnoteReference(MdastFootnoteReference {
        identifier: normalize(label),
        label: Some(label.to_owned()),
        position: None,
    })])
}

fn lift_footnote_reference(nodes: &[Node], _: &Lift<'_, Mdast>) -> LiftResult<FootnoteReference> {
    let Some(Node::FootnoteReference(reference)) = nodes.first() else {
        return Ok(None);
    };
    let label = association(&reference.label, &reference.identifier);
    Ok(Some(Lifted::one(FootnoteReference { label }, [])))
}

fn footnote_definition(
    node: &FootnoteDefinition,
    children: &[Element<'_>],
    lower: &Lower<'_, Mdast>,
) -> LowerResult<Mdast> {
    refuse_in_line(lower, "put it beside that node")?;
    let label = label(&node.label, lower)?;
    Ok(vec![Node::FootnoteDefinition(MdastFootnoteDefinition {
        children: blocks(children, lower)?,
        identifier: normalize(label),
        label: Some(label.to_owned()),
        position: None,
    })])
}

fn lift_footnote_definition(
    nodes: &[Node],
    lift: &Lift<'_, Mdast>,
) -> LiftResult<FootnoteDefinition> {
    let Some(Node::FootnoteDefinition(definition)) = nodes.first() else {
        return Ok(None);
    };
    let label = association(&definition.label, &definition.identifier);
    let children = lift_blocks(&definition.children, lift)?;
    Ok(Some(Lifted::one(FootnoteDefinition { label }, children)))
}
