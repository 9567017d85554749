//! Examples of each command, for its `--help`, its manual page and the reference.

use clap::Command;

/// The examples of a command.
struct Examples {
    /// The name of the command, or of the command and its subcommand.
    command: &'static str,
    /// Command lines, without the program's name.
    lines: &'static [&'static str],
    /// Additional text, or an empty string.
    more: &'static str,
}

const fn of(command: &'static str, lines: &'static [&'static str]) -> Examples {
    explained(command, lines, "")
}

const fn explained(
    command: &'static str,
    lines: &'static [&'static str],
    more: &'static str,
) -> Examples {
    Examples {
        command,
        lines,
        more,
    }
}

const ALL: &[Examples] = &[
    of(
        "replay",
        &[
            "replay session.jsonl",
            "replay session.jsonl --turn 20",
            "replay session.jsonl --db hud.db",
        ],
    ),
    of(
        "render",
        &[
            "render",
            "render --budget 300 --explain",
            "render --session rate-limiter --turn 20 --db hud.db",
        ],
    ),
    of(
        "formats",
        &["formats session.jsonl", "formats --density compact"],
    ),
    explained(
        "cost",
        &[
            "cost session.jsonl",
            "cost --profile anthropic --median 1.05 --worst 1.10 ~/.claude/projects/*/*.jsonl",
            "cost --db",
            "cost --db hud.db --session ses_1",
        ],
        "Each session is made again request by request, with the tokens that the provider counted and at the times \
         when it was called: with the HUD in each placement, and without it. Prices are those of the profiles in \
         the settings (see `config`), and what the model writes is not counted.",
    ),
    of(
        "log",
        &[
            "log",
            "log --section decisions",
            "log --kind file.edit --json",
            "log --all --follow",
        ],
    ),
    of("at", &["at turn:20", "at 2026-11-20T12:00:00Z --db hud.db"]),
    of(
        "diff",
        &["diff turn:10 turn:14", "diff version:40 --events"],
    ),
    of(
        "search",
        &["search token bucket", "search --kind note rate --limit 5"],
    ),
    of(
        "sessions",
        &[
            "sessions",
            "sessions --recorded",
            "sessions --delete rate-limiter",
        ],
    ),
    of("sweep", &["sweep --dry-run", "sweep"]),
    of("begin", &["begin --session tuesday --resumes monday"]),
    of("resume", &["resume", "resume monday --session tuesday"]),
    of(
        "export",
        &["export > events.jsonl", "export --session rate-limiter"],
    ),
    of(
        "import",
        &[
            "import events.jsonl",
            "import .opencode/memory --session ses_1",
            "import --all",
        ],
    ),
    of("backup", &["backup copy.db", "backup --db hud.db copy.db"]),
    explained(
        "doctor",
        &["doctor", "doctor --db hud.db", "doctor --rebuild"],
        "The hooks and servers of clients that show the HUD are run with a log that is thrown away.",
    ),
    of("where", &["where", "where --frame"]),
    of("config", &["config", "config budget", "config --schema"]),
    of("adopt", &["adopt old.db", "adopt .hud/hud.db --yes"]),
    of(
        "redact",
        &[
            "redact rate-limiter:42",
            "redact rate-limiter:42 --reason \"a password\" --yes",
        ],
    ),
    of(
        "archive",
        &["archive --vacuum", "archive --session rate-limiter"],
    ),
    of("mcp", &["mcp", "mcp --write", "mcp --show TaskSection"]),
    explained(
        "distill",
        &[
            "distill session.jsonl --endpoint http://127.0.0.1:11434/v1 --model qwen3",
            "distill session.jsonl --endpoint https://api.openai.com/v1 --model gpt-5-mini --budget 0.05 \
             --price-in 0.25 --price-out 2 --dry-run",
        ],
        "What was said since the last time is sent to the model: the words of user and agent, their secrets masked, \
         and no output of a tool. What it answers is recorded as far as it quotes what was said. Endpoint, model, \
         limits and prices can be set in [distill] of your own config.toml (see `config`).",
    ),
    explained(
        "inspect",
        &[
            "inspect --open",
            "inspect session.jsonl",
            "inspect session.jsonl --export session.html",
        ],
        "It serves a page on this machine alone, at an address with a key in it. What is done there is recorded as \
         the user's.",
    ),
    explained(
        "push",
        &[
            "push --to postgres://ada@db.example/fleet?log=team",
            "push",
            "push --watch",
            "push --watch --metrics 127.0.0.1:9464",
        ],
        "The password is in PGPASSWORD, or printed by the command in HUD_PASSWORD_COMMAND.",
    ),
    of(
        "pull",
        &[
            "pull rate-limiter",
            "pull rate-limiter --take",
            "pull --sub-agents",
            "pull --all --db team.db --from postgres://ada@db.example/fleet?log=team",
        ],
    ),
    explained(
        "fleet init",
        &["fleet init --db postgres://postgres@db.example/fleet?log=team"],
        "Its user has to be allowed to create roles, and schemas in the database. Who may write is let in with \
         `GRANT team_writer TO ada`.",
    ),
    of("fleet status", &["fleet status", "fleet status --json"]),
    explained(
        "watch",
        &["watch", "watch rate-limiter --db hud.db"],
        "Press ? for the keys. With NO_COLOR set there are no colours.",
    ),
    explained(
        "install",
        &[
            "install",
            "install claude",
            "install claude --yes",
            "install --all --user --yes",
        ],
        "The change is shown, and made with --yes. `uninstall` brings back what was there, byte for byte.",
    ),
    of(
        "uninstall",
        &["uninstall claude", "uninstall --all --user --yes"],
    ),
    explained(
        "hook",
        &["hook < event.json", "hook --write < event.json"],
        "Clients run it; `install` configures them.",
    ),
    explained(
        "bridge",
        &["bridge", "bridge --db hud.db --fast"],
        "A client's plugin starts it; `install` configures opencode.",
    ),
    of("fmt", &["fmt", "fmt --check src", "fmt - < layout.rs"]),
    of("lexicon check", &["lexicon check pl.toml"]),
    of(
        "layout check",
        &["layout check", "layout check layout.mdx --json"],
    ),
    of(
        "layout show",
        &["layout show", "layout show layout.mdx --density compact"],
    ),
    of("layout eject", &["layout eject", "layout eject -"]),
    of("layout tags", &["layout tags", "layout tags TaskSection"]),
    of(
        "layout schema",
        &["layout schema", "layout schema TaskSection"],
    ),
    of(
        "layout trust",
        &[
            "layout trust",
            "layout trust --always",
            "layout trust --revoke",
        ],
    ),
    of(
        "layout allow",
        &["layout allow", "layout allow 5f0c2e9a --session ses_1"],
    ),
    of("layout refuse", &["layout refuse --session ses_1"]),
    of(
        "catalogue",
        &["catalogue", "catalogue --format html > catalogue.html"],
    ),
    of("rooms new", &["rooms new world.toml --db rooms.db"]),
    of(
        "rooms add",
        &[
            "rooms add --db rooms.db --type bot --model gpt-4o-mini --role \"You look up what others ask for.\" --room 1",
        ],
    ),
    of(
        "rooms say",
        &["rooms say --db rooms.db --room 1 \"What are you working on?\""],
    ),
    of(
        "rooms hud",
        &["rooms hud --db rooms.db --agent 1 --format toon"],
    ),
    of(
        "rooms respond",
        &["rooms respond --db rooms.db --agent 1 < answer.json"],
    ),
    of("rooms watch", &["rooms watch --db rooms.db --once"]),
    of("rooms formats", &["rooms formats --db rooms.db"]),
    of(
        "rooms run",
        &["rooms run --db rooms.db --endpoint http://127.0.0.1:11434/v1"],
    ),
    of(
        "completions",
        &[
            "completions bash > ~/.local/share/bash-completion/completions/hud",
            "completions zsh > ~/.zfunc/_hud",
            "completions fish > ~/.config/fish/completions/hud.fish",
        ],
    ),
    of(
        "man",
        &["man render | man -l -", "man --dir ~/.local/share/man/man1"],
    ),
    of(
        "reference",
        &["reference events", "reference --dir docs/src/reference"],
    ),
];

