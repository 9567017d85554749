//! The child process that runs functions.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

use rquickjs::context::intrinsic;
use rquickjs::function::Args;
use rquickjs::{CatchResultExt, CaughtError, Context, Ctx, Function, Module, Runtime, Value};
use serde_json::{Value as Json, json};

use super::MAX_LINE;

/// The memory limit of the functions, in bytes.
const MEMORY: usize = 16 * 1024 * 1024;
/// The stack limit, in bytes.
const STACK: usize = 192 * 1024;
/// The maximum number of characters of an error message.
const MAX_MESSAGE: usize = 200;

/// The available parts of JavaScript. Dates, regular expressions, proxies and typed arrays are left out.
type Intrinsics = (
    intrinsic::Eval,
    intrinsic::Json,
    intrinsic::MapSet,
    intrinsic::Promise,
);

/// Deletes the globals whose results are not reproducible, and freezes the rest.
const PRELUDE: &str = r#"
(() => {
    delete Math.random;
    delete globalThis.eval;
    const seen = new Set();
    const freeze = value => {
        if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
        seen.add(value);
        for (const name of [...Object.getOwnPropertyNames(value), ...Object.getOwnPropertySymbols(value)]) {
            const own = Object.getOwnPropertyDescriptor(value, name);
            freeze(own.value); freeze(own.get); freeze(own.set);
        }
        freeze(Object.getPrototypeOf(value));
        Object.freeze(value);
    };
    freeze(globalThis);
    // Objects that no global name leads to.
    freeze(Object.getPrototypeOf(function* () {}));
    freeze(Object.getPrototypeOf(async () => {}));
    freeze(Object.getPrototypeOf(async function* () {}));
    freeze(Object.getPrototypeOf([][Symbol.iterator]()));
    freeze(Object.getPrototypeOf(""[Symbol.iterator]()));
    freeze(Object.getPrototypeOf(new Map()[Symbol.iterator]()));
    freeze(Object.getPrototypeOf(new Set()[Symbol.iterator]()));
})()
"#;

/// Answers calls of functions, with a line of JSON each, until the input ends or an error occurs. This is the main
/// function of a program that [`Process`](super::Process) starts. It limits its own process permanently, so the
/// program can only exit after it returns.
///
/// # Errors
///
/// If the process cannot be limited, or its input or output fails.
pub fn run(input: impl Read, output: impl Write) -> io::Result<()> {
    limit()?;
    let mut lines = Lines {
        input: BufReader::new(input),
        output,
    };
    let Some(first) = lines.next()? else {
        return Ok(());
    };
    // A function may take half of the remaining time, so that an infinite loop is reported with its line before the
    // process is killed.
    let milliseconds = first.get("milliseconds").and_then(Json::as_u64);
    let most = Duration::from_millis(milliseconds.unwrap_or(100)) / 2;
    let until = Rc::new(Cell::new(Instant::now() + most));
    let Ok(runtime) = Runtime::new() else {
        return lines.fail("there is no memory for its functions");
    };
    runtime.set_memory_limit(MEMORY);
    runtime.set_max_stack_size(STACK);
    let deadline = Rc::clone(&until);
    runtime.set_interrupt_handler(Some(Box::new(move || Instant::now() >= deadline.get())));
    let Ok(context) = Context::custom::<Intrinsics>(&runtime) else {
        return lines.fail("there is no memory for its functions");
    };
    let source = first.get("source").and_then(Json::as_str).unwrap_or("");
    let ended = context.with(|ctx| {
        serve(
            &ctx,
            source,
            || until.set(Instant::now() + most),
            &mut lines,
        )
    });
    // Dropping a runtime that still has objects aborts the process. The process ends here anyway.
    std::mem::forget(context);
    std::mem::forget(runtime);
    ended
}

/// Limits this process to the needs of functions: 64 MB of memory, one second of CPU time, and no new files.
#[cfg(unix)]
fn limit() -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    for (resource, most) in [
        (Resource::Data, 64 * 1024 * 1024),
        (Resource::Cpu, 1),
        (Resource::Core, 0),
        (Resource::Fsize, 0),
        (Resource::Nofile, 0),
    ] {
        let most = Some(most);
        setrlimit(
            resource,
            Rlimit {
                current: most,
                maximum: most,
            },
        )?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn limit() -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "functions of layouts need a system that limits processes",
    ))
}

