//! Writes elements directly during the walk. The output is the same text as that of the rules,
//! without mdast nodes, for the most common elements. All other elements are left to the rules.

use std::any::Any;

use super::Mdast;
use super::hud::shown;
use super::prose::{below, level_of};
use crate::element::{Element, Repr};
use crate::gfm::{Straight, Unwritten};
use crate::node::{
    Code, Field, Group, Item, List, Meter, Node, Paragraph, Part, Relates, Section, Status,
};
use crate::registry::{Lower, LowerError, Seam, Walker};

type Done = Result<(), Unwritten>;

/// The other path meets the error again and reports it.
impl From<LowerError> for Unwritten {
    fn from(_: LowerError) -> Self {
        Self
    }
}

/// Writes an element. Fails if the text begins with phrasing, or with a paragraph while `is_beside`
/// is true. Such a text could share a line with other parts.
pub(super) fn write(
    element: &Element<'_>,
    is_beside: bool,
    out: &mut Straight<'_>,
    lower: &Lower<'_, Mdast>,
) -> Done {
    let mut walk = Walk {
        out,
        place: Place::Blocks,
        is_beside,
        seam: Seam::default(),
    };
    lower.each_node(element, &mut walk)?;
    walk.out.end_line()
}

struct Walk<'w, 'o> {
    out: &'w mut Straight<'o>,
    place: Place,
    is_beside: bool,
    seam: Seam,
}

/// The place of the walk.
#[derive(Clone, Copy)]
enum Place {
    Blocks,
    Items {
        ordered: bool,
        next: u64,
        is_first: bool,
    },
    Line,
}

impl Walk<'_, '_> {
    /// Continues after the preceding content. Fails if a separator may be needed.
    fn pass(&mut self, is_node: bool) -> Done {
        if self.seam.parts(is_node) && self.out.is_in_line() {
            return Err(Unwritten);
        }
        self.seam.pass(is_node);
        Ok(())
    }

