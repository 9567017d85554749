//! Functions of layouts, each layout's in a real process: what they give, and that nothing which they
//! do is felt outside of it. The test runs itself as the process.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test fails by it, and without a harness it prints by itself"
)]

use std::io::{self, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::{Duration, Instant};

use hud_core::{Density, render};
use hud_layout::expr::{Functions, Meter, Mistake, Scope, Value, eval, parse};
use hud_layout::script::{DEADLINE, Process, Script, run};
use hud_layout::{Catalogue, Source, Template};
use hud_store::state::HudState;
use serde_json::json;

/// How long functions may take, and their processes until they are noticed to be gone.
struct Limits {
    deadline: Duration,
    most: Duration,
}

/// In a build for release a call ends within 150 ms, whatever the function does, which is tried with
/// `HUD_SCRIPT_LIMIT=150 cargo test --release -p hud-layout --features script --test scripts`: milliseconds. Without it a
/// busy machine starts a process built for debugging slowly, and the call only has to end.
fn limits() -> Limits {
    let Ok(wanted) = std::env::var("HUD_SCRIPT_LIMIT") else {
        return Limits {
            deadline: Duration::from_millis(800),
            most: Duration::from_secs(6),
        };
    };
    let Ok(milliseconds) = wanted.parse() else {
        panic!("HUD_SCRIPT_LIMIT is milliseconds, as in 150, not {wanted:?}");
    };
    Limits {
        deadline: DEADLINE,
        most: Duration::from_millis(milliseconds),
    }
}

/// A busy machine is asked again so often.
const TRIES: usize = 4;

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("run-functions") => {
            assert_eq!(std::env::vars().count(), 0, "no environment");
            exit(i32::from(run(io::stdin(), io::stdout()).is_err()));
        }
        Some("half-a-line") => print!("{{\"val"),
        Some("flood") => while io::stdout().write_all(&[b'a'; 65_536]).is_ok() {},
        Some("silence") => sleep(Duration::from_secs(20)),
        Some("no-json") => println!("hello"),
        Some("death") => std::process::abort(),
        _ => {
            functions_give_values();
            functions_are_read_from_the_file();
            what_is_wrong_is_told();
            hostile_functions_stay_where_they_are();
            a_process_that_misbehaves_is_ended();
            layouts_have_functions_if_the_user_allowed_them();
            println!("all scripts: ok");
        }
    }
}

fn process(source: &str, mode: &str) -> Process {
    let script = Script::read(source).expect("functions").0;
    let program = std::env::current_exe().expect("a program");
    Process::new(script, program, vec![mode.into()]).deadline(limits().deadline)
}

fn value(process: &Process, source: &str) -> Result<Value, Mistake> {
    let state = Value::from(&json!({
        "files": [{"path": "b.rs", "lines": 2}, {"path": "a.rs", "lines": 1}],
    }));
    let scope = Scope::new().with("state", state).with_functions(process);
    let expr = parse(source, 0).expect("an expression");
    eval(&expr, &scope, &mut Meter::default())
}

fn functions_give_values() {
    let source = "
export function rank(list) {
    const copy = [...list];
    for (let i = 1; i < copy.length; i++) {
        for (let j = i; j > 0 && copy[j].lines < copy[j - 1].lines; j--) {
            [copy[j], copy[j - 1]] = [copy[j - 1], copy[j]];
        }
    }
    return copy;
}
export function label(file, index) { return `${index}: ${file.path}`; }
export function byPath(a, b) { return a.path < b.path ? -1 : 1; }
export function nothing() {}
export function same(value) { return value; }
export function map() { return [...new Map([[1, { a: 2 }]])]; }
export function calls() { return label({ path: 'x' }, 1); }
";
    let process = process(source, "run-functions");
    for (source, expected) in [
        (
            "rank(state.files).map(f => f.path)",
            json!(["a.rs", "b.rs"]),
        ),
        ("state.files.map(label)", json!(["0: b.rs", "1: a.rs"])),
        ("state.files.toSorted(byPath)[0].lines", json!(1)),
        ("nothing() === undefined", json!(true)),
        (
            "same([1, null, 'ä😀\\n', {a: true}])",
            json!([1, null, "ä😀\n", {"a": true}]),
        ),
        ("map()[0][1].a", json!(2)),
        ("calls()", json!("1: x")),
    ] {
        let found = value(&process, source).unwrap_or_else(|mistake| panic!("{source}: {mistake}"));
        assert_eq!(found.to_json(), expected, "{source}");
    }
    assert!(process.id().is_some(), "one process answers all calls");
}

