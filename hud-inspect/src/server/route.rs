//! The routes of the server.

use std::sync::{Arc, PoisonError};
use std::time::Instant;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use hud_agent::placement::Placement;
use hud_core::Density;
use hud_store::event::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::answer::{Refused, json_of};
use super::guard::guard;
use super::undo::undo_of;
use super::{ActError, Desk, Said, Shared};
use crate::model::{EventQuery, View};
use crate::page;

/// The maximum length of a requested operation, in bytes.
const LONGEST: usize = 64 * 1024;

/// The operations that a user may request. Other operations are the agent's own, and those that cannot
/// be undone are left to the command line.
const ALLOWED: &[&str] = &[
    "task.set",
    "task.update",
    "task.pin",
    "review",
    "notes.add",
    "notes.update",
    "notes.remove",
    "errors.resolve",
    "errors.reopen",
    "steps.add",
    "steps.start",
    "steps.complete",
    "steps.remove",
    "decisions.record",
    "decisions.remove",
    "blockers.add",
    "blockers.remove",
    "findings.record",
    "findings.remove",
    "constraints.add",
    "constraints.lift",
    "requests.done",
];

type Asked = State<Arc<Shared>>;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    let modules = page::MODULES
        .iter()
        .fold(Router::new(), |router, (name, text)| {
            let module = get(move || file("text/javascript; charset=utf-8", text));
            router.route(&format!("/{name}"), module)
        });
    modules
        .route("/", get(|| file("text/html; charset=utf-8", page::HTML)))
        .route(
            "/app.css",
            get(|| file("text/css; charset=utf-8", page::CSS)),
        )
        .route("/icon.svg", get(|| file("image/svg+xml", page::ICON)))
        .route("/api/about", get(about))
        .route("/api/sessions", get(sessions))
        .route("/api/s/{session}/timeline", get(timeline))
        .route("/api/s/{session}/frame", get(frame))
        .route("/api/s/{session}/state", get(state))
        .route("/api/s/{session}/diff", get(diff))
        .route("/api/s/{session}/events", get(events))
        .route("/api/s/{session}/event/{version}", get(event))
        .route("/api/s/{session}/call", post(call))
        .route("/api/s/{session}/redact", post(redact))
        .route("/api/s/{session}/messages", get(messages))
        .route("/api/search", get(search))
        .route("/api/live", get(live))
        .fallback(async || Refused::missing("there is nothing at this address"))
        .layer(DefaultBodyLimit::max(LONGEST))
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard))
        .with_state(shared)
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}

/// Calls the desk in a thread that may block on the disk.
async fn ask<T: Serialize + Send + 'static>(
    shared: Arc<Shared>,
    question: impl FnOnce(&mut Desk) -> Result<T, Refused> + Send + 'static,
) -> Result<Response, Refused> {
    let begun = Instant::now();
    let answer = tokio::task::spawn_blocking(move || {
        // A request that panicked leaves no partial state, because the session that it read is read again.
        let mut desk = shared.desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.look()?;
        json_of(&question(&mut desk)?)
    });
    let answer = answer.await.map_err(|error| {
        Refused::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("the question was not answered: {error}"),
        )
    })??;
    let took = format!("desk;dur={:.1}", begun.elapsed().as_secs_f64() * 1_000.0);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::HeaderName::from_static("server-timing"), took),
    ];
    Ok((headers, answer).into_response())
}

fn session_of(name: String) -> Result<SessionId, Refused> {
    SessionId::new(name).map_err(|error| Refused::wrong(format!("the session's name {error}")))
}

async fn about(State(shared): Asked) -> Result<Response, Refused> {
    let about = json!({
        "name": shared.name,
        "acts": shared.act.is_some(),
        "redacts": shared.redact.is_some(),
        "has_messages": shared.said.is_some(),
        "allowed": if shared.act.is_some() { ALLOWED } else { &[] },
        "version": env!("CARGO_PKG_VERSION"),
    });
    ask(shared, move |_| Ok(about)).await
}

