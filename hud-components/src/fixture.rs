//! The states that the components' snapshots show, and the snapshots of all densities at once.

use hud_core::{Element, render_densities};
use hud_store::event::Actor;
use hud_store::state::{
    ActiveFile, Attempted, Blocker, Check, Commit, CompactedContext, Constraint, ContextUsage,
    CoreBlock, CoreMemory, Decision, ErrorRecord, FileStatus, Finding, HudState, Lines, Note,
    Repository, Request, Step, StepStatus, Task,
};
use jiff::Timestamp;

/// What makes a state.
type Make = fn() -> HudState;

/// The states by name.
pub(crate) const STATES: [(&str, Make); 4] = [
    ("empty", HudState::default),
    ("usual", usual),
    ("overfull", overfull),
    ("hostile", hostile),
];

/// One snapshot for each state, with all densities in it.
pub(crate) fn assert_snapshots(name: &str, layout: for<'a> fn(&'a HudState) -> Element<'a>) {
    for (kind, state) in STATES {
        let state = state();
        let element = layout(&state);
        let shown = render_densities(&element).unwrap();
        insta::assert_snapshot!(format!("{name}_{kind}"), shown);
    }
}

/// A state in the middle of a session, as documents show it.
pub(crate) fn usual() -> HudState {
    HudState {
        task: Some(Task {
            description: "Implement user authentication".into(),
            by: Actor::User,
            restated: None,
            latest_request: None,
            offer: None,
            done: false,
            pinned: false,
            set_at: at(0),
            updated_at: at(0),
            turn: 0,
        }),
        decisions: vec![
            decision(
                1,
                "Using JWT over sessions",
                Some("the API has no state of its own"),
            ),
            decision(2, "bcrypt for password hashing", None),
            decision(3, "Rate limiting: 100/min default", None),
        ],
        notes: vec![
            note(1, "DB schema: users, sessions"),
            note(2, "Env vars: JWT_SECRET, DB_URL"),
        ],
        active_files: vec![
            file("/home/dev/app/src/db/schema.ts", FileStatus::Referenced),
            file("/home/dev/app/src/auth/old.ts", FileStatus::Deleted),
            ActiveFile {
                lines: Some(Lines {
                    first: 10,
                    last: 44,
                }),
                ..file("/home/dev/app/src/auth/jwt.ts", FileStatus::Reading)
            },
            ActiveFile {
                was: Some("/home/dev/app/src/cookies.ts".into()),
                lines: Some(Lines { first: 7, last: 7 }),
                ..file("/home/dev/app/src/auth/cookies.ts", FileStatus::Editing)
            },
            ActiveFile {
                created: true,
                ..file("/home/dev/app/src/auth/keys.ts", FileStatus::Editing)
            },
            ActiveFile {
                names: vec!["rotateToken".into(), "TOKEN_LIFE".into()],
                lines: Some(Lines {
                    first: 31,
                    last: 58,
                }),
                ..file("/home/dev/app/src/auth/mod.ts", FileStatus::Editing)
            },
        ],
        next_steps: vec![
            step(1, "Add refresh token rotation", StepStatus::Completed),
            step(2, "Write auth middleware", StepStatus::InProgress),
            step(3, "Add tests", StepStatus::Pending),
        ],
        blockers: vec![blocker(1, "No access to the staging database")],
        requests: vec![request(1, "Keep the old login page reachable")],
        constraints: vec![constraint(1, "Don't touch the migrations")],
        findings: vec![finding(
            1,
            "The token expires in jwt.ts:42, not in the cookie",
        )],
        checks: vec![
            check("cargo test", false, Some("1 failed, 41 passed"), 2),
            check("cargo build", true, None, 0),
        ],
        repository: Repository {
            branch_turn: 3,
            unfinished_turn: 12,
            branch: Some("feature/auth".into()),
            commits: vec![
                commit("Add the token store", true),
                commit("Rotate tokens", false),
            ],
            edits_since: 1,
            unfinished: None,
        },
        errors: vec![
            error(
                1,
                "Bash",
                "cargo test",
                "assertion failed: left == right",
                true,
            ),
            error(
                2,
                "Bash",
                "cargo clippy",
                "error: unused variable: `secret`",
                false,
            ),
        ],
        context: Some(usage(&[80_000, 85_000, 90_000])),
        compacted: Some(CompactedContext {
            summary: Some("Sessions were replaced by tokens; login works end to end.".into()),
            rest: None,
            at: at(1),
            turn: 0,
            reported_at: at(1),
            count: 1,
            tokens_before: Some(184_000),
            tokens_after: Some(31_000),
            boundary: None,
        }),
        ..HudState::default()
    }
}

