//! Formats code on one line. The result is `None` if the code must be broken.

use super::Layout;
use crate::parse::{Call, Element, Item, List, Listed, Node, Part, Prop, Rust};

impl Layout<'_> {
    pub(super) fn flat(&self, node: &Node<'_>) -> Option<String> {
        match node {
            Node::Kept(rust) => self.flat_rust(rust),
            Node::Braces(braces) if braces.ends_in_comment => None,
            Node::Braces(braces) => Some(format!("{{{}}}", self.flat_rust(&braces.rust)?)),
            Node::Element(element) => {
                let open = self.flat_open(element)?;
                let Some(children) = &element.children else {
                    return Some(format!("{open} />"));
                };
                let children = self.flat_nodes(children)?;
                Some(format!("{open}>{children}</{}>", self.closing(element)))
            }
            Node::Branches(branches) => {
                let branches = branches.iter().map(|branch| {
                    let mut flat = format!("{} ", branch.keyword);
                    if !branch.head.place.is_empty() {
                        flat.push_str(&self.flat_rust(&branch.head)?);
                        flat.push(' ');
                    }
                    Some(flat + &self.flat_braces(&branch.body)?)
                });
                branches
                    .collect::<Option<Vec<_>>>()
                    .map(|branches| branches.join(" "))
            }
            Node::Match { .. } => None,
        }
    }

    fn flat_nodes(&self, list: &List<'_, Node<'_>>) -> Option<String> {
        if list.ends_line || list.items.iter().any(|item| item.lines > 0) {
            return None;
        }
        let nodes = list.items.iter().map(|item| self.flat_entry(item));
        nodes
            .collect::<Option<Vec<_>>>()
            .map(|nodes| nodes.join(" "))
    }

    pub(super) fn flat_entry(&self, item: &Item<'_, Node<'_>>) -> Option<String> {
        match &item.what {
            Listed::Node(node) => self.flat(node),
            Listed::Comment(comment) if comment.is_line() || comment.text.contains('\n') => None,
            Listed::Comment(comment) => Some(comment.text.to_owned()),
        }
    }

    /// `{ nodes }`
    pub(super) fn flat_braces(&self, body: &List<'_, Node<'_>>) -> Option<String> {
        let nodes = self.flat_nodes(body)?;
        Some(if nodes.is_empty() {
            "{}".to_owned()
        } else {
            format!("{{ {nodes} }}")
        })
    }

    /// `<Name prop=value`, without the end.
    pub(super) fn flat_open(&self, element: &Element<'_>) -> Option<String> {
        let name = self.flat_rust(&element.name)?;
        let mut open = format!("<{name}");
        for item in &element.props.items {
            let Listed::Node(prop) = &item.what else {
                return None;
            };
            open.push(' ');
            open.push_str(&self.flat_prop(prop)?);
        }
        Some(open)
    }

    fn flat_prop(&self, prop: &Prop<'_>) -> Option<String> {
        match prop {
            Prop::Alone(node) => self.flat(node),
            Prop::Given(name, value) => Some(format!(
                "{}={}",
                &self.text[name.clone()],
                self.flat(value)?
            )),
        }
    }

    fn flat_rust(&self, rust: &Rust<'_>) -> Option<String> {
        let place = &rust.place;
        if self.text[place.clone()].contains('\n') {
            return None;
        }
        let mut flat = String::new();
        let mut at = place.start;
        for part in &rust.parts {
            let (place, written) = match part {
                Part::Literal(_) => continue,
                Part::Call(call) => (&call.place, self.flat_call(call)?),
                Part::Tag(place, node) => (place, self.flat(node)?),
            };
            flat.push_str(&self.text[at..place.start]);
            flat.push_str(&written);
            at = place.end;
        }
        flat.push_str(&self.text[at..place.end]);
        Some(flat)
    }

    pub(super) fn flat_call(&self, call: &Call<'_>) -> Option<String> {
        let (open, close) = self.delimiters(call);
        if open == "{" {
            return self.flat_braces(&call.body);
        }
        Some(format!("{open}{}{close}", self.flat_nodes(&call.body)?))
    }
}
