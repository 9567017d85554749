//! How a server proves that it is the one that was named, and what becomes of a log here when it can't.

use std::path::PathBuf;

use hud_postgres::{Address, Options, PgLog, SyncError, pull, push};
use hud_store::log::{Expected, Log, LogError};
use hud_store::sqlite::SqliteLog;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

use crate::given::{contents, note, session};
use crate::nodes::{Nodes, alone, open};
use crate::push::noted;

/// Who issues certificates for a server, and somebody else who does.
struct Issuers<'n> {
    nodes: &'n Nodes,
    log: String,
    issuers: [CertifiedIssuer<'static, KeyPair>; 2],
    files: [PathBuf; 2],
}

const OURS: usize = 0;
const OTHERS: usize = 1;

impl<'n> Issuers<'n> {
    fn of(nodes: &'n Nodes) -> Self {
        let issuers = [OURS, OTHERS].map(|_| {
            let mut params = CertificateParams::default();
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
            CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap()
        });
        let node = &nodes.nodes[0];
        let file = |name, at: usize| node.own_file(name, &issuers[at].pem());
        Self {
            nodes,
            log: nodes.made().log().to_owned(),
            files: [file("ours", OURS), file("others", OTHERS)],
            issuers,
        }
    }

    /// The address of the log for who trusts an issuer.
    fn address(&self, host: &str, trusted: usize) -> Address {
        let (port, root) = (self.nodes.nodes[0].port, self.files[trusted].display());
        format!(
            "postgres://postgres@{host}:{port}/postgres?log={}&sslmode=verify-full&sslrootcert={root}",
            self.log
        )
        .parse()
        .unwrap()
    }

    /// Restarts the server with a certificate, which ran out years ago or did not.
    fn serve(&self, by: usize, is_expired: bool) {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        if is_expired {
            params.not_after = rcgen::date_time_ymd(2020, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuers[by]).unwrap();
        let node = &self.nodes.nodes[0];
        node.own_file("server.crt", &certificate.pem());
        node.own_file("server.key", &key.serialize_pem());
        node.configure("ssl = on\n");
        node.restart();
    }
}

/// What an error says that has the log out of reach.
fn unavailable(error: &LogError) -> String {
    assert!(matches!(error, LogError::Unavailable { .. }), "{error:?}");
    error.to_string()
}

#[test]
fn a_server_has_to_prove_that_it_is_the_one_that_was_named() {
    let _alone = alone();
    let Some(nodes) = Nodes::one() else { return };
    let issuers = Issuers::of(&nodes);
    let refused = |host, trusted| {
        let opened = PgLog::open(&issuers.address(host, trusted), &Options::default());
        unavailable(&opened.unwrap_err())
    };
    let told = refused("localhost", OURS);
    assert!(told.contains("TLS"), "{told}");
    issuers.serve(OURS, false);
    let mut log = open(&issuers.address("localhost", OURS));
    log.append(&session("s"), Expected::Any, &[note(1)])
        .unwrap();
    let encrypted = "SELECT count(*) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) \
                     WHERE ssl AND application_name = 'agent-hud'";
    assert_eq!(nodes.sql(encrypted).trim(), "1");
    let told = refused("localhost", OTHERS);
    assert!(told.contains("sslrootcert"), "{told}");
    let told = refused("127.0.0.1", OURS);
    assert!(told.contains("another name"), "{told}");
    // One that ran out since is not taken, either.
    issuers.serve(OURS, true);
    let told = log.append(&session("s"), Expected::Any, &[note(2)]);
    let told = unavailable(&told.unwrap_err());
    assert!(told.contains("renewed"), "{told}");
}

#[test]
fn a_certificate_that_goes_wrong_under_way_holds_up_what_is_sent_and_nothing_else() {
    let _alone = alone();
    let Some(nodes) = Nodes::one() else { return };
    let issuers = Issuers::of(&nodes);
    issuers.serve(OURS, false);
    let address = issuers.address("localhost", OURS);
    let (mut log, mut copy) = (
        SqliteLog::open_in_memory().unwrap(),
        SqliteLog::open_in_memory().unwrap(),
    );
    let s = session("s");
    let mut to = open(&address);
    let mut next = 1;
    for (by, is_expired, mend) in [(OURS, true, "renewed"), (OTHERS, false, "sslrootcert")] {
        noted(&mut log, "s", next..next + 5);
        push(&log, &mut to, "test").unwrap();
        pull(&mut copy, &to, &s).unwrap();
        issuers.serve(by, is_expired);
        noted(&mut log, "s", next + 5..next + 10);
        for outcome in [
            push(&log, &mut to, "test").map(drop),
            pull(&mut copy, &to, &s).map(drop),
        ] {
            let Err(SyncError::Log(error)) = outcome else {
                panic!("{outcome:?}")
            };
            let told = unavailable(&error);
            assert!(told.contains(mend), "{told}");
        }
        let remote = log.remote(&to.place().to_string()).unwrap();
        assert!(remote.trouble.unwrap().contains(mend));
        next += 10;
        assert_eq!(contents(&log).len() as u64, next - 1);
        issuers.serve(OURS, false);
        push(&log, &mut to, "test").unwrap();
        pull(&mut copy, &to, &s).unwrap();
        assert_eq!(contents(&copy), contents(&log));
    }
    assert_eq!(contents(&to), contents(&log));
}
