//! A crate that calls `hud_core` by another name: that the macros find it is what is tested.

use display::{Element, Node, component, rsx};

/// `hud_core`, for crates that have it from this one.
pub use display as hud_core;

/// [`hud_core::rsx!`] for those crates.
#[macro_export]
macro_rules! facade_rsx {
    ($($layout:tt)*) => {
        $crate::hud_core::rsx! { crate = $crate::hud_core; $($layout)* }
    };
}

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
    use display::mdast::{self, Mdast};
    use display::node::{BUILTIN, NodeType, Part, Section, Strong};
    use display::part::{Arrangement, Cap, Layer};
    use display::{
        Density, Element, Lower, LowerError, LowerResult, Registry, Renderer, Scope, Tag, Target,
        component, one_way, rsx,
    };

    #[test]
    fn tags_of_a_renamed_crate_are_tags() {
        assert_eq!(super::Badge::META.props[0].docs, "What is on it.");
        assert_eq!(<super::Badges<'_> as Tag>::META.name, "Badges");
    }

    /// What a tree is made of, a line for each node.
    enum Outline {}

    impl Target for Outline {
        const NAME: &'static str = "outline";
        type Piece = String;
        type Context = usize;

        fn text(text: &str) -> String {
            format!("{text:?}\n")
        }
    }

    fn outline(element: &Element<'_>) -> Result<String, LowerError> {
        let mut registry = Registry::new();
        registry
            .register_default::<Outline>(|node, children, lower| {
                let depth = *lower.context();
                let mut line = format!("{:depth$}{}", "", node.meta().name);
                for (name, value) in node.props() {
                    line.push_str(&format!(" {name}={value:?}"));
                }
                let within = lower.with_context(depth + 1).children(children)?;
                Ok(vec![line + "\n" + &within.concat()])
            })
            .register(one_way(
                |_: &Strong, children: &[Element<'_>], lower: &Lower<'_, Outline>| {
                    lower.children(children)
                },
            ));
        let pieces = Lower::<Outline>::new(&registry, Scope::default()).element(element)?;
        Ok(pieces.concat())
    }

    #[test]
    fn a_target_of_another_crate_needs_one_rule_for_all_nodes() {
        let layout = rsx! {
            <Section title="a">
                <super::Badge label="b"><Strong>"c"</Strong></super::Badge>
            </Section>
        };
        assert_eq!(
            outline(&layout).unwrap(),
            "Section title=Text(\"a\") level=None\n Badge label=Text(\"b\")\n\"c\"\n"
        );
    }

    fn badge(badge: &super::Badge, _: &[Element<'_>], _: &Lower<'_, Mdast>) -> LowerResult<Mdast> {
        let children = vec![mdast::text(badge.label.as_str())];
        let position = None;
        Ok(vec![mdast::Node::Strong(mdast::Strong {
            children,
            position,
        })])
    }

    #[test]
    fn rules_for_markdown_need_no_other_crate_and_a_missing_one_is_found_at_the_start() {
        let nodes = [BUILTIN, &[NodeType::of::<super::Badge>()]].concat();
        let mut registry = Registry::builtin();
        let error = registry.check::<Mdast>(&nodes).unwrap_err();
        assert_eq!(
            (error.target, error.nodes.as_slice()),
            ("mdast", ["Badge"].as_slice())
        );
        registry.register(one_way(badge));
        assert_eq!(registry.check::<Mdast>(&nodes), Ok(()));
        let labels = ["new".to_owned()];
        let shown = Renderer::new(registry).markdown(
            &rsx! { <super::Badges labels={&labels} /> },
            Scope::default(),
        );
        assert_eq!(shown.unwrap(), "**new**\n");
    }

    /// What is served.
    #[component(layer = static, worth = 9, floor = compact, cap = 1, part = "menu", heading)]
    fn Menu<'a>(courses: &'a [&'a str], #[prop(ambient)] cap: Cap) -> Element<'a> {
        rsx! { {courses[..cap.of(courses.len())].join(", ")} }
    }

    #[test]
    fn parts_of_a_renamed_crate_are_parts() {
        let layout = rsx! {
            <Menu courses={&["soup", "cake"]} />
            <Part name="greeting" worth=10>"Welcome"</Part>
        };
        let mut parts = Vec::new();
        let rendered = Renderer::builtin().parts(
            &layout,
            Scope::default(),
            &Arrangement::default(),
            &mut |part| {
                parts.push((part.name.to_string(), part.layer, part.floor));
                Some(Density::Full)
            },
        );
        assert_eq!(rendered.unwrap().markdown, "Welcome │ soup\n");
        assert_eq!(
            parts,
            [
                ("menu".to_owned(), Layer::Static, Some(Density::Compact)),
                ("greeting".to_owned(), Layer::Dynamic, None),
            ]
        );
    }
}
