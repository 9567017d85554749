//! The layouts in the documentation are read, and its mistakes are reported as it says.

use hud_layout::{Catalogue, Source, Template};

/// The blocks of a document, each with what is behind its fence.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => open = Some((info.to_owned(), String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, body))) => {
                body.push_str(line);
                body.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[test]
fn every_layout_in_the_documentation_is_what_it_is_said_to_be() {
    let catalogue = Catalogue::built_in();
    let blocks = blocks(include_str!("../../docs/layouts.md"));
    let mut read = 0;
    for (index, (info, body)) in blocks.iter().enumerate() {
        let source = Source::new("layout.mdx", body);
        match info.as_str() {
            "mdx" => {
                let template = Template::read(&source, &[], &catalogue);
                let template = template.unwrap_or_else(|wrong| panic!("{wrong}"));
                let present = hud_layout::states::overfull();
                hud_layout::accept::accept(&template, present)
                    .unwrap_or_else(|why| panic!("{body}\n{why}"));
            }
            #[cfg(feature = "script")]
            "mdx script" => {
                Template::read(&source, &[], &catalogue).unwrap_or_else(|wrong| panic!("{wrong}"));
            }
            "mdx component" => {
                let component = Source::new("Count.mdx", body);
                let layout = Source::new("layout.mdx", "<Count of=\"Notes\" list={state.notes} />");
                Template::read(&layout, &[component], &catalogue)
                    .unwrap_or_else(|wrong| panic!("{wrong}"));
            }
            "mdx wrong" => {
                let wrong = Template::read(&source, &[], &catalogue).unwrap_err();
                assert_eq!(wrong.to_string(), blocks[index + 1].1);
            }
            _ => continue,
        }
        read += 1;
    }
    assert!(read > 6, "{read}");
}
