//! `[label]: url "title"`

use markdown::mdast::{Definition, Node};

use super::super::association::association;
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::safe::Info;
use super::resource::{self, Resource};

pub(super) fn write(context: &Context<'_>, definition: &Definition) -> String {
    let mut out = "[".to_owned();
    let label = association(&definition.label, &definition.identifier);
    let safe = context.safe(context.constructs.and(Constructs::LABEL));
    safe.write(&mut out, &label, Info::new('[', ']'));
    out.push_str("]: ");
    let resource = Resource {
        url: &definition.url,
        title: resource::title(&definition.title),
        encloses_empty: true,
        after: '\n',
    };
    resource.write(context, context.constructs, &mut out);
    out
}

/// True if a tree has a definition that references can refer to.
pub(in super::super) fn is_within(tree: &Node) -> bool {
    let mut rest = vec![tree];
    while let Some(node) = rest.pop() {
        if matches!(node, Node::Definition(_) | Node::FootnoteDefinition(_)) {
            return true;
        }
        rest.extend(super::children(node));
    }
    false
}
