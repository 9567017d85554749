//! Expressions give what they give in JavaScript, or say what is wrong at its place.

use hud_layout::expr::{Limits, Meter, Mistake, Scope, Value, eval, parse, shown};
use serde_json::json;

fn state() -> Value {
    Value::from(&json!({
        "turn": 3,
        "name": "Rate limiter",
        "smile": "a😀b",
        "files": [
            {"path": "src/lib.rs", "status": "editing", "lines": 120},
            {"path": "src/limit.rs", "status": "read", "lines": 40},
            {"path": "Cargo.toml", "status": "read", "lines": 12},
        ],
        "numbers": [10, 9, 1, 2],
        "compacting": null,
        "by_name": {"b": 1, "10": 2, "a": 3, "9": 4},
        "done": false,
    }))
}

fn value(source: &str) -> Result<Value, Mistake> {
    let expr = parse(source, 0).map_err(|mut mistakes| mistakes.remove(0))?;
    eval(
        &expr,
        &Scope::new().with("state", state()),
        &mut Meter::default(),
    )
}

#[test]
fn expressions_give_what_javascript_gives() {
    let cases = [
        ("state.turn + 1", json!(4)),
        ("-1 / (12 % 5e-7) + ''", json!("-1841543782939957.2")),
        ("1 / 3", json!(0.333_333_333_333_333_3)),
        (
            "'n: ' + 1 / 3 + ' ' + 1e21 + ' ' + 1e-7 + ' ' + -0 + ' ' + 0.000001",
            json!("n: 0.3333333333333333 1e+21 1e-7 0 0.000001"),
        ),
        (
            "state.files.length && `${state.files.length} files`",
            json!("3 files"),
        ),
        (
            "state.files.filter(f => f.status === 'read').map((f, i) => i + f.path)",
            json!(["0src/limit.rs", "1Cargo.toml"]),
        ),
        (
            "state.files.find(f => f.lines < 50)?.path",
            json!("src/limit.rs"),
        ),
        (
            "state.files.find(f => f.lines < 5)?.path.length.x",
            json!(null),
        ),
        ("state.compacting?.began ?? 'never'", json!("never")),
        ("state.numbers.toSorted()", json!([1, 10, 2, 9])),
        (
            "state.numbers.toSorted((a, b) => a - b)",
            json!([1, 2, 9, 10]),
        ),
        (
            "state.files.toSorted((a, b) => b.lines - a.lines)[0].lines",
            json!(120),
        ),
        ("Object.keys(state.by_name)", json!(["9", "10", "a", "b"])),
        (
            "Object.entries({b: 1, 1: 2}).map(e => e[0] + e[1])",
            json!(["12", "b1"]),
        ),
        (
            "state.smile.length + state.smile.at(-2) + state.smile.slice(-1) + state.smile[1]",
            json!("3😀b😀"),
        ),
        ("state.smile.split('')", json!(["a", "😀", "b"])),
        ("'a'.padStart(3, '😀-') + 'a'.padEnd(3)", json!("😀-aa  ")),
        ("[1, NaN].includes(NaN) && [1, NaN].indexOf(NaN)", json!(-1)),
        (
            "[1, [2, [3, [4]]]].flat(Infinity).concat([5], 6)",
            json!([1, 2, 3, 4, 5, 6]),
        ),
        ("[null, undefined, 1, 'a'].join()", json!(",,1,a")),
        (
            "(2.5).toFixed() + ' ' + (-2.5).toFixed(0) + ' ' + (1.005).toFixed(2) + ' ' + (0.5).toFixed(0)",
            json!("3 -3 1.00 1"),
        ),
        (
            "Math.round(-0.5) + ' ' + Math.round(2.5) + ' ' + Math.max() + ' ' + Math.min(1, 'x')",
            json!("0 3 -Infinity NaN"),
        ),
        (
            "'a-b-c'.replaceAll('-', '$&$$') + 'abc'.replaceAll('', '.')",
            json!("a-$b-$c.a.b.c."),
        ),
        ("'a,b,c'.split(',', 2)", json!(["a", "b"])),
        ("'a,b,c'.split(',', -1)", json!(["a", "b", "c"])),
        ("'  \u{feff}a b\\n'.trim()", json!("a b")),
        (
            "null == undefined && null !== undefined && '1' != 1",
            json!(true),
        ),
        ("[1] === [1] || state.files === state.files", json!(true)),
        ("'' || 0 || null || 'x' && 'y'", json!("y")),
        ("'\\uFFFF' > '😀'", json!(true)),
        (
            "Number(' 0x1F ') + Number('') + Number('1e3') + Number('.5') + Number(true)",
            json!(1032.5),
        ),
        ("Number('1_0') + ''", json!("NaN")),
        (
            "[0, '', 'a', null, 2].filter(Boolean).map(String)",
            json!(["a", "2"]),
        ),
        ("-5 % 3 + '|' + 5.5 % -2", json!("-2|1.5")),
        (
            "state.missing === undefined ? 'not there' : 'there'",
            json!("not there"),
        ),
        ("{a: 1, 'b c': 2, a: 3}", json!({"a": 3, "b c": 2})),
        (
            "<a x y='&lt;1' z={[1]}>it's {1}{null}{false}{['b', <i/>]} <b/></a>",
            json!({
                "tag": "a",
                "props": {"x": true, "y": "<1", "z": [1]},
                "children": ["it's ", 1, "b", {"tag": "i", "props": {}, "children": []}, " ", {"tag": "b", "props": {}, "children": []}],
            }),
        ),
        ("<>{state.numbers.map(n => <i>{n}</i>)}</>.length", json!(4)),
    ];
    for (source, expected) in cases {
        let found = value(source).unwrap_or_else(|mistake| panic!("{source}: {mistake}"));
        assert_eq!(found.to_json(), expected, "{source}");
    }
}

