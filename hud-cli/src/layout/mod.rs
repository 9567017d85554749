//! `hud layout` and `hud catalogue`: commands for layouts in files.

mod catalogue;
mod file;
mod kept;
mod proposal;
mod trust;

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use hud_layout::accept::{accept, render};
use hud_layout::catalogue::{Catalogue, Entry, plain, state_schema};
use hud_layout::file::MAX_BYTES;
use hud_layout::live::hash_of;
use hud_layout::template::BUILT_IN;
use hud_layout::{Mistakes, Source, Template, states};
use hud_store::log::state_of;
use hud_store::state::HudState;
use serde_json::{Value, json};

pub(crate) use self::catalogue::{Docs, markdown as catalogue_text, run as catalogue};
pub(crate) use self::file::in_place_of;
use self::file::{FILE, Place, with_runner};
use self::trust::Trusted;
use crate::app::App;
use crate::args::{self, LayoutAction};
use crate::location::{MARK, project_root};
use crate::output::{self, Failure, Output};
use crate::render::open;

pub(crate) fn run(args: &args::Layout, app: &App) -> Result<(), Failure> {
    let catalogue = app.catalogue();
    match &args.action {
        LayoutAction::Check { file, json } => check(file.as_deref(), *json, catalogue),
        LayoutAction::Show {
            file,
            density,
            source,
        } => {
            let asked = Asked::of(file.as_deref())?;
            let template = asked
                .template(catalogue)
                .map_err(|wrong| other(said(&wrong)))?;
            asked.note_functions(&template);
            let state = match open(source, app) {
                Ok((log, session)) => state_of(&*log, &session)?,
                Err(_) => {
                    output::note("there is no session yet: this is an example");
                    states::overfull().clone()
                }
            };
            let mut output = Output::new();
            output.text(render(&template.layout(), &state, *density)?.trim_end())?;
            Ok(())
        }
        LayoutAction::Eject { file, force } => eject(file, *force),
        LayoutAction::Tags { name: None } => {
            let mut output = Output::new();
            for entry in catalogue.entries() {
                output.text(&format!("{:20} {}", entry.meta().name, entry.line()))?;
            }
            Ok(())
        }
        LayoutAction::Tags { name: Some(name) } => {
            let entry = known(catalogue, name)?;
            let mut output = Output::new();
            output.text(told(entry).trim_end())?;
            Ok(())
        }
        LayoutAction::Schema { name } => {
            let schema = match name {
                Some(name) => known(catalogue, name)?.schema(),
                None => state_schema(),
            };
            let mut output = Output::new();
            output.json(schema)?;
            Ok(())
        }
        LayoutAction::Trust { always, revoke } => trust(*always, *revoke, catalogue),
        LayoutAction::Allow { hash, source } => proposal::allow(hash.as_deref(), source, app),
        LayoutAction::Refuse { source } => proposal::refuse(source, app),
    }
}

fn other(error: impl std::fmt::Display) -> Failure {
    Failure::Other(error.to_string())
}

/// Returns the tag with this name, or an error that suggests a similar one.
pub(crate) fn known<'c>(catalogue: &'c Catalogue, name: &str) -> Result<&'c Entry, Failure> {
    let name = name.trim_start_matches('<').trim_end_matches('>');
    catalogue.get(name).ok_or_else(|| {
        let near = hud_layout::expr::nearest(name, catalogue.names());
        match near {
            Some(near) => other(format!(
                "there is no tag `<{name}>`: did you mean `<{near}>`?"
            )),
            None => other(format!(
                "there is no tag `<{name}>`: `hud layout tags` lists them"
            )),
        }
    })
}

/// Reads text from an input that may be endless, up to the maximum size of a layout.
fn text_of(from: impl Read) -> io::Result<String> {
    let mut text = String::new();
    from.take(MAX_BYTES as u64 + 1).read_to_string(&mut text)?;
    if text.len() > MAX_BYTES {
        return Err(io::Error::other(format!(
            "a layout has at most {MAX_BYTES} bytes: put parts of it into components of their own, \
             {MARK}/components/NAME.mdx"
        )));
    }
    Ok(text)
}

/// The layout that a command works on.
struct Asked {
    source: Source,
    components: Vec<Source>,
    /// True if the layout belongs to this directory, and false if it is a named file.
    is_found: bool,
    /// True if the user trusts the layout, and therefore its functions.
    is_allowed: bool,
}

impl Asked {
    /// Returns the layout in a named file, or else the layout of the working directory.
    fn of(file: Option<&Path>) -> Result<Self, Failure> {
        let Some(file) = file else {
            return Self::found();
        };
        let read = match file.as_os_str() == "-" {
            true => text_of(std::io::stdin()),
            false => fs::File::open(file).and_then(text_of),
        };
        let text = read.map_err(|error| other(format!("{}: {error}", file.display())))?;
        let of_folder = file.parent().into_iter().flat_map(|folder| {
            let place = Place::User(folder.to_owned());
            place
                .sources()
                .ok()
                .flatten()
                .map(|(_, components)| components)
        });
        Ok(Self {
            source: Source::new(file.display().to_string(), text),
            components: of_folder.flatten().collect(),
            is_found: false,
            is_allowed: false,
        })
    }

