//! Makes elements of the pieces of a layout and a state.

mod data;
mod kept;
mod pick;
mod reads;
mod room;
mod session;
mod shown;
mod value;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::{Arc, LazyLock};

use hud_core::node::Parts;
use hud_core::schema::Slots;
use hud_core::{Density, Element, LowerError, Renderer, TagKind};
use hud_store::state::HudState;
use serde_json::Value as Json;

use self::data::Lent;
pub(crate) use self::data::{Data, Written};
pub(crate) use self::kept::Kept;
pub(crate) use self::reads::{Reads, lent};
use self::room::Room;
pub(crate) use self::shown::note;
use self::shown::{ByDensity, Called, marked};
use crate::catalogue::Entry;
use crate::expr::{
    self, Expr, ExprKind, LinkKind, Meter, Mistake, Scope, Span, Value, eval, shown,
};
use crate::file::{self, File, Mark, Piece, Tag};
use crate::report::place;
use crate::template::{BUILT_IN, Made, Template};
use crate::trial::Watch;
use crate::walk::mentions;

/// The maximum number of errors that are reported for one layout. Further ones are dropped.
const MOST_FAILURES: usize = 20;

/// Makes the elements of a template.
#[derive(Clone)]
pub(crate) struct Maker<'s> {
    template: Template,
    data: Rc<Data<'s>>,
    failures: Rc<RefCell<Vec<Mistake>>>,
    /// Records failures, including those that happen later.
    watch: Watch,
    meter: Rc<RefCell<Meter>>,
    room: Rc<Room>,
    /// True within a piece that is [lowered](Self::held) as a whole.
    is_tried: Rc<Cell<bool>>,
    /// The props of the component that is being made.
    props: Option<Value>,
    /// The density, if it is known.
    density: Option<Density>,
    #[cfg(feature = "script")]
    functions: Rc<crate::script::Process>,
}

/// Records which of the parts that every HUD has are present where a fit sees them.
#[derive(Default)]
struct Floors<'p> {
    task: bool,
    blockers: bool,
    rules: bool,
    warnings: bool,
    /// The components that were already searched.
    seen: BTreeSet<&'p str>,
}

impl<'s> Maker<'s> {
    pub(crate) fn new(template: Template, data: Rc<Data<'s>>, watch: Watch) -> Self {
        Self {
            #[cfg(feature = "script")]
            functions: Rc::new(template.0.catalogue.process(&template.0.script)),
            template,
            data,
            room: Rc::default(),
            failures: Rc::default(),
            watch,
            meter: Rc::default(),
            is_tried: Rc::default(),
            props: None,
            density: None,
        }
    }

    /// Makes the whole content of the template.
    pub(crate) fn all(&self) -> Made {
        let template = &self.template;
        let mut floors = Floors::default();
        self.look(&template.0.file.pieces, &mut floors);
        let mut shown = Vec::new();
        if !floors.task {
            shown.extend(self.built_in("TaskSection"));
        }
        if !floors.blockers {
            shown.extend(self.built_in("BlockersList"));
        }
        // The user's rules and the warnings are shown unchanged, even in an agent's layout.
        let mut kept = Vec::new();
        if self.is_agents() {
            let is_fixed = template.density().is_some();
            if !floors.warnings || is_fixed {
                kept.extend(self.built_in("WarningBanner"));
            }
            if !floors.rules || is_fixed {
                kept.extend(self.built_in("ConstraintsList"));
            }
        }
        shown.extend(self.pieces(&template.0.file.pieces));
        let failures = self.failures.take();
        if let Some(first) = failures.first() {
            shown.push(note(&self.line(first)));
        }
        let shown = match template.density() {
            Some(density) => vec![Element::component(Called {
                density: Some(density),
                shown: Element::fragment(shown),
            })],
            None => shown,
        };
        let shown = match kept.is_empty() {
            true => shown,
            false => [shown, kept].concat(),
        };
        let element = match shown.as_slice() {
            [only] if only.as_node::<Parts>().is_some() => only.clone(),
            _ => Element::node(Parts {}, shown),
        };
        Made { element, failures }
    }

