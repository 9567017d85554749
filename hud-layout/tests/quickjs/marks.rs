//! What is written otherwise in JavaScript.
//!
//! It is marked by characters that no expression has: `==` and
//! `!=` as 1 a 2 b 3 and 4 a 2 b 3, and `toSorted` with a function as 5 list 6 function 7.

/// A marked expression as a layout has it.
pub(crate) fn ours(marked: &str) -> String {
    let mut written = String::new();
    let mut operators = Vec::new();
    for c in marked.chars() {
        match c {
            '\u{1}' => {
                operators.push("==");
                written += "((";
            }
            '\u{4}' => {
                operators.push("!=");
                written += "((";
            }
            '\u{2}' => written += &format!(") {} (", operators.pop().expect("an operator")),
            '\u{3}' => written += "))",
            '\u{5}' => written.push('('),
            '\u{6}' => written += ").toSorted(",
            '\u{7}' => written.push(')'),
            other => written.push(other),
        }
    }
    written
}

/// A marked expression in JavaScript.
pub(crate) fn javascript(marked: &str) -> String {
    marked
        .replace('\u{1}', "eq((")
        .replace('\u{4}', "!eq((")
        .replace('\u{2}', "), (")
        .replace('\u{3}', "))")
        .replace('\u{5}', "sorted((")
        .replace('\u{6}', "), ")
        .replace('\u{7}', ")")
        .replace("\\u{1F600}", "😀")
        .replace('😀', "\u{f8ff}")
}
