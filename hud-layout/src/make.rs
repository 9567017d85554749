//! From pieces and a state to elements.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use hud_core::node::{self, Part, Parts};
use hud_core::schema::Slots;
use hud_core::{Component, Density, Element, Scope as Ambient, TagKind, TagMeta};
use hud_store::state::HudState;
use serde_json::{Map, Value as Json};

use crate::catalogue::{Entry, state_schema};
use crate::expr::{
    self, Expr, ExprKind, LinkKind, Meter, Mistake, Scope, Span, Value, eval, shown,
};
use crate::file::{self, File, Mark, Piece, Tag};
use crate::report::place;
use crate::template::{BUILT_IN, Made, Template};
use crate::walk::mentions;

/// How many elements may be within one another.
const MAX_DEEP: usize = 256;

/// A state as expressions see it.
pub(crate) struct Data {
    json: Json,
    value: OnceCell<Value>,
}

impl Data {
    pub(crate) fn of(state: &HudState) -> Rc<Self> {
        let mut json = serde_json::to_value(state).unwrap_or_default();
        fill(&mut json, state_schema());
        Rc::new(Self {
            json,
            value: OnceCell::new(),
        })
    }

    fn value(&self) -> &Value {
        self.value.get_or_init(|| Value::from(&self.json))
    }

    /// What an expression such as `state.task` names, without a copy of it.
    fn path(&self, expr: &Expr) -> Option<&Json> {
        let is_state =
            |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if &**name == "state");
        match &expr.kind {
            ExprKind::Path { of, links } if is_state(of) => {
                links
                    .iter()
                    .try_fold(&self.json, |value, link| match &link.kind {
                        LinkKind::Member(name) => value.get(&*name.text),
                        _ => None,
                    })
            }
            _ if is_state(expr) => Some(&self.json),
            _ => None,
        }
    }
}

/// Puts in what was left out of a state since it is empty, as its schema says.
fn fill(value: &mut Json, schema: &Json) {
    match value {
        Json::Object(members) => {
            if let Some(properties) = schema.get("properties").and_then(Json::as_object) {
                for (name, schema) in properties {
                    match members.get_mut(name) {
                        Some(value) => fill(value, schema),
                        None => {
                            members.extend(empty(schema).map(|value| (name.clone(), value)));
                        }
                    }
                }
            } else if let Some(schema) = schema.get("additionalProperties") {
                members.values_mut().for_each(|value| fill(value, schema));
            } else if let Some(schema) = schema.get("anyOf").and_then(|of| of.get(0)) {
                fill(value, schema);
            }
        }
        Json::Array(items) => {
            if let Some(schema) = schema.get("items") {
                items.iter_mut().for_each(|value| fill(value, schema));
            }
        }
        _ => {}
    }
}

/// The value of what is left out.
fn empty(schema: &Json) -> Option<Json> {
    let ty = match schema.get("type") {
        Some(Json::String(ty)) => ty.as_str(),
        Some(Json::Array(types)) if types.iter().any(|ty| ty == "null") => return Some(Json::Null),
        _ if schema.get("anyOf").is_some() => return Some(Json::Null),
        _ => return schema.get("default").cloned(),
    };
    match (schema.get("default"), ty) {
        (Some(default), ty) if ty != "object" => Some(default.clone()),
        (_, "array") => Some(Json::Array(Vec::new())),
        (_, "object") => {
            let mut value = Json::Object(Map::new());
            fill(&mut value, schema);
            Some(value)
        }
        (_, "string") if schema.get("enum").is_none() => Some("".into()),
        (_, "boolean") => Some(false.into()),
        (_, "integer" | "number") => Some(0.into()),
        _ => None,
    }
}

/// Makes the elements of a template.
#[derive(Clone)]
pub(crate) struct Maker {
    template: Template,
    data: Rc<Data>,
    failures: Rc<RefCell<Vec<Mistake>>>,
    meter: Rc<RefCell<Meter>>,
    /// The props of the component that is made.
    props: Option<Value>,
    /// The density, where that is known.
    density: Option<Density>,
    deep: usize,
    #[cfg(feature = "script")]
    functions: Rc<crate::script::Process>,
}

