//! Resolves names to vertices.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Reference;
use super::diagram::{Diagram, Edge, Relation, Vertex};

/// The maximum number of trailing path components that are compared.
const PARTS: usize = 8;

/// The names of vertices, and the mentions of names in vertices.
#[derive(Default)]
pub(super) struct Mentions {
    names: Vec<(String, usize)>,
    mentions: Vec<(usize, Reference)>,
}

impl Mentions {
    /// Adds a name of a vertex.
    pub(super) fn name(&mut self, name: String, vertex: usize) {
        self.names.push((plain(&name).to_owned(), vertex));
    }

    /// Adds a mention of a name in a vertex.
    pub(super) fn mention(&mut self, vertex: usize, mut reference: Reference) {
        reference.name = plain(&reference.name).to_owned();
        self.mentions.push((vertex, reference));
    }

    /// Adds an edge for each mention. A name without a vertex becomes a vertex if several vertices
    /// mention it or if one needs it.
    pub(super) fn resolve(&self, diagram: &mut Diagram) {
        let mut known = Known::default();
        // If two vertices have the same name, the second refers to the first.
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
    /// Vertices by the ends of their paths. `None` for an end of several paths.
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

    /// The vertex of a name: the same name, or a path of which one is an end of the other.
    fn find(&self, name: &str) -> Option<usize> {
        let whole = self.exact.get(name).copied();
        let longer = || ends(name).find_map(|end| self.exact.get(end).copied());
        let shorter = || self.ends.get(name).copied().flatten();
        whole.or_else(longer).or_else(shorter)
    }
}

/// The ends of a path after each of its last slashes, longest first.
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

/// A name without the line and column after a path.
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
