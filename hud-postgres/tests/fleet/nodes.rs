//! Real servers for tests: made in a folder of their own, on sockets and loopback, and gone with the test.

use std::fs::File;
use std::io::Write;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use hud_postgres::{Address, Options, PgLog, init};
use tempfile::TempDir;

/// The folder of the newest PostgreSQL's programs. Where there is none, the test says that it is skipped,
/// and fails where all must be there (`HUD_DATA` is set, as in CI).
pub(crate) fn binaries() -> Option<PathBuf> {
    let named = std::env::var_os("HUD_PG_BIN").map(PathBuf::from);
    let found = named.or_else(|| {
        let installed = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        let version = |path: &PathBuf| path.file_name()?.to_str()?.parse::<u32>().ok();
        let newest = installed
            .flatten()
            .map(|entry| entry.path())
            .max_by_key(version)?;
        Some(newest.join("bin"))
    });
    let found = found.filter(|bin| bin.join("initdb").exists());
    if found.is_none() {
        assert!(
            std::env::var_os("HUD_DATA").is_none(),
            "no PostgreSQL: install Debian's `postgresql`, or name its programs' folder as HUD_PG_BIN"
        );
        eprintln!("SKIPPED: no PostgreSQL under /usr/lib/postgresql, and no HUD_PG_BIN");
    }
    found
}

/// One server.
pub(crate) struct Node {
    pub(crate) bin: PathBuf,
    /// The folder of its data, and of its socket.
    data: PathBuf,
    sockets: PathBuf,
    pub(crate) port: u16,
}

/// Servers that are stopped, and whose folder is removed, with this value.
pub(crate) struct Nodes {
    pub(crate) nodes: Vec<Node>,
    folder: TempDir,
}

/// The log of an address.
pub(crate) fn open(address: &Address) -> PgLog {
    PgLog::open(address, &Options::default()).unwrap()
}

/// The same, with a deadline.
pub(crate) fn open_within(address: &Address, deadline: Duration) -> PgLog {
    let options = Options {
        deadline,
        ..Options::default()
    };
    PgLog::open(address, &options).unwrap()
}

/// A program as the user `postgres`, if we are root: the server refuses to run as that.
fn program(path: &Path) -> Command {
    let is_root = Command::new("id")
        .arg("-u")
        .output()
        .is_ok_and(|id| id.stdout == b"0\n");
    if !is_root {
        return Command::new(path);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(path);
    command
}

fn run(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {} {}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0))
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

impl Nodes {
    /// One server, or `None` where there is no PostgreSQL. What is killed are processes: what they wrote is
    /// with the system, whether it is on a disk or not.
    pub(crate) fn one() -> Option<Self> {
        Self::begin("fsync = off\n")
    }

