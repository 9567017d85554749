//! Editors understand `rsx!`: completion, hover, definitions and renames work on tags, on props and
//! in braces, in half-typed lines as well.
//!
//! A real rust-analyzer is asked, as an editor asks it. It is taken from the environment variable
//! `RUST_ANALYZER`; without it the test is skipped. It needs the standard library's sources, from
//! `rust-src` or from the folder that `RUST_SRC_PATH` names:
//!
//! ```sh
//! rustup component add rust-analyzer rust-src
//! RUST_ANALYZER=$(rustup which rust-analyzer) cargo test -p hud-tests editor:: -- --nocapture
//! ```
//!
//! `EDITOR_CASES=text` asks only the cases whose line holds the text.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

#[path = "editor/server.rs"]
mod server;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use server::{Server, uri};

/// The project's only file. A case's layout takes the place of `LAYOUT`.
///
/// A rename counts words, so a name that a case renames means one thing throughout.
const SOURCE: &str = r#"//! What an editor has open.

#![allow(unused)]

use hud_core::node::{Item, List, Section};
use hud_core::{Children, Density, Element, component, rsx};

/// One thing to do.
#[derive(Clone)]
pub struct Task {
    /// What is to be done.
    pub summary: String,
    pub steps: Vec<String>,
    pub owner: Option<Owner>,
}

#[derive(Clone)]
pub struct Owner {
    pub handle: String,
}

pub struct State {
    pub tasks: Vec<Task>,
}

/// Shows a task with its steps.
#[component]
pub fn TaskSection<'a>(
    /// What is shown.
    chore: &'a Task,
    /// How many steps are shown.
    #[prop(default = 5)]
    limit: usize,
    density: Density,
    #[prop(default)]
    children: Children<'a>,
) -> Element<'a> {
    let few: Vec<&String> = chore.steps.iter().take(limit).collect();
    rsx! {
        <Section title={chore.summary.as_str()}>
            <List>for step in few { <Item>{step.as_str()}</Item> }</List>
            {limit}
            {children}
        </Section>
    }
}

/// Small components.
pub mod parts {
    use hud_core::{Children, Element, component, rsx};

    /// Counts what is done.
    #[component]
    pub fn Tally(
        /// How many.
        count: u32,
        #[prop(default)]
        children: Children,
    ) -> Element {
        rsx! { {count} " done" {children} }
    }
}

pub fn elsewhere(one: &Task) -> Element<'_> {
    rsx! {
        <TaskSection chore={one} limit=3>
            <parts::Tally count=1>"!"</parts::Tally>
        </TaskSection>
    }
}

pub fn layout<'a>(
    state: &'a State,
    task: &'a Task,
) -> Element<'a> {
    let heading = task.summary.as_str();
    rsx! {
        LAYOUT
    }
}

fn main() {}
"#;

/// A case in each line: the request, what is in `rsx!` with `|` for the cursor, and behind `--`
/// what the answer must hold.
///
/// - `complete`: these are offered, and each is put in as it is written here.
/// - `hover`: the hover says this.
/// - `define`: there is one definition, in the line that begins with this.
/// - `rename`: all words that are equal to the one at the cursor change, and nothing else. The
///   cursor may be elsewhere in the project: at the place behind `--`.
const CASES: &str = r#"
# Completion of tags.
complete: <TaskS|                                            -- TaskSection
complete: <TaskS| />                                         -- TaskSection
complete: <TaskS| chore={task} />                            -- TaskSection
complete: <List> <Item>"a"</Item> <TaskS| <Item>"b"</Item> </List> -- TaskSection
complete: <parts::Ta|                                        -- Tally
complete: <parts::Ta| />                                     -- Tally
complete: <parts::|                                          -- Tally
complete: <List><Item/></Li|                                 -- List
complete: <List><Item/></Li|>                                -- List
complete: <List><Item/></|                                   -- List
complete: <parts::Tally count=3>"a"</parts::Ta|              -- Tally
complete: <parts::Tally count=3>"a"</parts::|                -- Tally