    /// The line that the HUD shows for a piece that failed.
    fn line(&self, mistake: &Mistake) -> String {
        let (line, column, _) = place(&self.template.0.source.text, mistake.span.start);
        format!("layout {line}:{column} failed: built-in shown, see `hud layout check`")
    }

    /// Finds the parts with a floor that a fit sees.
    fn look<'p>(&'p self, pieces: &'p [Piece], floors: &mut Floors<'p>) {
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
                // With a cap or another priority, a part of an agent's layout may show less than the built-in one.
                Some("Part") if self.is_agents() && !tag.props.is_empty() => {}
                Some("Part") if tag.children.len() == 1 => self.look(&tag.children, floors),
                Some("Hud") => {
                    (floors.task, floors.blockers) = (true, true);
                    (floors.rules, floors.warnings) = (true, true);
                }
                Some("TaskSection") => floors.task |= shows(tag, "task", "task"),
                Some("BlockersList") => floors.blockers |= shows(tag, "blockers", "blockers"),
                Some("ConstraintsList") => {
                    floors.rules |= shows(tag, "constraints", "constraints");
                }
                Some("WarningBanner") => floors.warnings |= shows(tag, "context", "context"),
                Some(name) => {
                    let declared = self.template.0.components.get(name);
                    if let Some(component) =
                        declared.filter(|component| component.head.density.is_none())
                        && floors.seen.insert(name)
                    {
                        self.look(&component.pieces, floors);
                    }
                }
            }
        }
    }

    /// True if an agent set the layout.
    fn is_agents(&self) -> bool {
        self.template.0.catalogue.is_for_agents()
    }

    fn pieces(&self, pieces: &[Piece]) -> Vec<Element<'static>> {
        let mut shown = Vec::new();
        for piece in pieces {
            if self.room.is_used_up() {
                break;
            }
            self.piece(piece, &mut shown);
        }
        shown
    }

    fn piece(&self, piece: &Piece, to: &mut Vec<Element<'static>>) {
        if let Piece::Tag(tag) = piece
            && tag.name.is_none()
        {
            return to.extend(self.pieces(&tag.children));
        }
        if self.waits(piece) {
            return to.push(self.at_each_density(piece));
        }
        match self.held(piece) {
            Ok(made) => to.extend(made),
            Err(mistake) => {
                self.fail(mistake);
                if let Piece::Tag(tag) = piece
                    && let Some(name) = &tag.name
                {
                    to.extend(self.built_in(&name.text));
                }
            }
        }
    }

    /// Makes the elements of a piece, and checks that markdown can contain them. The outermost piece that is not an
    /// arrangement of parts is lowered at each density, so that only a misplaced piece fails.
    fn held(&self, piece: &Piece) -> Result<Vec<Element<'static>>, Mistake> {
        if is_arrangement(piece) || self.is_call_with_state(piece) {
            return self.made(piece);
        }
        let is_inner = self.is_tried.replace(true);
        let made = self.made(piece);
        self.is_tried.set(is_inner);
        let made = made?;
        if !is_inner {
            let shown = Element::fragment(made.clone());
            for density in Density::ALL {
                let scope = hud_core::Scope::new(density);
                if let Err(error @ (LowerError::Misplaced(_) | LowerError::Invalid(_))) =
                    Renderer::builtin().mdast(&shown, scope)
                {
                    return Err(Mistake::new(span_of(piece), error.to_string()));
                }
            }
        }
        Ok(made)
    }

    /// True for a tag of a component that only has parts of the state as props, as most tags of a layout do. The
    /// file can't misplace anything in it, and to lower it for a check would cost as much as to show it.
    fn is_call_with_state(&self, piece: &Piece) -> bool {
        let Piece::Tag(tag) = piece else {
            return false;
        };
        let (of, name) = (&self.template.0, tag.name.as_ref());
        let name = name.map_or("", |name| &*name.text);
        let kind = of.catalogue.get(name).map(|entry| entry.meta().kind);
        let is_lent = |prop| lent(name, prop, &of.components, &of.catalogue).is_some();
        kind == Some(TagKind::Component)
            && !of.components.contains_key(name)
            && tag.children.is_empty()
            && tag.props.iter().all(is_lent)
    }

    fn made(&self, piece: &Piece) -> Result<Vec<Element<'static>>, Mistake> {
        match piece {
            Piece::Text(text) => {
                self.room.take(1, Span::default())?;
                Ok(vec![Element::text(text.to_string())])
            }
            Piece::Mark(mark, inner) => {
                let _level = self.room.enter(Span::default())?;
                let inner = self.pieces(inner);
                if self.is_agents()
                    && matches!(mark, Mark::Heading(_) | Mark::Strong | Mark::Emphasis)
                {
                    session::check_title_of(&inner, Span::default())?;
                }
                Ok(vec![marked(mark, inner)])
            }
            Piece::Expr(expr) => self.shown(&self.value(expr)?, expr.span),
            Piece::Tag(tag) => {
                let _level = self.room.enter(span_of(piece))?;
                let name = tag.name.as_ref().map_or("", |name| &name.text);
                Ok(vec![self.tag(name, tag)?])
            }
        }
    }

    /// True if expressions of the piece read the density, and the density is not known yet.
    fn waits(&self, piece: &Piece) -> bool {
        self.density.is_none()
            && match piece {
                Piece::Expr(expr) => mentions(expr, "density"),
                Piece::Tag(tag) => {
                    { tag.props.iter() }.any(|prop| mentions(&prop.value, "density"))
                }
                Piece::Text(_) | Piece::Mark(..) => false,
            }
    }

    /// Makes a piece at each density, of which one is shown later. All are made now, so that their total cost is
    /// counted and failures are known.
    fn at_each_density(&self, piece: &Piece) -> Element<'static> {
        let shown = Density::ALL.map(|density| {
            let maker = Self {
                density: Some(density),
                ..self.clone()
            };
            let mut shown = Vec::new();
            maker.piece(piece, &mut shown);
            Element::fragment(shown)
        });
        Element::component(ByDensity(shown))
    }

    fn fail(&self, mistake: Mistake) {
        self.watch.fail(|| {
            let (line, column, _) = place(&self.template.0.source.text, mistake.span.start);
            format!("{line}:{column}")
        });
        let mut failures = self.failures.borrow_mut();
        if failures.len() < MOST_FAILURES && !failures.contains(&mistake) {
            failures.push(mistake);
        }
    }

    /// The tag as in the built-in layout, if it is there.
    fn built_in(&self, name: &str) -> Option<Element<'static>> {
        self.tag(name, built_in(name)?).ok()
    }

    fn value(&self, expr: &Expr) -> Result<Value, Mistake> {
        self.value_of(self.data.value(), expr)
    }

    /// The value of an expression, evaluated with this part of the state.
    fn value_of(&self, state: &Value, expr: &Expr) -> Result<Value, Mistake> {
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
        self.room.take(values.len(), span)?;
        let elements = values.iter().map(|value| match value {
            Value::Text(text) => Ok(Element::text(text.to_string())),
            Value::Number(number) => Ok(Element::text(expr::number_text(*number))),
            Value::Element(element) => self.element(element),
            other => Err(Mistake::new(
                span,
                format!("{} cannot be shown", other.kind()),
            )),
        });
        elements.collect()
    }

    /// Makes an element of an element value.
    fn element(&self, element: &expr::Element) -> Result<Element<'static>, Mistake> {
        let _level = self.room.enter(element.span)?;
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
            let of = &self.template.0;
            let path = lent(name, prop, &of.components, &of.catalogue);
            if path.as_ref().is_some_and(Vec::is_empty) {
                self.room.give_whole(&self.data, prop.value.span)?;
            }
            let given = match path.map(|path| self.data.lent(&path)) {
                Some(Lent::Json(json)) => Given::Json(json),
                Some(Lent::Within(state)) => {
                    Given::Value(Cow::Owned(self.value_of(&state, &prop.value)?))
                }
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
                ..self.clone()
            };
            let shown = Element::fragment(maker.pieces(&component.pieces));
            return Ok(Element::component(Called {
                density: component.head.density,
                shown,
            }));
        }
        let Some(entry) = self.template.0.catalogue.get(name) else {
            return Err(Mistake::new(span, format!("there is no tag `<{name}>`")));
        };
        if self.is_agents() {
            for (prop, given) in &props {
                session::check_prop(name, prop, given, &self.data, span)?;
            }
            if session::has_title_in_it(name) {
                session::check_title_of(&children, span)?;
            }
        }
        if entry.meta().kind == TagKind::Component {
            self.room.call(span)?;
        }
        let mut slots = Slots::default();
        let children_are_none = children.is_empty();
        if !children_are_none {
            slots.set_children(children);
        }
        let is_of_state = props
            .iter()
            .all(|(_, given)| matches!(given, Given::Json(_)));
        let mut data: Vec<(&str, Arc<str>)> = Vec::new();
        for (prop, given) in props {
            let slot = entry.meta().props.iter().find(|meta| meta.name == prop);
            if slot.is_some_and(Entry::is_slot) {
                let value = given.into_value();
                slots.set(prop, Element::fragment(self.shown(&value, span)?));
            } else if let Some(json) = given.into_json() {
                self.room.give(json.len(), &self.data, span)?;
                data.push((prop, json));
            }
        }
        let mut make = || {
            entry.make_of_text(&data, &mut slots).map_err(|error| {
                // The position in the JSON is of no use to the author of the layout.
                let error = error.to_string();
                let error = error.split(" at line ").next().unwrap_or_default();
                Mistake::new(span, format!("the props of `<{name}>` do not fit: {error}"))
            })
        };
        let is_alone = children_are_none && entry.is_built_in();
        match self.data.kept().filter(|_| is_alone && is_of_state) {
            Some(kept) => kept.element(entry.meta().name, &data, make),
            None => make(),
        }
    }
}

