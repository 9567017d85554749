//! The connection to the server. It is made on demand and made again after it was lost.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::{pending, poll_fn};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hud_store::log::{LogError, Place};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{AsyncMessage, Client, Config, NoTls, Row, Statement};

use crate::address::{Address, Host, HostName};
use crate::fault::{Failed, Source, refused};
use crate::news::News;
use crate::password::Password;
use crate::query::Query;
use crate::spans::Asked;
use crate::{schema, spans, tls};

/// The parameters of a query.
pub(crate) type Params<'p> = &'p [&'p (dyn ToSql + Sync)];

/// A server with a deadline for each call.
pub(crate) struct Server {
    address: Address,
    password: Password,
    deadline: Duration,
    place: Place,
    connection: Option<Connection>,
    /// True if a write was sent whose outcome is not known.
    is_unsure: bool,
    news: Arc<News>,
}

/// One connection.
struct Connection {
    client: Client,
    driver: JoinHandle<()>,
    warning: Warning,
    statements: HashMap<Query, Statement>,
    /// The schema of the log.
    schema: u32,
    /// The channel for notifications of appends, if the log has one.
    channel: Option<String>,
    is_listening: bool,
}

/// The query on a connection to a server that may have no log yet.
const GREET: &str = "SELECT 0, current_setting('transaction_read_only') = 'on', NULL::text";

/// The oldest major version of PostgreSQL that is supported.
const OLDEST: u32 = 15;

/// The version of a server that is too old.
#[derive(Debug, thiserror::Error)]
#[error(
    "the server is PostgreSQL {0}, and a log needs {OLDEST} or newer: update it, or name another one"
)]
struct Old(String);

/// The last warning of the server since the last query.
type Warning = Arc<Mutex<Option<String>>>;

impl Drop for Connection {
    fn drop(&mut self) {
        // The connection ends at once, whatever the server does. A running query is not cancelled, because a commit
        // that waits for a standby would then be reported as committed.
        self.driver.abort();
    }
}

impl Server {
    pub(crate) fn new(address: Address, password: Password, deadline: Duration) -> Self {
        Self {
            place: address.place(),
            address,
            password,
            deadline,
            connection: None,
            is_unsure: false,
            news: Arc::default(),
        }
    }

    /// The notifications of appends, which are received after [`listen`](Self::listen).
    pub(crate) fn news(&self) -> Arc<News> {
        Arc::clone(&self.news)
    }

    pub(crate) fn place(&self) -> Place {
        self.place.clone()
    }

    /// The time to wait for the lock of the log, in milliseconds. It is less than the deadline, so that a writer that
    /// does not get the lock knows that nothing was written.
    pub(crate) fn patience(&self) -> i32 {
        i32::try_from(self.deadline.as_millis() / 2)
            .unwrap_or(i32::MAX)
            .max(1)
    }

    /// Runs a job within the deadline. After the deadline the job and its connection are dropped.
    pub(crate) async fn within_deadline<T>(
        &mut self,
        job: impl AsyncFnOnce(&mut Self) -> Result<T, LogError>,
    ) -> Result<T, LogError> {
        self.is_unsure = false;
        let outcome = timeout(self.deadline, job(self)).await;
        outcome.unwrap_or_else(|_| {
            let reason = format!("it did not answer within {:?}", self.deadline);
            Err(self.gone(reason.into()))
        })
    }

    /// Checks that the log exists and may be read.
    pub(crate) async fn open(&mut self) -> Result<(), LogError> {
        self.connection = Some(self.connected().await?);
        Ok(())
    }

