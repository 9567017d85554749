//! Parsed and checked layouts: [`Template`].

use std::collections::BTreeMap;
use std::sync::Arc;

use hud_agent::layout::Layout;
use hud_core::{Density, Element};
use hud_store::state::HudState;

use crate::catalogue::Catalogue;
use crate::check;
use crate::expr::{Mistake, Span};
use crate::file::{self, Component, File};
use crate::functions;
use crate::live::hash_of;
use crate::make::{Data, Kept, Maker, Reads, Written};
use crate::report::{Mistakes, Placed};
#[cfg(feature = "script")]
use crate::script::Script;
use crate::trial::Watch;

/// The built-in layout as a file: it renders the same bytes as [`Hud`](hud_components::Hud).
pub const BUILT_IN: &str = include_str!("built_in.mdx");

/// A file, with its name and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name of the file in errors.
    pub name: String,
    /// The text of the file.
    pub text: String,
}

impl Source {
    /// Returns a source with this name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        let (name, text) = (name.into(), text.into());
        Self { name, text }
    }

    /// The hash of the text.
    pub fn hash(&self) -> String {
        hash(&self.text)
    }
}

/// The hash of a layout's text. It identifies a layout that a user trusts or that an agent has read.
pub fn hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// A layout that was parsed from text and has no errors.
///
/// ```
/// use hud_core::{Density, render};
/// use hud_layout::catalogue::Catalogue;
/// use hud_layout::template::{Source, Template};
/// use hud_store::state::HudState;
///
/// let source = Source::new("layout.mdx", "Turn **{state.turn + 1}**\n\n<TaskSection task={state.task} />\n");
/// let template = Template::read(&source, &[], &Catalogue::built_in())?;
/// let made = template.elements(&HudState::default());
/// assert_eq!(
///     render(&made.element, Density::Compact)?,
///     "Turn **1**\n"
/// );
///
/// let wrong = Source::new("layout.mdx", "<TaskSecton />");
/// let mistakes = Template::read(&wrong, &[], &Catalogue::built_in()).unwrap_err();
/// assert_eq!(
///     mistakes.list[0].message,
///     "there is no tag `<TaskSecton>`: did you mean `<TaskSection>`?"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Template(pub(crate) Arc<Read>);

#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) source: Source,
    component_files: Vec<Source>,
    /// The hash of the layout and the component files.
    hash: String,
    pub(crate) file: File,
    pub(crate) components: BTreeMap<Arc<str>, Component>,
    pub(crate) catalogue: Catalogue,
    /// The members of a state that its expressions read.
    pub(crate) reads: Reads,
    #[cfg(feature = "script")]
    pub(crate) script: Script,
    /// The warnings.
    warnings: Vec<Placed>,
}

/// The elements that a template makes of a state.
#[derive(Debug)]
pub struct Made {
    /// The element that is shown.
    pub element: Element<'static>,
    /// The errors of the parts that could not be made, with their positions. The built-in layout is shown in their
    /// place.
    pub failures: Vec<Mistake>,
}

impl Template {
    /// Parses a layout with its component files, and checks it.
    ///
    /// # Errors
    ///
    /// All errors that are found.
    pub fn read(
        source: &Source,
        components: &[Source],
        catalogue: &Catalogue,
    ) -> Result<Self, Mistakes> {
        let bytes = { components.iter() }.fold(source.text.len(), |all, own| {
            all.saturating_add(own.text.len())
        });
        if bytes > file::MAX_ALL_BYTES && source.text.len() <= file::MAX_BYTES {
            let message = format!(
                "this layout has {bytes} bytes with its components, and at most {} are allowed",
                file::MAX_ALL_BYTES
            );
            return Err(Mistakes::of_file(&source.name, message));
        }
        #[cfg(feature = "script")]
        let (script, (file, found)) = match Script::read(&source.text) {
            Ok((script, spans)) => {
                let rest = functions::without(&source.text, spans);
                (script, file::read(&rest))
            }
            Err(wrong) => (Script::default(), (File::default(), wrong)),
        };
        #[cfg(feature = "script")]
        let functions: Vec<&str> = script.names().collect();
        #[cfg(not(feature = "script"))]
        let (functions, (file, found)) = match functions::find(&source.text) {
            Ok(all) => {
                let rest = functions::without(&source.text, all.iter().map(|own| own.span));
                let (file, mut found) = file::read(&rest);
                // One error about functions is enough, and their calls are not reported.
                found.extend(all.first().map(functions::not_run));
                let names: Vec<&str> = all.iter().map(|own| own.name).collect();
                (names, (file, found))
            }
            Err(wrong) => (Vec::new(), (File::default(), wrong)),
        };
        let mut declared: BTreeMap<Arc<str>, (Component, Option<usize>)> = BTreeMap::new();
        // The components of files come first. Those of the layout hide them.
        let mut wrong = Vec::new();
        for (index, own) in components.iter().enumerate() {
            let (read, mut mistakes) = file::read(&own.text);
            let named = read.head.name.clone().or_else(|| stem(&own.name));
            if let Some((_, inner)) = read.components.first_key_value() {
                let message = "a file of a component declares no other";
                mistakes.push(Mistake::new(inner.span, message));
            }
            match named {
                Some(name) => {
                    let component = Component {
                        head: read.head,
                        span: Span::new(0, own.text.len().min(1)),
                        pieces: read.pieces,
                    };
                    declared.insert(name, (component, Some(index)));
                }
                None => mistakes.push(Mistake::new(
                    Span::new(0, own.text.len().min(1)),
                    "this component has no name: write `name: Risk` between two lines of `---`",
                )),
            }
            wrong.push(mistakes);
        }
        let mut own = found;
        if file.head.props.is_some() {
            own.push(
                Mistake::new(
                    Span::new(0, source.text.len().min(1)),
                    "a file with `props` is a component, and this is the layout",
                )
                .with_help("put it into .hud/components, or remove `props`"),
            );
        }
        for (name, component) in &file.components {
            declared.insert(name.clone(), (component.clone(), None));
        }
        if declared.len() > file::MAX_COMPONENTS {
            let message = format!("more than {} components", file::MAX_COMPONENTS);
            return Err(Mistakes::of_file(&source.name, message));
        }
        let known: BTreeMap<Arc<str>, Component> = declared
            .iter()
            .map(|(name, (component, _))| (name.clone(), component.clone()))
            .collect();
        let mut warnings = Vec::new();
        check::layout(
            &file,
            &known,
            catalogue,
            &functions,
            &mut own,
            &mut warnings,
        );
        let uses = check::Uses::of(&known);
        for (name, (component, of)) in &declared {
            let mistakes = match of {
                Some(index) => wrong.get_mut(*index),
                None => Some(&mut own),
            };
            if let Some(mistakes) = mistakes {
                check::component(
                    name, component, &known, &uses, catalogue, &functions, mistakes,
                );
            }
        }
        let mut all = Mistakes::new(&source.name, &source.text, own);
        for (file, mistakes) in components.iter().zip(wrong) {
            all.add(Mistakes::new(&file.name, &file.text, mistakes));
        }
        if all.count() > 0 {
            return Err(all);
        }
        let warnings = warnings
            .iter()
            .map(|warning| Placed::new(&source.name, &source.text, warning));
        Ok(Self(Arc::new(Read {
            warnings: warnings.collect(),
            hash: hash_of(source, components),
            reads: Reads::of(&file.pieces, &known, catalogue),
            source: source.clone(),
            component_files: components.to_vec(),
            components: known,
            catalogue: catalogue.clone(),
            #[cfg(feature = "script")]
            script,
            file,
        })))
    }

