//! The complete records of a damaged line. Clients that are killed, or that write from two processes,
//! leave lines with a cut record and the next one after it, with two records, with runs of NUL, or with
//! plain text.

use serde::de::IgnoredAny;

/// The maximum number of places in a line that are tried as the beginning of a record. It bounds the
/// time for a line.
const TRIED: usize = 64;

/// Returns the complete records of a line in order, and true if the line contains anything else. After a
/// record that is cut off, the next one must begin with one of `beginnings`, because other objects are
/// part of the cut record.
pub(crate) fn records<'l>(line: &'l [u8], beginnings: &[&str]) -> (Vec<&'l [u8]>, bool) {
    let begins = |at: usize| {
        let rest = line.get(at..).unwrap_or_default();
        beginnings
            .iter()
            .any(|begin| begins_with(rest, begin.as_bytes()))
    };
    let (mut records, mut is_damaged) = (Vec::new(), false);
    let (mut at, mut tried, mut is_torn) = (0, 0, false);
    while let Some(byte) = line.get(at) {
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        tried += 1;
        if tried > TRIED {
            return (records, true);
        }
        let rest = line.get(at..).unwrap_or_default();
        let failed = match *byte {
            b'{' => match first(rest) {
                Ok(end) => {
                    match !is_torn || begins(at) {
                        true => records.push(rest.get(..end).unwrap_or_default()),
                        false => is_damaged = true,
                    }
                    at += end;
                    continue;
                }
                Err(failed) => {
                    is_torn = true;
                    failed
                }
            },
            _ => Some(1),
        };
        is_damaged = true;
        let next = match failed {
            // The next record begins at the error, or just before it.
            Some(failed) => {
                let until = rest.len().min(failed.saturating_add(1));
                let before = memchr::memrchr(b'{', rest.get(1..until).unwrap_or_default());
                let behind = || {
                    let behind = memchr::memchr(b'{', rest.get(until..).unwrap_or_default());
                    Some(until + behind?)
                };
                before.map(|found| found + 1).or_else(behind)
            }
            // The next record was parsed as a value of this one, which has no end.
            None => {
                let mut places = memchr::memchr_iter(b'{', rest).skip(1);
                places.find(|place| begins(at + place))
            }
        };
        match next {
            Some(next) => at += next.max(1),
            None => break,
        }
    }
    (records, is_damaged)
}

/// Returns the end of the value that a text begins with. The error is the place where it fails, or
/// `None` if it has no end.
fn first(text: &[u8]) -> Result<usize, Option<usize>> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<IgnoredAny>();
    match values.next() {
        Some(Ok(_)) => Ok(values.byte_offset()),
        Some(Err(error)) if error.is_eof() => Err(None),
        Some(Err(error)) => Err(Some(error.column())),
        None => Err(None),
    }
}

/// True if a text begins with `beginning`, ignoring white space in the text.
fn begins_with(text: &[u8], beginning: &[u8]) -> bool {
    let mut text = text.iter().filter(|byte| !byte.is_ascii_whitespace());
    beginning.iter().all(|byte| text.next() == Some(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Vec<&str>, bool) {
        let (found, is_damaged) = records(line.as_bytes(), &["{\"id\":", "{\"at\":"]);
        let text = |record| std::str::from_utf8(record).unwrap_or_default();
        (found.into_iter().map(text).collect(), is_damaged)
    }

    #[test]
    fn whole_records_are_found_beside_what_is_torn() {
        let (one, two) = (
            r#"{"id":1,"in":{"id":9},"said":"a {\"id\":8} b"}"#,
            r#"{"at": 2}"#,
        );
        for (line, found, is_damaged) in [
            (one.to_owned(), vec![one], false),
            (format!("{one}{two}"), vec![one, two], false),
            (format!("{one} {two} "), vec![one, two], false),
            (format!("\0\0\0{one}"), vec![one], true),
            (format!("{one}\0\0"), vec![one], true),
            (format!("Error: write ENOSPC{one}"), vec![one], true),
            (format!(r#"{{"id":1,"said":"half {two}"#), vec![two], true),
            (format!(r#"{{"id":1,"said":{one}"#), vec![one], true),
            (format!(r#"{{"id":1,{one}{two}"#), vec![one, two], true),
            (format!(r#"{{"id":1,"in":{{"id":9}}{two}"#), vec![two], true),
            (format!(r#"{{"id":{two}"#), vec![two], true),
            (r#"{"id":"#.to_owned(), vec![], true),
            ("Error: write ENOSPC".to_owned(), vec![], true),
            (r#"{"other":1}"#.to_owned(), vec![r#"{"other":1}"#], false),
            (r#"{"id":1,{"other":1}"#.to_owned(), vec![], true),
        ] {
            assert_eq!(read(&line), (found, is_damaged), "{line}");
        }
    }

    #[test]
    fn the_time_for_a_line_has_a_bound() {
        let line = "{\"id\":".repeat(200_000);
        assert_eq!(read(&line), (Vec::new(), true));
    }
}
