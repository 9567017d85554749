//! The text that a tool printed and its outcome. Clients pass on a result as a string, as content blocks
//! like those of MCP, as the streams of a process, or as an object around one of these.

use serde_json::Value;

/// The fields of an object that may hold the text of a result, the most certain first.
const HOLDERS: &[&str] = &["content", "llmContent", "output", "text", "result"];

/// Returns the text that a tool printed. An object of another shape is returned as JSON.
pub(super) fn printed(result: &Value) -> String {
    match result {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(parts) if !parts.is_empty() && parts.iter().all(is_part) => of_parts(parts),
        Value::Object(object) => {
            let stream = |name: &str| object.get(name).and_then(Value::as_str);
            if let (None, None) = (stream("stdout"), stream("stderr")) {
                let mut held = HOLDERS.iter().filter_map(|name| object.get(*name));
                return held
                    .find(|held| is_text(held))
                    .map_or_else(|| result.to_string(), printed);
            }
            streams(
                stream("stdout").unwrap_or_default(),
                stream("stderr").unwrap_or_default(),
            )
        }
        result => result.to_string(),
    }
}

/// Returns the text of the two streams of a process, without the blank lines around it.
pub(super) fn streams(stdout: &str, stderr: &str) -> String {
    let stdout = without_blank_lines(stdout).trim_end();
    let stderr = stderr.trim();
    match (stdout.is_empty(), stderr.is_empty()) {
        (_, true) => stdout.to_owned(),
        (true, false) => stderr.to_owned(),
        (false, false) => format!("{stdout}\n{stderr}"),
    }
}

/// Returns a text without the blank lines at its beginning.
fn without_blank_lines(text: &str) -> &str {
    let mut rest = text;
    while let Some((line, behind)) = rest.split_once('\n')
        && line.trim().is_empty()
    {
        rest = behind;
    }
    rest
}

/// Returns the output of a command, or its exit code if it printed nothing and failed.
pub(super) fn with_exit_code(text: String, code: Option<i64>) -> String {
    match code {
        Some(code) if code != 0 && text.trim().is_empty() => format!("Exit code {code}"),
        _ => text,
    }
}

/// True if a field of the result reports that the call failed.
pub(super) fn says_failed(result: &Value) -> bool {
    let is = |name: &str, value: bool| result.get(name).and_then(Value::as_bool) == Some(value);
    let code = |name: &str| result.get(name).and_then(Value::as_i64);
    is("is_error", true)
        || is("isError", true)
        || is("success", false)
        || is("interrupted", true)
        || ["exit_code", "exitCode"]
            .into_iter()
            .filter_map(code)
            .any(|code| code != 0)
}

/// True if a value is a string or a list of blocks.
fn is_text(value: &Value) -> bool {
    match value {
        Value::String(_) => true,
        Value::Array(parts) => !parts.is_empty() && parts.iter().all(is_part),
        _ => false,
    }
}

/// True if a value is a content block: it has a text or a type.
fn is_part(part: &Value) -> bool {
    let has = |name: &str| part.get(name).is_some_and(Value::is_string);
    let is_of_gemini = || {
        ["inlineData", "fileData", "functionResponse"]
            .into_iter()
            .any(|name| part.get(name).is_some())
    };
    part.is_string() || has("text") || has("type") || is_of_gemini()
}

/// Returns the text of blocks, each on separate lines. A block that is only for the user is left out.
fn of_parts(parts: &[Value]) -> String {
    let is_for_agent = |part: &&Value| {
        let audience = part.pointer("/annotations/audience");
        let audience = audience.and_then(Value::as_array);
        audience.is_none_or(|who| who.is_empty() || who.iter().any(|who| who == "assistant"))
    };
    let texts = parts.iter().filter(is_for_agent).filter_map(of_part);
    texts.collect::<Vec<_>>().join("\n")
}

/// Returns the text of a block, or of the resource or the blocks within it.
fn of_part(part: &Value) -> Option<String> {
    let text = part.as_str().or_else(|| part["text"].as_str());
    let text = text.or_else(|| part.pointer("/resource/text")?.as_str());
    text.map(str::to_owned).or_else(|| {
        part.get("content")
            .filter(|content| is_text(content))
            .map(printed)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_text_is_the_same_whatever_is_around_it() {
        let text = "running 2 tests\ntest login ... FAILED";
        let block = || json!({ "type": "text", "text": text });
        for result in [
            json!(text),
            json!([block()]),
            json!([text]),
            json!({ "content": [block()], "isError": false }),
            json!({ "stdout": text, "stderr": "", "interrupted": false }),
            json!({ "stdout": "", "stderr": format!("{text}\n") }),
            json!({ "stdout": "running 2 tests\n", "stderr": "test login ... FAILED\n" }),
            json!({ "stdout": format!("\n \n{text}\n\n"), "isImage": false }),
            json!({ "output": text, "metadata": {} }),
            json!({ "llmContent": [{ "text": text }], "returnDisplay": "" }),
            json!([{ "type": "tool_result", "content": [block()] }]),
            json!([{ "type": "resource", "resource": { "uri": "a://b", "text": text } }]),
            json!([block(), { "type": "image", "data": "aGVsbG8=" }]),
            json!([block(), { "inlineData": { "data": "aGVsbG8=" } }]),
            json!([block(), { "type": "text", "text": "x", "annotations": { "audience": ["user"] } }]),
        ] {
            assert_eq!(printed(&result), text, "{result}");
        }
    }

    #[test]
    fn data_of_a_tools_own_is_its_own_text() {
        for data in [
            json!([]),
            json!({}),
            json!([{ "name": "a", "uri": "kit://a" }]),
            json!({ "tasks": [{ "id": "1" }] }),
            json!([[1, 2], 3]),
            json!({ "content": { "a": 1 } }),
            json!(7),
        ] {
            assert_eq!(printed(&data), data.to_string());
        }
        assert_eq!(printed(&Value::Null), "");
    }

    #[test]
    fn a_failure_is_known_by_the_results_own_fields() {
        for failed in [
            json!({ "is_error": true }),
            json!({ "content": [], "isError": true }),
            json!({ "success": false }),
            json!({ "stdout": "", "interrupted": true }),
            json!({ "exit_code": 2 }),
            json!({ "exitCode": -1 }),
        ] {
            assert!(says_failed(&failed), "{failed}");
        }
        for other in [
            json!({ "exit_code": 0, "success": true, "interrupted": false }),
            json!("exit_code: 1"),
            json!([{ "isError": true }]),
            json!(null),
        ] {
            assert!(!says_failed(&other), "{other}");
        }
    }
}