/// Adds its examples to the help of each subcommand. The examples call the program `program`.
pub(crate) fn with_examples(command: Command, program: &str) -> Command {
    ALL.iter().fold(command, |command, examples| {
        let lines = examples.lines.iter();
        let lines: String = lines.map(|line| format!("\n  {program} {line}")).collect();
        let heading = match examples.lines.len() {
            1 => "Example",
            _ => "Examples",
        };
        let more = match examples.more {
            "" => String::new(),
            more => format!("\n\n{more}"),
        };
        put(
            command,
            examples.command,
            &format!("{heading}:{lines}{more}"),
        )
    })
}

/// Appends text to the help of a command, if this program has the command.
fn put(command: Command, path: &str, text: &str) -> Command {
    let (name, rest) = path.split_once(' ').unwrap_or((path, ""));
    if command.find_subcommand(name).is_none() {
        return command;
    }
    command.mut_subcommand(name, |inner| match rest {
        "" => inner.after_help(text.to_owned()),
        rest => put(inner, rest, text),
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::args::Args;

    /// Collects the names of the commands without subcommands.
    fn leaves(command: &Command, path: &str, found: &mut Vec<String>) {
        for inner in command
            .get_subcommands()
            .filter(|inner| !inner.is_hide_set())
        {
            let path = format!("{path}{}", inner.get_name());
            match inner.has_subcommands() {
                true => leaves(inner, &format!("{path} "), found),
                false => found.push(path),
            }
        }
    }

    /// Splits a command line into words, up to a pipe or a redirection.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                '<' | '>' | '|' if !quoted => break,
                c => words.last_mut().into_iter().for_each(|word| word.push(c)),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    #[test]
    fn every_command_has_examples_that_it_can_read() {
        let mut commands = Vec::new();
        leaves(&Args::command(), "", &mut commands);
        for command in &commands {
            let examples = ALL.iter().find(|examples| examples.command == command);
            let lines = examples.map_or(&[][..], |examples| examples.lines);
            assert!(!lines.is_empty(), "`hud {command}` has no example");
            for line in lines {
                assert!(line.starts_with(command.as_str()), "{line}");
                let words = [vec!["hud".to_owned()], words(line)].concat();
                let read = Args::command().try_get_matches_from(words);
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
            }
        }
    }

    #[test]
    fn no_example_is_of_a_command_that_no_program_has() {
        let mut commands = Vec::new();
        leaves(&Args::command(), "", &mut commands);
        let optional = [
            "distill", "fleet", "formats", "inspect", "mcp", "pull", "push", "rooms", "watch",
        ];
        for examples in ALL {
            let first = examples.command.split(' ').next().unwrap_or_default();
            let is_known = commands.iter().any(|command| command == examples.command);
            assert!(
                is_known || optional.contains(&first),
                "{}",
                examples.command
            );
        }
    }

    #[test]
    fn examples_are_called_as_the_program_is() {
        let mut command = with_examples(Args::command(), "risks-hud");
        let render = command
            .find_subcommand_mut("render")
            .map(Command::render_help);
        let help = render.map(|help| help.to_string()).unwrap_or_default();
        assert!(help.contains("\n  risks-hud render --budget 300"), "{help}");
    }
}