fn functions_are_read_from_the_file() {
    let file = "---\nname: x\n---\n\nexport function a({ x } = {}) {\n  return \"}\";\n\n}\n# T\n\nexport function b() { throw new Error(\"b\") }\n";
    let (script, spans) = Script::read(file).expect("functions");
    assert_eq!(script.names().collect::<Vec<_>>(), ["a", "b"]);
    assert!(file[spans[0].end..].starts_with("\n# T"));
    let told = value(&process(file, "run-functions"), "b()").expect_err("an error");
    assert_eq!(told.message, "`b` failed: b, in line 11");
    for (file, message) in [
        (
            "export function () {}",
            "a function has a name: write `export function name(..) { .. }`",
        ),
        ("export function a() {", "`{` is not closed: write `}`"),
        (
            "export function a() {}\nexport function a() {}",
            "there are two functions `a`: remove one",
        ),
        (
            "export function a",
            "a function has a name: write `export function name(..) { .. }`",
        ),
        (
            "export function a()",
            "this function has no body: write `{ .. }`",
        ),
    ] {
        let mistakes = Script::read(file).expect_err(file);
        assert_eq!(mistakes[0].message, message);
    }
}

fn what_is_wrong_is_told() {
    let process = process("export function a() { return 1 }", "run-functions");
    let told = value(&process, "b()").expect_err("an error");
    assert_eq!(told.message, "there is no function `b`");
    let told = value(&process, "state.files.map(b)").expect_err("an error");
    assert_eq!(told.message, "there is no `b` here: there are `state`");
}

/// Functions that do harm, with what is said of each, or what it gives.
const HOSTILE: &[(&str, &str)] = &[
    ("while (true) {}", "takes too long"),
    (
        "for (;;) { try { for (;;) {} } catch {} finally { for (;;) {} } }",
        "takes too long",
    ),
    ("return { toJSON() { for (;;) {} } }", "takes too long"),
    (
        "return { toString() { for (;;) {} } } + ''",
        "takes too long",
    ),
    (
        "return [1].map(function f() { return [1].map(f) })",
        "call stack",
    ),
    ("return f()", "call stack"),
    ("return [...(function* () { for (;;) yield 1 })()]", ""),
    ("return new Array(1e9) + ''", ""),
    ("const a = []; a[1e9] = 1; return a.reverse()", ""),
    ("const a = []; a[4e9] = 1; return a.sort()", ""),
    ("return new Array(3e8).join('')", ""),
    ("return Array.from({ length: 1e9 })", ""),
    (
        "return 'a'.repeat(2 ** 21).indexOf('a'.repeat(2 ** 20) + 'b')",
        "",
    ),
    ("return 'a'.repeat(2 ** 30)", ""),
    ("return 'a'.padEnd(2 ** 30)", ""),
    ("let a = 'aaaaaaaa'; for (;;) a += a", ""),
    ("let a = [1]; for (;;) a = a.concat(a)", ""),
    (
        "let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; return a",
        "",
    ),
    (
        "let a = [1]; for (let i = 0; i < 1e5; i++) a = [a]; return a",
        "",
    ),
    ("const a = {}; a.a = a; return a", "circular"),
    ("return 'a'.repeat(600000)", "it gives too much"),
    ("throw new Error('a'.repeat(5e6))", "aaaa"),
    ("throw 'a'.repeat(5e6)", "aaaa"),
    ("throw null", "it throws what is no error"),
    (
        "throw { get message() { for (;;) {} } }",
        "it throws what is no error",
    ),
    ("return { get a() { throw new Error('got') } }", "got"),
    ("Object.prototype.x = 1", "not extensible"),
    ("Array.prototype.map = 1", "read-only"),
    ("[].__proto__.x = 1", "not extensible"),
    (
        "Object.getPrototypeOf(function* () {}).constructor.prototype.x = 1",
        "not extensible",
    ),
    ("globalThis.x = 1", "not extensible"),
    ("x = 1", "not defined"),
    (
        "return (() => {}).constructor('return typeof process + typeof require')()",
        "= \"undefinedundefined\"",
    ),
    ("return eval('1')", "not defined"),
    ("return Math.random()", "not a function"),
    ("return new Date()", "not defined"),
    ("return performance.now()", "not defined"),
    ("return new Proxy({}, {})", "not defined"),
    ("return new Uint8Array(8)", "not defined"),
    ("return Atomics.wait(1, 0, 0)", "not defined"),
    ("return new WeakRef({})", "not defined"),
    ("return new RegExp('(a+)+b')", "not defined"),
    ("return Array.fromAsync([1])", ""),
    ("return import('x')", ""),
    ("return Promise.resolve(1)", "promise"),
    (
        "return (async () => { await new Promise(() => {}) })()",
        "promise",
    ),
    ("return 2n ** 2000000n", ""),
    ("let a = 2n; for (;;) a *= a", ""),
    (
        "const m = new Map(); for (let i = 0; ; i++) m.set(i, [i])",
        "",
    ),
    ("Error.stackTraceLimit = Infinity; return f()", ""),
    ("return JSON.parse('['.repeat(1e6))", ""),
    ("return Symbol('a')", "= undefined"),
    (
        "const [...a] = { [Symbol.iterator]: () => ({ next: () => ({}) }) }; return a",
        "",
    ),
    ("class A { static { for (;;) {} } }", "takes too long"),
    ("label: for (;;) continue label", "takes too long"),
];

