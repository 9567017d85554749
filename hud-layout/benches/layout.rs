//! What a layout that is a file costs beside the compiled one: `cargo bench -p hud-layout --bench layout`, and of one
//! figure alone `.. -- --only "64 tags, cold"`, also in few rounds (`--rounds 20`), as under a profiler.
//!
//! The state is that of the recorded example, 10 kB as JSON. *Cold* is from the text of a layout to the text of the
//! HUD, as in the frame after a change; *warm* is from a state to that text, as in every other frame. The first cold
//! one of a process makes the schemas of all tags that it uses besides. Layouts take turns, and of many rounds the
//! fastest and the median are printed beside the most that it may be: a busy machine only makes them slower, and how
//! fast it is shows in what the compiled layout takes. With `--test` there are two rounds, and both sides are compared.
//! With the feature `script` the start of an engine is timed, too, which a frame has that calls a function.
#![allow(
    clippy::print_stdout,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a benchmark that fails has no figures, and its figures go to the terminal"
)]

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use hud_agent::layout::Layout;
use hud_agent::replay::Replay;
use hud_clients::transcript::Transcript;
use hud_core::Density;
use hud_layout::accept::{accept, render};
use hud_layout::template::BUILT_IN;
use hud_layout::{Catalogue, Source, Template};
use hud_store::event::SessionId;
use hud_store::state::HudState;

/// A layout as a person writes a short one: nine tags.
const SHORT: &str = "\
<TaskSection task={state.task} />

<NextSteps steps={state.next_steps} />

**Turn {state.turn}**: {state.decisions.length} decisions, {state.notes.length} notes

<Part name=\"open_errors\" worth={8}>
  <Section title={`Errors (${state.errors.length})`}>
    {state.errors.filter(error => !error.resolved_at).map(error => <Item>{error.message}</Item>)}
  </Section>
</Part>

<Section title=\"Files\">
  {state.active_files.slice(0, 3).map(file => <Item><Code>{file.path}</Code> {file.status}</Item>)}
</Section>

{density === 'full' && <NotesSection notes={state.notes} />}
";

/// The built-in layout with as much again around it: 64 tags.
fn long() -> String {
    let mut text = BUILT_IN.replace("</Parts>\n", "");
    text.push_str(
        "\n<Part name=\"overview\" worth={2} layer=\"dynamic\">\n<Section title=\"Overview\">\n",
    );
    for (label, list) in [
        ("Decisions", "decisions"),
        ("Findings", "findings"),
        ("Notes", "notes"),
        ("Steps", "next_steps"),
        ("Files", "active_files"),
        ("Requests", "requests"),
        ("Blockers", "blockers"),
    ] {
        text.push_str(&format!(
            "  {{state.{list}.length > 2 && <Item><Strong>{label}</Strong>: {{state.{list}.length}}</Item>}}\n"
        ));
    }
    text.push_str("</Section>\n</Part>\n");
    for (number, list, word) in [
        (1, "decisions", "summary"),
        (2, "notes", "content"),
        (3, "next_steps", "description"),
        (4, "active_files", "path"),
    ] {
        text.push_str(&format!(
            "<Part name=\"last_{number}\" worth={{1}}>\n  {{density === 'full' && state.{list}.length > 5 && <Section title=\"Last\">\n    \
             <Item><Emphasis>{{state.{list}.at(-1).{word}.slice(0, 20)}}</Emphasis></Item>\n    \
             <Item><Code>{{state.{list}.at(-2).{word}.slice(0, 20)}}</Code></Item>\n  </Section>}}\n</Part>\n"
        ));
    }
    text.push_str("</Parts>\n");
    text
}

/// How many tags are opened in a text.
fn tags(text: &str) -> usize {
    let opens =
        |(at, _): &(usize, &str)| text[at + 1..].starts_with(|c: char| c.is_ascii_uppercase());
    text.match_indices('<').filter(opens).count()
}

/// A layout, and the most milliseconds that it may take.
struct Case {
    name: String,
    text: String,
    warm: f64,
    cold: f64,
}

