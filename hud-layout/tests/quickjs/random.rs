//! Random expressions, with what JavaScript writes otherwise [marked](super::marks).

/// A number from the case's number on.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() >> 33).expect("31 bits") % most
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Number,
    Text,
    Bool,
    List,
    Object,
    Any,
}

const KINDS: [Kind; 6] = [
    Kind::Number,
    Kind::Text,
    Kind::Bool,
    Kind::List,
    Kind::Object,
    Kind::Any,
];

struct Generator {
    random: Random,
    params: Vec<String>,
}

/// The expression of a case, with what is written otherwise in JavaScript marked.
pub(crate) fn expression(case: u64) -> String {
    let mut generator = Generator {
        random: Random(case),
        params: Vec::new(),
    };
    let depth = 1 + generator.random.below(4);
    generator.expr(Kind::Any, depth)
}

impl Generator {
    fn expr(&mut self, kind: Kind, depth: usize) -> String {
        // Now and then something else than what is expected.
        let kind = if self.random.below(24) == 0 {
            KINDS[self.random.below(KINDS.len())]
        } else {
            kind
        };
        if depth == 0 {
            return self.leaf(kind);
        }
        if self.random.below(8) == 0 {
            return self.of_any_kind(kind, depth - 1);
        }
        let depth = depth - 1;
        let written = match kind {
            Kind::Number => self.number(depth),
            Kind::Text => self.text(depth),
            Kind::Bool => self.boolean(depth),
            Kind::List => self.list(depth),
            Kind::Object => self.object(depth),
            Kind::Any => {
                let kind = KINDS[self.random.below(5)];
                return self.expr(kind, depth);
            }
        };
        if self.random.below(3) == 0 {
            written
        } else {
            format!("({written})")
        }
    }

    fn leaf(&mut self, kind: Kind) -> String {
        if kind == Kind::Any && !self.params.is_empty() && self.random.below(2) == 0 {
            return self.param();
        }
        let leaves: &[&str] = match kind {
            Kind::Number => &[
                "0",
                "1",
                "2",
                "-1",
                "0.5",
                "1.005",
                "3",
                "1e21",
                "5e-7",
                "NaN",
                "Infinity",
                "(-0)",
                "0x1f",
                "1_000",
                ".5",
                "4294967296",
                "state.turn",
                "state.half",
                "state.zero",
                "state.large",
                "state.files.length",
                "state.name.length",
                "123456789.125",
            ],
            Kind::Text => &[
                "''",
                "'a'",
                "'b,a,b'",
                "\"it's\"",
                "' 12 '",
                "'0x1f'",
                "'1e3'",
                "'😀x'",
                "`t`",
                "'$&'",
                "'$$-$`$\\''",
                "'ß'",
                "'ΑΣ'",
                "'\\u{1F600}'",
                "'\\x41\\n'",
                "' \\ufeff'",
                "state.name",
                "state.smile",
                "state.empty",
                "state.number",
                "state.files[1].path",
            ],
            Kind::Bool => &["true", "false", "state.done", "state.open"],
            Kind::List => &[
                "[]",
                "[1, 2]",
                "state.numbers",
                "state.words",
                "state.mixed",
                "state.files",
                "state.none",
                "state.files[0].tags",
                "[undefined, 3, null]",
                "[[1], [[2]], []]",
            ],
            Kind::Object => &[
                "{}",
                "{a: 1, 2: 'b', 1: 'c'}",
                "state.by_name",
                "state.files[2]",
                "state",
            ],
            Kind::Any => &[
                "null",
                "undefined",
                "state.nothing",
                "state.missing",
                "state.by_name.a",
                "1",
                "'a'",
                "state.mixed[4]",
                "state.nothing?.x.y",
                "state.files[9]?.path",
            ],
        };
        let leaf = self.random.pick(leaves).to_owned();
        if leaf.starts_with('{') {
            format!("({leaf})")
        } else {
            leaf
        }
    }

    fn param(&mut self) -> String {
        let at = self.random.below(self.params.len());
        self.params[at].clone()
    }

    fn of_any_kind(&mut self, kind: Kind, depth: usize) -> String {
        match self.random.below(7) {
            0 => {
                let (test, a, b) = (
                    self.expr(Kind::Any, depth),
                    self.expr(kind, depth),
                    self.expr(kind, depth),
                );
                format!("({test} ? {a} : {b})")
            }
            1 => format!(
                "({} && {})",
                self.expr(Kind::Any, depth),
                self.expr(kind, depth)
            ),
            2 => format!("({} || {})", self.expr(kind, depth), self.expr(kind, depth)),
            3 => format!(
                "({} ?? {})",
                self.expr(Kind::Any, depth),
                self.expr(kind, depth)
            ),
            4 => {
                let list = self.expr(Kind::List, depth);
                let place = self.expr(Kind::Number, depth);
                let name = self.random.pick(&["[", "?.[", ".at("]);
                let end = if name == ".at(" { ")" } else { "]" };
                format!("({list}){name}{place}{end}")
            }
            5 => {
                let list = self.expr(Kind::List, depth);
                let function = self.function(Kind::Bool, depth);
                format!("({list}).find({function})")
            }
            _ => {
                let object = self.expr(Kind::Object, depth);
                let member = self.random.pick(&[
                    ".a", "?.a", ".path", "?.tags", "['9']", "[1]", ".lines", "?.note", "[`b`]",
                    ".numbers",
                ]);
                format!("({object}){member}")
            }
        }
    }

