use crate::Node;

/// A link. Its children are what is shown.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
pub struct Link {
    /// Where it leads.
    #[prop(into)]
    pub url: String,
    /// Its title, which readers see as a hint.
    #[prop(into, default)]
    pub title: String,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Node)]
#[cfg_attr(feature = "schema", node(schema))]
#[node(leaf)]
pub struct Image {
    /// Where it is.
    #[prop(into)]
    pub url: String,
    /// What it shows, for whoever can not see it.
    #[prop(into, default)]
    pub alt: String,
    /// Its title, which readers see as a hint.
    #[prop(into, default)]
    pub title: String,
}

/// Where the [`LinkReference`]s and [`ImageReference`]s of a label lead.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct Definition {
    /// What the references say. Case and the amount of white space do not matter.
    #[prop(into)]
    pub label: String,
    /// Where it leads.
    #[prop(into)]
    pub url: String,
    /// Its title, which readers see as a hint.
    #[prop(into, default)]
    pub title: String,
}

/// A link to what a [`Definition`] says. Its children are what is shown.
#[derive(Clone, Debug, PartialEq, Node)]
pub struct LinkReference {
    /// The definition's label.
    #[prop(into)]
    pub label: String,
    /// How it is written.
    #[prop(default)]
    pub form: ReferenceForm,
}

/// A picture that is where a [`Definition`] says.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct ImageReference {
    /// The definition's label.
    #[prop(into)]
    pub label: String,
    /// What it shows, for whoever can not see it.
    #[prop(into, default)]
    pub alt: String,
    /// How it is written.
    #[prop(default)]
    pub form: ReferenceForm,
}

/// How a reference names its definition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReferenceForm {
    /// Text and label: `[text][label]`.
    #[default]
    Full,
    /// The text is the label: `[label][]`.
    Collapsed,
    /// The text is the label, and nothing is behind it: `[label]`.
    Shortcut,
}

/// A mark that leads to a footnote.
#[derive(Clone, Debug, PartialEq, Node)]
#[node(leaf)]
pub struct FootnoteReference {
    /// The footnote's label.
    #[prop(into)]
    pub label: String,
}

/// A footnote.
#[derive(Clone, Debug, PartialEq, Node)]
pub struct FootnoteDefinition {
    /// What the references say. Case and the amount of white space do not matter.
    #[prop(into)]
    pub label: String,
}