/// Which of the parts that every HUD has were made where a fit sees them.
#[derive(Default)]
struct Floors {
    task: bool,
    blockers: bool,
}

impl Maker {
    pub(crate) fn new(template: Template, data: Rc<Data>) -> Self {
        Self {
            #[cfg(feature = "script")]
            functions: Rc::new(template.0.catalogue.process(&template.0.script)),
            template,
            data,
            failures: Rc::default(),
            meter: Rc::default(),
            props: None,
            density: None,
            deep: 0,
        }
    }

    /// All that the template shows.
    pub(crate) fn all(&self) -> Made {
        let template = self.template.clone();
        let mut floors = Floors::default();
        self.look(&template.0.file.pieces, &mut floors);
        let mut shown = Vec::new();
        if !floors.task {
            shown.extend(self.built_in("TaskSection"));
        }
        if !floors.blockers {
            shown.extend(self.built_in("BlockersList"));
        }
        shown.extend(self.pieces(&template.0.file.pieces));
        let failures = self.failures.take();
        if let Some(first) = failures.first() {
            shown.push(note(&self.line(first)));
        }
        let shown = match template.density() {
            Some(density) => vec![Element::component(Fixed {
                density,
                shown: Element::fragment(shown),
            })],
            None => shown,
        };
        let element = match shown.as_slice() {
            [only] if only.as_node::<Parts>().is_some() => only.clone(),
            _ => Element::node(Parts {}, shown),
        };
        Made { element, failures }
    }

    /// What the HUD says of a piece that could not be made.
    fn line(&self, mistake: &Mistake) -> String {
        let (line, column, _) = place(&self.template.0.source.text, mistake.span.start);
        format!("layout {line}:{column} failed: built-in shown, see `hud layout check`")
    }

    /// Finds the parts with a floor that a fit sees.
    fn look(&self, pieces: &[Piece], floors: &mut Floors) {
        let shows = |tag: &Tag, prop: &str, member: &str| {
            tag.props.iter().any(|given| {
                &*given.name.text == prop
                    && matches!(&given.value.kind, ExprKind::Path { of, links }
                        if matches!(&of.kind, ExprKind::Name(name) if &**name == "state")
                            && matches!(links.as_slice(), [link]
                                if matches!(&link.kind, LinkKind::Member(name) if &*name.text == member)))
            })
        };
        for piece in pieces {
            let Piece::Tag(tag) = piece else { continue };
            match tag.name.as_ref().map(|name| &*name.text) {
                None | Some("Parts" | "Beside") => self.look(&tag.children, floors),
                Some("Part") if tag.children.len() == 1 => self.look(&tag.children, floors),
                Some("Hud") => (floors.task, floors.blockers) = (true, true),
                Some("TaskSection") => floors.task |= shows(tag, "task", "task"),
                Some("BlockersList") => floors.blockers |= shows(tag, "blockers", "blockers"),
                Some(name) => {
                    let declared = self.template.0.components.get(name);
                    if let Some(component) =
                        declared.filter(|component| component.head.density.is_none())
                    {
                        self.look(&component.pieces, floors);
                    }
                }
            }
        }
    }