struct Lines<R: Read, W: Write> {
    input: BufReader<R>,
    output: W,
}

impl<R: Read, W: Write> Lines<R, W> {
    fn next(&mut self) -> io::Result<Option<Json>> {
        let mut line = String::new();
        let most = u64::try_from(MAX_LINE).unwrap_or(u64::MAX) + 1;
        self.input.by_ref().take(most).read_line(&mut line)?;
        if line.is_empty() {
            return Ok(None);
        }
        Ok(serde_json::from_str(&line).map(Some)?)
    }

    fn answer(&mut self, answer: &str) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }

    /// Writes an error, which is the last answer.
    fn fail(&mut self, message: &str) -> io::Result<()> {
        let message: String = message.chars().take(MAX_MESSAGE).collect();
        self.answer(&json!({"error": message}).to_string())
    }
}

/// Loads the functions, and answers calls of them.
fn serve(
    ctx: &Ctx<'_>,
    source: &str,
    begin: impl Fn(),
    lines: &mut Lines<impl Read, impl Write>,
) -> io::Result<()> {
    begin();
    let module = ctx
        .eval::<(), _>(PRELUDE)
        .and_then(|()| Module::declare(ctx.clone(), "layout", source))
        .and_then(Module::eval)
        .and_then(|(module, done)| done.finish::<()>().map(|()| module))
        .catch(ctx);
    let module = match module {
        Ok(module) => module,
        Err(error) => return lines.fail(&words(&error)),
    };
    lines.answer("{}")?;
    while let Some(question) = lines.next()? {
        let name = question.get("call").and_then(Json::as_str).unwrap_or("");
        let args = question
            .get("args")
            .map(ToString::to_string)
            .unwrap_or_default();
        begin();
        let given = module
            .get(name)
            .and_then(|function| call(ctx, &function, args))
            .catch(ctx);
        match given {
            Ok(Given::Text(json)) if json.len() < MAX_LINE / 2 => {
                lines.answer(&format!("{{\"value\":{json}}}"))?;
            }
            Ok(Given::Text(_)) => return lines.fail("it gives too much"),
            Ok(Given::Nothing) => lines.answer("{}")?,
            Ok(Given::Promise) => return lines.fail("it gives a promise, which nobody waits for"),
            Err(error) => return lines.fail(&words(&error)),
        }
    }
    Ok(())
}

enum Given {
    /// JSON without line breaks.
    Text(String),
    Nothing,
    Promise,
}

fn call<'js>(ctx: &Ctx<'js>, function: &Function<'js>, args: String) -> rquickjs::Result<Given> {
    let values: Vec<Value<'js>> = ctx.json_parse(args)?.get()?;
    let mut args = Args::new(ctx.clone(), values.len());
    args.push_args(values)?;
    let given: Value<'js> = function.call_arg(args)?;
    if given.is_promise() {
        return Ok(Given::Promise);
    }
    Ok(match ctx.json_stringify(given)? {
        Some(json) => Given::Text(json.to_string()?),
        None => Given::Nothing,
    })
}

/// The message of an error in one line, with the line number in the file.
fn words(error: &CaughtError<'_>) -> String {
    match error {
        CaughtError::Exception(exception) => {
            let message = exception.message().unwrap_or_default();
            let message = if message == "interrupted" {
                "it takes too long".to_owned()
            } else {
                message
            };
            let message: String = message.chars().take(MAX_MESSAGE / 2).collect();
            match exception.stack().as_deref().and_then(line) {
                Some(line) => format!("{message}, in line {line}"),
                None => message,
            }
        }
        CaughtError::Value(value) => match value.as_string().and_then(|text| text.to_string().ok())
        {
            Some(text) => text,
            None => "it throws what is no error".to_owned(),
        },
        CaughtError::Error(error) => error.to_string(),
    }
}

/// The line number of the first position of a stack trace: `at rank (layout:3:5)`.
fn line(stack: &str) -> Option<&str> {
    let (_, place) = stack.split_once("layout:")?;
    let end = place.find(|c: char| !c.is_ascii_digit())?;
    Some(&place[..end]).filter(|line| !line.is_empty())
}
