//! The children of a container: the effects of adjacent siblings on each other.

use std::borrow::Cow;
use std::ops::Range;

use markdown::mdast::Node;

use super::super::attention::Region;
use super::super::character::is_eol;
use super::super::html_kind::html_kind;
use super::super::join::{Join, join};
use super::super::node;
use super::super::safe::Info;
use super::{Content, Frame, State};

impl<'a> State<'a> {
    /// Writes a child, or opens a container for it.
    pub(super) fn enter_child(&mut self, siblings: &'a [Node], index: usize, child: &'a Node) {
        let info = match self.frames.last().map(|frame| &frame.content) {
            None => Info::LINE,
            Some(Content::Rows { .. }) => return self.enter(node::describe_row(child)),
            Some(Content::Cells(_)) => {
                let cell = node::describe_cell(&self.context, child);
                return self.enter(cell);
            }
            Some(Content::Flow { .. }) => {
                if let Some(left) = index.checked_sub(1).and_then(|left| siblings.get(left)) {
                    self.forget_bullet(left);
                    self.write_join(left, child);
                }
                Info::LINE
            }
            Some(Content::Phrasing { .. }) if self.options().strict && is_void(child) => return,
            Some(Content::Phrasing { before, after, .. }) => {
                let behind = self.behind(siblings, index);
                let info = Info {
                    before: *before,
                    after: match siblings.get(behind) {
                        Some(next) => node::peek(&self.context, next),
                        None => *after,
                    },
                };
                if matches!(child, Node::Text(_)) {
                    return self.enter_texts(siblings, index..behind, info);
                }
                self.part_from_fence(siblings.get(..index).unwrap_or_default(), child, info)
            }
        };
        let info = self.part_from_html(child, info);
        let description = node::describe(&self.context, child, info);
        self.enter(description);
    }

    /// The index of the sibling whose text follows that of a child. If strict, it is the next one
    /// with output, and for texts the next one that is no text.
    fn behind(&self, siblings: &[Node], index: usize) -> usize {
        let is_text = |node: &Node| matches!(node, Node::Text(_));
        let is_in_run = siblings.get(index).is_some_and(is_text);
        let belongs = |next: &&Node| is_void(next) || is_in_run && is_text(next);
        let rest = siblings.get(index + 1..).unwrap_or_default();
        let skipped = if self.options().strict {
            rest.iter().take_while(belongs).count()
        } else {
            0
        };
        index + 1 + skipped
    }

    /// Writes adjacent texts as one, because the escapes of one may depend on the start of the line
    /// in another.
    fn enter_texts(&mut self, siblings: &'a [Node], run: Range<usize>, info: Info) {
        let end = run.end;
        let run = siblings.get(run).unwrap_or_default().iter();
        let texts = run.filter_map(|node| match node {
            Node::Text(text) => Some(text.value.as_str()),
            _ => None,
        });
        // Copies only if there are several.
        let value = texts.fold(Cow::Borrowed(""), |value, text| value + text);
        let text = node::text::write(&self.context, &value, info);
        self.emit_text(&text);
        if let Some(container) = self.context.containers.last_mut() {
            container.next = end;
        }
    }

    /// Forgets the marker of the list before, if something is between the lists.
    pub(super) fn forget_bullet(&mut self, left: &Node) {
        let is_flow = matches!(
            self.frames.last(),
            Some(Frame {
                content: Content::Flow { .. },
                ..
            })
        );
        if is_flow && !matches!(left, Node::List(_)) {
            self.context.bullet_last_used = None;
        }
    }

    fn write_join(&mut self, left: &Node, right: &Node) {
        let container = self.context.containers.last();
        let joined = match container.and_then(|container| container.role) {
            Some(role) => join(left, right, role, self.options()),
            None => Join::BlankLine,
        };
        self.writer().write(joined.text());
    }

    /// Separates code from code right before it with a space, if strict, and likewise math.
    /// Otherwise the two fences would be one, and the content of the code would be parsed as
    /// markup.
    fn part_from_fence(&mut self, left: &[Node], child: &Node, info: Info) -> Info {
        let fence = match child {
            Node::InlineCode(_) => '`',
            Node::InlineMath(_) => '$',
            _ => return info,
        };
        // A text may end with the same character, but that one is escaped.
        let written = left.iter().rfind(|left| !is_void(left));
        let is_behind_fence = self.options().strict
            && info.before == Some(fence)
            && written.is_some_and(|left| !matches!(left, Node::Text(_)));
        if !is_behind_fence {
            return info;
        }
        self.emit(" ");
        Info {
            before: Some(' '),
            ..info
        }
    }

    /// Replaces a line ending before HTML with a space. The HTML could be parsed as a block, and
    /// cannot be escaped.
    fn part_from_html(&mut self, child: &Node, info: Info) -> Info {
        let Node::Html(html) = child else {
            return info;
        };
        let is_softened = info.before.is_some_and(is_eol)
            && html_kind(&html.value) != Some(7)
            && matches!(
                self.frames.last(),
                Some(Frame {
                    content: Content::Phrasing { .. },
                    ..
                })
            )
            && self.regions.last_mut().is_some_and(Region::soften_eol);
        if is_softened {
            Info {
                before: Some(' '),
                ..info
            }
        } else {
            info
        }
    }
}

/// The maximum number of nodes that are searched for output.
const SEARCH: usize = 1 << 10;

/// True if a phrasing node has no output: it is empty, or is attention without content.
fn is_void(node: &Node) -> bool {
    match node {
        Node::Text(text) => text.value.is_empty(),
        Node::Html(html) => html.value.is_empty(),
        Node::Emphasis(_) | Node::Strong(_) | Node::Delete(_) => marks_nothing(node),
        _ => false,
    }
}

fn marks_nothing(attention: &Node) -> bool {
    let mut rest = vec![attention];
    for _ in 0..SEARCH {
        let Some(node) = rest.pop() else {
            return true;
        };
        match node {
            Node::Text(text) if text.value.is_empty() => {}
            Node::Html(html) if html.value.is_empty() => {}
            Node::Emphasis(_) | Node::Strong(_) | Node::Delete(_) => {
                rest.extend(node.children().into_iter().flatten().rev());
            }
            _ => return false,
        }
    }
    false
}
