//! What expressions give is known before there is a state, and what is wrong with them.

#![allow(clippy::panic, reason = "a test fails by it")]

use hud_layout::expr::{
    Findings, Mistake, Name, Span, Tag, Type, Types, check_prop, infer, infer_shown, parse,
};
use serde_json::{Value as Json, json};

fn state() -> Json {
    json!({
        "type": "object",
        "properties": {
            "turn": {"type": "integer"},
            "task": {"anyOf": [{"$ref": "#/$defs/Task"}, {"type": "null"}]},
            "decisions": {"type": "array", "items": {"$ref": "#/$defs/Decision"}},
            "steps": {"type": "array", "items": {"$ref": "#/$defs/Step"}},
            "compacting": {"$ref": "#/$defs/Compacting"},
            "notes": {"type": "array", "items": {"type": ["string", "null"]}},
            "by_name": {"type": "object", "additionalProperties": {"type": "number"}},
            "event": {"oneOf": [
                {"type": "object", "properties": {"kind": {"const": "a"}, "a": {"type": "string"}}, "required": ["kind", "a"]},
                {"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]},
            ]},
            "any": true,
            "loop": {"$ref": "#/$defs/Loop"},
        },
        "required": ["turn", "task", "decisions", "steps", "notes", "by_name", "event", "any", "loop"],
        "$defs": {
            "Task": {"type": "object", "properties": {
                "description": {"type": "string"},
                "status": {"enum": ["open", "done"]},
                "tags": {"type": "array", "items": {"type": "string"}},
            }, "required": ["description", "status", "tags"]},
            "Decision": {"type": "object", "properties": {
                "id": {"type": "string"}, "summary": {"type": "string"}, "why": {"type": "string"},
            }, "required": ["id", "summary"]},
            "Step": {"type": "object", "properties": {
                "id": {"type": "string"}, "description": {"type": "string"},
            }, "required": ["id", "description"]},
            "Compacting": {"type": "object", "properties": {"began": {"type": "number"}}, "required": ["began"]},
            "Loop": {"$ref": "#/$defs/Loop"},
        },
    })
}

fn found(source: &str, schema: &Json) -> (String, Vec<Mistake>) {
    let types = Types::new()
        .with("state", Type::of_schema(schema))
        .with_function("rank");
    let mut mistakes: Vec<Mistake> = Vec::new();
    let expr = parse(source, 0).unwrap_or_else(|mistakes| panic!("{source}: {mistakes:?}"));
    let of = infer(&expr, &types, &mut mistakes);
    (of.to_string(), mistakes)
}

#[test]
fn expressions_have_types() {
    let schema = state();
    for (source, expected) in [
        ("state", "an object"),
        ("state.turn + 1", "a number"),
        ("state.task", "a task or nothing"),
        ("state.task?.status", "`open`, `done` or nothing"),
        ("state.decisions", "a list of decisions"),
        ("state.decisions.filter(d => d.why)", "a list of decisions"),
        ("state.decisions.map(d => d.summary)", "a list of texts"),
        ("state.decisions.map((d, i) => i)", "a list of numbers"),
        (
            "state.decisions.find(d => d.id === 'D1')",
            "a decision or nothing",
        ),
        ("state.decisions[0]", "a decision or nothing"),
        (
            "state.decisions.length > 0 && state.decisions[0].id",
            "true or false or text",
        ),
        (
            "state.decisions.length && state.decisions.at(-1).id",
            "a number or text",
        ),
        (
            "state.decisions.length !== 0 ? state.decisions[0] : null",
            "a decision or nothing",
        ),
        (
            "state.decisions.length === 0 ? null : state.decisions[0].id",
            "nothing or text",
        ),
        (
            "state.decisions.map(d => <li>{d.id}</li>)",
            "a list of elements",
        ),
        (
            "state.decisions.flatMap(d => [d.id, d.summary]).join()",
            "text",
        ),
        (
            "state.decisions.map(d => ({id: d.id, n: 1}))[0]?.n",
            "a number or nothing",
        ),
        ("state.compacting?.began ?? 'never'", "a number or `never`"),
        (
            "state.compacting && state.compacting.began",
            "nothing or a number",
        ),
        ("!state.compacting ? 0 : state.compacting.began", "a number"),
        (
            "!state.compacting || state.compacting.began > 1",
            "true or false",
        ),
        (
            "state.compacting != null && state.task && state.task.tags[0]",
            "true or false, nothing or text",
        ),
        (
            "state.task?.status === 'open' ? state.task.description : ''",
            "text",
        ),
        (
            "state.task?.tags.length > 1 && state.task.tags[0].trim()",
            "true or false or text",
        ),
        (
            "Boolean(state.task) && state.task.tags",
            "true or false or a list of texts",
        ),
        ("state.by_name.x", "a number or nothing"),
        ("state.event.a", "text or nothing"),
        ("state.event.kind", "`a` or `b`"),
        ("state.any.thing[0].what.ever()", "a value"),
        ("state.loop.x", "a value"),
        ("rank(state.decisions)[0].x", "a value"),
        ("[1, 'a', null]", "a list of values"),
        ("[[1], [2]].flat()", "a list of numbers"),
        ("[1].concat(['a'], 'b')", "a list of values"),
        ("Object.keys(state.by_name).toSorted()", "a list of texts"),
        ("`${state.turn}`.split('')", "a list of texts"),
        ("state.notes.map(n => n ?? '-')", "a list of texts"),
        ("true && 'a' || 1", "true or false, `a` or a number"),
        ("<>{1}</>", "a list of values"),
    ] {
        // What may be called is no mistake here.
        let source = source.replace(".ever()", ".ever");
        let (of, mistakes) = found(&source, &schema);
        assert_eq!((&*of, &*mistakes), (expected, &[][..]), "{source}");
    }
}

#[test]
fn what_is_wrong_is_known_before_anything_runs() {
    let schema = state();
    let sources = [
        "state.decisons.length",
        "stat.turn",
        "state.compacting.began",
        "state.task.description.length",
        "state.decisions[0].id",
        "state.decisions.find(d => d.why).id",
        "state.decisions.at(0).id",
        "state.notes.map(n => n.length)",
        "state.decisions.fliter(d => d)",
        "state.any.fliter(d => d)",
        "state.any.sort()",
        "state.decisions.sort()",
        "state.decisions.map",
        "state.decisions.length()",
        "state.decisions.map(d => d.sumary)",
        "state.decisions.map(d => d.why.length)",
        "state.decisions.toSorted((a, b) => a.x - b.x)",
        "state.decisions.map(state)",
        "state.decisions['x']",
        "state['decisons']",
        "state.turn.length",
        "state.turn[0]",
        "state.turn.map(x => x)",
        "state.task?.map(x => x)",
        "state.event.b",
        "state.decisions + 1",
        "state.decisions - 1",
        "`${state.decisions}`",
        "state.decisions.join()",
        "state.notes.join(1)",
        "'abc'.slice('a')",
        "'abc'.includes(1)",
        "Object.keys(state.turn)",
        "Object.keys(state.task)",
        "-state.decisions",
        "round(1)",
        "<b>{state.task}</b>",
        "<b x={state.decisons}>{state.decisions}</b>",
        "state.decisions.map(state => state.turn)",
        "state.turn > 1 ? state.compacting.began : state.decisons",
        "({a: 1}).b.c",
    ];
    let mut all = String::new();
    for source in sources {
        let (_, mistakes) = found(source, &schema);
        assert!(!mistakes.is_empty(), "{source}");
        all += &format!("{source}\n");
        for mistake in mistakes {
            let marks = "^".repeat(mistake.span.end - mistake.span.start);
            all += &format!("{}{marks} {mistake}\n", " ".repeat(mistake.span.start));
        }
        all.push('\n');
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_a_prop_takes_is_compared_with_what_it_is_given() {
    let schema = state();
    let part = |name: &str| json!({"$ref": format!("#/$defs/{name}"), "$defs": schema["$defs"]});
    let list = |name: &str| json!({"type": "array", "items": {"$ref": format!("#/$defs/{name}")}, "$defs": schema["$defs"]});
    let strict = json!({"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"], "additionalProperties": false});
    let strict_list = json!({"type": "array", "items": strict});
    let density = json!({"enum": ["full", "compact", "minimal"]});
    let cases = [
        ("state.steps", list("Step")),
        ("state.steps.filter(s => s.id)", list("Step")),
        ("state.steps.map(s => s.id && s)", list("Step")),
        ("state.decisions", list("Step")),
        ("'all'", list("Step")),
        ("[]", list("Step")),
        ("[{id: '1', description: 'a'}]", list("Step")),
        ("[{id: 1, description: 'a'}]", list("Step")),
        ("[state.decisions]", list("Step")),
        ("state.decisions", strict_list),
        ("state.task", part("Task")),
        (
            "state.task ?? {description: '', status: 'open', tags: []}",
            part("Task"),
        ),
        (
            "state.task ?? {description: '', status: 'opn', tags: []}",
            part("Task"),
        ),
        ("{description: '', status: 'open', tags: [1]}", part("Task")),
        ("'tiny'", density.clone()),
        ("'ful'", density.clone()),
        ("'full'", density.clone()),
        ("state.any", density.clone()),
        ("state.turn > 1 ? 'full' : 'tiny'", density),
        ("state.turn", json!({"type": "string"})),
        ("<b/>", json!({"type": "string"})),
        ("null", json!({"type": ["string", "null"]})),
        ("state.compacting", json!(true)),
    ];
    let mut all = String::new();
    for (source, wanted) in &cases {
        let types = Types::new().with("state", Type::of_schema(&schema));
        let mut mistakes: Vec<Mistake> = Vec::new();
        let expr = parse(source, 0).expect(source);
        let of = infer(&expr, &types, &mut mistakes);
        assert_eq!(mistakes, [], "{source}");
        let prop = Name {
            text: "value".into(),
            span: Span::default(),
        };
        let wanted = Type::of_schema(wanted);
        let mistake = check_prop("Tag", &prop, expr.span, &of, &wanted);
        let told = mistake.map_or("fits".to_owned(), |mistake| mistake.to_string());
        all += &format!("{source}\n    {told}\n");
    }
    insta::assert_snapshot!(all);
}

#[derive(Default)]
struct Tags(Vec<String>);

impl<'s> Findings<'s> for Tags {
    fn mistake(&mut self, mistake: Mistake) {
        self.0.push(mistake.to_string());
    }

    fn tag(&mut self, tag: &Tag, props: &[Type<'s>]) {
        let props: Vec<String> = props.iter().map(ToString::to_string).collect();
        self.0
            .push(format!("<{}>: {}", tag.name.text, props.join("; ")));
    }
}

#[test]
fn tags_are_found_with_the_types_of_their_props() {
    let schema = state();
    let types = Types::new().with("state", Type::of_schema(&schema));
    let source = "state.steps.map((s, i) => <Item step={s} at={i} bare><b of={s.id} /></Item>)";
    let expr = parse(source, 0).expect("an expression");
    let mut tags = Tags::default();
    infer_shown(&expr, &types, &mut tags);
    assert_eq!(
        tags.0,
        ["<Item>: a step; a number; true or false", "<b>: text"]
    );
}
