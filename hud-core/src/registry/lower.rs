//! [`Lower`]: the walk from a tree to a target.

use std::any::Any;

use super::{Registry, Rules, Target, no_rule};
use crate::ambient::Scope;
use crate::component::{Component, TagMeta};
use crate::density::Density;
use crate::element::{Element, NodeElement, Repr};
use crate::node::{Beside, Node, Part, Parts, SEPARATOR, Value};
use crate::part::{Cap, Handle, Visitor};
use crate::trace::{Call, Recorder};

/// The result of lowering: the pieces of an element, in order.
pub type LowerResult<T> = Result<Vec<<T as Target>::Piece>, LowerError>;

/// The result of a rule whose node is one piece, or none.
pub(crate) type LoweredPiece<T> = Result<Option<<T as Target>::Piece>, LowerError>;

/// The error of a tree that cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LowerError {
    /// A node has no rule for the target.
    #[error(
        "node `{node}` has no rule for target `{target}`: register one with `Registry::register`, \
         or one for all nodes with `Registry::register_default`, and render with a `Renderer` of that \
         registry, as `render()` has the rules of the built-in nodes only"
    )]
    NoRule {
        /// The node's name.
        node: &'static str,
        /// The target's name.
        target: &'static str,
    },
    /// The tree is nested too deeply, most likely because a component renders itself endlessly.
    #[error("more than {limit} elements are nested: does `{within}` render itself?")]
    TooDeep {
        /// The maximum depth.
        limit: usize,
        /// The node or the component at the limit.
        within: &'static str,
    },
    /// A node is in a place where the target does not support it.
    #[error(transparent)]
    Misplaced(Box<Misplaced>),
    /// A prop has a value that the target does not support.
    #[error(transparent)]
    Invalid(Box<InvalidProp>),
}

/// A node in a place where the target does not support it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`<{node}>` cannot be {}{}: {fix}",
    in_tag(within, "here"),
    of_component(component)
)]
#[non_exhaustive]
pub struct Misplaced {
    /// The node's name.
    pub node: &'static str,
    /// The name of the node that it is in. Empty at the top of a layout.
    pub within: &'static str,
    /// The name of the component that renders it. Empty without one.
    pub component: &'static str,
    /// The fix, as an imperative.
    pub fix: &'static str,
}

/// A prop with a value that the target does not support.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`<{node} {prop}={value:?}>`{}: {fix}", of_component(component))]
#[non_exhaustive]
pub struct InvalidProp {
    /// The node's name.
    pub node: &'static str,
    /// The prop's name.
    pub prop: &'static str,
    /// The prop's value.
    pub value: String,
    /// The name of the component that renders the node. Empty without one.
    pub component: &'static str,
    /// The fix, as an imperative.
    pub fix: &'static str,
}

fn in_tag(tag: &str, otherwise: &str) -> String {
    match tag {
        "" => otherwise.to_owned(),
        tag => format!("in `<{tag}>`"),
    }
}

fn of_component(name: &str) -> String {
    match name {
        "" => String::new(),
        name => format!(" (in the component `{name}`)"),
    }
}

/// The boundary between two siblings, where calls of components end and begin.
///
/// A separator is put between a call and an adjacent call or node. It is not put between a call and
/// text, which has the blanks that its author wrote.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seam {
    /// The number of calls that ended, and of those that began, since the last sibling.
    ended: u32,
    begun: u32,
    /// True if nothing is put between siblings, as in code.
    is_verbatim: bool,
    /// True if the last sibling is a node.
    is_behind_node: bool,
}

impl Seam {
    /// Enters a call.
    pub(crate) fn begin_call(&mut self) {
        self.begun += 1;
    }

    /// Leaves a call. A call without output has no effect.
    pub(crate) fn end_call(&mut self) {
        match self.begun.checked_sub(1) {
            Some(begun) => self.begun = begun,
            None => self.ended += 1,
        }
    }

    /// True if a separator is put before the next sibling, which is a node or a text.
    pub(crate) fn parts(&self, is_node: bool) -> bool {
        match (self.ended > 0, self.begun > 0) {
            _ if self.is_verbatim => false,
            (true, true) => true,
            (true, false) => is_node,
            (false, true) => self.is_behind_node,
            (false, false) => false,
        }
    }