# Completion of props.
complete: <TaskSection lim| />                               -- limit
complete: <TaskSection lim|={3} />                           -- limit
complete: <TaskSection lim|= />                              -- limit
complete: <TaskSection chore={task} lim| />                  -- limit
complete: <TaskSection lim| chore={task} />                  -- limit
complete: <TaskSection lim|><List/></TaskSection>            -- limit
complete: <TaskSection lim|                                  -- limit
complete: <List> <TaskSection lim| <Item>"b"</Item> </List>  -- limit
complete: <List> <TaskSection lim|> <Item>"b"</Item> </List> -- limit
complete: <parts::Tally cou| />                              -- count
complete: <Section tit| />                                   -- title
complete: <TaskSection | />                                  -- chore limit density
complete: <TaskSection |                                     -- chore limit density
complete: <TaskSection chore={task} | />                     -- chore limit density
complete: <TaskSection | chore={task} />                     -- chore limit density
complete: <TaskSection |><List/></TaskSection>               -- chore limit density

# Completion in braces.
complete: <Section title={task.|} />                         -- summary steps owner
complete: <Section title={task.su|} />                       -- summary
complete: <Section title={task.|}                            -- summary steps owner
complete: {task.|}                                           -- summary steps owner
complete: {task.su|}                                         -- summary
complete: <List><Item>{task.|}</Item><Item>"b"</Item></List> -- summary steps owner
complete: <List><Item>{task.|}</List>                        -- summary steps owner
complete: {tas|}                                             -- task
complete: <TaskSection limit={tas|} />                       -- task
complete: <TaskSection limit={|} />                          -- task
complete: {|}                                               -- task
complete: {task.summary.trim_st|}                            -- trim_start()
complete: <TaskSection density={Density::|} />               -- Full Compact
complete: <TaskSection density={Density::Fu|} />             -- Full

# Completion in control flow.
complete: if task.| { "a" }                                  -- summary steps owner
complete: if task.ow|.is_some() { "a" }                      -- owner
complete: if task.|                                          -- summary steps owner
complete: if true { {task.|} }                               -- summary steps owner
complete: if true { <TaskS| }                                -- TaskSection
complete: if true { "a" } else { <TaskS| }                   -- TaskSection
complete: if true { <TaskSection lim| }                      -- limit
complete: if let Some(owner) = &task.owner { {owner.|} }     -- handle
complete: for found in state.| { <Item/> }                   -- tasks
complete: for found in state.|                               -- tasks
complete: for found in &state.tasks { {found.|} }            -- summary steps owner
complete: <List>for found in &state.tasks { <TaskSection chore={found} limit={found.|} /> }</List> -- summary steps owner
complete: match task.| { _ => "a" }                          -- summary steps owner
complete: match task.|                                       -- summary steps owner
complete: match &task.owner { Some(owner) => { {owner.|} } None => "a" } -- handle
complete: match &task.owner { Some(owner) => <TaskS| None => "a" } -- TaskSection
complete: match Density::Full { Density::| => "a" }          -- Full Compact
complete: {for found in &state.tasks { found.| }}            -- summary steps owner
complete: {if true { rsx! { <TaskSection lim| } }}           -- limit

# Hover.
hover: <TaskSec|tion chore={task} />                         -- Shows a task with its steps.
hover: <Sec|tion title="a" />                                -- A heading and what belongs under it.
hover: <parts::Tal|ly count=3 />                             -- Counts what is done.
hover: <par|ts::Tally count=3 />                             -- Small components.
hover: <TaskSec|tion                                         -- Shows a task with its steps.
hover: <TaskSection chore={task}><List/></TaskSec|tion>      -- Shows a task with its steps.
hover: <TaskSection chore={task} lim|it=3 />                 -- How many steps are shown.
hover: <TaskSection den|sity={Density::Full} />              -- How much is said
hover: <List> <TaskSection lim|it=3 <Item/> </List>          -- How many steps are shown.
hover: <parts::Tally cou|nt=3 />                             -- How many.
hover: <TaskSection chore={ta|sk} />                         -- task: &'a Task
hover: {task.sum|mary.as_str()}                              -- What is to be done.
hover: for found in &state.tasks { {fou|nd.summary.as_str()} } -- let found: &Task

