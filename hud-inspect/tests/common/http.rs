//! What a page sends, and what else somebody may send.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// The place that an address names, and the key in it.
pub fn parts(url: &str) -> (&str, &str) {
    let rest = url.strip_prefix("http://").unwrap();
    let (host, place) = rest.split_once("/#key=").unwrap();
    // The page goes on with what to show: `#key=K&s=SESSION`.
    (host, place.split('&').next().unwrap())
}

/// Sends bytes, and gives the status and all of the answer.
pub fn send(host: &str, request: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(host).unwrap();
    stream
        .set_read_timeout(Some(Duration::from_secs(20)))
        .unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok());
    (status.unwrap_or(0), answer)
}

/// Asks with headers of any kind.
pub fn get(url: &str, path: &str, headers: &[&str]) -> (u16, String) {
    let (host, _) = parts(url);
    let headers = headers.join("\r\n");
    send(
        host,
        &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n\r\n"),
    )
}

/// Asks as the page does.
pub fn asked(url: &str, path: &str) -> (u16, Value) {
    let (host, key) = parts(url);
    let headers = [
        &*format!("Host: {host}"),
        &format!("Authorization: Bearer {key}"),
    ];
    let (status, answer) = get(url, path, &headers);
    let body = answer.split_once("\r\n\r\n").unwrap().1;
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}

/// Does as the page does when a person asks for something.
pub fn call(url: &str, session: &str, body: &str) -> (u16, Value) {
    posted(url, &format!("/api/s/{session}/call"), body)
}

/// Sends JSON as the page does.
pub fn posted(url: &str, path: &str, body: &str) -> (u16, Value) {
    let (host, key) = parts(url);
    let (status, answer) = send(
        host,
        &format!(
            "POST {path} HTTP/1.1\r\nConnection: close\r\nHost: {host}\r\n\
             Authorization: Bearer {key}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ),
    );
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (status, serde_json::from_str(body).unwrap_or(Value::Null))
}
