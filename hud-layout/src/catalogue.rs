//! The tags that a layout can use: [`Catalogue`].

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

use hud_components as components;
use hud_core::node;
use hud_core::schema::schemars::JsonSchema;
use hud_core::schema::schemars::generate::SchemaSettings;
use hud_core::schema::{FromData, Slots};
use hud_core::{Density, Element, LowerError, PropMeta, TagKind, TagMeta};
use hud_store::state::HudState;
use serde_json::{Map, Value};

use crate::expr::Type;

/// The components and nodes by their names. Each has its docs, the schema of its props, and a function that makes an
/// element of props as data.
///
/// ```
/// use hud_core::{Element, component, rsx};
/// use hud_layout::catalogue::Catalogue;
///
/// /// How many risks there are.
/// #[component(schema)]
/// fn Risks<'a>(names: &'a [String]) -> Element<'a> {
///     rsx! { {names.len()} " risks" }
/// }
///
/// let catalogue = Catalogue::built_in().with::<Risks<'_>>();
/// let risks = catalogue.get("Risks").expect("it was added");
/// assert_eq!(risks.schema()["properties"]["names"]["type"], "array");
/// assert!(catalogue.get("TaskSection").is_some());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    tags: BTreeMap<&'static str, Entry>,
    /// True if the catalogue is for layouts that agents set.
    is_for_agents: bool,
    /// The program that runs functions of layouts, with its arguments.
    #[cfg(feature = "script")]
    runner: Option<Arc<(std::path::PathBuf, Vec<std::ffi::OsString>)>>,
}

/// A tag of a [`Catalogue`].
#[derive(Clone)]
pub struct Entry {
    meta: &'static TagMeta,
    /// The schema of the props. It is made on the first use.
    schema: Arc<OnceLock<Value>>,
    make_schema: fn() -> Value,
    /// The schema with the names of types. It is used to compare types.
    types: Arc<OnceLock<Value>>,
    make_types: fn() -> Value,
    /// The props and the paths of the state that are known to fit them. Large types are compared once and not for
    /// each layout.
    fitting: Arc<Mutex<BTreeSet<(&'static str, String)>>>,
    make: Make,
    /// True if the tag is in the built-in catalogue and therefore depends on its props alone.
    is_built_in: bool,
}

/// The maximum number of paths of the state that are kept as fitting the props of a tag.
const MOST_FITTING: usize = 64;

/// Props as data, by their names.
pub type Props<'p> = [(&'p str, Cow<'p, Value>)];

/// Props as JSON, by their names.
type Texts<'p> = [(&'p str, Arc<str>)];

type Make = fn(&Texts<'_>, &mut Slots) -> Result<Element<'static>, serde_json::Error>;

/// The schema of a type, without references.
fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema: Value = schema.into();
    tidy(&mut schema);
    schema
}

/// Removes titles, and from descriptions the links to items of Rust.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.get("title").is_some_and(Value::is_string) {
                members.remove("title");
            }
            if let Some(Value::String(text)) = members.get_mut("description") {
                *text = plain(text);
            }
            members.values_mut().for_each(tidy);
        }
        Value::Array(items) => items.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Returns a doc comment without its links to items of Rust. The text of the links is kept.
///
/// ```
/// use hud_layout::catalogue::plain;
///
/// let docs = "[Parts](crate::part) of a [`Layout`]: see [the book](https://book.example).";
/// assert_eq!(plain(docs), "Parts of a `Layout`: see [the book](https://book.example).");
/// ```
pub fn plain(docs: &str) -> String {
    let mut text = String::with_capacity(docs.len());
    let mut rest = docs;
    while let Some((before, link)) = rest.split_once('[') {
        text.push_str(before);
        let Some((words, behind)) = link.split_once(']') else {
            text.push('[');
            rest = link;
            break;
        };
        let is_code = words.starts_with('`') && words.ends_with('`');
        let target = behind.strip_prefix('(').and_then(|it| it.split_once(')'));
        rest = match target {
            Some((target, behind)) if is_code || target.contains("::") => {
                text.push_str(words);
                behind
            }
            None if is_code => {
                text.push_str(words);
                behind
            }
            _ => {
                text.push('[');
                link
            }
        };
    }
    text.push_str(rest);
    text
}

/// The schema of a type with its references, which name the types in it. It is used to compare types.
fn types_of<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().into()
}

/// The schema of the state in an expression. All members are required.
pub(crate) fn state_types() -> &'static Value {
    fn complete(schema: &mut Value) {
        match schema {
            Value::Object(members) => {
                if let Some(Value::Object(properties)) = members.get("properties") {
                    let names: Vec<Value> =
                        properties.keys().map(|name| name.as_str().into()).collect();
                    members.insert("required".to_owned(), names.into());
                }
                members.values_mut().for_each(complete);
            }
            Value::Array(items) => items.iter_mut().for_each(complete),
            _ => {}
        }
    }
    static SCHEMA: LazyLock<Value> = LazyLock::new(|| {
        let mut schema = types_of::<HudState>(SchemaSettings::draft2020_12().for_serialize());
        complete(&mut schema);
        schema
    });
    &SCHEMA
}