# Definitions.
define: <TaskSec|tion chore={task} />                        -- pub fn TaskSection<'a>(
define: <TaskSec|tion                                        -- pub fn TaskSection<'a>(
define: <TaskSec|tion chore={task}> <Item/>                  -- pub fn TaskSection<'a>(
define: <TaskSection lim|it= />                              -- limit: usize,
define: <TaskSection lim|it={} />                            -- limit: usize,
define: <parts::Tal|ly count=3 />                            -- pub fn Tally(
define: <par|ts::Tally count=3 />                            -- pub mod parts {
define: <TaskSection chore={task}><List/></TaskSec|tion>     -- pub fn TaskSection<'a>(
define: <TaskSection chore={task} lim|it=3 />                -- limit: usize,
define: <TaskSection cho|re={task} />                        -- chore: &'a Task,
define: <List> <TaskSection lim|it=3 <Item/> </List>         -- limit: usize,
define: <TaskSection chore={tas|k} />                        -- task: &'a Task,
define: {task.sum|mary.as_str()}                             -- pub summary: String,
define: for found in &state.tasks { {fou|nd.summary.as_str()} } -- for found in

# Renames.
rename: <TaskSec|tion chore={task} />
rename: <TaskSec|tion chore={task}><List/></TaskSection>
rename: <TaskSection chore={task}><List/></TaskSec|tion>
rename: <TaskSection chore={task}><List/></TaskSection>      -- fn Task|Section
rename: <parts::Tal|ly count=3><List/></parts::Tally>
rename: <List> <TaskSec|tion <Item/> </List>
rename: <par|ts::Tally count=3><List/></parts::Tally>

# A prop is renamed at its argument, where all of it comes from. Elsewhere it is renamed in part:
# a call has the setter's name, and the body has the name of a variable.
rename: <TaskSection chore={task} limit=3 />                 -- lim|it: usize
rename: {head|ing}<Section title={heading} />
rename: {heading}                                            -- let head|ing
rename: for fou|nd in &state.tasks { <TaskSection chore={found} /> {found.summary.as_str()} }
rename: <Section title={head|ing}
"#;

/// One line of [`CASES`].
struct Case<'a> {
    request: &'a str,
    layout: &'a str,
    expected: &'a str,
}

impl<'a> Case<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let (request, rest) = line.split_once(": ")?;
        let (layout, expected) = rest.split_once(" -- ").unwrap_or((rest, ""));
        Some(Self {
            request,
            layout: layout.trim_end(),
            expected,
        })
    }

    /// The project's text with the layout in it, and where the cursor is.
    fn typed(&self) -> (String, usize) {
        let text = SOURCE.replace("LAYOUT", &self.layout.replace('|', ""));
        let (place, start) = if self.layout.contains('|') {
            (self.layout, SOURCE.find("LAYOUT"))
        } else {
            (self.expected, text.find(&self.expected.replace('|', "")))
        };
        match (start, place.find('|')) {
            (Some(start), Some(cursor)) => (text, start + cursor),
            _ => panic!("no cursor in `{}`", self.layout),
        }
    }
}

#[test]
fn editors_understand_layouts() {
    let Some(binary) = std::env::var_os("RUST_ANALYZER") else {
        eprintln!("skipped: RUST_ANALYZER names no rust-analyzer");
        return;
    };
    assert!(
        has_standard_library(),
        "no sources of the standard library: `rustup component add rust-src`"
    );
    let project = Project::create();
    let server = Server::start(Path::new(&binary), &project.folder, &project.target);
    let mut editor = Editor::open(server, &project.folder.join("src/main.rs"));
    let only = std::env::var("EDITOR_CASES").unwrap_or_default();
    let mut mistakes = editor.errors();
    let mut asked = 0;
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    for line in CASES.lines().filter(is_case) {
        if !line.contains(&only) {
            continue;
        }
        let case = Case::parse(line).unwrap_or_else(|| panic!("no case: {line}"));
        asked += 1;
        if let Err(mistake) = editor.ask(&case) {
            mistakes.push(format!("{}: {}\n    {mistake}", case.request, case.layout));
        }
    }
    assert!(asked > 0, "no case holds `{only}`");
    assert!(
        mistakes.is_empty(),
        "{} of {asked} cases failed:\n\n{}\n",
        mistakes.len(),
        mistakes.join("\n")
    );
}

