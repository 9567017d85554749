//! GraphML, which graph editors and libraries read: <http://graphml.graphdrawing.org/>.

use std::fmt::Write as _;

use super::Diagram;
use crate::characters::legal;
use crate::html::escape;

const HEAD: &str = "\
<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">
  <key id=\"kind\" for=\"all\" attr.name=\"kind\" attr.type=\"string\"/>
  <key id=\"label\" for=\"node\" attr.name=\"label\" attr.type=\"string\"/>
  <graph edgedefault=\"directed\">
";

/// Serializes a graph as GraphML: each vertex has a `kind` and a `label`, each edge a `kind`.
pub fn to_string(diagram: &Diagram) -> String {
    let mut out = HEAD.to_owned();
    // Writing to a string never fails.
    for (at, vertex) in diagram.vertices.iter().enumerate() {
        let (kind, label) = (legal(vertex.kind), legal(&vertex.label));
        let (kind, label) = (escape(&kind), escape(&label));
        let _ = writeln!(
            out,
            "    <node id=\"v{at}\"><data key=\"kind\">{kind}</data><data key=\"label\">{label}</data></node>"
        );
    }
    for edge in &diagram.edges {
        let kind = legal(edge.relation.name());
        let (from, to, kind) = (edge.from, edge.to, escape(&kind));
        let _ = writeln!(
            out,
            "    <edge source=\"v{from}\" target=\"v{to}\"><data key=\"kind\">{kind}</data></edge>"
        );
    }
    out.push_str("  </graph>\n</graphml>\n");
    out
}