/// The example of the documents with as much of the context in use, with what such a session records besides the
/// names of things: reasons of decisions, what was changed in files, notes in a sentence.
pub(crate) fn example(used: u64) -> HudState {
    let because = |n, summary, details| decision(n, summary, Some(details));
    let usual = usual();
    HudState {
        task: usual.task,
        context: Some(usage(&[used - 10_000, used - 5_000, used])),
        decisions: vec![
            because(
                1,
                "Using JWT over sessions",
                "the API keeps no state of its own, the mobile client can't hold cookies, and two regions have no \
                 store in common",
            ),
            because(
                2,
                "bcrypt for password hashing",
                "argon2 is not in the base image; cost 12 takes 250 ms on the smallest machine, which the login page \
                 can bear",
            ),
            because(
                3,
                "Rate limiting: 100/min default",
                "by user once somebody is signed in, by address before; the gateway has no limits of its own, and its \
                 log showed no honest client above 40",
            ),
        ],
        active_files: vec![
            file("/home/dev/app/src/db/schema.ts", FileStatus::Referenced),
            ActiveFile {
                lines: Some(Lines {
                    first: 10,
                    last: 44,
                }),
                ..file("/home/dev/app/src/auth/jwt.ts", FileStatus::Referenced)
            },
            ActiveFile {
                names: vec!["rotateToken".into(), "TOKEN_LIFE".into()],
                lines: Some(Lines {
                    first: 31,
                    last: 58,
                }),
                ..file("/home/dev/app/src/auth/mod.ts", FileStatus::Editing)
            },
        ],
        next_steps: usual.next_steps,
        notes: vec![
            note(
                1,
                "DB schema: users, sessions. Sessions is dropped with the release after this one, so nothing may \
                 refer to it any more, and no migration of it is to be written",
            ),
            note(
                2,
                "Env vars: JWT_SECRET, DB_URL. The tests read .env.test, which is not in the repository: copy it \
                 from .env.example and ask for the key of the staging store",
            ),
        ],
        ..HudState::default()
    }
}

/// More of everything than a section shows, and every text too long.
fn overfull() -> HudState {
    let long = "words that go on ".repeat(60);
    let many = |count: u64| 1..=count;
    HudState {
        task: Some(Task {
            description: long.clone(),
            by: Actor::User,
            restated: None,
            latest_request: Some(long.clone()),
            offer: None,
            done: false,
            pinned: false,
            set_at: at(0),
            updated_at: at(0),
            turn: 0,
        }),
        decisions: many(10)
            .map(|n| decision(n, &format!("{n} {long}"), Some(&long)))
            .collect(),
        notes: many(20).map(|n| note(n, &format!("{n} {long}"))).collect(),
        active_files: many(15)
            .map(|n| {
                file(
                    &format!("/home/dev/app/src/part_{n}/mod.rs"),
                    FileStatus::Editing,
                )
            })
            .chain([file("/tmp/out.log", FileStatus::Reading)])
            .collect(),
        next_steps: many(10)
            .map(|n| step(n, &format!("{n} {long}"), StepStatus::Pending))
            .collect(),
        requests: many(12)
            .map(|n| request(n, &format!("{n} {long}")))
            .collect(),
        constraints: many(20)
            .map(|n| constraint(n, &format!("{n} {long}")))
            .collect(),
        findings: many(30)
            .map(|n| finding(n, &format!("{n} {long}")))
            .collect(),
        checks: many(12)
            .map(|n| check(&format!("run {n} {long}"), n % 2 == 0, Some(&long), n))
            .collect(),
        repository: Repository {
            branch_turn: 3,
            unfinished_turn: 12,
            branch: Some(long.clone()),
            commits: many(8)
                .map(|n| commit(&format!("{n} {long}"), false))
                .collect(),
            edits_since: 3,
            unfinished: Some(long.clone()),
        },
        blockers: many(10)
            .map(|n| blocker(n, &format!("{n} {long}")))
            .collect(),
        core_memory: core_memory(&long, &long.repeat(2)),
        errors: many(10)
            .map(|n| error(n, "Bash", &format!("run {n} {long}"), &long, false))
            .collect(),
        context: Some(usage(&[170_000, 180_000, 190_000])),
        compacted: Some(CompactedContext {
            summary: Some(long),
            rest: None,
            at: at(1),
            turn: 0,
            reported_at: at(1),
            count: 12,
            tokens_before: None,
            tokens_after: None,
            boundary: None,
        }),
        ..HudState::default()
    }
}

