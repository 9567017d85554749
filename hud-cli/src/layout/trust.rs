//! The layouts of projects that the user trusts. A layout is text in a prompt, and it may come with a cloned
//! repository.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::Stamp;
use crate::location::config_home;

/// The name of the file in the user's folder.
const FILE: &str = "trusted-layouts.json";

/// The entry that trusts any content, in place of a hash.
const ALWAYS: &str = "*";

/// The hashes of trusted layouts, by the roots of their projects.
#[derive(Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(super) struct Trusted(BTreeMap<String, BTreeSet<String>>);

fn path() -> Option<PathBuf> {
    Some(config_home()?.join("agent-hud").join(FILE))
}

impl Trusted {
    /// Reads the trusted layouts. If that fails, no layout is trusted.
    pub(super) fn read() -> Self {
        let text = path().and_then(|path| fs::read(path).ok());
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Returns the stamp of the file, which changes if a layout is allowed.
    pub(super) fn stamp() -> Stamp {
        path().map(|path| Stamp::of(&path)).unwrap_or_default()
    }

    /// True if a layout is trusted in a project.
    pub(super) fn has(&self, root: &Path, hash: &str) -> bool {
        let known = self.0.get(&*root.to_string_lossy());
        known.is_some_and(|known| known.contains(hash) || known.contains(ALWAYS))
    }

    /// Trusts a layout in a project, or any layout if `hash` is `None`.
    pub(super) fn allow(mut self, root: &Path, hash: Option<&str>) -> io::Result<()> {
        let known = self
            .0
            .entry(root.to_string_lossy().into_owned())
            .or_default();
        known.insert(hash.unwrap_or(ALWAYS).to_owned());
        self.write()
    }

    /// Revokes all trust in the layouts of a project.
    pub(super) fn revoke(mut self, root: &Path) -> io::Result<()> {
        self.0.remove(&*root.to_string_lossy());
        self.write()
    }

    fn write(&self) -> io::Result<()> {
        let none = || {
            io::Error::other("there is no folder for configuration: set HOME or XDG_CONFIG_HOME")
        };
        let path = path().ok_or_else(none)?;
        let folder = path.parent().ok_or_else(none)?;
        fs::create_dir_all(folder)?;
        let fresh = folder.join(format!("{FILE}.{}", std::process::id()));
        fs::write(&fresh, serde_json::to_vec_pretty(self)?)?;
        fs::rename(&fresh, &path)
    }
}