    fn pieces(&self, pieces: &[Piece]) -> Vec<Element<'static>> {
        let mut shown = Vec::new();
        for piece in pieces {
            self.piece(piece, &mut shown);
        }
        shown
    }

    fn piece(&self, piece: &Piece, to: &mut Vec<Element<'static>>) {
        match piece {
            Piece::Text(text) => to.push(Element::text(text.to_string())),
            Piece::Mark(mark, inner) => to.push(marked(mark, self.pieces(inner))),
            Piece::Expr(expr) if self.waits(std::slice::from_ref(&**expr).iter()) => {
                to.push(self.later(piece));
            }
            Piece::Expr(expr) => match self
                .value(expr)
                .and_then(|value| self.shown(&value, expr.span))
            {
                Ok(shown) => to.extend(shown),
                Err(mistake) => self.fail(mistake),
            },
            Piece::Tag(tag) => {
                let Some(name) = &tag.name else {
                    return to.extend(self.pieces(&tag.children));
                };
                if self.waits(tag.props.iter().map(|prop| &prop.value)) {
                    return to.push(self.later(piece));
                }
                match self.tag(&name.text, tag) {
                    Ok(made) => to.push(made),
                    Err(mistake) => {
                        self.fail(mistake);
                        to.extend(self.built_in(&name.text));
                    }
                }
            }
        }
    }

    /// Whether expressions read the density, which is known when they are rendered.
    fn waits<'e>(&self, exprs: impl Iterator<Item = &'e Expr>) -> bool {
        self.density.is_none() && { exprs }.any(|expr| mentions(expr, "density"))
    }

    fn later(&self, piece: &Piece) -> Element<'static> {
        let maker = Self {
            meter: Rc::default(),
            ..self.clone()
        };
        Element::component(Later {
            maker,
            piece: piece.clone(),
        })
    }

    fn fail(&self, mistake: Mistake) {
        self.failures.borrow_mut().push(mistake);
    }

    /// A tag as the built-in layout has it, if it does.
    fn built_in(&self, name: &str) -> Option<Element<'static>> {
        self.tag(name, built_in(name)?).ok()
    }

    fn value(&self, expr: &Expr) -> Result<Value, Mistake> {
        let state = self.data.value();
        let mut scope = Scope::new().with("state", state.clone());
        #[cfg(feature = "script")]
        {
            scope = scope.with_functions(&*self.functions);
        }
        if let Value::Object(state) = state {
            let context = state.get("context").cloned().unwrap_or_default();
            scope.set("context", context);
        }
        if let Some(density) = self.density {
            scope.set("density", Value::text(density.name()));
        }
        if let Some(props) = &self.props {
            scope.set("props", props.clone());
        }
        eval(expr, &scope, &mut self.meter.borrow_mut())
    }

    fn shown(&self, value: &Value, span: Span) -> Result<Vec<Element<'static>>, Mistake> {
        let values = shown(value, span, &mut self.meter.borrow_mut())?;
        self.elements(&values, span)
    }

    fn elements(&self, values: &[Value], span: Span) -> Result<Vec<Element<'static>>, Mistake> {
        let elements = values.iter().map(|value| match value {
            Value::Text(text) => Ok(Element::text(text.to_string())),
            Value::Number(number) => Ok(Element::text(expr::number_text(*number))),
            Value::Element(element) => self.element(element),
            other => Err(Mistake::new(
                span,
                format!("{} can not be shown", other.kind()),
            )),
        });
        elements.collect()
    }

    /// What an element of an expression becomes.
    fn element(&self, element: &expr::Element) -> Result<Element<'static>, Mistake> {
        let children = self.elements(&element.children, element.span)?;
        if element.tag.is_empty() {
            return Ok(Element::fragment(children));
        }
        let props: Vec<(&str, Given<'_>)> = element
            .props
            .iter()
            .map(|(name, value)| (&**name, Given::Value(Cow::Borrowed(value))))
            .collect();
        self.make(&element.tag, element.span, props, children)
    }

    fn tag(&self, name: &str, tag: &Tag) -> Result<Element<'static>, Mistake> {
        let mut props = Vec::new();
        for prop in &tag.props {
            let given = match self.data.path(&prop.value) {
                Some(json) => Given::Json(json),
                None => Given::Value(Cow::Owned(self.value(&prop.value)?)),
            };
            props.push((&*prop.name.text, given));
        }
        let children = self.pieces(&tag.children);
        let span = tag.name.as_ref().map_or(tag.span, |name| name.span);
        self.make(name, span, props, children)
    }

    fn make(
        &self,
        name: &str,
        span: Span,
        props: Vec<(&str, Given<'_>)>,
        children: Vec<Element<'static>>,
    ) -> Result<Element<'static>, Mistake> {
        if let Some(component) = self.template.0.components.get(name) {
            if self.deep >= MAX_DEEP {
                return Err(Mistake::new(
                    span,
                    format!("more than {MAX_DEEP} components within one another"),
                ));
            }
            let mut given: Vec<(Arc<str>, Value)> = Vec::new();
            if let Some(schemas) = component
                .head
                .props
                .as_ref()
                .and_then(|props| props["properties"].as_object())
            {
                for (prop, schema) in schemas {
                    if let Some(default) = schema.get("default") {
                        given.push((prop.as_str().into(), Value::from(default)));
                    }
                }
            }
            given.extend(
                props
                    .into_iter()
                    .map(|(name, value)| (name.into(), value.into_value())),
            );
            let maker = Self {
                props: Some(Value::Object(expr::Object::new(given))),
                deep: self.deep + 1,
                ..self.clone()
            };
            let shown = Element::fragment(maker.pieces(&component.pieces));
            return Ok(match component.head.density {
                Some(density) => Element::component(Fixed { density, shown }),
                None => shown,
            });
        }
        let Some(entry) = self.template.0.catalogue.get(name) else {
            return Err(Mistake::new(span, format!("there is no tag `<{name}>`")));
        };
        let mut slots = Slots::default();
        if !children.is_empty() {
            slots.set_children(children);
        }
        let mut data: Vec<(&str, Cow<'_, Json>)> = Vec::new();
        for (prop, given) in &props {
            let slot = entry.meta().props.iter().find(|meta| meta.name == *prop);
            if slot.is_some_and(Entry::is_slot) {
                let value = given.value();
                slots.set(*prop, Element::fragment(self.shown(&value, span)?));
            } else if let Some(json) = given.json() {
                data.push((prop, json));
            }
        }
        entry.make(&data, &mut slots).map_err(|error| {
            Mistake::new(span, format!("the props of `<{name}>` do not fit: {error}"))
        })
    }
}