#[derive(Deserialize)]
struct Page {
    from: Option<usize>,
    limit: Option<usize>,
}

async fn sessions(State(shared): Asked, Query(page): Query<Page>) -> Result<Response, Refused> {
    let (from, limit) = (page.from.unwrap_or(0), page.limit.unwrap_or(50));
    ask(shared, move |desk| desk.sessions(from, limit)).await
}

async fn timeline(State(shared): Asked, Path(name): Path<String>) -> Result<Response, Refused> {
    let session = session_of(name)?;
    ask(shared, move |desk| desk.timeline(&session)).await
}

#[derive(Deserialize)]
struct Shows {
    turn: Option<u64>,
    density: Option<String>,
    budget: Option<u64>,
    placement: Option<String>,
    tree: Option<u8>,
    a: Option<u64>,
    b: Option<u64>,
}

impl Shows {
    fn view(&self) -> Result<View, Refused> {
        let wrong = |error: &dyn std::fmt::Display| Refused::wrong(error.to_string());
        let density = self.density.as_deref().filter(|name| *name != "auto");
        let placement = self.placement.as_deref().filter(|name| *name != "auto");
        Ok(View {
            density: density
                .map(str::parse::<Density>)
                .transpose()
                .map_err(|error| wrong(&error))?,
            budget: self.budget,
            placement: placement
                .map(str::parse::<Placement>)
                .transpose()
                .map_err(|error| wrong(&error))?,
        })
    }
}

async fn frame(
    State(shared): Asked,
    Path(name): Path<String>,
    Query(shows): Query<Shows>,
) -> Result<Response, Refused> {
    let (session, view) = (session_of(name)?, shows.view()?);
    let has_tree = shows.tree == Some(1);
    ask(shared, move |desk| {
        desk.frame(&session, shows.turn, &view, has_tree)
    })
    .await
}

async fn state(
    State(shared): Asked,
    Path(name): Path<String>,
    Query(shows): Query<Shows>,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let turn = shows
        .turn
        .ok_or_else(|| Refused::wrong("say which `turn`"))?;
    ask(shared, move |desk| desk.state(&session, turn)).await
}

async fn diff(
    State(shared): Asked,
    Path(name): Path<String>,
    Query(shows): Query<Shows>,
) -> Result<Response, Refused> {
    let (session, view) = (session_of(name)?, shows.view()?);
    let (Some(a), Some(b)) = (shows.a, shows.b) else {
        return Err(Refused::wrong("say which turns, as `a` and `b`"));
    };
    ask(shared, move |desk| desk.diff(&session, (a, b), &view)).await
}

#[derive(Deserialize)]
struct Listed {
    from: Option<u64>,
    skip: Option<u64>,
    limit: Option<usize>,
    kind: Option<String>,
    section: Option<String>,
    item: Option<String>,
}

async fn events(
    State(shared): Asked,
    Path(name): Path<String>,
    Query(listed): Query<Listed>,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let named = |name: Option<String>| name.filter(|name| !name.is_empty());
    let usual = EventQuery::default();
    let query = EventQuery {
        from: listed.from.unwrap_or(usual.from),
        skip: listed.skip.unwrap_or(usual.skip),
        limit: listed.limit.unwrap_or(usual.limit),
        kind: named(listed.kind),
        section: named(listed.section),
        item: listed.item,
    };
    ask(shared, move |desk| desk.events(&session, &query)).await
}

async fn event(
    State(shared): Asked,
    Path((name, version)): Path<(String, u64)>,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let told = Arc::clone(&shared);
    ask(shared, move |desk| {
        let mut event = desk.event(&session, version)?;
        if let (Some(cause), Some(said)) = (event.cause, &told.said) {
            // An event is shown even if its client's transcript cannot be read.
            let conversation = said.of(&session).ok().flatten();
            let behind = conversation.iter().flat_map(|said| said.behind(cause));
            event.said = behind.cloned().collect();
        }
        Ok(event)
    })
    .await
}

