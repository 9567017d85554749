//! What is between a client and its server, and can be cut.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What happens on the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cut {
    /// What the client says does not arrive.
    Request,
    /// What the server says does not arrive.
    Answer,
    /// Nothing arrives any more, and neither side gets an error.
    Silence,
}

#[derive(Default)]
struct Way {
    /// How often the client said something after the server did, or at first.
    turns: u64,
    was_client: bool,
    /// In which turn something happens, and how often.
    cut: Option<(u64, Cut, u32)>,
    /// The first two digits of the version that the server says to have.
    version: Option<[u8; 2]>,
}

/// What a server writes in front of its version.
const VERSION: &[u8] = b"server_version\0";

impl Way {
    /// What happens to what somebody says.
    fn pass(&mut self, is_client: bool) -> Option<Cut> {
        self.turns += u64::from(is_client && !self.was_client);
        self.was_client = is_client;
        let (turn, cut, times) = self.cut.as_mut()?;
        let is_due =
            *turn <= self.turns && (*cut == Cut::Silence || is_client == (*cut == Cut::Request));
        if !is_due {
            return None;
        }
        let cut = *cut;
        *times -= 1;
        if *times == 0 {
            self.cut = None;
        }
        Some(cut)
    }

    /// Changes the version of the server in what it says.
    fn pose(&self, said: &mut [u8]) {
        let Some(version) = self.version else { return };
        if let Some(at) = said.windows(VERSION.len()).position(|part| part == VERSION) {
            said[at + VERSION.len()..][..2].copy_from_slice(&version);
        }
    }
}

/// A port before a server's.
pub(crate) struct Proxy {
    pub(crate) port: u16,
    way: Arc<Mutex<Way>>,
}

impl Proxy {
    pub(crate) fn before(server: u16) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let way = Arc::<Mutex<Way>>::default();
        let shared = Arc::clone(&way);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let (to_client, to_server) =
                    (client.try_clone().unwrap(), server.try_clone().unwrap());
                shared.lock().unwrap().was_client = false;
                let (up, down) = (Arc::clone(&shared), Arc::clone(&shared));
                thread::spawn(move || carry(client, to_server, &up, true));
                thread::spawn(move || carry(server, to_client, &down, false));
            }
        });
        Self { port, way }
    }

    /// How many round trips there were.
    pub(crate) fn turns(&self) -> u64 {
        self.way.lock().unwrap().turns
    }

    /// Cuts so many times, from that many turns on.
    pub(crate) fn cut(&self, after: u64, cut: Cut, times: u32) {
        let mut way = self.way.lock().unwrap();
        way.cut = Some((way.turns + after, cut, times));
    }

    /// Has the server be of another version, by its first two digits.
    pub(crate) fn pose(&self, version: [u8; 2]) {
        self.way.lock().unwrap().version = Some(version);
    }

    /// Nothing is cut any more.
    pub(crate) fn mend(&self) {
        self.way.lock().unwrap().cut = None;
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream, way: &Mutex<Way>, is_client: bool) {
    let mut buffer = [0; 65536];
    while let Ok(read) = from.read(&mut buffer) {
        if read == 0 {
            break;
        }
        let cut = {
            let mut way = way.lock().unwrap();
            way.pose(&mut buffer[..read]);
            way.pass(is_client)
        };
        match cut {
            Some(Cut::Silence) => {}
            None if to.write_all(&buffer[..read]).is_ok() => {}
            _ => break,
        }
    }
    let _ = from.shutdown(Shutdown::Both);
    let _ = to.shutdown(Shutdown::Both);
}
