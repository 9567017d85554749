//! `hud mcp`: the HUD for any client of the Model Context Protocol, on standard input and output.
//!
//! There are two tools, `hud` and `hud_compact`. There are also resources: `hud://frame` is the HUD as Markdown, and
//! each other format has its own, for example `hud://frame/json`. With `--show TAG` a component is a tool too. Its
//! schema is that of the component's props, and its answer is the rendered component. With `--write FILE` the HUD is
//! also written to a file, for clients that read one before each turn.
//!
//! The module [`whose`] describes which session a request belongs to.

mod backend;
mod gate;
mod lines;
mod resource;
mod show;
mod whose;

use std::path::Path;
use std::time::Duration;

use hud_agent::tool::{Definition, Operations, TOOL, compact_definition};
use hud_core::Density;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents,
    ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, ServerInitializeError};
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use self::backend::{Backend, McpError};
use self::gate::Gated;
use self::lines::Lines;
use self::resource::Shown;
use self::show::Tags;
use self::whose::{ARGUMENT, Said, Whose};
use crate::app::App;
use crate::args::Mcp;
use crate::deadline::{Late, Until, Worker};
use crate::hub::kept_because;
use crate::location::Location;
use crate::outbox::{self, Background, Report, Stamp};
use crate::output::Failure;
use crate::serving::Serving;

const INSTRUCTIONS: &str = "Your HUD survives when the conversation is compacted. Record with `hud` after \
                            each decision, finding and plan, and before a compaction.";

pub(crate) fn run(args: &Mcp, app: &App) -> Result<(), Failure> {
    let tags = Tags::named(&args.show, app.catalogue())?;
    let (hub, time) = args.served.hub(app)?;
    let (location, operations) = (hub.location().clone(), hub.operations().clone());
    let background = hub.background().clone();
    let whose = Whose::new(args.session.clone());
    let mut backend = Backend {
        hub,
        serving: Serving::of(whose.client()),
        whose: whose.clone(),
        file: args.written.file().map(|file| file.map(Path::to_owned)),
    };
    // If the file can't be written, the error is reported now, and not in the middle of the work.
    backend.write_file(&Said::default())?;
    backend.serving.begin(&location);
    let worker = Worker::new(backend);
    let server = Server {
        worker: worker.clone(),
        location: location.clone(),
        background,
        operations,
        tags,
        whose,
        time,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let outcome = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio();
        let served = server.serve(Gated::new(Lines::new(input, output))).await;
        let served = served.map_err(|error| Failure::Other(not_begun(&error)))?;
        let ended = served.waiting().await;
        ended.map_err(|error| Failure::Other(error.to_string()))
    });
    // Work that still hangs is not waited for.
    let closed = worker.start(move |backend| {
        backend.close();
        outbox::finish(&location, time);
    });
    let _ = closed.wait(time);
    runtime.shutdown_background();
    outcome.map(drop)
}

/// The reason why the conversation with a client did not begin. The library's own message contains the client's
/// message.
fn not_begun(error: &ServerInitializeError) -> String {
    match error {
        ServerInitializeError::ConnectionClosed(_) => {
            "the client closed the connection before it sent `initialize`".to_owned()
        }
        ServerInitializeError::InitializeFailed(error) => {
            format!("`initialize` failed: {}", error.message)
        }
        ServerInitializeError::TransportError { error, .. } => {
            format!("the client does not take its answers: {error}")
        }
        _ => "the client did not begin with `initialize`".to_owned(),
    }
}

#[derive(Clone)]
struct Server {
    worker: Worker<Backend>,
    location: Location,
    background: Background,
    operations: Operations,
    tags: Tags,
    whose: Whose,
    /// The time limit for an answer to the client.
    time: Duration,
}

