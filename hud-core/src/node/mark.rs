use crate::Node;

/// Text of strong importance.
#[derive(Debug, PartialEq, Node)]
pub struct Strong {}

/// Text with stress.
#[derive(Debug, PartialEq, Node)]
pub struct Emphasis {}

/// Text that no longer holds.
#[derive(Debug, PartialEq, Node)]
pub struct Delete {}

/// The end of a line within a paragraph.
#[derive(Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Break {}
