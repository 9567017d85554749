//! `hud mcp`: the HUD for any client that speaks the Model Context Protocol, on standard input and
//! output.
//!
//! Two tools, `hud` and `hud_compact`, and a resource, `hud://frame`: the HUD as markdown. With
//! `--write FILE` the HUD stands in a file as well, for clients that read one again before each turn.
//!
//! Which session a request is of: see [`whose`].

mod gate;
mod whose;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use hud_agent::compaction::continuity;
use hud_agent::tool::{Definition, compact_definition, definition};
use hud_core::Placement;
use hud_store::event::SessionId;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};

use self::gate::Gated;
use self::whose::{ARGUMENT, Said, Whose};
use crate::args::Mcp;
use crate::hub::{Hub, HubError};
use crate::output::Failure;
use crate::tie::Untold;

/// Where the HUD is as a resource.
const FRAME: &str = "hud://frame";

const INSTRUCTIONS: &str = "Your HUD is the state that survives when the conversation is compacted: \
                            task, decisions, plan, blockers, notes. Keep it up to date with `hud`.";

pub(crate) fn run(args: &Mcp) -> Result<(), Failure> {
    let server = Server {
        hub: Arc::new(Mutex::new(args.served.hub()?)),
        whose: Whose::new(args.session.clone()),
        file: args.written.file().map(|file| file.map(Path::to_owned)),
    };
    if server.file.is_some() {
        // A file that can't be written is told now, and not in the middle of the work.
        server.write_file(&Said::default())?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio();
        let served = server
            .serve(Gated::new(AsyncRwTransport::new_server(input, output)))
            .await
            .map_err(|error| Failure::Other(error.to_string()))?;
        let ended = served.waiting().await;
        ended.map_err(|error| Failure::Other(error.to_string()))
    })?;
    Ok(())
}

#[derive(Clone)]
struct Server {
    hub: Arc<Mutex<Hub>>,
    whose: Whose,
    /// Where the HUD is written after each call; inside, `None` is for the file beside the log.
    file: Option<Option<PathBuf>>,
}

impl Server {
    /// Asks the hub. One that panicked while it was asked lost nothing: all that matters is in the
    /// log.
    fn ask<T>(
        &self,
        said: &Said,
        writes: bool,
        ask: impl FnOnce(&mut Hub, &SessionId) -> Result<T, HubError>,
    ) -> Result<T, McpError> {
        let mut hub = self.hub.lock().unwrap_or_else(PoisonError::into_inner);
        let session = self.whose.session(hub.location(), said, writes)?;
        Ok(ask(&mut hub, &session)?)
    }

    /// The HUD as markdown.
    fn frame(&self, said: &Said) -> Result<String, McpError> {
        let placed = self.ask(said, false, |hub, session| {
            hub.place(session, Placement::SystemTail)
        })?;
        Ok(placed.system)
    }

    /// Writes the HUD to its file, whole.
    fn write_file(&self, said: &Said) -> Result<(), Failure> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let hud = match self.frame(said) {
            Ok(hud) => hud,
            // Whose file it is will be known with the first call.
            Err(McpError::Untold(Untold::Several(_))) => return Ok(()),
            Err(error) => return Err(Failure::Other(error.to_string())),
        };
        let hub = self.hub.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(hub.location().write_frame(file.as_deref(), &hud)?)
    }

    fn call(
        &self,
        name: &str,
        mut arguments: JsonObject,
        mut said: Said,
    ) -> Result<CallToolResult, ErrorData> {
        said.take(&mut arguments);
        let said = &said;
        let outcome = if name == definition().name {
            let arguments = Value::Object(arguments);
            let answer = self.ask(said, true, |hub, session| hub.call(session, &arguments));
            answer.map(|answer| answer.to_string())
        } else if name == compact_definition().name {
            // Nothing is recorded: whether the client compacts, and when, is for it to report.
            self.ask(said, true, Hub::whole).map(|hud| {
                let prompt = continuity(&hud);
                format!("Ask for the conversation to be compacted now.\n\n{prompt}")
            })
        } else {
            return Err(ErrorData::invalid_params(
                format!("there is no tool `{name}`"),
                None,
            ));
        };
        let result = match outcome {
            Ok(answer) => CallToolResult::success(vec![ContentBlock::text(answer)]),
            // What is wrong is for the agent to read, and to do otherwise.
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
        };
        if let Err(error) = self.write_file(said) {
            crate::output::problem(error);
        }
        Ok(result)
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
        let tools = [definition(), compact_definition()]
            .into_iter()
            .map(declared);
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let said = Said::of(&context);
        Ok(self.call(&request.name, arguments, said)?.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let mut frame = Resource::new(FRAME, "hud");
        frame.description = Some("The HUD as it is now".to_owned());
        frame.mime_type = Some("text/markdown".to_owned());
        Ok(ListResourcesResult::with_all_items(vec![frame]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != FRAME {
            let told = format!("there is no resource {}: there is {FRAME}", request.uri);
            return Err(ErrorData::resource_not_found(told, None));
        }
        let hud = self
            .frame(&Said::of(&context))
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?;
        let contents = ResourceContents::text(hud, FRAME).with_mime_type("text/markdown");
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

/// Why a request was not answered as it was meant.
#[derive(Debug, thiserror::Error)]
enum McpError {
    #[error(transparent)]
    Hub(#[from] HubError),
    #[error(transparent)]
    Untold(#[from] Untold),
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
    // Clients ask the user before a tool that may do harm: what the agent removes stays in the log, and
    // nothing but the log is touched.
    let harmless = ToolAnnotations::new()
        .read_only(false)
        .destructive(false)
        .open_world(false);
    Tool::new(definition.name, definition.description, schema).annotate(harmless)
}
