//! Random expressions give what they give in JavaScript, or are refused: QuickJS is the judge.
//!
//! ```text
//! FUZZ_CASES=100000 cargo test -p hud-layout --test quickjs -- --nocapture
//! ```
//!
//! Each case comes from its number alone, and `FUZZ_SEED` is the first one's. A character of two
//! halves is one of one half for QuickJS, since texts are counted in characters here, and `==` is
//! written out. A comparison that contradicts itself leaves the order of a list open, so that such a
//! case is only counted, as is one that fails or not by that order.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by it")]

#[path = "../cases/mod.rs"]
mod cases;
mod marks;
mod random;

use hud_layout::expr::{Meter, Scope, Value, eval, number_text, parse};
use rquickjs::{Context, Ctx, Runtime};

use self::marks::{javascript, ours};
use self::random::expression;

const STATE: &str = r#"{
    "turn": 3, "zero": 0, "half": 2.5, "large": 1e21, "name": "Rate limiter", "empty": "",
    "smile": "a😀b😀", "number": " 12.50 ", "nothing": null, "done": false, "open": true,
    "numbers": [10, 9, -1, 2.5, 0, 100], "words": ["b", "a", "B", "10", "9", "é", "😀"],
    "mixed": [1, "1", null, true, [2, [3, ["x"]]], {"a": 1}, ""], "none": [],
    "files": [
        {"path": "src/lib.rs", "lines": 120, "tags": ["a", "b"], "note": null},
        {"path": "src/limit.rs", "lines": 40, "tags": []},
        {"path": "Cargo.toml", "lines": 12, "tags": ["a"], "note": "x"}
    ],
    "by_name": {"b": 1, "10": "ten", "a": null, "9": [9]}
}"#;

/// What the cases use. `sorted` looks whether the comparison contradicts itself for this list.
const PRELUDE: &str = r#"
let open = false;
const show = v => {
    if (v === undefined) return "undefined";
    if (typeof v === "number") return Object.is(v, -0) ? "-0" : String(v);
    if (Array.isArray(v)) return "[" + v.map(show).join() + "]";
    if (v && typeof v === "object")
        return "{" + Object.keys(v).map(k => JSON.stringify(k) + ":" + show(v[k])).join() + "}";
    return JSON.stringify(v);
};
const judge = f => {
    open = false;
    let shown;
    try { shown = show(f()); } catch (error) { if (!open) throw error; }
    return open ? "open" : shown;
};
const eq = (a, b) => a === b || ((a ?? null) === null && (b ?? null) === null);
const sorted = (list, compare) => {
    const items = list.filter(x => x !== undefined);
    const sign = (a, b) => Math.sign(Number(compare(a, b))) || 0;
    try {
        for (const a of items) for (const b of items) {
            if (sign(a, b) !== -sign(b, a) && sign(a, b) + sign(b, a) !== 0) open = true;
            for (const c of items)
                if (sign(a, b) <= 0 && sign(b, c) <= 0 && sign(a, c) > 0) open = true;
        }
    } catch { open = true; }
    return list.toSorted(compare);
};
const freeze = v => {
    if (v && typeof v === "object") { Object.values(v).forEach(freeze); Object.freeze(v); }
    return v;
};
for (const name of Object.getOwnPropertyNames(globalThis)) {
    const own = globalThis[name];
    if (typeof own === "function") { Object.freeze(own.prototype ?? {}); Object.freeze(own); }
}
Object.freeze(Math);
"#;