/// The value of a prop.
enum Given<'g> {
    /// A part of the state.
    Json(&'g Json),
    /// The value of an expression.
    Value(Cow<'g, Value>),
}

impl<'g> Given<'g> {
    fn value(&self) -> Cow<'_, Value> {
        match self {
            Self::Json(json) => Cow::Owned(Value::from(*json)),
            Self::Value(value) => Cow::Borrowed(value),
        }
    }

    fn into_value(self) -> Value {
        match self {
            Self::Json(json) => Value::from(json),
            Self::Value(value) => value.into_owned(),
        }
    }

    /// It as data; nothing of what is undefined, as if it was not given.
    fn json(&self) -> Option<Cow<'g, Json>> {
        match self {
            Self::Json(json) => Some(Cow::Borrowed(*json)),
            Self::Value(value) if matches!(**value, Value::Undefined) => None,
            Self::Value(value) => Some(Cow::Owned(value.to_json())),
        }
    }
}

/// A tag of the built-in layout.
pub(crate) fn built_in(name: &str) -> Option<&'static Tag> {
    static FILE: LazyLock<File> = LazyLock::new(|| file::read(BUILT_IN).0);
    fn find<'p>(pieces: &'p [Piece], name: &str) -> Option<&'p Tag> {
        pieces.iter().find_map(|piece| match piece {
            Piece::Tag(tag) if tag.name.as_ref().is_some_and(|own| &*own.text == name) => {
                Some(&**tag)
            }
            Piece::Tag(tag) => find(&tag.children, name),
            _ => None,
        })
    }
    find(&FILE.pieces, name).filter(|tag| !tag.props.is_empty())
}

/// What a template shows, without what every HUD has.
pub(crate) fn alone(template: &Template, state: &HudState) -> Element<'static> {
    let maker = Maker::new(template.clone(), Data::of(state));
    Element::fragment(maker.pieces(&template.0.file.pieces))
}

