//! Pages, and what is in them: blocks, headings, links.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .canonicalize()
        .unwrap()
}

/// A page, by its path in the repository.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) text: String,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    /// The line that its fence is in, from 1.
    pub(crate) line: usize,
    /// What is behind the fence.
    pub(crate) info: String,
    pub(crate) body: String,
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let text = fs::read_to_string(root().join(path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        let path = path.to_owned();
        Self { path, text }
    }

    /// The pages of the site.
    pub(crate) fn all() -> Vec<Self> {
        let (mut pages, mut folders) = (Vec::new(), vec![root().join("docs")]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|end| end == "md") {
                    let path = path.strip_prefix(root()).unwrap().to_owned();
                    pages.push(Self::read(path.to_str().unwrap()));
                }
            }
        }
        pages.sort_by(|a, b| a.path.cmp(&b.path));
        pages
    }

    /// The pages beside the site: the repository's own, and what each crate says of itself.
    pub(crate) fn readmes() -> Vec<Self> {
        const OTHERS: [&str; 6] = [
            "README.md",
            "ARCHITECTURE.md",
            "COMPARE.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "integrations/opencode/README.md",
        ];
        let mut pages = Vec::from(OTHERS.map(Self::read));
        let folders = fs::read_dir(root()).unwrap();
        for folder in folders.map(|entry| entry.unwrap().path()) {
            let path = folder.join("README.md");
            if path.exists() && !folder.ends_with("docs") {
                let path = path.strip_prefix(root()).unwrap();
                pages.push(Self::read(path.to_str().unwrap()));
            }
        }
        pages.sort_by(|a, b| a.path.cmp(&b.path));
        pages
    }

    /// Its lines that are not in a block, and its blocks.
    fn parts(&self) -> (Vec<(usize, &str)>, Vec<Block>) {
        let (mut prose, mut blocks) = (Vec::new(), Vec::new());
        let mut open: Option<(String, Block)> = None;
        for (index, line) in self.text.lines().enumerate() {
            let fence: String = line.chars().take_while(|c| *c == '`').collect();
            match &mut open {
                Some((begin, _)) if line == *begin => {
                    blocks.extend(open.take().map(|(_, block)| block))
                }
                Some((_, block)) => {
                    block.body.push_str(line);
                    block.body.push('\n');
                }
                None if fence.len() >= 3 => {
                    let info = line[fence.len()..].to_owned();
                    let (line, body) = (index + 1, String::new());
                    open = Some((fence, Block { line, info, body }));
                }
                None => prose.push((index + 1, line)),
            }
        }
        assert!(open.is_none(), "{}: a block does not end", self.path);
        (prose, blocks)
    }

    pub(crate) fn blocks(&self) -> Vec<Block> {
        self.parts().1
    }

    /// The code in its lines, each with the line that its paragraph begins in. A paragraph may break it.
    pub(crate) fn spans(&self) -> Vec<(usize, String)> {
        let mut paragraphs: Vec<(usize, String)> = Vec::new();
        let mut last = 0;
        for (number, line) in self.parts().0 {
            match paragraphs.last_mut() {
                Some((_, text)) if last + 1 == number && !line.is_empty() => {
                    text.push(' ');
                    text.push_str(line.trim_start());
                }
                _ => paragraphs.push((number, line.to_owned())),
            }
            last = number;
        }
        let mut spans = Vec::new();
        for (number, text) in paragraphs {
            let spans_of = text.split('`').skip(1).step_by(2);
            spans.extend(spans_of.map(|span| (number, span.to_owned())));
        }
        spans
    }

    /// The anchors of its headings, as GitHub and mdBook make them.
    fn anchors(&self) -> BTreeSet<String> {
        let mut anchors = BTreeSet::new();
        for (_, line) in self.parts().0 {
            let title = line.trim_start_matches('#');
            if title.len() == line.len() || !title.starts_with(' ') {
                continue;
            }
            let slug = |c: char| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c.to_ascii_lowercase()),
                _ => None,
            };
            anchors.insert(title.trim().chars().filter_map(slug).collect());
        }
        anchors
    }

    /// Where its links and what it includes lead, each with its line.
    pub(crate) fn links(&self) -> Vec<(usize, String)> {
        let mut links = Vec::new();
        for (number, line) in self.parts().0 {
            // What is between backticks is code.
            let prose: String = line.split('`').step_by(2).collect();
            let mut rest = prose.as_str();
            while let Some((_, target)) = rest.split_once("](") {
                let (target, after) = target.split_once(')').unwrap_or((target, ""));
                links.push((number, target.to_owned()));
                rest = after;
            }
        }
        for (index, line) in self.text.lines().enumerate() {
            if let Some(include) = line.strip_prefix("{{#include ") {
                links.push((index + 1, include.trim_end_matches('}').to_owned()));
            }
        }
        links
    }

    /// What is wrong with its links, among the files of a repository.
    pub(crate) fn dead_links(&self, root: &Path) -> Vec<String> {
        /// Where the repository's files are on the web.
        const ON_THE_WEB: &str = "https://github.com/agent-hud/agent-hud/";
        let mut dead = Vec::new();
        for (line, link) in self.links() {
            let folder = Path::new(&self.path).parent().unwrap_or(Path::new(""));
            let (target, is_in_site) = match link.strip_prefix(ON_THE_WEB) {
                Some(rest) => match rest.splitn(3, '/').nth(2) {
                    Some(path) => (root.join(path), false),
                    None => continue,
                },
                None if link.contains("://") => continue,
                None => (root.join(folder).join(&link), true),
            };
            let target = target.to_str().unwrap();
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = match link.starts_with('#') {
                true => root.join(&self.path),
                false => PathBuf::from(file),
            };
            let place = format!("{}:{line}: {link}", self.path);
            let Ok(file) = file.canonicalize() else {
                dead.push(format!("{place}: there is no such file"));
                continue;
            };
            let include = self.text.contains(&format!("{{{{#include {link}}}}}"));
            let in_docs = self.path.starts_with("docs/");
            if is_in_site && in_docs && !include && !file.starts_with(root.join("docs")) {
                dead.push(format!(
                    "{place}: the site does not have it: link to {ON_THE_WEB}blob/main/…"
                ));
            } else if !anchor.is_empty() && is_in_site {
                let text = fs::read_to_string(&file).unwrap_or_default();
                let page = Self {
                    path: String::new(),
                    text,
                };
                if !page.anchors().contains(anchor) {
                    dead.push(format!("{place}: there is no such heading"));
                }
            }
        }
        dead
    }
}
