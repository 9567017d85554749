//! The plugin as the npm package that `npm pack` makes, loaded by its name by the real opencode from a
//! registry on loopback.
//!
//! opencode is taken from the environment variable `OPENCODE`; without it the test is skipped.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that cannot go on has failed, and one that is skipped says so"
)]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::clients::hud;
use crate::project::{Project, Say};
use serde_json::{Value, json};

/// The package as it is published: its manifest, and its archive.
struct Package {
    manifest: Value,
    archive: Vec<u8>,
}

impl Package {
    fn pack(to: &Path) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../integrations/opencode");
        let output = Command::new("npm")
            .args(["pack", "--json", "--pack-destination"])
            .arg(to)
            .current_dir(&folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        let name = fs::read_dir(to).unwrap().next().unwrap().unwrap().path();
        let manifest = fs::read_to_string(folder.join("package.json")).unwrap();
        Self {
            manifest: serde_json::from_str(&manifest).unwrap(),
            archive: fs::read(name).unwrap(),
        }
    }

    /// Serves it, and nothing else. Gives the address of the registry, and which paths were asked for.
    fn serve(self) -> (String, Arc<Mutex<Vec<String>>>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (own, kept) = (address.clone(), asked.clone());
        thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let path = self.answer(connection, &own).unwrap_or_default();
                kept.lock().unwrap().push(path);
            }
        });
        (address, asked)
    }

    fn answer(&self, mut connection: TcpStream, own: &str) -> std::io::Result<String> {
        let mut lines = BufReader::new(connection.try_clone()?).lines();
        let first = lines.next().transpose()?.unwrap_or_default();
        while lines
            .next()
            .transpose()?
            .is_some_and(|line| !line.is_empty())
        {}
        let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
        let name = self.manifest["name"].as_str().unwrap_or_default();
        let version = self.manifest["version"].as_str().unwrap_or_default();
        let mut entry = self.manifest.clone();
        entry["dist"] = json!({ "tarball": format!("{own}/{name}/-/{name}-{version}.tgz") });
        let listed = json!({
            "name": name, "dist-tags": { "latest": version }, "versions": { version: entry },
        });
        let (status, body) = match &path {
            path if *path == format!("/{name}") => ("200 OK", listed.to_string().into_bytes()),
            path if path.ends_with(".tgz") => ("200 OK", self.archive.clone()),
            _ => ("404 Not Found", b"{}".to_vec()),
        };
        write!(
            connection,
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n",
            body.len()
        )?;
        connection.write_all(&body)?;
        Ok(path)
    }
}

#[test]
fn opencode_loads_the_package_by_its_name() {
    let note = json!({ "tool": "notes.add", "args": { "content": "tests need redis" } });
    let story = vec![Say::Tool("hud", note), Say::Text("Done.", 3000)];
    let project = Project::with_plugin(story, Some("agent-hud-opencode"), json!({}));
    let Some(project) = project else { return };
    let folder = tempfile::tempdir().unwrap();
    let (address, asked) = Package::pack(folder.path()).serve();
    fs::create_dir_all(project.path("home")).unwrap();
    fs::write(
        project.path("home/.npmrc"),
        format!("registry={address}/\nfetch-retries=0\n"),
    )
    .unwrap();
    project.run(&hud());
    let turns = project.turns();
    let asked = asked.lock().unwrap();
    assert!(asked.iter().any(|path| path.ends_with(".tgz")), "{asked:?}");
    assert_eq!(turns.len(), 2, "a note, and the end");
    let sent = turns[1].body["messages"].to_string();
    assert!(sent.contains("- tests need redis"), "{sent}");
}
