//! Expressions are read with the places of everything, and each mistake is reported where it is.

use hud_layout::expr::{
    Child, ExprKind, LinkKind, Mistake, closing, is_whole, parse, parse_child, parse_opening,
};

/// Each mistake under its source, with carets at its place.
fn shown(source: &str, mistakes: &[Mistake]) -> String {
    let mut text = format!("{source}\n");
    for mistake in mistakes {
        let before = source[..mistake.span.start].chars().count();
        let marked = source[mistake.span.start..mistake.span.end].chars().count();
        text += &format!(
            "{}{} {mistake}\n",
            " ".repeat(before),
            "^".repeat(marked.max(1))
        );
    }
    text
}

#[test]
fn mistakes_are_told_at_their_places() {
    let sources = [
        "",
        "a +",
        "a b",
        "a.",
        "a..b",
        "a?.(1)",
        "f(1)(2)",
        "x.f()()",
        "state.turn = 1",
        "state.turn += 1",
        "i++",
        "a; b",
        "if (a) b",
        "for (const x of y) z",
        "const a = 1",
        "return a",
        "new Date()",
        "Date.now()",
        "Math.random()",
        "Math.rond(1)",
        "Math.PI",
        "Math",
        "Object.kyes(a)",
        "new Map()",
        "this.state",
        "typeof a",
        "a instanceof B",
        "\"a\" in b",
        "delete a.b",
        "void 0",
        "await a",
        "async () => 1",
        "function f() {}",
        "class A {}",
        "import(\"a\")",
        "eval(\"1\")",
        "JSON.parse(a)",
        "console.log(a)",
        "parseInt(a)",
        "/a+/.test(b)",
        "a.match(/x/)",
        "{...a}",
        "[...a]",
        "[1,,2]",
        "f(...a)",
        "{a() {}}",
        "{get a() {}}",
        "{[a]: 1}",
        "{__proto__: a}",
        "{if}",
        "{\"a\"}",
        "x => x",
        "[x => x]",
        "a ? x => x : 1",
        "list.map(x => { return x })",
        "list.map(({a}) => a)",
        "list.map((a, a) => a)",
        "list.map(new => 1)",
        "list.map(Math => 1)",
        "list.map()",
        "list.map(1)",
        "list.map(x => x, this)",
        "list.slice(x => x)",
        "list.slice(1, 2, 3)",
        "text.trim(1)",
        "Math.round()",
        "String",
        "a & b",
        "a | b",
        "~a",
        "a ** b",
        "a >> b",
        "a ?? b || c",
        "a || b ?? c",
        "a ? b",
        "(a",
        "[a",
        "{a: 1",
        "a)",
        "'a",
        "\"a\nb\"",
        "`a",
        "`a ${b",
        "'\\ud800'",
        "'\\x1'",
        "010",
        "1n",
        "1__0",
        "3px",
        "a // b",
        "/* a",
        "#a",
        "@a",
        "\\a",
        "<b>don't",
        "<b>x</i>",
        "<b>x}</b>",
        "<b x",
        "<b {...props} />",
        "<b x=1 y=state.y />",
        "<b x={1} x={2} />",
        "<b x={} />",
        "<b x={1 />",
        "<b \"x\" />",
        "<><!-- x --></>",
        "<b>a < b</b>",
        "<!-- x -->",
        "< b",
        "<a.b>x</a>",
        "a<b></b>",
        "ä + ß.ü.",
    ];
    let all: Vec<String> = sources
        .iter()
        .map(|source| shown(source, &parse(source, 0).expect_err(source)))
        .collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn one_reading_tells_several_mistakes() {
    let source = "<b x=1 {...y}>{list.map()}{text.trim(1)}{[x => x]}</b>";
    assert_eq!(parse(source, 0).expect_err("mistakes").len(), 5);
}

#[test]
fn places_count_from_where_the_source_is_in_the_file() {
    let mistakes = parse("a.b +", 100).expect_err("a mistake");
    assert_eq!((mistakes[0].span.start, mistakes[0].span.end), (104, 105));
    let mistakes = parse("{é", 100).expect_err("a mistake");
    assert_eq!((mistakes[0].span.start, mistakes[0].span.end), (101, 103));
    let expr = parse("  a.list.map(x => <b y={x}>z</b>)", 100).expect("an expression");
    assert_eq!((expr.span.start, expr.span.end), (102, 133));
    let ExprKind::Path { links, .. } = expr.kind else {
        panic!("a path")
    };
    let LinkKind::Method { args, .. } = &links[1].kind else {
        panic!("a method")
    };
    let ExprKind::Arrow(arrow) = &args[0].kind else {
        panic!("an arrow")
    };
    let ExprKind::Tag(tag) = &arrow.body.kind else {
        panic!("a tag")
    };
    assert_eq!((tag.span.start, tag.span.end), (118, 132));
    assert_eq!(tag.props[0].name.span.start, 121);
    assert_eq!(tag.props[0].value.span.start, 124);
    assert!(
        matches!(&tag.children[0], Child::Text(text, span) if &**text == "z" && span.start == 127)
    );
}

#[test]
fn operators_bind_as_in_javascript() {
    // Each expression is the same as the one with all its parentheses.
    for (short, long) in [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a && b || c && d", "(a && b) || (c && d)"),
        ("a ?? b ?? c", "(a ?? b) ?? c"),
        ("a < b === c > d", "(a < b) === (c > d)"),
        ("!a.b && -c", "(!(a.b)) && (-(c))"),
        ("a ? b : c ? d : e", "a ? b : c ? (d) : (e)"),
        ("a?.5:b", "a ? .5 : b"),
        ("a % b / c", "((a % b) / c)"),
    ] {
        let strip = |source: &str| {
            let tree = format!("{:?}", parse(source, 0).expect(source).kind);
            let mut kept = String::new();
            // The places differ.
            for (index, part) in tree.split("span: Span {").enumerate() {
                kept += if index == 0 {
                    part
                } else {
                    part.split_once('}').map_or("", |(_, rest)| rest)
                };
            }
            kept
        };
        assert_eq!(strip(short), strip(long), "{short}");
    }
}

#[test]
fn words_between_tags_are_as_in_jsx() {
    let source = "<b>\n  Don't &amp; won't &lt;3 &nope;\n\n  {x}, it\u{a0}is\n  {/* no */}\n  <i/>  <i/>\n</b>";
    let expr = parse(source, 0).expect("a tag");
    let ExprKind::Tag(tag) = expr.kind else {
        panic!("a tag")
    };
    let words: Vec<String> = tag
        .children
        .iter()
        .map(|child| match child {
            Child::Text(text, _) => text.to_string(),
            Child::Tag(tag) => format!("<{}>", tag.name.text),
            Child::Expr(_) => "{}".to_owned(),
        })
        .collect();
    assert_eq!(
        words,
        [
            "Don't & won't <3 &nope;",
            "{}",
            ", it\u{a0}is",
            "<i>",
            "  ",
            "<i>"
        ]
    );
}

#[test]
fn braces_close_where_the_expression_ends() {
    for (source, rest) in [
        ("{a} b}", " b}"),
        ("{'}'} b", " b"),
        ("{`}${`}${'}'}`}`} b", " b"),
        ("{/* } */ a} b", " b"),
        (
            "{a && <b>don't</b>} and {b && <i>that's</i>}",
            " and {b && <i>that's</i>}",
        ),
        ("{a < b && c > d ? \"}\" : {e: 1}} f", " f"),
        (
            "{<a b=\"}\" c='}' d={\"}\"}>it's {x ? <i/> : '}'} \"</a>} f",
            " f",
        ),
        ("{<>it's</>} f", " f"),
        ("{a && <b>it's} f", " f"),
        ("{(a} b", " b"),
        ("{/}/} b", " b"),
        ("{a / b} c / d}", " c / d}"),
        ("{<a.b-c/>}", ""),
    ] {
        let end = closing(source, 0).expect(source);
        assert_eq!(&source[end + 1..], rest, "{source}");
    }
    let mistake = closing("{a && <Section>don't", 0).expect_err("open");
    assert_eq!(
        mistake.message,
        "`<Section>` is not closed: write `</Section>`, or `<Section />` where nothing is in it"
    );
    assert_eq!(mistake.span.start, 6);
    assert!(is_whole("a && {b: '}'}") && !is_whole("a && {b: 1") && !is_whole("a} {b"));
    assert!(is_whole("1./2 + '/}'") && is_whole("1..toFixed()/2 + '/}'"));
    // White space is what JavaScript takes for it, before a tag as behind a value.
    for blank in ["\u{feff}", "\u{a0}", "\u{2028}", "\u{b}"] {
        assert!(is_whole(&format!("{blank}<b>`</b>")), "{blank:?}");
        assert!(is_whole(&format!("a{blank}<b")), "{blank:?}");
    }
}

#[test]
fn white_space_within_tags_is_what_javascript_takes_for_it() {
    for blank in ["\u{feff}", "\u{a0}", "\u{2028}", "\u{b}"] {
        let tag = format!("<b{blank}c={blank}'d'{blank}></{blank}b{blank}>");
        assert!(parse(&tag, 0).is_ok(), "{blank:?}");
        let open = format!("<b></{blank}b c");
        let mistakes = parse(&open, 0).expect_err("not closed");
        let span = mistakes[0].span;
        assert_eq!(
            open.get(span.start..span.end),
            Some(&*format!("</{blank}b"))
        );
    }
}

#[test]
fn comments_within_a_tag_hide_what_is_in_them() {
    for tag in [
        "<b/*\"*//>",
        "<b /* '}> */ c /*{*/ = /* /> */ 'd'></b>",
        "<b /*/ c */ />",
    ] {
        assert!(parse(tag, 0).is_ok() && is_whole(tag), "{tag}");
    }
    for open in ["<b /*/ />", "<b c = /* 'd' />"] {
        let mistakes = parse(open, 0).expect_err("not closed");
        assert_eq!(
            mistakes[0].message,
            "this comment is not closed: write `*/`"
        );
        let span = mistakes[0].span;
        assert_eq!(open.get(span.start..span.end), Some("/*"));
        assert!(!is_whole(open), "{open}");
    }
}

#[test]
fn braces_may_have_comments_only() {
    assert_eq!(parse_child(" /* a */ /* b */ ", 0), Ok(None));
    assert!(matches!(parse_child("/* a */ b", 0), Ok(Some(_))));
}

#[test]
fn opening_tags_have_the_places_of_their_props() {
    let source = "<Meter used={1 > 2}\n  label='a > b' bare>rest</Meter>";
    let opening = parse_opening(source, 0).expect("a tag");
    assert_eq!(&source[opening.span.end..], "rest</Meter>");
    let props: Vec<&str> = opening
        .props
        .iter()
        .map(|prop| &source[prop.value.span.start..prop.value.span.end])
        .collect();
    assert_eq!(props, ["1 > 2", "'a > b'", "bare"]);
    assert!(!opening.closes_itself);
    assert!(parse_opening("<>", 0).expect("a fragment").name.is_none());
}

#[test]
fn what_is_too_deep_or_too_long_is_refused() {
    let deep = |open: &str, close: &str, n: usize| open.repeat(n) + "a" + &close.repeat(n);
    for source in [
        deep("(", ")", 65),
        deep("[", "]", 30_000),
        deep("!", "", 257),
        deep("- ", "", 30_000),
        deep("`${", "}`", 65),
        deep("<b>", "</b>", 65),
        deep("<b x={", "}/>", 40),
        deep("f(", ")", 65),
        deep("a ? ", " : b", 65),
        deep("a.map(x => ", ")", 65),
        "a".to_owned() + &"+a".repeat(257),
        "a".to_owned() + &".a".repeat(257),
        "a".to_owned() + &"?a:a".repeat(257),
        deep("(a ? b || c && d == e < f + g * !h[", "])", 30),
        " ".repeat(64 * 1024 + 1),
    ] {
        let mistakes = parse(&source, 0).map(|_| ()).expect_err(&source[..20]);
        let message = &mistakes[0].message;
        assert!(
            message.contains("more than") || message.contains("are allowed"),
            "{message}: {}",
            &source[..20]
        );
    }
    assert!(parse(&deep("(", ")", 64), 0).is_ok());
    assert!(parse(&("a".to_owned() + &"+a".repeat(256)), 0).is_ok());
}