/// A line of the HUD's own about its layout.
pub(crate) fn note(line: &str) -> Element<'static> {
    let part = Part {
        name: Some("layout".to_owned()),
        layer: Some(hud_core::Layer::Dynamic),
        worth: Some(9),
        floor: None,
        cap: None,
        heading: None,
    };
    Element::node(part, [Element::text(line.to_owned())])
}

/// What is made when the density is known.
struct Later {
    maker: Maker,
    piece: Piece,
}

const LATER: &TagMeta = &TagMeta {
    name: "Later",
    kind: TagKind::Component,
    docs: "",
    props: &[],
    ambient: &[],
    children: false,
    part: None,
};

impl Component for Later {
    fn meta(&self) -> &'static TagMeta {
        LATER
    }

    fn render<'scope>(&'scope self, scope: &'scope Ambient<'scope>) -> Element<'scope> {
        let maker = Maker {
            density: Some(scope.density()),
            failures: Rc::default(),
            meter: Rc::default(),
            ..self.maker.clone()
        };
        let mut shown = Vec::new();
        maker.piece(&self.piece, &mut shown);
        let failures = maker.failures.take();
        if let Some(first) = failures.first() {
            shown.push(Element::text(maker.line(first)));
        }
        Element::fragment(shown)
    }
}

/// What is shown at one density.
struct Fixed {
    density: Density,
    shown: Element<'static>,
}

impl Component for Fixed {
    fn meta(&self) -> &'static TagMeta {
        LATER
    }

    fn density(&self) -> Option<Density> {
        Some(self.density)
    }

    fn render<'scope>(&'scope self, _: &'scope Ambient<'scope>) -> Element<'scope> {
        Element::borrowed(&self.shown)
    }
}

/// The node that markdown became.
fn marked(mark: &Mark, inner: Vec<Element<'static>>) -> Element<'static> {
    match mark.clone() {
        Mark::Paragraph => Element::node(node::Paragraph {}, inner),
        Mark::Heading(level) => Element::node(node::Heading { level }, inner),
        Mark::Strong => Element::node(node::Strong {}, inner),
        Mark::Emphasis => Element::node(node::Emphasis {}, inner),
        Mark::Delete => Element::node(node::Delete {}, inner),
        Mark::Code => Element::node(node::Code {}, inner),
        Mark::CodeBlock { lang, meta } => Element::node(node::CodeBlock { lang, meta }, inner),
        Mark::Quote => Element::node(node::Quote {}, inner),
        Mark::List {
            ordered,
            start,
            spread,
        } => Element::node(
            node::List {
                ordered,
                start,
                spread,
            },
            inner,
        ),
        Mark::Item { checked, spread } => Element::node(node::Item { checked, spread }, inner),
        Mark::ThematicBreak => Element::node(node::ThematicBreak {}, inner),
        Mark::Break => Element::node(node::Break {}, inner),
        Mark::Link { url, title } => Element::node(node::Link { url, title }, inner),
        Mark::Image { url, alt, title } => Element::node(node::Image { url, alt, title }, inner),
        Mark::Table(align) => Element::node(node::Table { align }, inner),
        Mark::Row => Element::node(node::Row {}, inner),
        Mark::Cell => Element::node(node::Cell {}, inner),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;
    use crate::states;

    /// Takes out all that may be left out where it is as usual.
    fn spare(value: &mut Json) {
        match value {
            Json::Object(members) => {
                members.remove("by");
                members.values_mut().for_each(spare);
            }
            Json::Array(items) => items.iter_mut().for_each(spare),
            _ => {}
        }
    }

    #[test]
    fn what_is_left_out_of_a_state_is_filled_in_as_the_state_means_it() {
        for state in [
            HudState::default(),
            states::overfull().clone(),
            states::hostile().clone(),
        ] {
            let mut json = serde_json::to_value(&state).unwrap();
            for is_spared in [false, true] {
                if is_spared {
                    spare(&mut json);
                }
                let state: HudState = serde_json::from_value(json.clone()).unwrap();
                let filled = Data::of(&state);
                assert_eq!(
                    serde_json::from_value::<HudState>(filled.json.clone()).unwrap(),
                    state
                );
            }
        }
    }
}
