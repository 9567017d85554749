//! Which vertex a name is of.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Reference;
use super::diagram::{Diagram, Edge, Relation, Vertex};

/// How many of the last parts of a path are compared with another one.
const PARTS: usize = 8;

/// The names of vertices, and which vertices say which names.
#[derive(Default)]
pub(super) struct Mentions {
    names: Vec<(String, usize)>,
    mentions: Vec<(usize, Reference)>,
}

impl Mentions {
    /// A vertex has a name.
    pub(super) fn name(&mut self, name: String, vertex: usize) {
        self.names.push((plain(&name).to_owned(), vertex));
    }

    /// A vertex says a name.
    pub(super) fn mention(&mut self, vertex: usize, mut reference: Reference) {
        reference.name = plain(&reference.name).to_owned();
        self.mentions.push((vertex, reference));
    }

    /// Adds an edge for each name that is said. What several vertices name and none is called is a vertex itself, and
    /// so is what one needs.
    pub(super) fn resolve(&self, diagram: &mut Diagram) {
        let mut known = Known::default();
        // Where two have a name, the second refers to the first.
        let mut mentions: Vec<(usize, &str, Relation)> = Vec::new();
        for (name, vertex) in &self.names {
            match known.exact.get(name.as_str()) {
                Some(_) => mentions.push((*vertex, name, Relation::Refers)),
                None => known.add(name, *vertex),
            }
        }
        let said = self.mentions.iter();
        mentions.extend(said.map(|(vertex, said)| (*vertex, &*said.name, said.relation.clone())));
        let needed = self.mentions.iter().filter(|(_, said)| said.is_needed);
        let needed: BTreeSet<&str> = needed.map(|(_, said)| &*said.name).collect();
        let mut unknown: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (vertex, name, _) in &mentions {
            if known.find(name).is_none() {
                unknown.entry(name).or_default().insert(*vertex);
            }
        }
        for (_, name, _) in &mentions {
            let Some(by) = unknown.remove(name) else {
                continue;
            };
            if (by.len() > 1 || needed.contains(name)) && !name.is_empty() {
                known.add(name, diagram.vertices.len());
                let label = (*name).to_owned();
                diagram.vertices.push(Vertex {
                    kind: "name",
                    label,
                });
            }
        }
        for (from, name, relation) in mentions {
            if let Some(to) = known.find(name).filter(|to| *to != from) {
                diagram.edges.push(Edge { from, to, relation });
            }
        }
    }
}

/// Vertices by their names.
#[derive(Default)]
struct Known<'n> {
    exact: HashMap<&'n str, usize>,
    /// By the last parts of paths. Those of several are of none.
    ends: HashMap<&'n str, Option<usize>>,
}

impl<'n> Known<'n> {
    fn add(&mut self, name: &'n str, vertex: usize) {
        self.exact.entry(name).or_insert(vertex);
        for end in ends(name) {
            self.ends
                .entry(end)
                .and_modify(|other| *other = other.filter(|other| *other == vertex))
                .or_insert(Some(vertex));
        }
    }

    /// The vertex of a name: the same one, or a path that ends as the other does.
    fn find(&self, name: &str) -> Option<usize> {
        let whole = self.exact.get(name).copied();
        let longer = || ends(name).find_map(|end| self.exact.get(end).copied());
        let shorter = || self.ends.get(name).copied().flatten();
        whole.or_else(longer).or_else(shorter)
    }
}

/// What is behind each of the last slashes of a path, the longest first.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    let slashes: Vec<usize> = path
        .rmatch_indices('/')
        .map(|(at, _)| at)
        .take(PARTS)
        .collect();
    let ends = slashes
        .into_iter()
        .rev()
        .filter_map(|at| path.get(at + 1..));
    ends.filter(|end| !end.is_empty())
}

/// A name without the line and the column behind a path.
fn plain(name: &str) -> &str {
    let mut name = name.trim();
    for _ in 0..2 {
        match name.rsplit_once(':') {
            Some((path, line))
                if !path.is_empty()
                    && !line.is_empty()
                    && line.bytes().all(|b| b.is_ascii_digit()) =>
            {
                name = path;
            }
            _ => break,
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_by_its_line_and_by_its_end() {
        let mut known = Known::default();
        known.add("src/a.rs", 1);
        known.add("src/b/mod.rs", 2);
        known.add("src/c/mod.rs", 3);
        let find = |name: &str| known.find(plain(name));
        assert_eq!(find("src/a.rs:7:12"), Some(1));
        assert_eq!(find("/home/me/src/a.rs"), Some(1));
        assert_eq!(find("a.rs"), Some(1));
        assert_eq!(find("mod.rs"), None);
        assert_eq!(find("c/mod.rs"), Some(3));
        assert_eq!(
            [find("rc/a.rs"), find(""), find(":1"), find("/")],
            [None; 4]
        );
    }
}
