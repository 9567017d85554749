//! Writing GFM, against comrak and `mdast_util_to_markdown`, on documents of about 100 kB.
//!
//! `cargo bench -p hud-core --bench gfm` prints the times, and then the ratios that the docs have. With `HUD_DOCUMENTS`
//! the documents are written to the directory that it names, for who measures something else on them.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use hud_core::gfm::{self, ParseOptions, SerializeOptions};
use markdown::mdast::Node;

fn main() {
    for document in Document::ALL {
        let (text, tree) = (document.text(), document.tree());
        let written = gfm::to_string(&tree, &SerializeOptions::default());
        let again = gfm::parse(&written, &ParseOptions::default());
        assert_eq!(again.as_ref(), Ok(&tree), "{document:?} comes back");
        assert!(!comrak_writes(&text).is_empty());
        if let Some(place) = std::env::var_os("HUD_DOCUMENTS") {
            let file = std::path::Path::new(&place).join(format!("{document:?}.md"));
            let kept = std::fs::write(&file, &text);
            assert!(kept.is_ok(), "{}: {kept:?}", file.display());
        }
    }
    divan::main();
}

#[derive(Clone, Copy, Debug)]
enum Document {
    Prose,
    Tables,
    Paragraph,
}

impl Document {
    const ALL: [Self; 3] = [Self::Prose, Self::Tables, Self::Paragraph];

    fn text(self) -> String {
        match self {
            Self::Prose => repeated(100_000, |n| {
                format!(
                    "## Part {n}\n\nThe *first* sentence of part {n} has a [link](https://a.b/{n}) \
                     and **strong** words.\nThe second has `code` & some_name, and goes on.\n\n\
                     * one of {n}\n* two, with *emphasis*\n  * three\n\n> quoted\n\n\
                     1. first\n2. second\n\n"
                )
            }),
            Self::Tables => repeated(100_000, |n| {
                let rows = repeated(900, |row| format!("| {row} | `c{n}` | *x* | a b c |\n"));
                format!("| n | code | mark | words |\n| --- | :-- | --: | :-: |\n{rows}\n")
            }),
            Self::Paragraph => {
                let words = (0..2_500).map(|n| format!("word {n} and *emphasis* again"));
                words.collect::<Vec<_>>().join(" ") + "\n"
            }
        }
    }

    fn tree(self) -> Node {
        match gfm::parse(&self.text(), &ParseOptions::default()) {
            Ok(tree) => tree,
            Err(error) => unreachable!("any text is markdown: {error}"),
        }
    }
}

fn repeated(length: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for n in 1.. {
        if text.len() >= length {
            break;
        }
        text += &part(n);
    }
    text
}

#[divan::bench(args = Document::ALL)]
fn hud(bencher: Bencher<'_, '_>, document: &Document) {
    let tree = document.tree();
    bencher
        .counter(BytesCount::of_str(&document.text()))
        .bench_local(|| gfm::to_string(black_box(&tree), &SerializeOptions::default()));
}

#[divan::bench(args = Document::ALL)]
fn comrak(bencher: Bencher<'_, '_>, document: &Document) {
    let text = document.text();
    let arena = comrak::Arena::new();
    let options = comrak_options();
    let root = comrak::parse_document(&arena, &text, &options);
    bencher.counter(BytesCount::of_str(&text)).bench_local(|| {
        let mut out = String::new();
        let written = comrak::format_commonmark(black_box(root), &options, &mut out);
        assert!(written.is_ok());
        out
    });
}

/// It knows no tables.
#[divan::bench(args = [Document::Prose], sample_count = 5, sample_size = 1)]
fn mdast_util_to_markdown(bencher: Bencher<'_, '_>, document: &Document) {
    let tree = document.tree();
    bencher
        .counter(BytesCount::of_str(&document.text()))
        .bench_local(|| mdast_util_to_markdown::to_markdown(black_box(&tree)));
}

fn comrak_options() -> comrak::Options<'static> {
    let mut options = comrak::Options::default();
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.autolink = true;
    options.extension.tasklist = true;
    options
}

fn comrak_writes(text: &str) -> String {
    let arena = comrak::Arena::new();
    let options = comrak_options();
    let root = comrak::parse_document(&arena, text, &options);
    let mut out = String::new();
    match comrak::format_commonmark(root, &options, &mut out) {
        Ok(()) => out,
        Err(_) => String::new(),
    }
}
