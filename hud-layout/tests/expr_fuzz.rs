//! Whatever is written in braces, reading and evaluating it ends, on a small stack.
//! `FUZZ_CASES` says how many cases are tried, and `FUZZ_SEED` which ones.

#![allow(clippy::expect_used, reason = "a test fails by it")]

use crate::cases;

use hud_layout::expr::{
    Meter, Mistake, Scope, Type, Types, Value, closing, eval, infer, is_whole, parse, parse_child,
    parse_opening,
};
use serde_json::json;
use std::sync::LazyLock;

/// The stack on which layouts are read.
const STACK: usize = 256 * 1024;

const TOKENS: &[&str] = &[
    "state",
    "state.list",
    "state.text",
    "state.list.map(",
    "x",
    "x => ",
    "(x, i) => ",
    "x =>",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<b>",
    "</b>",
    "<b ",
    "<>",
    "</>",
    "/>",
    ">",
    "<",
    "a=",
    "b={",
    "'",
    "\"",
    "`",
    "${",
    "?.",
    ".",
    ",",
    ":",
    "?",
    "??",
    "||",
    "&&",
    "===",
    "==",
    "!",
    "-",
    "+",
    "*",
    "%",
    "/",
    "/*",
    "*/",
    "//",
    "...",
    "=",
    "=>",
    ";",
    "1",
    "0x",
    "1e",
    "1e400",
    "NaN",
    ".5",
    "true",
    "null",
    "undefined",
    "Math.round(",
    "Math.",
    "Object.keys(",
    "String",
    "Boolean",
    ".length",
    ".slice(",
    ".map(",
    ".filter(",
    ".toSorted(",
    ".toSorted()",
    ".flat(",
    ".join(",
    ".split(",
    ".repeat(",
    ".padEnd(",
    ".replaceAll(",
    ".at(",
    ".toFixed(",
    "new ",
    "if ",
    "this",
    "__proto__",
    "\\",
    "\\u",
    "\n",
    " ",
    "\u{0}",
    "é",
    "😀",
    "\u{2028}",
    "&amp;",
    "&#x",
    "<!--",
    "{...x}",
    "don't",
    "async ",
    "['a', 'b']",
    "{a: 1}",
    "\u{feff}",
];

static SCHEMA: LazyLock<serde_json::Value> = LazyLock::new(|| {
    json!({
        "type": "object",
        "properties": {
            "list": {"type": "array", "items": {"anyOf": [{"$ref": "#"}, {"type": "number"}]}},
            "text": {"type": ["string", "null"]},
        },
        "required": ["list"],
    })
});

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).expect("31 bits") % most
    }
}

fn on_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(run)
        .expect("a thread")
        .join()
        .expect("no panic");
}

fn try_all(source: &str) {
    let state = Value::from(&json!({
        "list": [1, "b", [2, [3]], {"a": null}],
        "text": "a😀 b",
    }));
    let scope = Scope::new()
        .with("state", state)
        .with("x", Value::Number(1.0));
    if let Ok(end) = closing(source, 0) {
        assert!(source.is_char_boundary(end));
    }
    let _ = is_whole(source);
    for mistakes in [parse_opening(source, 0).err(), parse_child(source, 0).err()] {
        for mistake in mistakes.into_iter().flatten() {
            assert!(
                source.get(mistake.span.start..mistake.span.end).is_some(),
                "{source:?}: {mistake:?}"
            );
        }
    }
    if let Ok(expr) = parse(source, 0) {
        assert!(is_whole(source), "{source:?} is whole");
        assert_eq!(
            source
                .get(expr.span.start..expr.span.end)
                .map(str::is_empty),
            Some(false)
        );
        let mut mistakes: Vec<Mistake> = Vec::new();
        let types = Types::new()
            .with("state", Type::of_schema(&SCHEMA))
            .with("x", Type::Number);
        let _ = infer(&expr, &types, &mut mistakes).to_string();
        for mistake in mistakes {
            assert!(source.get(mistake.span.start..mistake.span.end).is_some());
        }
        match eval(&expr, &scope, &mut Meter::default()) {
            Ok(value) => drop(value.to_json()),
            Err(mistake) => assert!(source.get(mistake.span.start..mistake.span.end).is_some()),
        }
    }
}

#[test]
fn any_soup_of_tokens_is_read_or_refused() {
    let (count, seed) = (cases::count(2_000), cases::seed(7));
    on_small_stack(move || {
        let mut random = Random(seed);
        for _ in 0..count {
            let length = 1 + random.below(24);
            let source: String = (0..length)
                .map(|_| TOKENS[random.below(TOKENS.len())])
                .collect();
            try_all(&source);
        }
    });
}

#[test]
fn nothing_within_the_limits_is_too_deep_for_a_small_stack() {
    let shells = [
        ("(", ")"),
        ("[", "]"),
        ("{a: ", "}"),
        ("!-+(", ")"),
        ("`a${", "}b`"),
        ("<b>{", "}</b>"),
        ("<b x={", "} />"),
        ("<><i>a</i>{", "}</>"),
        ("state.list.map(x => ", ")"),
        ("state.list.map(x => [", "])[0]"),
        ("state.list.toSorted((x, i) => ", ")"),
        ("1 ? 0 ?? 1 : ", ""),
        ("true ? (", ") : 1"),
        ("false ? 1 : (", ")"),
        ("0 || 1 && 1 === 1 < 1 + 1 * -(", ")"),
        ("(", " ? 1 || 1 && 1 === 1 < 1 + 1 * 1 : 2)"),
        ("String(", ")"),
        ("Math.max(1, 2, ", ")"),
        ("state.text.slice(", ").at(0)"),
        ("state.list[", "]?.a"),
    ];
    on_small_stack(move || {
        let mut random = Random(11);
        for (index, (open, close)) in shells.iter().enumerate() {
            for depth in 1..70 {
                eprintln!("{open} {depth}");
                try_all(&(open.repeat(depth) + "1" + &close.repeat(depth)));
            }
            // And different ones within one another.
            for depth in 1..70 {
                let mut source = "1".to_owned();
                for _ in 0..depth {
                    let (open, close) = shells[(random.below(shells.len()) + index) % shells.len()];
                    source = format!("{open}{source}{close}");
                }
                try_all(&source);
            }
        }
        // Values are deeper than what makes them.
        let mut chain = "[1]".to_owned();
        for _ in 0..250 {
            chain += ".map(a => [a])";
            if chain.len().is_multiple_of(16) {
                try_all(&chain);
            }
        }
        try_all(&format!("{chain}.flat(Infinity).length"));
        for _ in 0..60 {
            chain = format!("[{chain}]");
        }
        try_all(&chain);
    });
}

#[test]
fn large_sources_end_soon() {
    on_small_stack(|| {
        for (open, inner, close) in [
            ("[", "[],", "]"),
            ("[", "(1),", "]"),
            ("<>", "{}", "</>"),
            ("<>", "{/* a */}", "</>"),
            ("<>", "<b/>", "</>"),
            ("<>", "&amp;", "</>"),
            ("", "{a}", ""),
            ("", "(", ""),
            ("", "<", ""),
            ("", "<a", ""),
            ("", "<a>", ""),
            ("'", "a", "'"),
            ("`", "${a}", "`"),
            ("/*", "/*", "*/"),
            ("{", "a: 1,", "}"),
            ("<b ", "a={1} ", "/>"),
        ] {
            let times = 60_000 / inner.len();
            try_all(&format!("{open}{}{close}", inner.repeat(times)));
        }
    });
}