/// The schema of the state that layouts show.
pub fn state_schema() -> &'static Value {
    static SCHEMA: LazyLock<Value> = LazyLock::new(schema_of::<HudState>);
    &SCHEMA
}

fn make<T: FromData>(
    props: &Texts<'_>,
    slots: &mut Slots,
) -> Result<Element<'static>, serde_json::Error> {
    // A slot whose elements are given as children is not in the data.
    let given = slots.names().filter(|name| match T::META.kind {
        TagKind::Component => props.iter().all(|(known, _)| known != name),
        TagKind::Node => false,
    });
    let given: Vec<(&str, &str)> = given.map(|name| (name, "\"\"")).collect();
    let props = props.iter().map(|(name, json)| (*name, &**json));
    let mut object = String::from("{");
    for (name, json) in props.chain(given) {
        let comma = if object.len() > 1 { "," } else { "" };
        object.push_str(comma);
        object.push_str(&Value::from(name).to_string());
        object.push(':');
        object.push_str(json);
    }
    object.push('}');
    let data = serde_json::from_str(&object)?;
    Ok(T::element(data, slots))
}

macro_rules! all {
    ($catalogue:expr; $($tag:ty),* $(,)?) => { $catalogue$(.with::<$tag>())* };
}

#[cfg(feature = "script")]
impl Catalogue {
    /// Returns the catalogue for layouts that the user allowed. Their functions are run by this program, which calls
    /// [`crate::script::run`] if it is started with these arguments. With any other catalogue, functions are only
    /// checked, and a call of one is an error.
    #[must_use]
    pub fn with_runner(
        mut self,
        program: std::path::PathBuf,
        args: Vec<std::ffi::OsString>,
    ) -> Self {
        self.runner = Some(Arc::new((program, args)));
        self
    }

    /// Returns the process that runs the functions of a layout while the layout is made into elements.
    pub(crate) fn process(&self, script: &crate::script::Script) -> crate::script::Process {
        match self.runner.as_deref() {
            Some((program, args)) => {
                crate::script::Process::new(script.clone(), program.clone(), args.clone())
            }
            None => crate::script::Process::refused(script.clone()),
        }
    }
}

impl Catalogue {
    /// Returns the catalogue for layouts that agents set and no user allowed. None of their functions is run, and
    /// none of their text is shown as the user's.
    #[must_use]
    pub(crate) fn for_agents(self) -> Self {
        Self {
            is_for_agents: true,
            #[cfg(feature = "script")]
            runner: None,
            ..self
        }
    }

    /// True if the catalogue is for layouts that agents set.
    pub(crate) const fn is_for_agents(&self) -> bool {
        self.is_for_agents
    }

    /// Returns a catalogue without tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the components of the built-in HUD and the nodes that a layout can contain.
    pub fn built_in() -> Self {
        static BUILT_IN: LazyLock<Catalogue> = LazyLock::new(|| {
            use components::*;
            use node::*;
            let catalogue = all!(
                Catalogue::new();
                Hud<'_>, TaskSection<'_>, WarningBanner<'_>, ContextBar<'_>, CoreMemoryBlocks<'_>,
                KnowledgeList<'_>, RequestsList<'_>, ConstraintsList<'_>, EarlierSessions<'_>, BlockersList<'_>,
                DecisionsList<'_>,
                ActiveFiles<'_>, NextSteps<'_>, ErrorsList<'_>, ChecksList<'_>, RepositoryLine<'_>,
                FindingsList<'_>, NotesSection<'_>, DependenciesList<'_>, WorkingMemoryList<'_>,
                UsedBefore<'_>, CompactedContext<'_>, AgeLine<'_>, ReminderLine<'_>,
            );
            let mut catalogue = all!(
                catalogue;
                Section, Heading, Paragraph, Quote, Callout, Alert, ThematicBreak, List, Item, DescriptionList,
                Description, Table, Row, Cell,
                CodeBlock, Code, MathBlock, Math, Strong, Emphasis, Delete, Break, Link, Image, Field, Line,
                Group, Relates, Meter, Status, Parts, Part, Beside,
            );
            let entries = catalogue.tags.values_mut();
            entries.for_each(|entry| entry.is_built_in = true);
            catalogue
        });
        BUILT_IN.clone()
    }

    /// Adds a tag. It replaces a tag of the same name.
    #[must_use]
    pub fn with<T: FromData>(mut self) -> Self {
        let entry = Entry {
            meta: T::META,
            schema: Arc::default(),
            make_schema: schema_of::<T::Data>,
            types: Arc::default(),
            make_types: || types_of::<T::Data>(SchemaSettings::draft2020_12()),
            fitting: Arc::default(),
            make: make::<T>,
            is_built_in: false,
        };
        self.tags.insert(T::META.name, entry);
        self
    }

    /// True if all tags are those of [`built_in`](Self::built_in).
    pub(crate) fn is_built_in(&self) -> bool {
        self.entries().all(|entry| entry.is_built_in)
    }

    /// The tag with this name.
    pub fn get(&self, name: &str) -> Option<&Entry> {
        self.tags.get(name)
    }

