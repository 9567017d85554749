//! The file of a layout. It is the project's file if the user trusts it, or else the user's own file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Instant, SystemTime};

use hud_agent::setup::Setup;
use hud_layout::live::{Found, Live, Shared, hash_of};
use hud_layout::{Catalogue, Source, file};

use super::kept;
use super::trust::Trusted;
use crate::location::{MARK, config_home, project_root, read_data};
use crate::output;

/// The name of a layout's file.
pub(super) const FILE: &str = "layout.mdx";

/// The folder of components, with a file for each.
const COMPONENTS: &str = "components";

/// The maximum number of components.
const MOST: usize = 64;

/// The name of the user's folder in the configuration folder.
const FOLDER: &str = "agent-hud";

/// A folder that can contain a layout.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// The `.hud` folder of a project with this root.
    Project(PathBuf),
    /// The user's own folder.
    User(PathBuf),
}

impl Place {
    /// Returns the folders for a directory. The folder of the project comes first.
    pub(super) fn all(directory: &Path) -> Vec<Self> {
        let project = project_root(directory).map(Self::Project);
        let user = config_home().map(|home| Self::User(home.join(FOLDER)));
        project.into_iter().chain(user).collect()
    }

    pub(super) fn folder(&self) -> PathBuf {
        match self {
            Self::Project(root) => root.join(MARK),
            Self::User(folder) => folder.clone(),
        }
    }

    /// Returns the name of a file in error messages.
    fn name(&self, file: &str) -> String {
        match self {
            Self::Project(_) => format!("{MARK}/{file}"),
            Self::User(folder) => folder.join(file).display().to_string(),
        }
    }

    /// Reads the text of a file. Links in a project are not followed, because they came with the project.
    fn read(&self, inner: &Path, name: &str) -> Result<Option<String>, String> {
        let most = file::MAX_BYTES as u64 + 1;
        let bytes = match self {
            Self::Project(root) => {
                read_data(root, &Path::new(MARK).join(inner), name.as_ref(), most)
                    .map_err(|error| error.to_string())?
            }
            Self::User(folder) => match fs::metadata(folder.join(inner).join(name)) {
                Ok(found) if found.is_file() && found.len() <= most => {
                    let read = fs::read(folder.join(inner).join(name));
                    Some(read.map_err(|error| error.to_string())?)
                }
                Ok(_) => {
                    return Err(format!(
                        "it is no file of at most {} bytes",
                        file::MAX_BYTES
                    ));
                }
                Err(_) => None,
            },
        };
        let text = bytes.map(String::from_utf8).transpose();
        text.map_err(|_| "it is no UTF-8: save it as that".to_owned())
    }

    /// Returns the names of the components' files.
    fn components(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder().join(COMPONENTS));
        let names = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.file_name());
        let mut names: Vec<String> = names
            .filter_map(|name: OsString| name.into_string().ok())
            .filter(|name| name.ends_with(".mdx") && !name.starts_with('.'))
            .collect();
        names.sort();
        names.truncate(MOST);
        names
    }

    /// Returns the layout and its components, or `None` if there is no layout or it is empty.
    pub(super) fn sources(&self) -> Result<Option<(Source, Vec<Source>)>, String> {
        let Some(text) = self
            .read(Path::new(""), FILE)?
            .filter(|text| !text.trim().is_empty())
        else {
            return Ok(None);
        };
        let mut components = Vec::new();
        for name in self.components() {
            if let Some(text) = self.read(Path::new(COMPONENTS), &name)? {
                components.push(Source::new(
                    self.name(&format!("{COMPONENTS}/{name}")),
                    text,
                ));
            }
        }
        Ok(Some((Source::new(self.name(FILE), text), components)))
    }

    /// Returns the layout, or the reason why it is not used.
    fn found(&self) -> Found {
        match self.sources() {
            Ok(None) => Found::Nothing,
            Err(why) => Found::Refused { name: self.name(FILE), why },
            Ok(Some((source, components))) => match self.is_allowed(&source, &components) {
                true => Found::Layout(source, components),
                false => Found::Refused {
                    name: source.name,
                    why: "it came with the project, and what is in it are words to your agent: read it, and allow it \
                          with `hud layout trust`"
                        .to_owned(),
                },
            },
        }
    }

    /// True if the user trusts a layout. The user's own layout needs no trust.
    pub(super) fn is_allowed(&self, source: &Source, components: &[Source]) -> bool {
        match self {
            Self::Project(root) => Trusted::read().has(root, &hash_of(source, components)),
            Self::User(_) => true,
        }
    }

    /// Returns the stamps of the layout's files, which change if one of the files does. This runs in each turn,
    /// and most often there is no layout. In that case no other file is checked.
    fn stamp(&self) -> Vec<Stamp> {
        let folder = self.folder();
        let layout = Stamp::of(&folder.join(FILE));
        if layout == Stamp::default() {
            return Vec::new();
        }
        let trusted = match self {
            Self::Project(_) => Trusted::stamp(),
            Self::User(_) => Stamp::default(),
        };
        let mut stamps = vec![layout, trusted];
        for name in self.components() {
            stamps.push(Stamp::of(&folder.join(COMPONENTS).join(name)));
        }
        stamps
    }
}