fn main() {
    #[cfg(feature = "script")]
    if std::env::args().nth(1).as_deref() == Some("run-functions") {
        let ended = hud_layout::script::run(std::io::stdin(), std::io::stdout());
        std::process::exit(i32::from(ended.is_err()));
    }
    let is_test = std::env::args().any(|argument| argument == "--test");
    let word_behind = |name: &str| std::env::args().skip_while(|word| word != name).nth(1);
    let rounds = match word_behind("--rounds") {
        Some(rounds) => rounds.parse().unwrap(),
        None if is_test => 2,
        None => 300,
    };
    let state = example();
    let of_tags = |text: &str| format!("{} tags", tags(text));
    let cases = [
        Case {
            name: of_tags(SHORT),
            text: SHORT.to_owned(),
            warm: 0.2,
            cold: 0.4,
        },
        Case {
            name: of_tags(&long()),
            text: long(),
            warm: 1.0,
            cold: 2.0,
        },
        Case {
            name: "built-in".to_owned(),
            text: BUILT_IN.to_owned(),
            warm: 1.0,
            cold: 2.0,
        },
    ];
    let start = Instant::now();
    let first = read(SHORT).layout();
    let first = (
        render(&first, &state, Density::Full).unwrap(),
        start.elapsed(),
    );
    println!(
        "the first layout of a process, {}: {:.2} ms",
        cases[0].name,
        first.1.as_secs_f64() * 1e3
    );
    let compiled = Layout::default();
    for density in Density::ALL {
        let written = render(&read(BUILT_IN).layout(), &state, density).unwrap();
        let expected = render(&compiled, &state, density).unwrap();
        assert_eq!(written, expected, "both sides give the same");
    }
    let only = word_behind("--only");
    let figures = Figures { rounds, only };
    println!(
        "{:<28} {:>9} {:>9} {:>9}",
        "milliseconds", "fastest", "median", "most"
    );
    figures.time("compiled, warm", f64::INFINITY, || {
        render(&compiled, &state, Density::Full).unwrap()
    });
    for Case {
        name,
        text,
        warm,
        cold,
    } in &cases
    {
        let (template, layout) = (read(text), read(text).layout());
        figures.time(&format!("{name}, read and checked"), *cold, || read(text));
        figures.time(&format!("{name}, elements"), *warm, || {
            template.elements(&state)
        });
        figures.time(&format!("{name}, warm"), *warm, || {
            render(&layout, &state, Density::Full).unwrap()
        });
        figures.time(&format!("{name}, cold"), *cold, || {
            render(&read(text).layout(), &state, Density::Full).unwrap()
        });
        figures.time(&format!("{name}, accepted"), 5.0, || {
            accept(&template, &state).unwrap_or_else(|why| panic!("{name}: {why}"))
        });
    }
    #[cfg(feature = "script")]
    figures.functions(&state);
}

/// The figures as they are printed.
struct Figures {
    rounds: usize,
    /// What the only one begins with that is wanted, if not all are.
    only: Option<String>,
}

impl Figures {
    fn time<T>(&self, name: &str, most: f64, mut make: impl FnMut() -> T) {
        if self
            .only
            .as_ref()
            .is_some_and(|only| !name.starts_with(only))
        {
            return;
        }
        let mut times: Vec<f64> = (0..self.rounds)
            .map(|_| {
                let start = Instant::now();
                drop(black_box(make()));
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        times.sort_unstable_by(f64::total_cmp);
        let (fastest, median) = (times[0], times[times.len() / 2]);
        let limit = match most.is_finite() {
            true => format!("{most:.1}"),
            false => String::new(),
        };
        println!("{name:<28} {fastest:>9.3} {median:>9.3} {limit:>9}");
    }

    /// A frame that calls a function, for which an engine is started in a process of its own, and one that shows the
    /// same by an expression.
    #[cfg(feature = "script")]
    fn functions(&self, state: &HudState) {
        let text = "export function last(list) {\n  return list.at(-1)?.summary;\n}\n\n{last(state.decisions)}\n";
        let program = std::env::current_exe().unwrap();
        let catalogue = Catalogue::built_in().with_runner(program, vec!["run-functions".into()]);
        let source = Source::new("layout.mdx", text);
        let called = Template::read(&source, &[], &catalogue).unwrap();
        let written = read("{state.decisions.at(-1)?.summary}\n");
        let [of_function, of_expression] = [&called, &written].map(|template| {
            let made = template.elements(state);
            assert_eq!(made.failures, []);
            hud_core::render(&made.element, Density::Full).unwrap()
        });
        assert_eq!(of_function, of_expression, "both sides give the same");
        self.time("function, as an expression", 1.0, || {
            written.elements(state)
        });
        self.time("function, in an engine", 150.0, || called.elements(state));
    }
}

fn read(text: &str) -> Template {
    let source = Source::new("layout.mdx", text);
    Template::read(&source, &[], &Catalogue::built_in()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The state at the end of the recorded example.
fn example() -> HudState {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions/rate-limiter.jsonl");
    let mut replay = Replay::new(SessionId::new("recorded").unwrap());
    let read = Transcript::open(&file).unwrap().read(&mut |entry| {
        replay.observe(entry);
        Ok::<(), hud_clients::transcript::TranscriptError>(())
    });
    read.unwrap();
    replay.state().clone()
}