    fn function(&mut self, gives: Kind, depth: usize) -> String {
        if self.random.below(12) == 0 {
            return self
                .random
                .pick(&[
                    "Boolean",
                    "String",
                    "Number",
                    "Math.round",
                    "Math.abs",
                    "Object.keys",
                ])
                .to_owned();
        }
        let count = 1 + self.random.below(2);
        let known = self.params.len();
        for _ in 0..count {
            self.params.push(format!("p{}", self.params.len()));
        }
        let names = self.params[known..].join(", ");
        let body = match self.random.below(3) {
            0 => self.leaf(Kind::Any),
            _ => self.expr(gives, depth),
        };
        self.params.truncate(known);
        let names = if count == 1 && self.random.below(2) == 0 {
            names
        } else {
            format!("({names})")
        };
        if body.starts_with('{') {
            format!("{names} => ({body})")
        } else {
            format!("{names} => {body}")
        }
    }

    fn number(&mut self, depth: usize) -> String {
        match self.random.below(11) {
            0..=3 => {
                let operator = self.random.pick(&["+", "-", "*", "/", "%"]);
                let (a, b) = (
                    self.expr(Kind::Number, depth),
                    self.expr(Kind::Number, depth),
                );
                format!("{a} {operator} {b}")
            }
            4 => format!("- {}", self.expr(Kind::Number, depth)),
            5 => format!("+ {}", self.expr(Kind::Text, depth)),
            6 => {
                let name = self.random.pick(&[
                    "Math.round",
                    "Math.floor",
                    "Math.ceil",
                    "Math.abs",
                    "Number",
                ]);
                format!("{name}({})", self.expr(Kind::Number, depth))
            }
            7 => {
                let name = self.random.pick(&["Math.min", "Math.max"]);
                let count = self.random.below(4);
                let args: Vec<String> =
                    (0..count).map(|_| self.expr(Kind::Number, depth)).collect();
                format!("{name}({})", args.join(", "))
            }
            8 => {
                let list = self.expr(Kind::List, depth);
                let item = self.expr(Kind::Any, depth);
                let from = self.optional(Kind::Number, depth);
                format!("({list}).indexOf({item}{from})")
            }
            9 => format!("Number({})", self.expr(Kind::Any, depth)),
            _ => {
                let kind = [Kind::Text, Kind::List][self.random.below(2)];
                format!("({}).length", self.expr(kind, depth))
            }
        }
    }