/// What a whole file does when it is read.
const HOSTILE_FILES: &[(&str, &str)] = &[
    ("export function f() { /(a+)+b/ }", ""),
    ("export function f() { return ( }", ""),
    ("export function f() { import x from 'y' }", ""),
];

fn hostile_functions_stay_where_they_are() {
    let of_functions = HOSTILE
        .iter()
        .map(|(body, told)| (format!("export function f() {{\n{body}\n}}"), *told));
    let of_files = HOSTILE_FILES
        .iter()
        .map(|(file, told)| ((*file).to_owned(), *told));
    for (file, expected) in of_functions.chain(of_files) {
        let as_expected = |told: &str| match expected {
            "" => !told.is_empty() && !told.starts_with("= "),
            words => told.contains(words),
        };
        let mut calls = (0..TRIES).map(|_| called(&file));
        let is_well =
            |(took, told): &(Duration, String)| *took < limits().most && as_expected(told);
        let last = calls
            .by_ref()
            .take(TRIES - 1)
            .find(is_well)
            .or_else(|| calls.next());
        let (took, told) = last.expect("a call");
        if std::env::var_os("SCRIPTS_SHOWN").is_some() {
            println!("{took:>12.1?}  {file:?}\n              {told}");
        }
        assert!(took < limits().most, "{file}: {took:?}");
        assert!(as_expected(&told), "{file}: {told}");
    }
}

/// What a function `f` gives or what is said of it, and how long that takes.
fn called(file: &str) -> (Duration, String) {
    let process = process(file, "run-functions");
    let began = Instant::now();
    let given = value(&process, "f()");
    let took = began.elapsed();
    let told = match given {
        Ok(value) => format!("= {}", shown(&value)),
        Err(mistake) => {
            assert!(process.id().is_none(), "{file}: none after an error");
            mistake.message
        }
    };
    assert!(told.len() < 400, "{file}: {} bytes", told.len());
    (took, told)
}

fn shown(value: &Value) -> String {
    match value {
        Value::Undefined => "undefined".to_owned(),
        other => other.to_json().to_string(),
    }
}

fn a_process_that_misbehaves_is_ended() {
    for mode in [
        "half-a-line",
        "flood",
        "silence",
        "no-json",
        "death",
        "none",
    ] {
        let process = if mode == "none" {
            let script = Script::read("export function f() {}").expect("functions").0;
            Process::new(script, "/no/such/program".into(), Vec::new())
        } else {
            process("export function f() {}", mode)
        };
        let began = Instant::now();
        let told = process.call("f", &[]).expect_err(mode);
        assert!(began.elapsed() < limits().most, "{mode}");
        let again = process.call("f", &[]).expect_err(mode);
        assert_eq!(told, again);
        assert!(process.id().is_none(), "{mode}");
    }
}

const LAYOUT: &str = "# Turn\n\n{twice(state.turn)} and {state.turn}\n\nexport function twice(n) {\n  if (n > 99) return 0;\n\n  return 2 * n;\n}\n\nDone\n";

fn layouts_have_functions_if_the_user_allowed_them() {
    let program = std::env::current_exe().expect("a program");
    let catalogue = Catalogue::built_in();
    let allowed = catalogue
        .clone()
        .with_runner(program, vec!["run-functions".into()]);
    let state = HudState {
        turn: 21,
        ..HudState::default()
    };
    let made = |text: &str, catalogue: &Catalogue| {
        let template = Template::read(&Source::new("layout.mdx", text), &[], catalogue);
        template.expect("no mistake").elements(&state)
    };
    let shown = made(LAYOUT, &allowed);
    assert_eq!(shown.failures, []);
    let text = render(&shown.element, Density::Full).expect("markdown");
    assert!(
        text.contains("42 and 21") && text.contains("Done"),
        "{text}"
    );
    assert!(!text.contains("return"), "{text}");
    let refused = made(LAYOUT, &catalogue);
    assert!(
        refused.failures[0].message.contains("hud layout trust"),
        "{:?}",
        refused.failures
    );
    // What is code in a fence is shown.
    let fenced = format!("```js\n{}```\n", "export function a() {}\n");
    let shown = made(&fenced, &allowed);
    let text = render(&shown.element, Density::Full).expect("markdown");
    assert!(text.contains("export function a() {}"), "{text}");
    let wrong = Source::new("layout.mdx", LAYOUT.replace("twice(s", "twise(s"));
    let wrong = Template::read(&wrong, &[], &allowed).expect_err("a mistake");
    assert_eq!(wrong.list[0].line, 3, "{wrong}");
    assert!(
        wrong.list[0]
            .message
            .starts_with("there is no function `twise`"),
        "{wrong}"
    );
}