    /// Records a sibling.
    pub(crate) fn pass(&mut self, is_node: bool) {
        *self = Self {
            ended: 0,
            begun: 0,
            is_verbatim: self.is_verbatim,
            is_behind_node: is_node,
        };
    }
}

/// The output pieces of siblings.
pub(crate) struct Siblings<'p, T: Target> {
    pieces: &'p mut Vec<T::Piece>,
    pub(crate) seam: Seam,
}

impl<'p, T: Target> Siblings<'p, T> {
    /// Continues after pieces with a seam at their end.
    pub(crate) fn behind(pieces: &'p mut Vec<T::Piece>, seam: Seam) -> Self {
        Self { pieces, seam }
    }

    /// Adds the output of a node or a text.
    pub(crate) fn add(
        &mut self,
        is_node: bool,
        give: impl FnOnce(&mut Vec<T::Piece>) -> Result<(), LowerError>,
    ) -> Result<(), LowerError> {
        let before = self.pieces.len();
        give(self.pieces)?;
        let Some(first) = self.pieces.get(before) else {
            return Ok(());
        };
        if self.seam.parts(is_node)
            && let Some(last) = before.checked_sub(1).and_then(|last| self.pieces.get(last))
            && T::runs_on(last, first)
        {
            self.pieces.insert(before, T::text(SEPARATOR));
        }
        self.seam.pass(is_node);
        Ok(())
    }
}

/// The visitor of the texts and nodes of an element.
pub(crate) trait Walker<T: Target> {
    /// The reason that a walk ends early.
    type Stop: From<LowerError>;

    /// Enters a call of a component.
    fn begin_call(&mut self) {}

    /// Leaves that call.
    fn end_call(&mut self) {}

    /// Visits a text, which may be empty.
    fn text(&mut self, text: &str) -> Result<(), Self::Stop>;

    /// Visits a node, with its children and the walk for them.
    fn node(
        &mut self,
        node: &dyn Node,
        children: &[Element<'_>],
        within: &Lower<'_, T>,
    ) -> Result<(), Self::Stop>;
}

/// The maximum number of nested nodes and components.
pub const MAX_DEPTH: usize = 256;

/// A walk through a tree: it calls components and applies rules.
pub struct Lower<'r, T: Target> {
    /// The rules of the target, if it has any.
    rules: Option<&'r Rules<T>>,
    scope: Scope<'r>,
    context: T::Context,
    depth: usize,
    /// The names of the enclosing node and component. Empty without one.
    node: &'static str,
    component: &'static str,
    is_verbatim: bool,
    /// The recorder of calls and their pieces, and the index of the enclosing call.
    recorder: Option<&'r Recorder>,
    call: Option<usize>,
}

impl<T: Target> Clone for Lower<'_, T> {
    fn clone(&self) -> Self {
        Self {
            rules: self.rules,
            scope: self.scope,
            context: self.context.clone(),
            depth: self.depth,
            node: self.node,
            component: self.component,
            is_verbatim: self.is_verbatim,
            recorder: self.recorder,
            call: self.call,
        }
    }
}

impl<'r, T: Target> Lower<'r, T> {
    /// A walk that begins in `scope`, with the target's default context.
    pub fn new(registry: &'r Registry, scope: Scope<'r>) -> Self {
        Self {
            rules: registry.rules(),
            scope,
            context: T::Context::default(),
            depth: 0,
            node: "",
            component: "",
            is_verbatim: false,
            recorder: None,
            call: None,
        }
    }

    /// The same walk with a [recorder](crate::trace).
    pub(crate) fn recorded(self, recorder: Option<&'r Recorder>) -> Self {
        Self { recorder, ..self }
    }

