//! Mermaid, a diagram language that many markdown viewers draw:
//! <https://mermaid.js.org/syntax/flowchart.html>.

use std::fmt::Write as _;

use super::{Diagram, Relation};
use crate::characters::legal;

/// Serializes a graph as a Mermaid flowchart. By default, Mermaid refuses to draw more than 500
/// edges.
///
/// ```
/// use hud_core::graph::mermaid;
/// use hud_core::node::{Field, Section};
/// use hud_core::{Renderer, Scope, rsx};
///
/// let layout = rsx! { <Section title="Task"><Field label="Due">"\"now\""</Field></Section> };
/// let diagram = Renderer::builtin().diagram(&layout, Scope::default())?;
/// assert_eq!(mermaid::to_string(&diagram), "\
/// flowchart LR
///   v0[\"Task\"]
///   v1[\"Due: #34;now#34;\"]
///   v0 --> v1
/// ");
/// # Ok::<(), hud_core::LowerError>(())
/// ```
pub fn to_string(diagram: &Diagram) -> String {
    let mut out = "flowchart LR\n".to_owned();
    for (at, vertex) in diagram.vertices.iter().enumerate() {
        // Writing to a string never fails.
        let _ = writeln!(out, "  v{at}[\"{}\"]", escaped(&vertex.label));
    }
    for edge in &diagram.edges {
        let arrow = match &edge.relation {
            Relation::Contains => "-->".to_owned(),
            Relation::Refers => "-.->".to_owned(),
            Relation::Relates(how) => format!("-.->|\"{}\"|", escaped(how)),
        };
        let _ = writeln!(out, "  v{} {arrow} v{}", edge.from, edge.to);
    }
    out
}

/// Escapes a text for double quotes, with numeric codes for all markup characters. Mermaid has no
/// other escape: a backslash has no meaning, and `%%{` is interpreted everywhere.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in legal(text).chars() {
        match c {
            '\n' => escaped.push_str("<br/>"),
            '\r' | '\t' => escaped.push(' '),
            ' ' | '.' | ',' | '-' | ':' | '/' | '(' | ')' => escaped.push(c),
            c if c.is_ascii_punctuation() => {
                // Writing to a string never fails.
                let _ = write!(escaped, "#{};", u32::from(c));
            }
            c => escaped.push(c),
        }
    }
    escaped
}