    /// Creates the log, or migrates it.
    pub(crate) async fn init(&mut self) -> Result<(), LogError> {
        let place = self.place();
        // If two processes create it at once, the second finds the log of the first.
        for is_last in [false, true] {
            let log = self.address.log.clone();
            let mut connection = match self.connect(GREET).await {
                Ok(connection) => connection,
                Err(Unconnected::Gone(source)) => {
                    return Err(LogError::Unavailable { place, source });
                }
                Err(Unconnected::Log(error)) => return Err(*error),
            };
            match schema::init(&mut connection.client, &place, &log).await {
                Ok(()) => return Ok(()),
                Err(schema::Fault::Log(error)) => return Err(*error),
                Err(schema::Fault::Server(error)) => {
                    let is_raced = matches!(
                        error.code(),
                        Some(
                            &SqlState::DUPLICATE_SCHEMA
                                | &SqlState::DUPLICATE_OBJECT
                                | &SqlState::UNIQUE_VIOLATION
                        )
                    );
                    if !is_raced || is_last {
                        return Err(refused(&place, error));
                    }
                }
            }
        }
        Ok(())
    }

    /// Subscribes this connection to notifications of other writers' appends. Without notifications followers still
    /// poll.
    pub(crate) async fn listen(&mut self) -> Result<(), LogError> {
        let mut connection = self.connected().await?;
        if let Some(channel) = connection.channel.as_ref()
            && !connection.is_listening
        {
            let listen = format!("LISTEN \"{}\"", channel.replace('"', "\"\""));
            // On an error the next query reports it, or a pooler is in the way.
            let _ = connection.client.batch_execute(&listen).await;
            connection.is_listening = true;
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// The error of a server that can't be reached any more.
    fn gone(&self, source: Source) -> LogError {
        let place = self.place();
        match self.is_unsure {
            true => LogError::Unconfirmed { place, source },
            false => LogError::Unavailable { place, source },
        }
    }

    /// The rows of a query that only reads. It is repeated once if the connection was lost.
    pub(crate) async fn read(
        &mut self,
        query: Query,
        params: Params<'_>,
    ) -> Result<Vec<Row>, LogError> {
        match spans::ask(query, self.ask_again(query, params, false)).await? {
            Ok(rows) => Ok(rows),
            Err(error) => Err(refused(&self.place, error)),
        }
    }

    /// The rows of a query that writes, or the error with which the server refused it. The query must be repeatable,
    /// because it is sent once more if the connection was lost.
    ///
    /// # Errors
    /// [`LogError::Unconfirmed`] if the outcome is unknown.
    pub(crate) async fn write(&mut self, query: Query, params: Params<'_>) -> Asked {
        let connection = self.connected().await?;
        let found = connection.schema;
        self.connection = Some(connection);
        schema::check_writable(&self.place, found)?;
        spans::ask(query, self.ask_again(query, params, true)).await
    }

    async fn ask_again(&mut self, query: Query, params: Params<'_>, is_written: bool) -> Asked {
        let mut is_repeated = false;
        loop {
            // If the outcome of an earlier attempt is unknown, it stays so until another is answered.
            let was_unsure = self.is_unsure;
            let mut connection = self.connected().await?;
            let statement = connection.prepare(query, &self.address.schema()).await;
            let outcome = match statement {
                Ok(statement) => {
                    let tell = connection.tell(query, &self.address.schema()).await;
                    connection.warned();
                    self.is_unsure |= is_written;
                    let asked = connection.client.query(&statement, params);
                    match &tell {
                        Some((tell, channel)) => {
                            with(asked, connection.client.query(tell, &[channel])).await
                        }
                        None => asked.await,
                    }
                }
                Err(error) => Err(error),
            };
            // The wait for a standby was cancelled, so the transaction is committed on this server only.
            if is_written && let Some(warning) = connection.warned() {
                return Err(self.gone(warning.into()));
            }
            let failed = match outcome {
                Ok(rows) => {
                    self.is_unsure = false;
                    self.connection = Some(connection);
                    return Ok(Ok(rows));
                }
                Err(error) => Failed::of(error, connection.client.is_closed()),
            };
            let source = match failed {
                Failed::Refused(error) => {
                    self.is_unsure = was_unsure;
                    self.connection = Some(connection);
                    return match was_unsure && !is_answer(&error) {
                        true => Err(self.gone(error.into())),
                        false => Ok(Err(error)),
                    };
                }
                Failed::Lost(source) => source,
                Failed::Standby => {
                    self.is_unsure = was_unsure;
                    if is_repeated && !was_unsure {
                        return Err(LogError::ReadOnly {
                            place: self.place(),
                        });
                    }
                    "it takes no writes any more".into()
                }
            };
            if is_repeated {
                return Err(self.gone(source));
            }
            is_repeated = true;
        }
    }

    /// Takes the connection, or makes one if there is none. The caller has to put it back afterwards. A job that is
    /// dropped midway drops the connection as well.
    async fn connected(&mut self) -> Result<Connection, LogError> {
        let known = self.connection.take();
        if let Some(connection) = known.filter(|connection| !connection.client.is_closed()) {
            return Ok(connection);
        }
        let look = Query::Schema.text(&self.address.schema());
        match self.connect(&look).await {
            Ok(connection) => Ok(connection),
            Err(Unconnected::Gone(source)) => Err(self.gone(source)),
            Err(Unconnected::Log(error)) if self.is_unsure => Err(self.gone(error)),
            Err(Unconnected::Log(error)) => Err(*error),
        }
    }

    /// Connects to the first of the servers that takes writes. The query `look` returns the schema of the log, and
    /// true if the server is read-only.
    async fn connect(&self, look: &str) -> Result<Connection, Unconnected> {
        let hosts = u32::try_from(self.address.hosts.len()).unwrap_or(u32::MAX);
        // A server that never answers leaves time for the ones after it.
        let patience = self.deadline / hosts.saturating_add(1).max(1);
        let password = self.password.get().await;
        let password = password.map_err(|error| Unconnected::Gone(error.into()))?;
        let mut failed = Unconnected::Gone("no server is named".into());
        for host in &self.address.hosts {
            let connected =
                timeout(patience, self.connect_to(host, password.as_deref(), look)).await;
            match connected {
                Ok(Ok(connection)) => return Ok(connection),
                // An error about the log takes precedence over one about an unreachable server.
                Ok(Err(Unconnected::Gone(_))) | Err(_) if matches!(failed, Unconnected::Log(_)) => {
                }
                Ok(Err(error)) => failed = error,
                Err(_) => {
                    let reason = format!("it did not answer within {patience:?}");
                    failed = Unconnected::Gone(reason.into());
                }
            }
        }
        Err(failed)
    }

    async fn connect_to(
        &self,
        host: &Host,
        password: Option<&str>,
        look: &str,
    ) -> Result<Connection, Unconnected> {
        let mut config = self.config(host);
        if let Some(password) = password {
            config.password(password);
        }
        let warning = Warning::default();
        let failed = |error: tokio_postgres::Error| match error.as_db_error() {
            Some(_) => Unconnected::Log(Box::new(refused(&self.place, error))),
            None => Unconnected::Gone(match tls::TlsError::behind(&error) {
                Some(refused) => refused.into(),
                None => error.into(),
            }),
        };
        let (client, driver) = if host.is_verified {
            let connector = tls::connector(self.address.root.as_deref());
            let connector = connector.map_err(|error| Unconnected::Gone(error.into()))?;
            let (client, connection) = config.connect(connector).await.map_err(failed)?;
            self.check_version(&connection)?;
            (
                client,
                tokio::spawn(drive(connection, Arc::clone(&warning), self.news())),
            )
        } else {
            let (client, connection) = config.connect(NoTls).await.map_err(failed)?;
            self.check_version(&connection)?;
            (
                client,
                tokio::spawn(drive(connection, Arc::clone(&warning), self.news())),
            )
        };
        let mut connection = Connection {
            client,
            driver,
            warning,
            statements: HashMap::new(),
            schema: 0,
            channel: None,
            is_listening: false,
        };
        let found = connection
            .client
            .query_one(look, &[])
            .await
            .map_err(failed)?;
        let (schema, is_standby): (i32, bool) = (
            found.try_get(0).map_err(failed)?,
            found.try_get(1).map_err(failed)?,
        );
        if is_standby {
            return Err(Unconnected::Log(Box::new(LogError::ReadOnly {
                place: self.place(),
            })));
        }
        connection.schema = schema.unsigned_abs();
        connection.channel = found.try_get(2).map_err(failed)?;
        Ok(connection)
    }

    /// Refuses a server that is too old for the functions of a log.
    fn check_version<S, T>(
        &self,
        connection: &tokio_postgres::Connection<S, T>,
    ) -> Result<(), Unconnected>
    where
        S: AsyncRead + AsyncWrite + Unpin,
        T: AsyncRead + AsyncWrite + Unpin,
    {
        // A pooler in front of the server may report no version.
        let found = connection.parameter("server_version").unwrap_or_default();
        let major = found.split(|c: char| !c.is_ascii_digit()).next();
        match major.and_then(|major| major.parse::<u32>().ok()) {
            Some(major) if major < OLDEST => {
                let source = Box::new(Old(found.to_owned()));
                let place = self.place();
                Err(Unconnected::Log(Box::new(LogError::Storage {
                    place,
                    source,
                })))
            }
            _ => Ok(()),
        }
    }

    fn config(&self, host: &Host) -> Config {
        let mut config = Config::new();
        match &host.name {
            HostName::Network(name) => config.host(name),
            HostName::Socket(path) => config.host_path(path),
        };
        config
            .port(host.port)
            .application_name("agent-hud")
            .tcp_user_timeout(self.deadline)
            .keepalives_idle(Duration::from_secs(30))
            .ssl_mode(match host.is_verified {
                true => tokio_postgres::config::SslMode::Require,
                false => tokio_postgres::config::SslMode::Disable,
            });
        if let Some(user) = &self.address.user {
            config.user(user);
        }
        if let Some(database) = &self.address.database {
            config.dbname(database);
        }
        config
    }
}

/// The error of connecting.
enum Unconnected {
    /// No server can be reached.
    Gone(Source),
    /// A server answered with an error.
    Log(Box<LogError>),
}

/// True if an error determines the outcome of all attempts, including earlier ones.
fn is_answer(error: &tokio_postgres::Error) -> bool {
    let code = error.code().map(SqlState::code);
    code.is_some_and(|code| [schema::ID_CLASH, schema::BATCH_UNMET].contains(&code))
}

impl Connection {
    /// Takes the last warning of the server.
    fn warned(&self) -> Option<String> {
        self.warning
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    /// The statement that notifies followers of a query, and its channel. It is sent together with the query, without
    /// another round trip.
    async fn tell(&mut self, query: Query, log: &str) -> Option<(Statement, String)> {
        let channel = self.channel.clone().filter(|_| query.appends())?;
        // Without a notification followers see the events a little later.
        let statement = self.prepare(Query::Tell, log).await.ok()?;
        Some((statement, channel))
    }

    /// The statement of a query, which is prepared once.
    async fn prepare(
        &mut self,
        query: Query,
        log: &str,
    ) -> Result<Statement, tokio_postgres::Error> {
        if let Some(known) = self.statements.get(&query) {
            return Ok(known.clone());
        }
        let statement = self.client.prepare(&query.text(log)).await?;
        self.statements.insert(query, statement.clone());
        Ok(statement)
    }
}

/// Waits for `first`. `second` is sent together with it, but its result is not waited for.
async fn with<T>(first: impl Future<Output = T>, second: impl Future) -> T {
    let never = async {
        second.await;
        pending::<Infallible>().await
    };
    tokio::select! {
        biased;
        outcome = first => outcome,
        never = never => match never {},
    }
}

/// Drives a connection, and records the warnings and notifications of the server.
async fn drive<S, T>(
    mut connection: tokio_postgres::Connection<S, T>,
    warning: Warning,
    news: Arc<News>,
) where
    S: AsyncRead + AsyncWrite + Unpin,
    T: AsyncRead + AsyncWrite + Unpin,
{
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        if let AsyncMessage::Notification(_) = message {
            news.tell();
            continue;
        }
        // A `NOTICE` has other codes. These are the codes of the warnings that a commit can have.
        if let AsyncMessage::Notice(notice) = message
            && matches!(
                notice.code(),
                &SqlState::WARNING | &SqlState::ADMIN_SHUTDOWN
            )
        {
            *warning.lock().unwrap_or_else(PoisonError::into_inner) =
                Some(notice.message().to_owned());
        }
    }
}