#[derive(Deserialize)]
struct Looked {
    q: String,
    session: Option<String>,
    kind: Option<String>,
}

async fn search(State(shared): Asked, Query(looked): Query<Looked>) -> Result<Response, Refused> {
    let named = looked.session.filter(|name| !name.is_empty());
    let session = named.map(session_of).transpose()?;
    let kind = looked.kind.filter(|kind| !kind.is_empty());
    ask(shared, move |desk| desk.search(&looked.q, session, kind)).await
}

async fn live(State(shared): Asked) -> Response {
    shared.news.stream()
}

/// An operation that a user requests, with the version of the session that the user saw.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Deed {
    tool: String,
    args: Value,
    version: u64,
}

async fn call(
    State(shared): Asked,
    Path(name): Path<String>,
    body: Bytes,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let deed: Deed =
        serde_json::from_slice(&body).map_err(|error| Refused::wrong(error.to_string()))?;
    if shared.act.is_none() {
        return Err(Refused::new(
            StatusCode::FORBIDDEN,
            "nothing can be changed here: it is a recorded session, or `--read-only` was given",
        ));
    }
    if !ALLOWED.contains(&deed.tool.as_str()) {
        return Err(Refused::new(
            StatusCode::FORBIDDEN,
            format!(
                "`{}` is not done from here: use the command line",
                deed.tool
            ),
        ));
    }
    let acting = Arc::clone(&shared);
    ask(shared, move |desk| {
        let before = desk.now(&session)?;
        let made = json!({ "tool": deed.tool, "args": deed.args });
        let act = acting.act.as_deref();
        let act = act.ok_or_else(|| Refused::wrong("nothing can be changed here"))?;
        let answer = act(&session, &made, deed.version).map_err(|error| match error {
            ActError::Moved { .. } => Refused::new(StatusCode::CONFLICT, error.to_string()),
            ActError::Refused(reason) => Refused::wrong(reason),
        })?;
        let undo = undo_of(&before, &deed.tool, &deed.args, &answer);
        Ok(json!({ "answer": answer, "undo": undo }))
    })
    .await
}

/// The event whose content a user wants to remove.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Taken {
    event: u64,
}

async fn redact(
    State(shared): Asked,
    Path(name): Path<String>,
    body: Bytes,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let taken: Taken =
        serde_json::from_slice(&body).map_err(|error| Refused::wrong(error.to_string()))?;
    let acting = Arc::clone(&shared);
    ask(shared, move |desk| {
        let redact = acting
            .redact
            .as_deref()
            .ok_or_else(|| Refused::new(StatusCode::FORBIDDEN, "nothing can be taken out here"))?;
        // Checks that the event exists before anything is written.
        desk.event(&session, taken.event)?;
        let said = redact(&session, taken.event);
        let said = said.map_err(|error| Refused::wrong(error.to_string()))?;
        Ok(json!({ "said": said }))
    })
    .await
}

#[derive(Deserialize)]
struct OfTurn {
    turn: u64,
}

async fn messages(
    State(shared): Asked,
    Path(name): Path<String>,
    Query(asked): Query<OfTurn>,
) -> Result<Response, Refused> {
    let session = session_of(name)?;
    let told = Arc::clone(&shared);
    ask(shared, move |desk| {
        desk.now(&session)?;
        let unknown = || {
            Refused::missing(format!(
                "no transcript of {session} was found: name it with `hud inspect --session {session} --transcript FILE`"
            ))
        };
        let said = told.said.as_ref().ok_or_else(unknown)?;
        let conversation = said.of(&session);
        let conversation = conversation.map_err(|error| Refused::unreadable(&error))?;
        let conversation = conversation.ok_or_else(unknown)?;
        let messages = match said {
            Said::Recorded(_) => conversation.in_turn(asked.turn).to_vec(),
            Said::Transcripts(_) => desk.said_in(&session, &conversation, asked.turn)?,
        };
        Ok(json!({ "messages": messages }))
    })
    .await
}