    /// Returns the built-in layout.
    ///
    /// # Errors
    ///
    /// Never, if the catalogue has the components of the built-in HUD.
    pub fn built_in(catalogue: &Catalogue) -> Result<Self, Mistakes> {
        Self::read(&Source::new("built-in", BUILT_IN), &[], catalogue)
    }

    /// The file that it was parsed from.
    pub fn source(&self) -> &Source {
        &self.0.source
    }

    /// The component files that it was parsed with.
    pub(crate) fn component_files(&self) -> &[Source] {
        &self.0.component_files
    }

    /// The [hash](hash_of) of the layout and its component files.
    pub(crate) fn hash(&self) -> &str {
        &self.0.hash
    }

    /// The warnings.
    pub fn warnings(&self) -> &[Placed] {
        &self.0.warnings
    }

    /// The components that the layout can use.
    pub fn components(&self) -> impl Iterator<Item = (&str, &Component)> {
        self.0
            .components
            .iter()
            .map(|(name, component)| (&**name, component))
    }

    /// Makes the elements of a state. If the layout does not show the task or the blockers, they are added at the
    /// start.
    pub fn elements(&self, state: &HudState) -> Made {
        self.watched(state, Watch::default())
    }

    /// Makes the elements as [`elements`](Self::elements) does. `watch` records failures, including those while they
    /// are lowered.
    pub(crate) fn watched(&self, state: &HudState, watch: Watch) -> Made {
        Maker::new(self.clone(), Data::of(state, self), watch).all()
    }

    /// Makes the elements as [`elements`](Self::elements) does, with the parts and elements that are already cached.
    pub(crate) fn tried(&self, state: &HudState, written: &Arc<Written>, kept: &Kept) -> Made {
        let data = Data::tried(state, Arc::clone(written), kept.clone(), self);
        Maker::new(self.clone(), data, Watch::default()).all()
    }

    /// True if it has functions. They run only if the catalogue has a program for them.
    pub fn has_functions(&self) -> bool {
        #[cfg(feature = "script")]
        let has = self.0.script.names().next().is_some();
        #[cfg(not(feature = "script"))]
        let has = false;
        has
    }

    /// True if the same state always gives the same elements. This holds for expressions and the built-in tags,
    /// which are tested for it, but not for functions or tags that a program added.
    pub(crate) fn is_steady(&self) -> bool {
        !self.has_functions() && self.0.catalogue.is_built_in()
    }

    /// Converts the template to a layout of a session.
    pub fn layout(self) -> Layout {
        Layout::new(move |state| self.elements(state).element)
    }

    /// The density at which everything is shown.
    pub(crate) fn density(&self) -> Option<Density> {
        self.0.file.head.density
    }
}

/// The name of the component in a file with this name.
fn stem(name: &str) -> Option<Arc<str>> {
    let file = name.rsplit('/').next()?.strip_suffix(".mdx")?;
    let fits = file.starts_with(|c: char| c.is_ascii_uppercase())
        && file.chars().all(|c| c.is_ascii_alphanumeric());
    fits.then(|| file.into())
}

/// The content that a component of the built-in layout shows of a state, with the props of that layout. It is `None`
/// for a component that the layout does not use.
pub fn picture(tag: &str, state: &HudState) -> Option<Element<'static>> {
    let call = crate::make::built_in(tag)?;
    let text = BUILT_IN.get(call.span.start..call.span.end)?;
    let source = Source::new("picture", format!("<>{text}</>"));
    let template = Template::read(&source, &[], &Catalogue::built_in()).ok()?;
    Some(crate::make::alone(&template, state))
}