/// Whether the standard library's sources are there. rust-analyzer would add them to the toolchain
/// by itself, and a test changes nothing outside of its folder.
fn has_standard_library() -> bool {
    let library = std::env::var_os("RUST_SRC_PATH").map_or_else(
        || {
            let rustc = Command::new("rustc").args(["--print", "sysroot"]).output();
            let sysroot = String::from_utf8(rustc.unwrap().stdout).unwrap();
            Path::new(sysroot.trim_end()).join("lib/rustlib/src/rust/library")
        },
        PathBuf::from,
    );
    library.join("core").is_dir()
}

/// A cargo project of its own that uses this `hud-core`.
struct Project {
    folder: PathBuf,
    /// Where it is built: beside this test, so that what both use is built once.
    target: PathBuf,
}

impl Project {
    fn create() -> Self {
        let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("editor");
        fs::create_dir_all(folder.join("src")).unwrap();
        let core = workspace.join("hud-core");
        let manifest = format!(
            "[package]\nname = \"edited\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n\
             [dependencies]\nhud-core = {{ path = {core:?} }}\n\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest).unwrap();
        // The same versions: those are there already.
        fs::copy(workspace.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        fs::write(folder.join("src/main.rs"), SOURCE.replace("LAYOUT", "")).unwrap();
        Self {
            folder,
            target: target.to_owned(),
        }
    }
}

/// An editor with one file open.
struct Editor {
    server: Server,
    uri: String,
    version: u32,
}

impl Editor {
    fn open(mut server: Server, file: &Path) -> Self {
        let uri = uri(file);
        server.notify(
            "textDocument/didOpen",
            json!({ "textDocument": {
                "uri": uri,
                "languageId": "rust",
                "version": 0,
                "text": SOURCE.replace("LAYOUT", ""),
            }}),
        );
        Self {
            server,
            uri,
            version: 0,
        }
    }

    /// The errors that it shows in the file, which the compiler takes as it is. They include the experimental ones.
    fn errors(&mut self) -> Vec<String> {
        let document = json!({ "textDocument": { "uri": self.uri } });
        let answer = self.server.request("textDocument/diagnostic", document);
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        let items = answer["items"].as_array();
        let items = items.unwrap_or_else(|| panic!("no diagnostics: {answer}"));
        let is_error = |item: &&Value| item["severity"] == 1;
        items
            .iter()
            .filter(is_error)
            .map(Value::to_string)
            .collect()
    }

    /// Types the case's layout and asks; the error says what the answer lacks.
    fn ask(&mut self, case: &Case<'_>) -> Result<(), String> {
        let (text, cursor) = case.typed();
        self.version += 1;
        self.server.notify(
            "textDocument/didChange",
            json!({
                "textDocument": { "uri": self.uri, "version": self.version },
                "contentChanges": [{ "text": text }],
            }),
        );
        match case.request {
            "complete" => {
                let answer = self.request("completion", &text, cursor, json!({}))?;
                completes(case.expected, half_word(&text, cursor), &answer)
            }
            "hover" => {
                let answer = self.request("hover", &text, cursor, json!({}))?;
                hovers(case.expected, &answer)
            }
            "define" => {
                let answer = self.request("definition", &text, cursor, json!({}))?;
                self.defines(case.expected, &text, &answer)
            }
            "rename" => {
                let name = word(&text, cursor);
                let to = if name.starts_with(char::is_uppercase) {
                    "Renamed"
                } else {
                    "renamed"
                };
                let answer = self.request("rename", &text, cursor, json!({ "newName": to }))?;
                self.renames(name, to, &text, &answer)
            }
            request => panic!("no request: {request}"),
        }
    }

    fn request(
        &mut self,
        what: &str,
        text: &str,
        cursor: usize,
        more: Value,
    ) -> Result<Value, String> {
        let before = &text[..cursor];
        let line = before.matches('\n').count();
        let character = cursor - before.rfind('\n').map_or(0, |end| end + 1);
        let mut params = more;
        params["textDocument"] = json!({ "uri": self.uri });
        params["position"] = json!({ "line": line, "character": character });
        self.server.request(&format!("textDocument/{what}"), params)
    }

    fn defines(&self, wanted: &str, text: &str, answer: &Value) -> Result<(), String> {
        let found: Vec<String> = list(answer)
            .iter()
            .map(|place| {
                let line = line(&place["range"]["start"]);
                match place["uri"].as_str() {
                    Some(uri) if uri == self.uri => {
                        text.lines().nth(line).unwrap_or_default().trim().to_owned()
                    }
                    uri => format!("line {} of {}", line + 1, uri.unwrap_or_default()),
                }
            })
            .collect();
        match found.as_slice() {
            [only] if only.starts_with(wanted) => Ok(()),
            _ => Err(format!("expected one line `{wanted}`, found {found:?}")),
        }
    }

    fn renames(&self, name: &str, to: &str, text: &str, answer: &Value) -> Result<(), String> {
        let mut edits: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
        for change in list(&answer["documentChanges"]) {
            let uri = change["textDocument"]["uri"].as_str().unwrap_or_default();
            edits.entry(uri).or_default().extend(list(&change["edits"]));
        }
        for (uri, changes) in answer["changes"].as_object().into_iter().flatten() {
            edits.entry(uri).or_default().extend(list(changes));
        }
        let here = edits.remove(self.uri.as_str()).unwrap_or_default();
        if !edits.is_empty() {
            return Err(format!("it changes other files: {:?}", edits.keys()));
        }
        let expected = with_words(text, name, to);
        let found = with_edits(text, &here);
        if expected == found {
            return Ok(());
        }
        let differences: Vec<String> = expected
            .lines()
            .zip(found.lines())
            .filter(|(expected, found)| expected != found)
            .map(|(expected, found)| format!("expected `{expected}`\n    found    `{found}`"))
            .collect();
        Err(differences.join("\n    "))
    }
}

fn completes(names: &str, half: &str, answer: &Value) -> Result<(), String> {
    let items = list(answer.get("items").unwrap_or(answer));
    let label = |item: &Value| item["label"].as_str().unwrap_or_default().to_owned();
    if !half.is_empty()
        && items
            .iter()
            .any(|item| words(&label(item)).next() == Some(half))
    {
        return Err(format!(
            "`{half}`, which is half a name, is offered as a whole one"
        ));
    }
    for name in names.split(' ') {
        let put_in: Vec<&str> = items
            .iter()
            .filter(|item| words(&label(item)).next() == words(name).next())
            .filter_map(|item| item["textEdit"]["newText"].as_str())
            // Where the cursor is afterwards, if it says so.
            .map(|text| text.trim_end_matches("$0"))
            .collect();
        if put_in.is_empty() {
            let others: Vec<String> = items.iter().map(label).take(8).collect();
            let count = items.len();
            return Err(format!("`{name}` is not among the {count}: {others:?} .."));
        }
        if !put_in.contains(&name) {
            return Err(format!("`{name}` is put in as {put_in:?}"));
        }
    }
    Ok(())
}

fn hovers(text: &str, answer: &Value) -> Result<(), String> {
    let found = answer["contents"]["value"].as_str().unwrap_or_default();
    if found.contains(text) {
        Ok(())
    } else {
        Err(format!("expected `{text}`, found {found:?}"))
    }
}

/// A text with edits of the protocol made.
fn with_edits(text: &str, edits: &[&Value]) -> String {
    let offset = |place: &Value| {
        let start: usize = text
            .split_inclusive('\n')
            .take(line(place))
            .map(str::len)
            .sum();
        start + number(&place["character"])
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().unwrap_or_default();
            (offset(&range["start"]), offset(&range["end"]), new)
        })
        .collect();
    // From the end, so that the places of the rest stay right.
    edits.sort_unstable();
    let mut edited = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        edited.replace_range(start..end, new);
    }
    edited
}

/// A text with each word `name` replaced.
fn with_words(text: &str, name: &str, to: &str) -> String {
    let mut replaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        replaced.push_str(before);
        let whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        replaced.push_str(if whole { to } else { name });
        rest = after;
    }
    replaced + rest
}

/// The part of a word that ends at `cursor`.
fn half_word(text: &str, cursor: usize) -> &str {
    let start = text[..cursor].rfind(|c| !is_word(c)).map_or(0, |at| at + 1);
    &text[start..cursor]
}

/// The word around `cursor`.
fn word(text: &str, cursor: usize) -> &str {
    let start = cursor - half_word(text, cursor).len();
    words(&text[start..]).next().unwrap_or_default()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(c))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn line(place: &Value) -> usize {
    number(&place["line"])
}

fn number(value: &Value) -> usize {
    value
        .as_u64()
        .and_then(|it| it.try_into().ok())
        .unwrap_or(0)
}
