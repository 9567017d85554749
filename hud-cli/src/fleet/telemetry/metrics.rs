//! Metrics in the format of Prometheus.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use hud_postgres::Pushed;
use prometheus_client::encoding::{EncodeLabelSet, prometheus_text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

use super::reason;
use crate::fleet::status::Found;
use crate::output::Failure;

/// The prefix of all names.
const PREFIX: &str = "hud_fleet";

/// A number that can rise and fall.
type Level = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct State {
    state: &'static str,
}

/// The metrics of a fleet at one moment.
#[derive(Default)]
struct Levels {
    waiting: Level,
    waiting_seconds: Level,
    unconfirmed: Level,
    heard: Level,
    up: Level,
    waits_for_standby: Level,
    clock_ahead: Level,
    waiting_for_locks: Level,
    machines: Family<State, Level>,
}

impl Levels {
    fn registered(registry: &mut Registry) -> Self {
        let own = Self::default();
        let mut put = |name: &str, help: &str, level: &Level| {
            registry.register(name, help, level.clone());
        };
        put(
            "waiting_events",
            "Events that are recorded here and not known to be on the server",
            &own.waiting,
        );
        put(
            "waiting_seconds",
            "How long ago the oldest of them was recorded",
            &own.waiting_seconds,
        );
        put(
            "unconfirmed_events",
            "Events that were sent and not answered",
            &own.unconfirmed,
        );
        put(
            "heard_timestamp_seconds",
            "When the server answered last",
            &own.heard,
        );
        put(
            "up",
            "Whether the server answered when it was asked last",
            &own.up,
        );
        put(
            "waits_for_standby",
            "Whether a commit waits for a second machine",
            &own.waits_for_standby,
        );
        put(
            "clock_ahead_seconds",
            "By how much the clock of the server is ahead of the one here",
            &own.clock_ahead,
        );
        put(
            "waiting_for_locks",
            "Connections to the server that wait for a lock",
            &own.waiting_for_locks,
        );
        registry.register(
            "machines",
            "Logs that send their events to the server, by whether they were heard of lately",
            own.machines.clone(),
        );
        own
    }

    fn set(&self, found: &Found) {
        self.waiting.set(found.waiting as f64);
        self.waiting_seconds.set(found.waiting_seconds as f64);
        self.unconfirmed.set(found.unconfirmed as f64);
        let heard = found.heard.map_or(0.0, |at| at.as_microsecond() as f64);
        self.heard.set(heard / 1e6);
        self.up.set(truth(found.server.is_some()));
        let Some(server) = &found.server else {
            return;
        };
        self.waits_for_standby.set(truth(server.waits_for_standby));
        self.clock_ahead.set(server.clock_ahead_ms as f64 / 1e3);
        self.waiting_for_locks.set(server.waiting_for_locks as f64);
        let away = server.machines.iter().filter(|machine| machine.is_away);
        let away = away.count();
        for (state, count) in [("away", away), ("sending", server.machines.len() - away)] {
            let level = self.machines.get_or_create(&State { state });
            level.set(count as f64);
        }
    }
}

fn truth(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// The metrics of a fleet as text, for the text file collector of a node exporter.
pub(in crate::fleet) fn gauges(found: &Found) -> String {
    let mut registry = Registry::with_prefix(PREFIX);
    Levels::registered(&mut registry).set(found);
    written(&registry)
}

fn written(registry: &Registry) -> String {
    let mut text = String::new();
    // Writing to a string can't fail.
    let _ = prometheus_text::encode(&mut text, registry);
    text
}

/// The metrics of a process that sends a log, and the address where they are served.
pub(in crate::fleet) struct Metrics {
    levels: Levels,
    pushed: Counter,
    duplicates: Counter,
    renamed: Counter,
    failed: Family<Reason, Counter>,
    seconds: Histogram,
    registry: Arc<Mutex<Registry>>,
    address: SocketAddr,
}

impl Metrics {
    /// Starts to serve the metrics until the process ends.
    pub(in crate::fleet) fn served(address: SocketAddr) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let mut registry = Registry::with_prefix(PREFIX);
        let levels = Levels::registered(&mut registry);
        let (pushed, duplicates, renamed) = <(Counter, Counter, Counter)>::default();
        let failed = Family::default();
        let seconds = Histogram::new(exponential_buckets(0.001, 4.0, 8));
        registry.register("events_sent", "Events that were sent", pushed.clone());
        registry.register(
            "events_repeated",
            "Events that were sent and had been there already",
            duplicates.clone(),
        );
        registry.register(
            "sessions_renamed",
            "Sessions that have another name on the server since they were sent",
            renamed.clone(),
        );
        registry.register(
            "failures",
            "Rounds that failed, by why they did",
            failed.clone(),
        );
        registry.register(
            "round_seconds",
            "How long it took to send what was new, and to look for what is to be copied",
            seconds.clone(),
        );
        let registry = Arc::new(Mutex::new(registry));
        serve(listener, Arc::clone(&registry))?;
        Ok(Self {
            levels,
            pushed,
            duplicates,
            renamed,
            failed,
            seconds,
            registry,
            address,
        })
    }

    /// The address of the metrics.
    pub(in crate::fleet) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds the outcome of a round and the state of the fleet after it, in one step. Readers see all of a round or
    /// nothing of it.
    pub(in crate::fleet) fn round(
        &self,
        outcome: &Result<Pushed, Failure>,
        took: Duration,
        found: Option<&Found>,
    ) {
        let _unread = self.registry.lock().unwrap_or_else(PoisonError::into_inner);
        self.seconds.observe(took.as_secs_f64());
        match outcome {
            Ok(done) => {
                self.pushed.inc_by(done.events);
                self.duplicates.inc_by(done.duplicates);
                self.renamed.inc_by(done.renamed.len() as u64);
            }
            Err(failure) => {
                let reason = reason(failure);
                self.failed.get_or_create(&Reason { reason }).inc();
            }
        }
        if let Some(found) = found {
            self.levels.set(found);
        }
    }
}

fn serve(listener: TcpListener, registry: Arc<Mutex<Registry>>) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let answer = move || {
        let registry = Arc::clone(&registry);
        async move {
            let registry = registry.lock().unwrap_or_else(PoisonError::into_inner);
            (
                [(CONTENT_TYPE, prometheus_text::CONTENT_TYPE)],
                written(&registry),
            )
        }
    };
    let router = Router::new().route("/metrics", get(answer));
    thread::Builder::new()
        .name("hud-metrics".to_owned())
        .spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(listener, router).await
            })
        })?;
    Ok(())
}
