//! `rsx!`: parse the tokens into [`ast`], then expand it.

mod ast;
mod control;
mod expand;
mod mistakes;
mod parse;
mod rust;
mod text;

use proc_macro2::TokenStream;

use crate::diagnostics::Diagnostics;

pub(crate) fn rsx(input: TokenStream) -> TokenStream {
    let mut diagnostics = Diagnostics::default();
    let nodes = parse::parse(input, &mut diagnostics);
    expand::expand(&nodes, &diagnostics)
}

#[cfg(test)]
mod tests {
    use proc_macro2::TokenStream;
    use proptest::prelude::*;

    /// Pieces of layouts, right and wrong, in any order. Brackets come in pairs, or the tokens
    /// would not reach the macro.
    fn tokens() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "<A",
            "<A>",
            "<A/>",
            "</A>",
            "<a::B",
            "<A<B>>",
            "<>",
            "</>",
            "<",
            ">",
            "/",
            "/>",
            "=",
            "=>",
            "->",
            "::",
            "a",
            "a=",
            "a=5",
            "r#a",
            "r#type=5",
            "type",
            "_={b}",
            "a=-1",
            "a=\"x\"",
            "a={b}",
            "a={}",
            "{b}",
            "{}",
            "{b; c}",
            "(",
            "(b)",
            "[b]",
            "\"text\"",
            "\"{a}\"",
            "\"{\"",
            "{a && <A/>}",
            "{b.map(|c| <A>{c}</A>)}",
            "{<A as B>::c < <d>::E}",
            "{a ? b : c}",
            "&&",
            "?",
            "@if",
            "let a = b;",
            "while let Some(a) = b {",
            "else {",
            "rsx! { <A/> }",
            "A { a: 5 }",
            "<!-- a -->",
            "&nbsp;",
            "<a.B />",
            "<a-b />",
            "a-b=5",
            "a: 5,",
            "a=b && c",
            "a=if b { c } else { d }",
            "{...a}",
            "{a:?}",
            "a=<A/><B/>",
            "</A<B>>",
            "'c'",
            "'a",
            "5",
            "true",
            "if",
            "if a {",
            "if let Some(a) = b {",
            "else",
            "else {",
            "for",
            "for a in b {",
            "match",
            "match a {",
            "_ => ",
            "in",
            "let",
            ",",
            ";",
            "#",
            "!",
            "&",
            "}",
            ")",
        ]);
        prop::collection::vec(piece, 0..16).prop_map(|pieces| pieces.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            // `PROPTEST_CASES` asks for more.
            cases: ProptestConfig::default().cases.max(2000),
            failure_persistence: None,
            ..Default::default()
        })]

        #[test]
        fn any_tokens_end_in_tokens(text in tokens()) {
            let open = text.matches(['{', '(', '[']).count();
            let balanced = format!("{text}{}", "}".repeat(open));
            for text in [text, balanced] {
                if let Ok(tokens) = text.parse::<TokenStream>() {
                    prop_assert!(!super::rsx(tokens).is_empty());
                }
            }
        }
    }
}