impl Server {
    /// Waits in another thread for work that may hang, up to the time limit.
    async fn within<T: Send + 'static>(
        &self,
        wait: impl FnOnce() -> Result<T, Late> + Send + 'static,
    ) -> Result<T, Late> {
        let waits = tokio::task::spawn_blocking(wait);
        match tokio::time::timeout(self.time, waits).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(Late),
        }
    }

    /// The content of a resource.
    async fn read(&self, shown: Shown, said: Said) -> Result<Result<String, McpError>, Late> {
        let pending = self.worker.start(move |backend| shown.read(backend, &said));
        let most = self.most();
        self.within(move || pending.wait(most)).await
    }

    /// The time limit for the worker. It leaves some time to keep a call that was not carried out.
    fn most(&self) -> Duration {
        self.time * 85 / 100
    }

    async fn call(
        &self,
        name: String,
        mut arguments: JsonObject,
        mut said: Said,
    ) -> Result<CallToolResult, ErrorData> {
        if let Some(tag) = self.tags.get(&name) {
            // It needs no session. A panic of a component does not end the server.
            let tag = tag.clone();
            let shown = self.within(move || Ok(tag.show(&arguments, Density::Full)));
            return Ok(match shown.await {
                Ok(Ok(shown)) => CallToolResult::success(vec![ContentBlock::text(shown)]),
                Ok(Err(wrong)) => {
                    CallToolResult::error(vec![ContentBlock::text(wrong.to_string())])
                }
                Err(late) => CallToolResult::error(vec![ContentBlock::text(late.to_string())]),
            });
        }
        said.take(&mut arguments);
        let (arguments, stamp) = (Value::Object(arguments), Stamp::now());
        let pending = {
            let (name, arguments, said) = (name.clone(), arguments.clone(), said.clone());
            self.worker
                .start(move |backend| backend.call(&name, &arguments, &said, stamp))
        };
        let (server, most, tool) = (self.clone(), self.most(), name.clone());
        let answered = self
            .within(move || match pending.wait(most) {
                Err(late) if tool == TOOL && !server.operations.only_reads(&arguments) => {
                    Ok(Some(server.kept(&arguments, &said, stamp, late)))
                }
                outcome => outcome
                    .map(|answer| answer.map(|answer| answer.map_err(|error| error.to_string()))),
            })
            .await;
        // The sweep runs while the answer is sent.
        drop(self.worker.start(|backend| backend.hub.sweep()));
        let outcome = match answered {
            Ok(Some(outcome)) => outcome,
            Ok(None) => {
                let reason = format!("there is no tool `{name}`");
                return Err(ErrorData::invalid_params(reason, None));
            }
            Err(late) => Err(format!("nothing was done: {late}. Try again")),
        };
        Ok(match outcome {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(answer)]),
            // The agent reads the error, and can call again.
            Err(reason) => CallToolResult::error(vec![ContentBlock::text(reason)]),
        })
    }

    /// Keeps a call that the worker did not carry out in time. It takes effect once even if the worker still does it.
    fn kept(&self, call: &Value, said: &Said, stamp: Stamp, late: Late) -> Result<String, String> {
        let session = self.whose.session(&self.location, said, true);
        let session = session.map_err(|error| error.to_string())?;
        let reports = Report::called(stamp, &session, call, said.call());
        let until = Until::after(self.time / 10);
        let kept = outbox::keep(&self.location, &reports, until);
        self.background.wake();
        match kept {
            Ok(()) => Ok(kept_because(&late)),
            Err(error) => Err(format!("nothing was recorded: {late}, and {error}")),
        }
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("agent-hud", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(INSTRUCTIONS.to_owned());
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = [self.operations.definition(), compact_definition()]
            .into_iter()
            .map(declared)
            .chain(self.tags.tools());
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let said = Said::of(&context);
        Ok(self
            .call(request.name.into_owned(), arguments, said)
            .await?
            .into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let resources = Shown::all().map(|shown| shown.resource());
        Ok(ListResourcesResult::with_all_items(resources.collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(shown) = Shown::all().find(|shown| shown.uri() == request.uri) else {
            let uris: Vec<String> = Shown::all().map(Shown::uri).collect();
            let (uri, uris) = (request.uri, uris.join(", "));
            let reason = format!("there is no resource {uri}: there are {uris}");
            return Err(ErrorData::resource_not_found(reason, None));
        };
        let failed = |error: String| ErrorData::internal_error(error, None);
        let hud = self.read(shown, Said::of(&context)).await;
        let hud = hud
            .map_err(|late| failed(late.to_string()))?
            .map_err(|error| failed(error.to_string()))?;
        let contents = ResourceContents::text(hud, shown.uri()).with_mime_type(shown.media_type());
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

fn declared(definition: Definition) -> Tool {
    let mut schema = match definition.schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    if let Some(properties) = schema.get_mut("properties") {
        properties[ARGUMENT] = json!({
            "type": "string",
            "description": "Only if your HUD names a session",
        });
    }
    // Clients ask the user before a call of a destructive tool. This tool only changes the log, and the items that an
    // agent removes stay in it.
    let harmless = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .open_world(false);
    Tool::new(definition.name, definition.description, schema).annotate(harmless)
}
