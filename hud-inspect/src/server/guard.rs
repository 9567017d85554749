//! Access control for requests.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::Shared;
use super::answer::Refused;

/// The headers of every response.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    (header::CACHE_CONTROL, "no-store"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

pub(super) async fn guard(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = match check(&shared, &request) {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    for (name, value) in HEADERS {
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

fn check(shared: &Shared, request: &Request) -> Result<(), Refused> {
    let headers = request.headers();
    let hosts = [
        format!("127.0.0.1:{}", shared.port),
        format!("localhost:{}", shared.port),
    ];
    let is_ours = |host: &str| hosts.iter().any(|own| own.eq_ignore_ascii_case(host));
    let named = request.uri().authority();
    let host = only(headers, &header::HOST).filter(|host| is_ours(host));
    let Some(host) = host.filter(|_| named.is_none_or(|named| is_ours(named.as_str()))) else {
        return Err(Refused::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this is served for 127.0.0.1 alone",
        ));
    };
    let foreign = || Err(Refused::new(StatusCode::FORBIDDEN, "another page asked"));
    if headers.contains_key(header::ORIGIN) {
        let own = format!("http://{host}");
        if only(headers, &header::ORIGIN) != Some(&own) {
            return foreign();
        }
    }
    let site = HeaderName::from_static("sec-fetch-site");
    if headers.contains_key(&site)
        && !matches!(only(headers, &site), Some("same-origin" | "none"))
        && !is_visit(request)
    {
        return foreign();
    }
    match *request.method() {
        Method::GET | Method::HEAD => {}
        Method::POST => {
            let is_json = only(headers, &header::CONTENT_TYPE) == Some("application/json");
            if !is_json {
                return Err(Refused::new(
                    StatusCode::UNSUPPORTED_MEDIA_TYPE,
                    "send application/json",
                ));
            }
        }
        _ => return Err(Refused::new(StatusCode::FORBIDDEN, "ask with GET or POST")),
    }
    if request.uri().path().starts_with("/api/") {
        let key = only_bytes(headers, &header::AUTHORIZATION);
        if !key.is_some_and(|key| shared.key.opens(key)) {
            return Err(Refused::new(
                StatusCode::UNAUTHORIZED,
                "open the address that `hud inspect` printed: it has the key",
            ));
        }
    }
    Ok(())
}

/// True if the request follows a link to the page, such as the one in the file that `--open` opens. The
/// page itself contains no session data.
fn is_visit(request: &Request) -> bool {
    let is = |name, value| only(request.headers(), &HeaderName::from_static(name)) == Some(value);
    *request.method() == Method::GET
        && request.uri().path() == "/"
        && is("sec-fetch-mode", "navigate")
        && is("sec-fetch-dest", "document")
}

/// Returns the value of a header that occurs once.
fn only_bytes<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h [u8]> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    values.next().is_none().then_some(value.as_bytes())
}

fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    std::str::from_utf8(only_bytes(headers, name)?).ok()
}
