//! Tests that the macros terminate and return tokens for any input.

use proc_macro2::TokenStream;
use proptest::prelude::*;

/// Valid and invalid pieces of items, in any order. Brackets come in pairs.
fn item() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "#[prop]",
        "#[prop(into)]",
        "#[prop(default)]",
        "#[prop(default = 5)]",
        "#[prop(default = )]",
        "#[prop(into, into)]",
        "#[node]",
        "#[node(leaf)]",
        "#[doc = \"d\"]",
        "#[derive(Debug)]",
        "pub",
        "async",
        "unsafe",
        "fn",
        "struct",
        "enum",
        "Part",
        "part",
        "(a: u8)",
        "(a: &str, b: Option<Element>)",
        "(#[prop(into)] a: String, children: Children)",
        "(scope: &Scope, density: Density)",
        "(self, (a, b): (u8, u8), ref c: u8, mut d: impl Fn())",
        "(a: T, b: T::Item, c: [u8; N], a: u8)",
        "<T>",
        "<'a, T: 'a + Clone, const N: usize>",
        "<T = ()>",
        "-> Element",
        "-> Element<'a>",
        "-> (u8, u8)",
        "where T: Clone",
        "{ a }",
        "{ a: u8, b: Option<Part> }",
        "{ #[prop(default = \"x\")] children: Vec<T> }",
        "{}",
        "()",
        ";",
        ",",
        "=",
        "static",
        "layer",
        "schema",
        "crate",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.join(" "))
}

/// Valid and invalid pieces of layouts, in any order. Brackets come in pairs, because unbalanced tokens would not
/// reach the macro.
fn layout() -> impl Strategy<Value = String> {
    let pieces: Vec<_> = include_str!("../tests/pieces.txt").lines().collect();
    let piece = prop::sample::select(pieces);
    prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig {
        // `PROPTEST_CASES` can raise the number.
        cases: ProptestConfig::default().cases.max(2000),
        failure_persistence: None,
        ..Default::default()
    })]

    #[test]
    fn any_layout_ends_in_tokens(text in layout()) {
        let open = text.matches(['{', '(', '[']).count();
        let balanced = format!("{text}{}", "}".repeat(open));
        for text in [text, balanced] {
            if let Ok(tokens) = text.parse::<TokenStream>() {
                prop_assert!(!crate::rsx::rsx(tokens).is_empty());
            }
        }
    }

    #[test]
    fn any_item_ends_in_tokens(key in item(), item in item()) {
        let (Ok(key), Ok(item)) = (key.parse::<TokenStream>(), item.parse::<TokenStream>())
        else {
            return Ok(());
        };
        prop_assert!(!crate::node::node(item.clone()).is_empty());
        let expanded = crate::component::component(key.clone(), item.clone());
        prop_assert!(key.is_empty() && item.is_empty() || !expanded.is_empty());
    }

    #[test]
    fn any_component_ends_in_tokens(
        key in prop::sample::select(vec![
                "", "schema", "layer = static", "layer = dynamic, schema", "worth = 300",
                "worth = 3, floor = full, cap = 1, part = \"p\", heading",
            ]),
        generics in prop::sample::select(vec!["", "<T>", "<'a, T: 'a + Clone, const N: usize>", "<const C: char>"]),
        arguments in prop::sample::select(vec![
            "()",
            "(a: &str, b: Option<Element>)",
            "(#[prop(into)] a: String, children: Children)",
            "(scope: &Scope, density: Density)",
            "(self, (a, b): (u8, u8), ref c: u8, mut d: impl Fn())",
            "(a: T, b: T::Item, c: [u8; N], a: u8, d: Part)",
        ]),
        output in prop::sample::select(vec!["", "-> Element", "-> Element<'a>", "-> (u8, u8)", "-> Result<Element, ()>"]),
    ) {
        let item = format!("pub fn Part{generics}{arguments} {output} {{ body }}");
        let expanded = crate::component::component(
            key.parse().unwrap_or_default(),
            item.parse().unwrap_or_default(),
        );
        prop_assert!(syn::parse2::<syn::File>(expanded).is_ok());
    }
}
