//! Errors for JavaScript that layouts do not support, with the reason and the fix.

use super::{Mistake, Span};

const ONE_VALUE: &str = "an expression is one value and changes nothing";
const ONE_VALUE_HELP: &str =
    "`===` compares, `test ? a : b` chooses, `list.map(..)` goes through a list";

/// The error for code that is not an expression: a statement or an assignment.
pub(super) fn statement(span: Span) -> Mistake {
    Mistake::new(span, ONE_VALUE).with_help(ONE_VALUE_HELP)
}

/// The error for a name whose value changes even if the state does not.
pub(super) fn impure(span: Span, name: &str) -> Mistake {
    Mistake::new(
        span,
        format!("the same state gives the same text: a layout has no `{name}`"),
    )
}

/// The error for a function that is not an argument.
pub(super) fn lone_function(span: Span) -> Mistake {
    Mistake::new(
        span,
        "a function can only be given to a method: write `list.map(item => item.name)`",
    )
}

/// The error for a list, an object or an element in place of a string.
pub(super) fn no_text(kind: &str, span: Span) -> Mistake {
    let mistake = Mistake::new(span, format!("{kind} is not text"));
    match kind {
        "a list" => mistake.with_help("write `list.join(\", \")`"),
        "an object" => mistake.with_help("take a part of it: `object.name`"),
        _ => mistake,
    }
}

/// The error for a list, an object or an element in place of a number.
pub(super) fn no_number(kind: &str, span: Span) -> Mistake {
    let mistake = Mistake::new(span, format!("{kind} is not a number"));
    match kind {
        "a list" => mistake.with_help("write `list.length`"),
        _ => mistake,
    }
}

/// The error for an object between tags.
pub(super) fn not_shown(span: Span) -> Mistake {
    Mistake::new(span, "an object cannot be shown").with_help("take a part, or give it to a tag")
}

/// The error for a word of JavaScript that expressions do not support.
pub(super) fn word(name: &str, span: Span) -> Option<Mistake> {
    Some(match name {
        "if" | "else" => {
            Mistake::new(span, ONE_VALUE).with_help("choose by `test ? a : b`, or `test && a`")
        }
        "for" | "while" | "do" => {
            Mistake::new(span, ONE_VALUE).with_help("go through a list by `list.map(item => ..)`")
        }
        "switch" | "case" | "return" | "const" | "let" | "var" | "throw" | "try" | "catch"
        | "finally" | "break" | "continue" | "debugger" | "with" | "default" | "enum"
        | "export" => statement(span),
        "import" => Mistake::new(span, "tags need no import: a layout has all that there are"),
        "function" | "class" => Mistake::new(span, format!("an expression has no `{name}`"))
            .with_help("a function is written `item => item.name`, and only methods take one"),
        "async" | "await" | "yield" => Mistake::new(
            span,
            format!("an expression cannot wait: it has no `{name}`"),
        ),
        "delete" => statement(span),
        "this" | "super" => Mistake::new(span, format!("there is no `{name}` in an expression"))
            .with_help("a layout is given `state`, `density`, `context` and `props`"),
        "arguments" => Mistake::new(span, "there is no `arguments`")
            .with_help("name what the function is given: `(item, index) => ..`"),
        "new" => Mistake::new(span, "an expression makes no objects with `new`")
            .with_help("write `{name: value}` or `[a, b]`"),
        "typeof" | "instanceof" => Mistake::new(span, format!("an expression has no `{name}`"))
            .with_help("write what matters: `value == null`, `list.length > 0`"),
        "in" => Mistake::new(span, "an expression has no `in`")
            .with_help("write `object.name !== undefined`, or `list.includes(item)`"),
        "void" => Mistake::new(span, "an expression has no `void`").with_help("write `undefined`"),
        "Date" | "performance" | "crypto" | "Intl" | "Temporal" | "setTimeout" | "setInterval" => {
            impure(span, name)
        }
        "RegExp" => regex(span),
        "parseInt" | "parseFloat" => {
            Mistake::new(span, format!("there is no `{name}`")).with_help("write `Number(text)`")
        }
        "isNaN" => Mistake::new(span, "there is no `isNaN`")
            .with_help("write `x !== x`, which holds for `NaN` alone"),
        "JSON" | "Array" | "Promise" | "Map" | "Set" | "WeakMap" | "Symbol" | "BigInt"
        | "Function" | "eval" | "Proxy" | "Reflect" | "globalThis" | "window" | "document"
        | "process" | "require" | "module" | "exports" | "fetch" | "console" | "Error"
        | "WeakRef" | "Atomics" | "SharedArrayBuffer" | "structuredClone" | "queueMicrotask" => {
            Mistake::new(span, format!("there is no `{name}` in an expression"))
                .with_help("a layout is given `state`, `density`, `context` and `props`")
        }
        _ => return None,
    })
}

