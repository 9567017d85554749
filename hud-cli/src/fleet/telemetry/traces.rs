//! Spans that are sent to an OpenTelemetry collector.

use std::time::Duration;

use async_trait::async_trait;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;
use ureq::Agent;

use crate::output;

/// The environment variables of OpenTelemetry that contain the address of the collector.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
];

/// The time limit for a request to the collector, and for the last spans at the end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The sender of spans. Spans are sent until it is dropped, and the last ones then.
pub(in crate::fleet) struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Starts to send spans if the environment names a collector. Otherwise it does nothing.
    pub(in crate::fleet) fn begin() -> Self {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_off =
            std::env::var("OTEL_SDK_DISABLED").is_ok_and(|off| off.eq_ignore_ascii_case("true"));
        if is_off || !ENDPOINTS.into_iter().any(is_set) {
            return Self(None);
        }
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client::new())
            .build();
        let exporter = match exporter {
            Ok(exporter) => exporter,
            Err(error) => {
                output::problem(format_args!("no traces are sent: {error}"));
                return Self(None);
            }
        };
        let mut resource = Resource::builder();
        if !is_set("OTEL_SERVICE_NAME") {
            resource = resource.with_service_name("hud");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_resource(resource.build())
            .build();
        // Other crates record more than is needed here.
        let own = Targets::new()
            .with_target("hud_cli", tracing::Level::INFO)
            .with_target("hud_postgres", tracing::Level::INFO);
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("hud"))
            .with_location(false)
            .with_threads(false);
        // If another subscriber is set, it is kept.
        let _ = tracing_subscriber::registry()
            .with(layer.with_filter(own))
            .try_init();
        Self(Some(provider))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Some(provider) = &self.0 {
            // An unreachable collector must not affect the sending of events.
            let _ = provider.shutdown_with_timeout(PATIENCE);
        }
    }
}

/// The client of the collector.
#[derive(Debug)]
struct Client(Agent);

impl Client {
    fn new() -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build();
        Self(config.into())
    }
}

#[async_trait]
impl HttpClient for Client {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        // This runs in its own thread, so blocking is fine.
        let (parts, body) = request.into_parts();
        let request = Request::from_parts(parts, body.to_vec());
        let (parts, mut body) = self.0.run(request)?.into_parts();
        let body = body.read_to_vec()?;
        Ok(Response::from_parts(parts, body.into()))
    }
}