/// The metadata that distinguishes the versions of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    length: u64,
    modified: Option<SystemTime>,
    number: u64,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Self {
        let Ok(found) = fs::symlink_metadata(path) else {
            return Self::default();
        };
        #[cfg(unix)]
        let number = std::os::unix::fs::MetadataExt::ino(&found);
        #[cfg(not(unix))]
        let number = 0;
        Self {
            length: found.len(),
            modified: found.modified().ok(),
            number,
        }
    }
}

/// The search for the layout before each frame.
struct Look {
    places: Vec<Place>,
    shared: Shared,
    stamps: Mutex<Option<Vec<Vec<Stamp>>>>,
    begun: Instant,
}

impl Look {
    /// Searches for a changed layout. Returns true if the layout in use changed.
    fn look(&self) -> bool {
        let stamps: Vec<Vec<Stamp>> = self.places.iter().map(Place::stamp).collect();
        let mut last = self
            .stamps
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let is_same = last.as_ref() == Some(&stamps);
        let changed = self.shared.with(|live| {
            if is_same && !live.is_waiting() {
                return false;
            }
            let (place, found) = self.find();
            self.take(live, place, found)
        });
        *last = Some(stamps);
        let problem = self.shared.with(|live| live.current().problem.clone());
        if changed && let Some(problem) = problem {
            output::problem(problem);
        }
        changed
    }

    /// Returns the layout to use and its place. If there is none, returns the first one that is refused.
    fn find(&self) -> (Option<&Place>, Found) {
        let mut refused = (None, Found::Nothing);
        for place in &self.places {
            match place.found() {
                Found::Nothing | Found::Same => {}
                // A layout that is not trusted is reported, and otherwise ignored.
                found @ Found::Refused { .. } => {
                    if refused.0.is_none() {
                        refused = (Some(place), found);
                    }
                }
                found @ Found::Layout(..) => return (Some(place), found),
            }
        }
        refused
    }

    /// Applies the search result. A valid layout is kept for later processes. If the layout is invalid, the one
    /// that was kept is shown in its place.
    fn take(&self, live: &mut Live, place: Option<&Place>, found: Found) -> bool {
        let now = self.begun.elapsed();
        let changed = live.found(found.clone(), now);
        let Some(place) = place.filter(|_| changed) else {
            return changed;
        };
        let current = live.current();
        match (&current.template, &current.problem, &found) {
            (Some(_), None, Found::Layout(layout, components)) => {
                kept::write(place, layout, components);
            }
            (None, Some(_), _) => {
                let last = kept::read(place)
                    .filter(|(layout, components)| place.is_allowed(layout, components));
                if let Some((layout, components)) = last {
                    live.found(Found::Layout(layout, components), now);
                    live.found(found, now);
                }
            }
            _ => {}
        }
        changed
    }
}

/// Returns the catalogue for layouts that the user trusts. This program runs their functions.
pub(super) fn with_runner(catalogue: Catalogue) -> Catalogue {
    #[cfg(feature = "script")]
    if let Ok(program) = std::env::current_exe() {
        return catalogue.with_runner(program, vec!["run-functions".into()]);
    }
    catalogue
}

/// Replaces the layout of a setup with the layout in a file, if there is one.
pub(crate) fn in_place_of(mut setup: Setup, directory: &Path, catalogue: &Catalogue) -> Setup {
    let shared = Shared::new(Live::new(with_runner(catalogue.clone())));
    let look = Look {
        places: Place::all(directory),
        shared: shared.clone(),
        stamps: Mutex::default(),
        begun: Instant::now(),
    };
    look.look();
    setup.operations = setup.operations.providing(shared.clone());
    let layout = shared.in_place_of(setup.layout);
    setup.layout = layout.with_refresh(move || {
        let suspended = shared.with(Live::begin_frame);
        for said in &suspended {
            output::problem(said);
        }
        look.look() || !suspended.is_empty()
    });
    setup
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

    use super::*;

    #[test]
    fn a_layout_is_told_from_another_one_by_its_own_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::User(folder.path().to_owned());
        let write = |name: &str, text: &str| {
            fs::create_dir_all(folder.path().join(COMPONENTS)).unwrap();
            fs::write(folder.path().join(name), text).unwrap();
        };
        let none = place.stamp();
        write("components/Row.mdx", "a");
        assert_eq!(place.stamp(), none, "there is no layout that could call it");
        write(FILE, "b");
        let mut seen = vec![none, place.stamp()];
        for (name, text) in [
            ("components/Row.mdx", "ab"),
            ("components/Cell.mdx", "c"),
            (FILE, "bc"),
        ] {
            write(name, text);
            let stamp = place.stamp();
            assert!(!seen.contains(&stamp), "{name}");
            assert_eq!(place.stamp(), stamp);
            seen.push(stamp);
        }
    }
}