/// True for a tag whose children are parts, each of which is a piece.
fn is_arrangement(piece: &Piece) -> bool {
    let Piece::Tag(tag) = piece else {
        return false;
    };
    let name = tag.name.as_ref().map(|name| &*name.text);
    matches!(name, None | Some("Parts" | "Part" | "Beside"))
}

/// The span of a piece, or of the first piece in it that has one.
fn span_of(piece: &Piece) -> Span {
    match piece {
        Piece::Text(_) => Span::default(),
        Piece::Expr(expr) => expr.span,
        Piece::Tag(tag) => tag.name.as_ref().map_or(tag.span, |name| name.span),
        Piece::Mark(_, inner) => {
            let spans = inner.iter().map(span_of);
            { spans }
                .find(|span| *span != Span::default())
                .unwrap_or_default()
        }
    }
}

/// The value of a prop.
enum Given<'g> {
    /// A part of the state, as JSON.
    Json(Arc<str>),
    /// The value of an expression.
    Value(Cow<'g, Value>),
}

impl Given<'_> {
    fn into_value(self) -> Value {
        match self {
            Self::Json(json) => serde_json::from_str(&json)
                .map_or(Value::Undefined, |json: Json| Value::from(&json)),
            Self::Value(value) => value.into_owned(),
        }
    }

    /// The value as a string, or an empty one if it is not a string.
    fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Json(json) => serde_json::from_str::<String>(json)
                .unwrap_or_default()
                .into(),
            Self::Value(value) => match &**value {
                Value::Text(text) => Cow::Borrowed(text),
                _ => Cow::Borrowed(""),
            },
        }
    }

    /// The value as JSON, or `None` if it is undefined, which means that the prop is omitted.
    fn into_json(self) -> Option<Arc<str>> {
        match self {
            Self::Json(json) => Some(json),
            Self::Value(value) if matches!(*value, Value::Undefined) => None,
            Self::Value(value) => Some(value.to_json().to_string().into()),
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

/// Makes the content of a template, without the parts that every HUD has.
pub(crate) fn alone(template: &Template, state: &HudState) -> Element<'static> {
    let maker = Maker::new(
        template.clone(),
        Data::of(state, template),
        Watch::default(),
    );
    Element::fragment(maker.pieces(&template.0.file.pieces))
}
