//! A crate that calls `hud_core` by another name: that the macros find it is what is tested.

use display::{Element, Node, component, rsx};

/// A badge.
#[derive(Debug, PartialEq, Node)]
pub struct Badge {
    /// What is on it.
    #[prop(into)]
    pub label: String,
}

/// Several badges.
#[component]
pub fn Badges(
    /// What is on them.
    labels: &[String],
) -> Element {
    rsx! { for label in labels { <Badge label={label.as_str()} /> } }
}

#[cfg(test)]
mod tests {
    use display::Tag;

    #[test]
    fn tags_of_a_renamed_crate_are_tags() {
        assert_eq!(super::Badge::META.props[0].docs, "What is on it.");
        assert_eq!(<super::Badges<'_> as Tag>::META.name, "Badges");
    }
}