/// The error for a regular expression.
pub(super) fn regex(span: Span) -> Mistake {
    Mistake::new(span, "there are no regular expressions")
        .with_help("`text.includes(..)`, `text.split(..)` and `text.replaceAll(..)` look for words")
}

/// The error for an operator that expressions do not support.
pub(super) fn sign(sign: &str, span: Span) -> Option<Mistake> {
    Some(match sign {
        "=" => Mistake::new(span, ONE_VALUE).with_help("`===` compares"),
        ";" | "++" | "--" | "+=" | "-=" | "*=" | "/=" | "%=" | "**=" | "<<=" | ">>=" | ">>>="
        | "&=" | "|=" | "^=" | "&&=" | "||=" | "??=" => statement(span),
        "&" => Mistake::new(span, "an expression has no `&`").with_help("`&&` is and"),
        "|" => Mistake::new(span, "an expression has no `|`").with_help("`||` is or"),
        "^" | "~" | "<<" | ">>" | ">>>" => Mistake::new(
            span,
            format!("an expression has no `{sign}`, nor any other operator on bits"),
        ),
        "**" => Mistake::new(span, "an expression has no `**`").with_help("write `a * a`"),
        "..." => Mistake::new(span, "an expression has no spread")
            .with_help("write `a.concat(b)`, or name each value"),
        "@" | "#" => Mistake::new(span, format!("`{sign}` means nothing here")),
        _ => return None,
    })
}

/// The replacement for a method of JavaScript that is not supported.
pub(super) fn method(name: &str) -> Option<&'static str> {
    Some(match name {
        "sort" => "`toSorted` gives a sorted list and changes nothing",
        "reverse" => "`toReversed` gives the list reversed and changes nothing",
        "push" | "unshift" => "nothing is changed: `list.concat(item)` gives a longer list",
        "pop" | "shift" | "splice" | "fill" | "copyWithin" | "toSpliced" | "with" => {
            "nothing is changed: `slice`, `filter` and `concat` give another list"
        }
        "forEach" => "`map` gives one value for each item",
        "reduce" | "reduceRight" => "there are `filter`, `map`, `flatMap`, `some`, `every`, `join`",
        "findIndex" | "findLast" | "findLastIndex" | "lastIndexOf" => {
            "`find` gives the item, `indexOf` its place"
        }
        "replace" => "`replaceAll` replaces each occurrence",
        "match" | "matchAll" | "search" | "test" | "exec" => {
            "there are no regular expressions: `includes`, `split`"
        }
        "substring" | "substr" => "`slice` gives a part",
        "charAt" | "charCodeAt" | "codePointAt" => "`at` gives a character",
        "trimStart" | "trimEnd" => "`trim` takes the white space from both ends",
        "toString" | "valueOf" => "`String(value)` gives a text",
        "toLocaleString" | "toLocaleUpperCase" | "toLocaleLowerCase" | "localeCompare"
        | "normalize" => "the same state gives the same text: a layout knows no language",
        "toPrecision" | "toExponential" => "`toFixed` gives a number its digits",
        "hasOwnProperty" => "write `object.name !== undefined`",
        "keys" | "values" | "entries" => {
            "`Object.keys(..)`, `Object.values(..)` and `Object.entries(..)` are functions"
        }
        "call" | "apply" | "bind" | "then" => "a function can only be given to a method",
        _ => return None,
    })
}