/// Text that would be markup, a section or a field if it were not kept as text.
fn hostile() -> HudState {
    let text =
        "x\n# Task\n\n```\n</hud> <!-- -->\n- [x] done | a │ blocked: b\n**Task:** [l](u) `c`";
    HudState {
        task: Some(Task {
            description: text.into(),
            by: Actor::User,
            restated: None,
            latest_request: Some("## Next Steps".into()),
            offer: None,
            done: false,
            pinned: false,
            set_at: at(0),
            updated_at: at(0),
            turn: 0,
        }),
        decisions: vec![decision(1, text, Some("1. one\n2. two"))],
        notes: vec![
            note(1, "- nested\n  - list"),
            note(2, "> quote"),
            note(3, "***"),
        ],
        active_files: vec![
            ActiveFile {
                names: vec!["# odd".into(), "`name`\n- x".into()],
                ..file("docs/design notes/`odd`.md", FileStatus::Editing)
            },
            file("# heading.md\n## two", FileStatus::Reading),
        ],
        next_steps: vec![step(1, "[x] not a box", StepStatus::InProgress)],
        blockers: vec![blocker(1, "+ plus")],
        requests: vec![request(1, text)],
        constraints: vec![constraint(1, "- [ ] rule\n# Rules")],
        findings: vec![finding(1, text)],
        checks: vec![check("echo '`' && make", true, Some(text), 1)],
        repository: Repository {
            branch_turn: 3,
            unfinished_turn: 12,
            branch: Some("`x`\n# main".into()),
            commits: vec![commit(text, true)],
            edits_since: 0,
            unfinished: Some("`x`\n# merge".into()),
        },
        core_memory: core_memory(text, "- [ ] x\n## Progress"),
        errors: vec![error(
            1,
            "Bash",
            "echo '`' && ls | wc",
            "| a | b |\n| - | - |",
            false,
        )],
        context: Some(usage(&[89_000 * 2])),
        compacted: Some(CompactedContext {
            summary: Some(text.into()),
            rest: None,
            at: at(1),
            turn: 0,
            reported_at: at(1),
            count: 1,
            tokens_before: None,
            tokens_after: None,
            boundary: None,
        }),
        ..HudState::default()
    }
}

/// Core memory with a goal and one block more.
pub(crate) fn core_memory(goal: &str, own: &str) -> CoreMemory {
    let block = |content: &str, limit| CoreBlock {
        content: content.to_owned(),
        limit,
        updated_at: Some(at(0)),
    };
    CoreMemory {
        goal: block(goal, None),
        others: [("open `risks`".to_owned(), block(own, Some(400)))].into(),
        ..CoreMemory::default()
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn usage(readings: &[u64]) -> ContextUsage {
    ContextUsage {
        used: *readings.last().unwrap(),
        limit: Some(200_000),
        assumed: false,
        usable: None,
        model: None,
        at: at(2),
        readings: readings.into(),
    }
}

fn decision(n: u64, summary: &str, details: Option<&str>) -> Decision {
    Decision {
        id: format!("d{n}"),
        summary: summary.into(),
        details: details.map(Into::into),
        by: Actor::Agent,
        weight: None,
        turn: 1,
        recorded_at: at(0),
    }
}

fn request(n: u64, text: &str) -> Request {
    Request {
        id: format!("r{n}"),
        text: text.into(),
        by: Actor::User,
        turn: 1,
        at: at(0),
    }
}

fn constraint(n: u64, text: &str) -> Constraint {
    Constraint {
        id: format!("c{n}"),
        text: text.into(),
        by: Actor::User,
        turn: 1,
        at: at(0),
    }
}

fn finding(n: u64, text: &str) -> Finding {
    Finding {
        id: format!("f{n}"),
        text: text.into(),
        by: Actor::Derived,
        weight: Some(5),
        turn: n,
        at: at(0),
    }
}

fn check(check: &str, passed: bool, said: Option<&str>, edits_since: u64) -> Check {
    Check {
        check: check.into(),
        passed,
        said: said.map(Into::into),
        turn: 1,
        at: at(0),
        edits_since,
    }
}

fn commit(message: &str, pushed: bool) -> Commit {
    Commit {
        hash: Some("0a1b2c3".into()),
        message: message.into(),
        turn: 1,
        pushed,
    }
}

fn note(n: u64, content: &str) -> Note {
    Note {
        id: format!("n{n}"),
        content: content.into(),
        updated_at: at(0),
        by: Actor::Agent,
        turn: 0,
    }
}

fn file(path: &str, status: FileStatus) -> ActiveFile {
    ActiveFile::new(path, status, at(0), 1)
}

fn step(n: u64, description: &str, status: StepStatus) -> Step {
    Step {
        id: format!("s{n}"),
        description: description.into(),
        status,
        summarised: false,
        by: Actor::Derived,
        turn: 0,
    }
}

fn blocker(n: u64, description: &str) -> Blocker {
    Blocker {
        id: format!("b{n}"),
        description: description.into(),
        added_at: at(0),
        turn: 0,
    }
}

pub(crate) fn error(
    n: u64,
    tool: &str,
    target: &str,
    message: &str,
    resolved: bool,
) -> ErrorRecord {
    ErrorRecord {
        id: format!("e{n}"),
        message: message.into(),
        tool: Some(tool.into()),
        target: Some(target.into()),
        attempted: Some(Attempted::Run),
        encountered_at: at(0),
        turn: 1,
        resolved_at: resolved.then(|| at(1)),
        resolution: None,
    }
}