    /// The current scope. A rule may depend on its density and read its [context
    /// values](crate::ambient).
    pub fn scope(&self) -> Scope<'r> {
        self.scope
    }

    /// The context that the outer rules set.
    pub fn context(&self) -> &T::Context {
        &self.context
    }

    /// The name of the node that is lowered. Empty at the top of a layout.
    pub(crate) fn node(&self) -> &'static str {
        self.node
    }

    /// The error that the node is in a node that does not support it.
    pub(crate) fn misplaced(&self, within: &'static str, fix: &'static str) -> LowerError {
        LowerError::Misplaced(Box::new(Misplaced {
            node: self.node,
            within,
            component: self.component,
            fix,
        }))
    }

    /// The error that a prop of the node has an unsupported value.
    pub(crate) fn invalid(
        &self,
        prop: &'static str,
        value: impl Into<String>,
        fix: &'static str,
    ) -> LowerError {
        LowerError::Invalid(Box::new(InvalidProp {
            node: self.node,
            prop,
            value: value.into(),
            component: self.component,
            fix,
        }))
    }

    /// The same walk for verbatim content: nothing is put between calls of components.
    #[must_use]
    pub fn verbatim(&self) -> Self {
        Self {
            is_verbatim: true,
            ..self.clone()
        }
    }

    /// The same walk with another context, for a rule's children.
    #[must_use]
    pub fn with_context(&self, context: T::Context) -> Self {
        Self {
            context,
            ..self.clone()
        }
    }

    /// Lowers elements in order.
    ///
    /// # Errors
    ///
    /// As [`element`](Self::element).
    pub fn children(&self, children: &[Element<'_>]) -> LowerResult<T> {
        let mut pieces = match children {
            // The number of pieces is unknown. Most often there are none, or the rule reserves the
            // room itself.
            [Element(Repr::Component(_) | Repr::Borrowed(_))] => Vec::new(),
            _ => Vec::with_capacity(children.iter().map(Element::width).sum()),
        };
        let seam = Seam {
            is_verbatim: self.is_verbatim,
            ..Seam::default()
        };
        let mut siblings = Siblings::behind(&mut pieces, seam);
        for child in children {
            self.push(child, &mut siblings)?;
        }
        Ok(pieces)
    }

    /// Lowers one element.
    ///
    /// # Errors
    ///
    /// [`LowerError::NoRule`] if a node in it has no rule for this target, and
    /// [`LowerError::TooDeep`] if more than [`MAX_DEPTH`] elements are nested.
    pub fn element(&self, element: &Element<'_>) -> LowerResult<T> {
        self.children(std::slice::from_ref(element))
    }

    fn push(
        &self,
        element: &Element<'_>,
        siblings: &mut Siblings<'_, T>,
    ) -> Result<(), LowerError> {
        match &element.0 {
            Repr::Text(text) if text.is_empty() => {}
            Repr::Text(text) => siblings.add(false, |pieces| {
                pieces.push(T::text(text));
                Ok(())
            })?,
            Repr::Fragment(children) => {
                let within = self.within(|| "a fragment")?;
                if siblings.pieces.capacity() == 0 {
                    siblings.pieces.reserve_exact(children.0.len());
                }
                for child in children.0.iter() {
                    within.push(child, siblings)?;
                }
            }
            Repr::Borrowed(element) => self.push(element, siblings)?,
            Repr::Node(element) => self.push_node(element, siblings)?,
            Repr::Component(component) => self.push_call(&**component, siblings)?,
        }
        Ok(())
    }

    fn push_node(
        &self,
        element: &NodeElement<'_>,
        siblings: &mut Siblings<'_, T>,
    ) -> Result<(), LowerError> {
        let name = || element.node.meta().name;
        let mut within = self.within(name)?.of_node(element);
        within.node = name();
        let rules = self.rules.ok_or_else(|| no_rule::<T>(name()))?;
        siblings.add(true, |pieces| {
            let before = pieces.len();
            rules.lower(&element.node, &element.children, &within, pieces)?;
            within.mark(pieces, before);
            Ok(())
        })
    }

    fn push_call(
        &self,
        component: &dyn Component,
        siblings: &mut Siblings<'_, T>,
    ) -> Result<(), LowerError> {
        let is_call = !component.is_inlined();
        if is_call {
            siblings.seam.begin_call();
        }
        let before = siblings.pieces.len();
        self.call::<_, LowerError>(component, |within, rendered| {
            within.push(rendered, siblings)?;
            within.mark(siblings.pieces, before);
            Ok(())
        })?;
        if is_call {
            siblings.seam.end_call();
        }
        Ok(())
    }

    /// The same walk at another density.
    pub(crate) fn with_density(&self, density: Density) -> Self {
        Self {
            scope: self.scope.with_density(density),
            ..self.clone()
        }
    }

    /// The component's or part's own cap, unless an outer element provides one.
    pub(crate) fn own_cap(&self, cap: Option<u32>) -> Option<Cap> {
        let own = cap.map(Cap);
        own.filter(|_| self.scope.ambient::<Cap>().is_none())
    }

    /// Continues with a cap for the content, if there is one.
    pub(crate) fn with_cap<R>(
        &self,
        cap: Option<&Cap>,
        go_on: impl FnOnce(&Lower<'_, T>) -> R,
    ) -> R {
        match cap {
            Some(cap) => {
                let provided = self.scope.provide(cap);
                go_on(&Lower {
                    scope: provided.scope(),
                    ..self.clone()
                })
            }
            None => go_on(self),
        }
    }

    /// Continues with a handle for the content, if there is one.
    pub(crate) fn with_handle<R>(
        &self,
        handle: Option<&Handle>,
        go_on: impl FnOnce(&Lower<'_, T>) -> R,
    ) -> R {
        match handle {
            Some(handle) => {
                let provided = self.scope.provide(handle);
                go_on(&Lower {
                    scope: provided.scope(),
                    ..self.clone()
                })
            }
            None => go_on(self),
        }
    }

    /// Visits the [parts](crate::part) of a layout, in order.
    ///
    /// # Errors
    ///
    /// As [`element`](Self::element), for the components around the parts. Also the errors of the
    /// visitor.
    pub(crate) fn each_part(
        &self,
        layout: &[Element<'_>],
        visitor: &mut dyn Visitor<T>,
    ) -> Result<(), LowerError> {
        layout
            .iter()
            .try_for_each(|element| self.walk(element, None, visitor))
    }

    /// Walks an element. `asked` is the density that an enclosing component was given.
    fn walk(
        &self,
        element: &Element<'_>,
        asked: Option<Density>,
        visitor: &mut dyn Visitor<T>,
    ) -> Result<(), LowerError> {
        let walked = self.walk_into(element, asked, visitor);
        walked.or_else(|error| visitor.failed(error))
    }

    fn walk_into(
        &self,
        element: &Element<'_>,
        asked: Option<Density>,
        visitor: &mut dyn Visitor<T>,
    ) -> Result<(), LowerError> {
        match &element.0 {
            Repr::Text(text) if text.is_empty() => Ok(()),
            Repr::Text(_) => visitor.besides(element, self),
            Repr::Borrowed(element) => self.walk(element, asked, visitor),
            Repr::Fragment(children) => {
                let within = self.within(|| "a fragment")?;
                children
                    .0
                    .iter()
                    .try_for_each(|child| within.walk(child, asked, visitor))
            }
            Repr::Node(inner) => {
                let NodeElement { children, node } = &**inner;
                let within = self.within(|| node.meta().name)?;
                let node: &dyn Any = node;
                if node.is::<Parts>() {
                    children
                        .iter()
                        .try_for_each(|child| within.walk(child, asked, visitor))
                } else if let Some(Beside { separator }) = node.downcast_ref() {
                    visitor.begin_beside(separator);
                    let walked = children
                        .iter()
                        .try_for_each(|child| within.walk(child, asked, visitor));
                    visitor.end_beside();
                    walked
                } else if let Some(part) = node.downcast_ref::<Part>() {
                    visitor.part(part.meta_around(children), asked, element, self)
                } else {
                    visitor.besides(element, self)
                }
            }
            Repr::Component(component) => match &component.meta().part {
                Some(part) => {
                    let asked = component.density().or(asked);
                    visitor.part(part.clone(), asked, element, self)
                }
                None => {
                    let is_call = !component.is_inlined();
                    if is_call {
                        visitor.begin_call();
                    }
                    let walked = self.call(&**component, |within, rendered| {
                        within.walk(rendered, component.density().or(asked), visitor)
                    });
                    if is_call {
                        visitor.end_call();
                    }
                    walked
                }
            },
        }
    }

    /// Visits the texts and nodes of an element. The walker decides about the children of a node.
    pub(crate) fn each_node<W: Walker<T>>(
        &self,
        element: &Element<'_>,
        walker: &mut W,
    ) -> Result<(), W::Stop> {
        match &element.0 {
            Repr::Text(text) => walker.text(text),
            Repr::Borrowed(element) => self.each_node(element, walker),
            Repr::Fragment(children) => {
                let within = self.within(|| "a fragment")?;
                children
                    .0
                    .iter()
                    .try_for_each(|child| within.each_node(child, walker))
            }
            Repr::Node(inner) => {
                let NodeElement { children, node } = &**inner;
                let mut within = self.within(|| node.meta().name)?;
                within.node = node.meta().name;
                walker.node(node, children, &within)
            }
            Repr::Component(component) => {
                let is_call = !component.is_inlined();
                if is_call {
                    walker.begin_call();
                }
                self.call(&**component, |within, rendered| {
                    within.each_node(rendered, walker)
                })?;
                if is_call {
                    walker.end_call();
                }
                Ok(())
            }
        }
    }

    /// Calls a component, and continues in the scope that it provides.
    fn call<R, E: From<LowerError>>(
        &self,
        component: &dyn Component,
        go_on: impl FnOnce(&Lower<'_, T>, &Element<'_>) -> Result<R, E>,
    ) -> Result<R, E> {
        let meta = component.meta();
        let mut within = self.within(|| meta.name)?;
        if !component.is_inlined() {
            within.component = meta.name;
        }
        if let Some(density) = component.density() {
            within.scope = within.scope.with_density(density);
        }
        if let Some(recorder) = within.recorder {
            let part = meta.part.as_ref().map(|part| part.name.to_string());
            within.call = Some(recorder.enter(within.as_call(meta, part, Vec::new())));
        }
        let cap = within.own_cap(meta.part.as_ref().and_then(|part| part.cap));
        within.with_cap(cap.as_ref(), |within| {
            let provided = component
                .provided()
                .map(|value| within.scope.provide(value));
            match &provided {
                None => go_on(within, &component.render(&within.scope)),
                Some(provided) => {
                    let within = Lower {
                        scope: provided.scope(),
                        ..within.clone()
                    };
                    go_on(&within, &component.render(&within.scope))
                }
            }
        })
    }

    /// The same walk within a node. Records the node if there is a recorder.
    fn of_node(mut self, element: &NodeElement<'_>) -> Self {
        if let Some(recorder) = self.recorder {
            let NodeElement { children, node } = element;
            let any: &dyn Any = node;
            let part = any.downcast_ref::<Part>();
            let part = part.map(|part| part.meta_around(children).name.into_owned());
            self.call = Some(recorder.enter(self.as_call(node.meta(), part, node.props())));
        }
        self
    }

    /// The record of a call at this place.
    fn as_call(
        &self,
        meta: &TagMeta,
        part: Option<String>,
        props: Vec<(&'static str, Value)>,
    ) -> Call {
        Call {
            name: meta.name,
            kind: meta.kind,
            within: self.call,
            part,
            density: self.scope.density(),
            props,
            wrote: false,
        }
    }

    /// Marks the pieces from an index on with the current call, if there is a recorder.
    fn mark(&self, pieces: &mut [T::Piece], from: usize) {
        let (Some(recorder), Some(call)) = (self.recorder, self.call) else {
            return;
        };
        for piece in pieces.iter_mut().skip(from) {
            T::mark(piece, recorder, call);
        }
    }

    fn within(&self, name: impl FnOnce() -> &'static str) -> Result<Self, LowerError> {
        if self.depth == MAX_DEPTH {
            return Err(LowerError::TooDeep {
                limit: MAX_DEPTH,
                within: name(),
            });
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self.clone()
        })
    }
}