/// A value as `show` writes it.
fn show(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Null => "null".to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::Number(number) if *number == 0.0 && number.is_sign_negative() => "-0".to_owned(),
        Value::Number(number) => number_text(*number),
        Value::Text(text) => quoted(text),
        Value::List(list) => {
            let items: Vec<String> = list.iter().map(show).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(object) => {
            let entries: Vec<String> = object
                .iter()
                .map(|(name, value)| format!("{}:{}", quoted(name), show(value)))
                .collect();
            format!("{{{}}}", entries.join(","))
        }
        Value::Element(_) => "an element".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    serde_json::to_string(&text.replace('😀', "\u{f8ff}")).expect("a text")
}

fn judged(ctx: &Ctx<'_>, source: &str) -> Option<String> {
    let judged = ctx.eval::<String, _>(format!("judge(() => ({source}\n))"));
    if judged.is_err() {
        ctx.catch();
    }
    judged.ok()
}

/// A text whose numbers have as few digits as they can have, as in JavaScript (ECMA-262, `Number::toString`): QuickJS
/// writes some powers of two with 17 where there are 16 that are read as the same number.
fn with_fewest_digits(text: &str) -> String {
    let is_of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-');
    let shorter = |number: &str| {
        let digits = number.split('e').next()?.replace(['-', '.'], "");
        let value: f64 = number.parse().ok()?;
        let is_power_of_two = value.to_bits().trailing_zeros() >= 52;
        (is_power_of_two && digits.trim_start_matches('0').len() == 17).then(|| number_text(value))
    };
    let mut written = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_of_number) {
        let (before, from) = rest.split_at(start);
        let end = from.find(|c| !is_of_number(c)).unwrap_or(from.len());
        let (number, behind) = from.split_at(end);
        written.push_str(before);
        written.push_str(&shorter(number).unwrap_or_else(|| number.to_owned()));
        rest = behind;
    }
    written + rest
}

#[test]
fn a_power_of_two_has_as_few_digits_as_it_can_have() {
    for (text, expected) in [
        ("[-5.6843418860808015e-14,1]", "[-5.684341886080802e-14,1]"),
        ("0.30000000000000004", "0.30000000000000004"),
        ("\"2.50\"", "\"2.50\""),
        ("\"2.00000000000000000000\"", "\"2.00000000000000000000\""),
    ] {
        assert_eq!(with_fewest_digits(text), expected);
    }
}

#[test]
fn random_expressions_give_what_quickjs_gives() {
    let (tried, first) = (cases::count(2_000_u64), cases::seed(0));
    // Written anew, since what is read has its names sorted.
    let state: serde_json::Value = serde_json::from_str(STATE).expect("JSON");
    let scope = Scope::new().with("state", Value::from(&state));
    let runtime = Runtime::new().expect("a runtime");
    let context = Context::full(&runtime).expect("a context");
    let (mut equal, mut refused, mut left_open) = (0_u64, 0_u64, 0_u64);
    let mut wrong = Vec::new();
    context.with(|ctx| {
        let prelude =
            format!("{PRELUDE}\nconst state = freeze({state});").replace('😀', "\u{f8ff}");
        ctx.eval::<(), _>(prelude).expect("the prelude");
        for case in (0..tried).map(|number| first.wrapping_add(number)) {
            let marked = expression(case);
            let source = ours(&marked);
            let found = parse(&source, 0)
                .map_err(|mut mistakes| mistakes.remove(0))
                .and_then(|expr| eval(&expr, &scope, &mut Meter::default()));
            let Ok(found) = found else {
                refused += 1;
                continue;
            };
            let found = show(&found);
            match judged(&ctx, &javascript(&marked)) {
                Some(expected) if expected == "open" => left_open += 1,
                Some(expected) if expected == found || with_fewest_digits(&expected) == found => {
                    equal += 1;
                }
                expected => wrong.push(format!(
                    "case {case}: {source}\n  is       {found}\n  expected {}",
                    expected.as_deref().unwrap_or("an error")
                )),
            }
        }
    });
    println!("{tried} expressions: {equal} equal, {refused} refused, {left_open} left open");
    let first: Vec<&str> = wrong.iter().take(10).map(String::as_str).collect();
    assert!(
        wrong.is_empty(),
        "{} differ:\n{}",
        wrong.len(),
        first.join("\n")
    );
    // If most were refused, the others would say little.
    assert!(equal * 2 > tried, "{equal} of {tried} are compared");
}