#[test]
fn what_goes_wrong_is_told_at_its_place() {
    let sources = [
        "stat.turn",
        "turn",
        "state.compacting.began",
        "state.files[7].path",
        "state.files.find(f => false).path",
        "null.x",
        "state.compacting.map(x => x)",
        "state.files.fliter(f => f)",
        "state.files.sort()",
        "state.files.push(1)",
        "state.files.x",
        "state.files.map",
        "state.files.length()",
        "state.name.map(x => x)",
        "state.turn.length",
        "state.turn.toFixd(1)",
        "state.by_name.map(x => x)",
        "state.by_name.a()",
        "state.by_name.constructor",
        "state.by_name['__proto__']",
        "state.files['0']",
        "state.name.toString()",
        "state.by_name + 1",
        "`${state.files}`",
        "state.files * 2",
        "state.by_name < 1",
        "<b>{state.by_name}</b>",
        "<b>{[1, [state]]}</b>",
        "state.files.join()",
        "state.files.join(1)",
        "state.name.slice('a')",
        "state.name.includes(1)",
        "state.name.repeat(-1)",
        "state.turn.toFixed(101)",
        "Object.keys(1)",
        "Object.keys(state.files)",
        "rank(state.files)",
        "round(1)",
        "state.files.map(state)",
        "state.files.map(f)",
        "state.files.toSorted(Number)",
        "state.numbers.map(Math.max)",
        "<b/>.x",
    ];
    let mut all = String::new();
    for source in sources {
        let mistake = match value(source) {
            Ok(value) => panic!("{source}: {value:?}"),
            Err(mistake) => mistake,
        };
        let marks = "^".repeat(source[mistake.span.start..mistake.span.end].chars().count());
        let before = " ".repeat(source[..mistake.span.start].chars().count());
        all += &format!("{source}\n{before}{marks} {mistake}\n\n");
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_an_evaluation_may_take_is_bounded() {
    let double_text = "['aaaaaaaa']".to_owned() + &".map(a => a + a)".repeat(60);
    let double_list = "[[1]]".to_owned() + &".map(a => a.concat(a))".repeat(60);
    let shared_list = "[1]".to_owned() + &".map(a => [a, a])".repeat(60);
    let shared_flat = format!("{shared_list}.flat(Infinity)");
    let shared_tag = "[1]".to_owned() + &".map(a => <b>{a}{a}</b>)".repeat(60);
    let deep = "[1]".to_owned() + &".map(a => [a])".repeat(255);
    let deeper = format!("[{deep}]");
    let eight = "[1,2,3,4,5,6,7,8]";
    let nested = format!("{eight}.map(a => ").repeat(7) + "1" + &")".repeat(7);
    for (source, what) in [
        (&*double_text, "bytes"),
        (&*double_list, "items"),
        (&*shared_list, "steps"),
        (&*shared_flat, "steps"),
        (&*shared_tag, "steps"),
        (&*format!("[{deeper}]"), "are nested here"),
        (&*nested, "steps"),
        ("'a'.repeat(1e9)", "bytes"),
        ("'a'.repeat(1e300)", "bytes"),
        ("'a'.padEnd(1e300)", "bytes"),
        ("'a'.repeat(20000).split('')", "items"),
        ("'a'.repeat(60000).replaceAll('a', 'aa')", "bytes"),
        ("'a'.repeat(60000).replaceAll('a', '$`')", "bytes"),
        (
            "'a'.repeat(6000).split('').map(x => 'a'.repeat(60000).includes('aaaaaaaaaaaaab'))",
            "steps",
        ),
        (
            "'a'.repeat(9000).split('').toSorted((a, b) => 'b'.repeat(60000) < a)",
            "steps",
        ),
        (
            "'a'.repeat(9000).split('').map(x => x.padEnd(65000)).join()",
            "steps",
        ),
    ] {
        let mistake = value(source).map(|_| ()).expect_err(what);
        assert!(mistake.message.contains(what), "{source}: {mistake}");
    }
    assert!(value(&deep).is_ok());
    assert!(value("''.repeat(1e300)").is_ok());
}

#[test]
fn limits_can_be_set() {
    let mut limits = Limits::default();
    limits.steps = 10;
    let expr = parse("[1, 2, 3, 4, 5, 6, 7].length", 0).expect("an expression");
    let mistake = eval(&expr, &Scope::new(), &mut Meter::new(limits)).expect_err("too much");
    assert!(mistake.message.contains("10 steps"), "{mistake}");
}

#[test]
fn a_comparison_that_contradicts_itself_ends() {
    for compare in ["1", "-1", "NaN", "a === 1 ? 1 : -1", "a.length"] {
        let source =
            format!("state.numbers.concat(state.numbers).toSorted((a, b) => {compare}).length");
        if let Ok(found) = value(&source) {
            assert_eq!(found.to_json(), json!(8));
        }
    }
}

#[test]
fn shown_are_texts_numbers_and_elements() {
    let found = value("[1, 'a', null, undefined, true, false, [[<b/>]], NaN]").expect("a list");
    let children = shown(
        &found,
        hud_layout::expr::Span::default(),
        &mut Meter::default(),
    );
    let kinds: Vec<&str> = children
        .expect("children")
        .iter()
        .map(Value::kind)
        .collect();
    assert_eq!(kinds, ["a number", "text", "an element", "a number"]);
}

#[test]
fn an_object_finds_its_entries_whatever_its_size() {
    for size in [0, 1, 12, 13, 200] {
        let json: serde_json::Map<_, _> = (0..size).map(|n| (format!("k{n}"), json!(n))).collect();
        let Value::Object(object) = Value::from(&json!(json)) else {
            panic!("an object")
        };
        for n in 0..size {
            assert!(
                matches!(object.get(&format!("k{n}")), Some(Value::Number(_))),
                "{n} of {size}"
            );
        }
        assert!(object.get("k").is_none() && object.len() == size);
    }
}