    fn found() -> Result<Self, Failure> {
        for place in Place::all(Path::new(".")) {
            if let Some((source, components)) = place.sources().map_err(other)? {
                return Ok(Self {
                    is_allowed: place.is_allowed(&source, &components),
                    is_found: true,
                    source,
                    components,
                });
            }
        }
        Err(other(format!(
            "there is no layout in {MARK}/{FILE}: `hud layout eject` writes the built-in one there"
        )))
    }

    /// Parses the layout. Its functions run if the user trusts it.
    fn template(&self, catalogue: &Catalogue) -> Result<Template, Mistakes> {
        let catalogue = match self.is_allowed {
            true => with_runner(catalogue.clone()),
            false => catalogue.clone(),
        };
        Template::read(&self.source, &self.components, &catalogue)
    }

    /// True if the layout is complete when it is shown, which includes its functions.
    fn runs(&self, template: &Template) -> bool {
        self.is_allowed || !template.has_functions()
    }

    /// Reports why the functions do not run, if they do not.
    fn note_functions(&self, template: &Template) {
        if !self.runs(template) {
            output::note(match self.is_found {
                true => "its functions do not run before you allow them with `hud layout trust`",
                false => {
                    "its functions do not run: they do in the layout of a project, once `hud layout trust` allowed it"
                }
            });
        }
    }
}

fn said(wrong: &Mistakes) -> String {
    let count = wrong.count();
    let mistakes = if count == 1 { "mistake" } else { "mistakes" };
    format!("{count} {mistakes}\n\n{wrong}")
}

fn check(file: Option<&Path>, as_json: bool, catalogue: &Catalogue) -> Result<(), Failure> {
    let asked = Asked::of(file)?;
    let source = &asked.source;
    let mut output = Output::new();
    let template = match asked.template(catalogue) {
        Ok(template) => template,
        Err(wrong) if as_json => {
            output.json(&json!({ "mistakes": wrong.to_json() }))?;
            return Err(other(format!(
                "{} has {} mistakes",
                source.name,
                wrong.count()
            )));
        }
        Err(wrong) => return Err(other(said(&wrong))),
    };
    // A layout whose functions do not run cannot be tried.
    let is_tried = asked.runs(&template);
    if is_tried {
        accept(&template, &HudState::default())
            .map_err(|refused| other(format!("{}: {refused}", source.name)))?;
    }
    let warnings = template.warnings();
    if as_json {
        let warnings: Vec<Value> = warnings.iter().map(hud_layout::Placed::to_json).collect();
        let hash = hash_of(source, &asked.components);
        output.json(
            &json!({ "mistakes": [], "warnings": warnings, "hash": hash, "tried": is_tried }),
        )?;
        return Ok(());
    }
    for warning in warnings {
        output::warning(warning);
    }
    output.text(&format!("{} is well: no mistakes", source.name))?;
    asked.note_functions(&template);
    if asked.is_found && !asked.is_allowed {
        output::note("no agent is shown it yet: allow it with `hud layout trust`");
    }
    Ok(())
}

fn eject(file: &Path, force: bool) -> Result<(), Failure> {
    if file.as_os_str() == "-" {
        let mut output = Output::new();
        output.text(BUILT_IN.trim_end())?;
        return Ok(());
    }
    if file.exists() && !force {
        return Err(other(format!(
            "{} is there already: --force overwrites it",
            file.display()
        )));
    }
    let failed = |error| other(format!("{}: {error}", file.display()));
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    fs::write(file, BUILT_IN).map_err(failed)?;
    output::note(format_args!(
        "{} has the built-in layout now: change it, see `hud layout check`, and allow it with `hud layout trust`",
        file.display()
    ));
    Ok(())
}

fn trust(always: bool, revoke: bool, catalogue: &Catalogue) -> Result<(), Failure> {
    let root = project_root(Path::new("."))
        .ok_or_else(|| other("this directory is in no project: your own layout needs no trust"))?;
    if revoke {
        Trusted::read().revoke(&root)?;
        output::note("no layout of this project is shown to agents any more");
        return Ok(());
    }
    let place = Place::Project(root.clone());
    let Some((source, components)) = place.sources().map_err(other)? else {
        return Err(other(format!("there is no {MARK}/{FILE} in this project")));
    };
    if let Err(wrong) = Template::read(&source, &components, catalogue) {
        output::warning(said(&wrong));
    }
    let hash = hash_of(&source, &components);
    Trusted::read().allow(&root, (!always).then_some(&*hash))?;
    output::note(match always {
        true => format!(
            "whatever is in {} is shown to agents from now on",
            source.name
        ),
        false => format!(
            "{} is shown to agents as it is now ({hash}); after a change, allow it again",
            source.name
        ),
    });
    Ok(())
}

/// Returns the docs and the props of a tag.
fn told(entry: &Entry) -> String {
    let meta = entry.meta();
    let mut text = format!("<{}>\n\n{}\n\n", meta.name, plain(meta.docs));
    for prop in meta.props {
        let required = if prop.required {
            "required"
        } else {
            "optional"
        };
        text.push_str(&format!(
            "  {} ({required}): {}\n",
            prop.name,
            plain(prop.docs).replace('\n', " ")
        ));
    }
    if meta.children {
        text.push_str("  takes children\n");
    }
    text
}
