//! DOT, the language of Graphviz: <https://graphviz.org/doc/info/lang.html>.

use std::fmt::Write as _;

use super::{Diagram, Relation};
use crate::characters::legal;

/// Serializes a graph as DOT.
pub fn to_string(diagram: &Diagram) -> String {
    let mut out = "digraph {\n  node [shape=box];\n".to_owned();
    for (at, vertex) in diagram.vertices.iter().enumerate() {
        let (label, kind) = (escaped(&vertex.label), escaped(vertex.kind));
        // Writing to a string never fails.
        let _ = writeln!(out, "  v{at} [label=\"{label}\", class=\"{kind}\"];");
    }
    for edge in &diagram.edges {
        let style = match &edge.relation {
            Relation::Contains => String::new(),
            Relation::Refers => " [style=dashed]".to_owned(),
            Relation::Relates(how) => format!(" [style=dashed, label=\"{}\"]", escaped(how)),
        };
        let _ = writeln!(out, "  v{} -> v{}{style};", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}

/// Escapes a text for double quotes. Graphviz interprets backslashes as escapes and `&` as a
/// character reference.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in legal(text).chars() {
        match c {
            '"' => escaped.push_str("\\\""),
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push(' '),
            '&' => escaped.push_str("&amp;"),
            c => escaped.push(c),
        }
    }
    escaped
}