    /// Walks through the children of a node.
    fn children(&mut self, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Done {
        children
            .iter()
            .try_for_each(|child| lower.each_node(child, self))
    }

    /// Walks through children at another place, and returns from it.
    fn children_in(
        &mut self,
        place: Place,
        children: &[Element<'_>],
        lower: &Lower<'_, Mdast>,
    ) -> Result<Place, Unwritten> {
        let around = std::mem::replace(&mut self.place, place);
        self.children(children, lower)?;
        Ok(std::mem::replace(&mut self.place, around))
    }

    /// Ends the open paragraph, if there is one, so that a block can begin.
    fn begin_block(&mut self) -> Done {
        match self.place {
            Place::Blocks => self.out.end_line(),
            Place::Items { .. } | Place::Line => Err(Unwritten),
        }
    }

    /// Begins a line for the next content, if none is open.
    fn begin_phrasing(&mut self) -> Done {
        match self.place {
            Place::Line => Ok(()),
            Place::Items { .. } => Err(Unwritten),
            Place::Blocks if self.out.is_in_line() => Ok(()),
            // The content could share a line with other parts.
            Place::Blocks if self.out.is_empty() => Err(Unwritten),
            Place::Blocks => {
                self.out.begin_paragraph();
                Ok(())
            }
        }
    }

    fn begin_paragraph(&mut self) -> Done {
        self.begin_block()?;
        if self.is_beside && self.out.is_empty() {
            return Err(Unwritten);
        }
        self.out.begin_paragraph();
        Ok(())
    }

    fn section(
        &mut self,
        node: &Section,
        children: &[Element<'_>],
        lower: &Lower<'_, Mdast>,
    ) -> Done {
        let ends_line = self.out.is_in_line();
        self.begin_block()?;
        let level = level_of(node.level, lower)?;
        let before = self.out.mark();
        self.out.write_heading(level, &node.title)?;
        let heading = self.out.mark();
        self.children(
            children,
            &lower.with_context(lower.context().at_level(below(level))),
        )?;
        self.out.end_line()?;
        if self.out.is_at(heading) {
            self.out.go_back(before);
            return went_on(ends_line);
        }
        Ok(())
    }

    fn list(&mut self, node: &List, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Done {
        let ends_line = self.out.is_in_line();
        self.begin_block()?;
        if node.spread {
            return Err(Unwritten);
        }
        let items = Place::Items {
            ordered: node.ordered,
            next: u64::from(node.start),
            is_first: true,
        };
        match self.children_in(items, children, lower)? {
            Place::Items { is_first: true, .. } => went_on(ends_line),
            _ => Ok(()),
        }
    }

    fn item(&mut self, node: &Item, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Done {
        let Place::Items {
            ordered,
            next,
            is_first,
        } = self.place
        else {
            return Err(Unwritten);
        };
        if node.spread {
            return Err(Unwritten);
        }
        let number = ordered.then_some(next);
        self.out.begin_item(is_first, number, node.checked)?;
        self.place = Place::Items {
            ordered,
            next: next.saturating_add(1),
            is_first: false,
        };
        self.children_in(Place::Line, children, lower)?;
        self.out.end_line()
    }

    fn field(&mut self, node: &Field, children: &[Element<'_>], lower: &Lower<'_, Mdast>) -> Done {
        self.begin_paragraph()?;
        self.out.push_label(&node.label);
        self.children_in(Place::Line, children, lower)?;
        self.out.end_line()
    }

    fn code(&mut self, children: &[Element<'_>]) -> Done {
        let [Element(Repr::Text(value))] = children else {
            return Err(Unwritten);
        };
        self.begin_phrasing()?;
        self.out.push_code(value);
        Ok(())
    }
}

/// A block wrote nothing. Fails if the block ended a line, because that line would then continue.
fn went_on(ends_line: bool) -> Done {
    match ends_line {
        true => Err(Unwritten),
        false => Ok(()),
    }
}

impl Walker<Mdast> for Walk<'_, '_> {
    type Stop = Unwritten;

    fn begin_call(&mut self) {
        self.seam.begin_call();
    }

    fn end_call(&mut self) {
        self.seam.end_call();
    }

    fn text(&mut self, text: &str) -> Done {
        if text.is_empty() {
            return Ok(());
        }
        self.pass(false)?;
        self.begin_phrasing()?;
        self.out.push_text(text);
        Ok(())
    }

    fn node(
        &mut self,
        node: &dyn Node,
        children: &[Element<'_>],
        within: &Lower<'_, Mdast>,
    ) -> Done {
        self.pass(true)?;
        let around = std::mem::take(&mut self.seam);
        self.shape(node, children, within)?;
        self.seam = around;
        Ok(())
    }
}

impl Walk<'_, '_> {
    fn shape(
        &mut self,
        node: &dyn Node,
        children: &[Element<'_>],
        within: &Lower<'_, Mdast>,
    ) -> Done {
        let any: &dyn Any = node;
        if let Some(node) = any.downcast_ref::<Item>() {
            self.item(node, children, within)
        } else if any.is::<Code>() {
            self.code(children)
        } else if let Some(node) = any.downcast_ref::<Status>() {
            self.begin_phrasing()?;
            self.out.push_text("(");
            self.out.push_text(&node.state);
            self.out.push_text(")");
            Ok(())
        } else if let Some(node) = any.downcast_ref::<Section>() {
            self.section(node, children, within)
        } else if let Some(node) = any.downcast_ref::<List>() {
            self.list(node, children, within)
        } else if let Some(node) = any.downcast_ref::<Field>() {
            self.field(node, children, within)
        } else if any.is::<Paragraph>() {
            self.begin_paragraph()?;
            self.children_in(Place::Line, children, within)?;
            self.out.end_line()
        } else if let Some(node) = any.downcast_ref::<Meter>() {
            self.begin_phrasing()?;
            self.out.push_text(&shown(node, within.scope().density()));
            Ok(())
        } else if any.is::<Group>() || any.is::<Relates>() {
            self.children(children, within)
        } else if let Some(node) = any.downcast_ref::<Part>() {
            let cap = within.own_cap(node.cap);
            within.with_cap(cap.as_ref(), |within| self.children(children, within))
        } else {
            Err(Unwritten)
        }
    }
}