    /// The names of all tags, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.tags.keys().copied()
    }

    /// All tags, in alphabetical order of their names.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.tags.values()
    }
}

impl Entry {
    /// The name, docs and props of the tag.
    pub fn meta(&self) -> &'static TagMeta {
        self.meta
    }

    /// True if the tag is in [`Catalogue::built_in`] and therefore depends on its props alone.
    pub(crate) const fn is_built_in(&self) -> bool {
        self.is_built_in
    }

    /// The JSON schema of the props: draft 2020-12, without references.
    pub fn schema(&self) -> &Value {
        self.schema.get_or_init(self.make_schema)
    }

    /// The type of a prop.
    pub(crate) fn prop_type(&self, prop: &PropMeta) -> Option<Type<'_>> {
        let types = self.types.get_or_init(self.make_types);
        let schema = types.get("properties")?.get(prop.name)?;
        let wanted = Type::of_part(types, schema);
        Some(match prop.required {
            true => wanted,
            false => wanted.or(Type::Nothing),
        })
    }

    /// True if a path of the state, as it is written, is known to fit a prop.
    pub(crate) fn is_fitting(&self, prop: &'static str, path: &str) -> bool {
        let known = self.fitting.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&(prop, path.to_owned()))
    }

    /// Records that a path of the state fits a prop.
    pub(crate) fn fits(&self, prop: &'static str, path: String) {
        let mut known = self.fitting.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() < MOST_FITTING {
            known.insert((prop, path));
        }
    }

    /// True if a prop takes an integer.
    pub(crate) fn takes_whole_number(&self, prop: &PropMeta) -> bool {
        let ty = self
            .schema()
            .pointer(&format!("/properties/{}/type", prop.name));
        ty.is_some_and(|ty| {
            let mut types = ty
                .as_array()
                .map_or(std::slice::from_ref(ty), Vec::as_slice)
                .iter();
            types.any(|ty| ty == "integer")
        })
    }

    /// The first sentence of the docs.
    pub fn line(&self) -> String {
        let docs = plain(self.meta.docs).replace('\n', " ");
        let end = docs.find(". ").map_or(docs.len(), |at| at + 1);
        docs[..end].trim().to_owned()
    }

    /// True if a prop takes elements.
    pub(crate) fn is_slot(prop: &PropMeta) -> bool {
        let inner = prop.ty.strip_prefix("Option<").unwrap_or(prop.ty);
        let word = inner.rsplit("::").next().unwrap_or(inner);
        word.starts_with("Element") || word.starts_with("Children")
    }

    /// Makes the element with these props and slots.
    ///
    /// # Errors
    ///
    /// If the props do not fit their types.
    pub fn make(
        &self,
        props: &Props<'_>,
        slots: &mut Slots,
    ) -> Result<Element<'static>, serde_json::Error> {
        let texts: Vec<(&str, Arc<str>)> = props
            .iter()
            .map(|(name, value)| (*name, value.to_string().into()))
            .collect();
        self.make_of_text(&texts, slots)
    }

    /// Makes the element of props that are JSON.
    pub(crate) fn make_of_text(
        &self,
        props: &Texts<'_>,
        slots: &mut Slots,
    ) -> Result<Element<'static>, serde_json::Error> {
        (self.make)(props, slots)
    }
}

/// The reason why a tag can't be shown with the given props.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ShowError {
    /// The props do not fit the schema of the tag.
    #[error("the props of `<{tag}>` do not fit: {source}")]
    Props {
        /// The tag.
        tag: &'static str,
        /// The cause.
        source: serde_json::Error,
    },
    /// The element can't be rendered.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

impl Entry {
    /// Renders the tag as markdown with props as data, which its [schema](Self::schema) describes. A program can
    /// serve it as a tool.
    ///
    /// ```
    /// use hud_core::Density;
    /// use hud_layout::Catalogue;
    /// use serde_json::json;
    ///
    /// let catalogue = Catalogue::built_in();
    /// let meter = catalogue.get("Meter").expect("it is built in");
    /// let props = json!({ "used": 20, "limit": 80 });
    /// let shown = meter.show(props.as_object().expect("an object"), Density::Compact)?;
    /// assert_eq!(shown, "25% (20)\n");
    /// let wrong = json!({ "usd": 20 });
    /// let wrong = meter.show(wrong.as_object().expect("an object"), Density::Compact).unwrap_err();
    /// assert!(wrong.to_string().starts_with("the props of `<Meter>` do not fit: unknown field `usd`"));
    /// # Ok::<(), hud_layout::catalogue::ShowError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ShowError`].
    pub fn show(&self, props: &Map<String, Value>, density: Density) -> Result<String, ShowError> {
        let props: Vec<_> = props
            .iter()
            .map(|(name, value)| (name.as_str(), Cow::Borrowed(value)))
            .collect();
        let element = self.make(&props, &mut Slots::default());
        let element = element.map_err(|source| ShowError::Props {
            tag: self.meta.name,
            source,
        })?;
        Ok(hud_core::render(&element, density)?)
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry")
            .field("name", &self.meta.name)
            .finish_non_exhaustive()
    }
}