    /// One server with further settings.
    pub(crate) fn begin(settings: &str) -> Option<Self> {
        let bin = binaries()?;
        let folder = tempfile::Builder::new().prefix("hud-pg").tempdir().unwrap();
        // Its programs run as another user.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o777)).unwrap();
        }
        let node = Node {
            data: folder.path().join("n1"),
            sockets: folder.path().to_owned(),
            port: free_port(),
            bin,
        };
        run(program(&node.bin.join("initdb"))
            .args([
                "--data-checksums",
                "--no-sync",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
            ])
            .args(["--auth=trust", "--username=postgres", "--pgdata"])
            .arg(&node.data));
        node.configure(
            "listen_addresses = '127.0.0.1'\nmax_connections = 60\nmax_wal_senders = 8\n\
             wal_keep_size = '256MB'\nshared_buffers = '16MB'\nautovacuum = off\nlc_messages = 'C'\n",
        );
        node.configure(settings);
        node.configure(&format!(
            "port = {}\nunix_socket_directories = '{}'\n",
            node.port,
            node.sockets.display()
        ));
        let nodes = Self {
            nodes: vec![node],
            folder,
        };
        nodes.nodes[0].start();
        Some(nodes)
    }

    /// A primary and two standbys. What is acknowledged is on two of them.
    pub(crate) fn three() -> Option<Self> {
        Some(Self::one()?.with_standbys())
    }

    /// Adds two standbys to one server.
    pub(crate) fn with_standbys(mut self) -> Self {
        self.nodes[0].configure("synchronous_standby_names = 'ANY 1 (n1, n2, n3)'\n");
        for name in ["n2", "n3"] {
            let first = &self.nodes[0];
            let node = Node {
                data: self.folder.path().join(name),
                bin: first.bin.clone(),
                sockets: first.sockets.clone(),
                port: free_port(),
            };
            first.copy_to(&node);
            node.start();
            self.nodes.push(node);
        }
        self.sql("SELECT pg_reload_conf()");
        self.nodes[0].await_standbys(2);
        self
    }

    /// The primary is gone: of those that are left, the one that has most takes its place, and the others
    /// follow that. Gives its place.
    pub(crate) fn fail_over(&self, gone: usize) -> usize {
        let left = (0..self.nodes.len()).filter(|at| *at != gone);
        // The old primary may run still. What one of them received from it after they were compared could not
        // be on the new primary, and whoever has more than that one cannot follow it.
        for at in left.clone() {
            self.nodes[at].follow("");
        }
        for at in left.clone() {
            let receivers = "SELECT count(*) FROM pg_stat_wal_receiver";
            until(|| self.nodes[at].sql(receivers).trim() == "0");
        }
        let received = |at: &usize| {
            let bytes = self.nodes[*at].sql("SELECT pg_last_wal_receive_lsn() - '0/0'");
            bytes.trim().parse::<u64>().unwrap()
        };
        let newest = left.clone().max_by_key(received).unwrap();
        self.nodes[newest].sql("SELECT pg_promote(true, 60)");
        for at in left.filter(|at| *at != newest) {
            let source = self.nodes[newest].source(&self.nodes[at]);
            self.nodes[at].follow(&source);
        }
        newest
    }

    /// Makes the node at that place a standby of another, of all that the other has.
    pub(crate) fn rejoin(&self, at: usize, of: usize) {
        let node = &self.nodes[at];
        node.kill();
        std::fs::remove_dir_all(&node.data).unwrap();
        self.nodes[of].copy_to(node);
        node.start();
    }

    /// The address of a log on all of them.
    pub(crate) fn address(&self, user: &str, log: &str) -> Address {
        let hosts: Vec<_> = self
            .nodes
            .iter()
            .map(|n| format!("127.0.0.1:{}", n.port))
            .collect();
        format!("postgres://{user}@{}/postgres?log={log}", hosts.join(","))
            .parse()
            .unwrap()
    }

    /// A new log, which its maker has open.
    pub(crate) fn log(&self) -> PgLog {
        open(&self.made())
    }

    /// The address of a new log, for its maker.
    pub(crate) fn made(&self) -> Address {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("log_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        let address = self.address("postgres", &name);
        init(&address, &Options::default()).unwrap();
        address
    }

    /// The address of a log by way of a port in front of them.
    pub(crate) fn address_by(&self, port: u16, log: &str) -> Address {
        let address = format!("postgres://postgres@127.0.0.1:{port}/postgres?log={log}");
        address.parse().unwrap()
    }

    /// What a statement gives at the first node, by the superuser.
    pub(crate) fn sql(&self, sql: &str) -> String {
        self.nodes[0].sql(sql)
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        for node in &self.nodes {
            node.kill();
        }
    }
}