    /// Another argument, or none.
    fn optional(&mut self, kind: Kind, depth: usize) -> String {
        match self.random.below(3) {
            0 => String::new(),
            1 if self.random.below(4) == 0 => ", undefined".to_owned(),
            _ => format!(", {}", self.expr(kind, depth)),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        let of = self.expr(Kind::Text, depth);
        match self.random.below(14) {
            0 | 1 => format!("{of} + {}", self.expr(Kind::Any, depth)),
            2 => format!("`<${{{of}}}\\n${{{}}}`", self.expr(Kind::Any, depth)),
            3 => format!("String({})", self.expr(Kind::Any, depth)),
            4 => {
                let list = self.expr(Kind::List, depth);
                let separator = if self.random.below(2) == 0 { "" } else { &of };
                format!("({list}).join({separator})")
            }
            5 | 6 => {
                let number = self.expr(Kind::Number, depth);
                let digits = self.random.pick(&["", "0", "1", "2", "3", "20", "100"]);
                format!("({number}).toFixed({digits})")
            }
            7 => {
                let start = self.expr(Kind::Number, depth);
                let end = self.optional(Kind::Number, depth);
                format!("({of}).slice({start}{end})")
            }
            8 => {
                let name = self.random.pick(&["trim", "toUpperCase", "toLowerCase"]);
                format!("({of}).{name}()")
            }
            9 => {
                let (from, to) = (self.expr(Kind::Text, depth), self.expr(Kind::Text, depth));
                format!("({of}).replaceAll({from}, {to})")
            }
            10 | 11 => {
                let name = self.random.pick(&["padStart", "padEnd"]);
                let length = self
                    .random
                    .pick(&["0", "5", "9.9", "-1", "NaN", "state.turn"]);
                let fill = self.optional(Kind::Text, depth);
                format!("({of}).{name}({length}{fill})")
            }
            12 => {
                let times = self.random.pick(&["0", "1", "2.9", "-0.5", "NaN", "3"]);
                format!("({of}).repeat({times})")
            }
            _ => {
                let name = self.random.pick(&[".at(", "["]);
                let end = if name == "[" { "]" } else { ")" };
                format!("({of}){name}{}{end}", self.expr(Kind::Number, depth))
            }
        }
    }

    fn boolean(&mut self, depth: usize) -> String {
        match self.random.below(9) {
            0 => {
                let operator = self.random.pick(&["===", "!=="]);
                let (a, b) = (self.expr(Kind::Any, depth), self.expr(Kind::Any, depth));
                format!("{a} {operator} {b}")
            }
            1 => {
                let begin = self.random.pick(&["\u{1}", "\u{4}"]);
                let (a, b) = (self.expr(Kind::Any, depth), self.expr(Kind::Any, depth));
                format!("{begin}{a}\u{2}{b}\u{3}")
            }
            2 | 3 => {
                let operator = self.random.pick(&["<", "<=", ">", ">="]);
                let kind = [Kind::Number, Kind::Text, Kind::Any][self.random.below(3)];
                let (a, b) = (self.expr(kind, depth), self.expr(kind, depth));
                format!("{a} {operator} {b}")
            }
            4 => format!("!{}", self.expr(Kind::Any, depth)),
            5 => {
                let name = self.random.pick(&["includes", "startsWith", "endsWith"]);
                let (of, sought) = (self.expr(Kind::Text, depth), self.expr(Kind::Text, depth));
                let from = self.optional(Kind::Number, depth);
                format!("({of}).{name}({sought}{from})")
            }
            6 => {
                let name = self.random.pick(&["some", "every"]);
                let list = self.expr(Kind::List, depth);
                let function = self.function(Kind::Bool, depth);
                format!("({list}).{name}({function})")
            }
            7 => {
                let (list, item) = (self.expr(Kind::List, depth), self.expr(Kind::Any, depth));
                let from = self.optional(Kind::Number, depth);
                format!("({list}).includes({item}{from})")
            }
            _ => format!("Boolean({})", self.expr(Kind::Any, depth)),
        }
    }

    fn list(&mut self, depth: usize) -> String {
        let of = self.expr(Kind::List, depth);
        match self.random.below(13) {
            0 => {
                let count = self.random.below(4);
                let items: Vec<String> = (0..count).map(|_| self.expr(Kind::Any, depth)).collect();
                format!("[{}]", items.join(", "))
            }
            1 => format!("({of}).map({})", self.function(Kind::Any, depth)),
            2 => format!("({of}).filter({})", self.function(Kind::Bool, depth)),
            3 => format!("({of}).flatMap({})", self.function(Kind::List, depth)),
            4 => {
                let start = self.expr(Kind::Number, depth);
                let end = self.optional(Kind::Number, depth);
                format!("({of}).slice({start}{end})")
            }
            5 => format!("({of}).concat({})", self.expr(Kind::Any, depth)),
            6 => {
                let levels = self
                    .random
                    .pick(&["", "0", "1", "2", "Infinity", "NaN", "-1"]);
                format!("({of}).flat({levels})")
            }
            7 => format!("({of}).toReversed()"),
            8 => {
                let of = self.random.pick(&[
                    "state.words",
                    "state.numbers",
                    "[3, undefined, '20', null]",
                ]);
                format!("({of}).toSorted()")
            }
            9 | 10 => {
                let compare = self.compare(depth);
                format!("\u{5}{of}\u{6}{compare}\u{7}")
            }
            11 => {
                let text = self.expr(Kind::Text, depth);
                let separator = self.expr(Kind::Text, depth);
                let limit =
                    self.random
                        .pick(&["", ", 0", ", 2", ", -1", ", NaN", ", 1.9", ", 4294967297"]);
                format!("({text}).split({separator}{limit})")
            }
            _ => {
                let name = self.random.pick(&["keys", "values", "entries"]);
                format!("Object.{name}({})", self.expr(Kind::Object, depth))
            }
        }
    }

    fn compare(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => "(a, b) => a - b".to_owned(),
            1 => "(a, b) => b - a".to_owned(),
            2 => "(a, b) => a < b ? -1 : a > b ? 1 : 0".to_owned(),
            3 => "(a, b) => (a?.lines ?? 0) - (b?.lines ?? 0)".to_owned(),
            4 => "(a, b) => String(a).length - String(b).length".to_owned(),
            _ => self.function(Kind::Number, depth),
        }
    }

    fn object(&mut self, depth: usize) -> String {
        match self.random.below(3) {
            0 => {
                let list = self.expr(Kind::List, depth);
                format!("({list}).find({})", self.function(Kind::Bool, depth))
            }
            _ => {
                let names = ["a", "b", "2", "'10'", "path", "'a b'", "1.5"];
                let count = self.random.below(4);
                let entries: Vec<String> = (0..count)
                    .map(|_| {
                        let name = self.random.pick(&names);
                        format!("{name}: {}", self.expr(Kind::Any, depth))
                    })
                    .collect();
                format!("({{{}}})", entries.join(", "))
            }
        }
    }
}