impl Node {
    /// A file beside the data that the server can read, and nobody else.
    pub(crate) fn own_file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.data.join(name);
        std::fs::write(&path, text).unwrap();
        run(Command::new("chmod").arg("600").arg(&path));
        run(Command::new("chown")
            .arg("--reference")
            .arg(&self.data)
            .arg(&path));
        path
    }

    /// Lets in whom these lines say, before all others.
    pub(crate) fn let_in(&self, lines: &str) {
        let path = self.data.join("pg_hba.conf");
        let known = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{lines}\n{known}")).unwrap();
        self.sql("SELECT pg_reload_conf()");
    }

    pub(crate) fn configure(&self, lines: &str) {
        // The file is the user's who runs the server, and stays so.
        let path = self.data.join("postgresql.auto.conf");
        let mut file = File::options().append(true).open(path).unwrap();
        file.write_all(lines.as_bytes()).unwrap();
    }

    /// How a standby reaches this node.
    fn source(&self, standby: &Self) -> String {
        let name = standby.data.file_name().unwrap().to_string_lossy();
        format!(
            "host={} port={} user=postgres application_name={name}",
            self.sockets.display(),
            self.port
        )
    }

    /// Makes a standby receive from this source, or from none.
    fn follow(&self, source: &str) {
        self.sql(&format!("ALTER SYSTEM SET primary_conninfo = '{source}'"));
        self.sql("SELECT pg_reload_conf()");
    }

    fn copy_to(&self, node: &Self) {
        run(program(&self.bin.join("pg_basebackup"))
            .args([
                "--write-recovery-conf",
                "--no-sync",
                "--checkpoint=fast",
                "--wal-method=stream",
            ])
            .arg(format!("--dbname={}", self.source(node)))
            .arg("--pgdata")
            .arg(&node.data));
        node.configure(&format!("port = {}\n", node.port));
    }

    /// Waits until so many standbys have all that it has.
    pub(crate) fn await_standbys(&self, count: usize) {
        let sql = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
        until(|| self.sql(sql).trim() == count.to_string());
    }

    pub(crate) fn start(&self) {
        self.control("start");
    }

    /// Restarts it, as its operator would.
    pub(crate) fn restart(&self) {
        self.control("restart");
    }

    fn control(&self, what: &str) {
        let log = self.data.join("server.log");
        let status = program(&self.bin.join("pg_ctl"))
            .args([what, "--wait", "--silent", "--timeout=120", "--pgdata"])
            .arg(&self.data)
            .arg("--log")
            .arg(&log)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let said = || std::fs::read_to_string(&log).unwrap_or_default();
        assert!(
            status.is_ok_and(|status| status.success()),
            "{what}: {}",
            said()
        );
    }

    /// Kills all of its processes at once, as when the machine fails. Nothing if it does not run.
    pub(crate) fn kill(&self) {
        let Some(first) = self.pid() else { return };
        let signal = |signal: &str, pid: &str| {
            let _ = Command::new("kill")
                .args([signal, pid])
                .stderr(Stdio::null())
                .status();
        };
        // It is to make no more of them while they are counted.
        signal("-STOP", &first);
        let children = std::fs::read_to_string(format!("/proc/{first}/task/{first}/children"));
        let children = children.unwrap_or_default();
        for pid in [first.as_str()]
            .into_iter()
            .chain(children.split_whitespace())
        {
            signal("-KILL", pid);
            until(|| !is_running(pid));
        }
        // One that nobody waits for has a process still, and these say that it may run.
        let lock = format!(".s.PGSQL.{}.lock", self.port);
        for path in [self.data.join("postmaster.pid"), self.sockets.join(lock)] {
            let _ = std::fs::remove_file(path);
        }
    }

    fn pid(&self) -> Option<String> {
        let text = std::fs::read_to_string(self.data.join("postmaster.pid")).ok()?;
        let pid = text.lines().next()?.trim().to_owned();
        is_running(&pid).then_some(pid)
    }

    /// What a statement gives, by the superuser: columns with `|` between them.
    pub(crate) fn sql(&self, sql: &str) -> String {
        let given = self.sql_by("postgres", sql);
        given.unwrap_or_else(|error| panic!("{sql}: {error}"))
    }

    /// What a statement of a user gives, or what the server says to it.
    pub(crate) fn sql_by(&self, user: &str, sql: &str) -> Result<String, String> {
        let output = Command::new(self.bin.join("psql"))
            .args([
                "--no-psqlrc",
                "-At",
                "-v",
                "ON_ERROR_STOP=1",
                "-d",
                "postgres",
            ])
            .args(["-h", "127.0.0.1", "-p", &self.port.to_string()])
            .args(["-U", user, "-c", sql])
            .output()
            .unwrap();
        match output.status.success() {
            true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }
}

fn is_running(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat"));
    // One that only waits for its parent has ended.
    stat.is_ok_and(|stat| {
        !stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'))
    })
}

/// Waits until something is so.
pub(crate) fn until(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "it did not come to be"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// One server for all tests that do it no harm, and are running: it is stopped after the last of them.
pub(crate) fn shared() -> Option<Arc<Nodes>> {
    static SHARED: Mutex<Weak<Nodes>> = Mutex::new(Weak::new());
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(nodes) = shared.upgrade() {
        return Some(nodes);
    }
    let nodes = Arc::new(Nodes::one()?);
    *shared = Arc::downgrade(&nodes);
    Some(nodes)
}

/// Three servers cost much of a small machine: one test at a time has them.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
