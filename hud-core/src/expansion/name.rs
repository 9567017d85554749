//! Names of props, compared while a constant is evaluated.

pub(super) const fn contains(names: &[&str], name: &str) -> bool {
    let mut index = 0;
    while index < names.len() {
        if equal(names[index], name) {
            return true;
        }
        index += 1;
    }
    false
}

/// The name at `index` in a list that is separated by spaces, or an empty string after the last.
pub(super) const fn nth(names: &str, index: usize) -> &str {
    let mut rest = names;
    let mut left = index;
    loop {
        let mut end = 0;
        while end < rest.len() && rest.as_bytes()[end] != b' ' {
            end += 1;
        }
        if left == 0 {
            return rest.split_at(end).0;
        }
        if end == rest.len() {
            return "";
        }
        rest = rest.split_at(end + 1).1;
        left -= 1;
    }
}

pub(super) const fn equal(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// The number of insertions, deletions, changes and swaps of adjacent bytes between two names
/// (optimal string alignment). Names of more than 31 bytes are at the maximum distance from all
/// others.
pub(super) const fn distance(left: &[u8], right: &[u8]) -> usize {
    const LONGEST: usize = 31;
    if left.len() > LONGEST || right.len() > LONGEST {
        return usize::MAX;
    }
    let mut rows = [[0; LONGEST + 1]; LONGEST + 1];
    let mut line = 0;
    while line <= left.len() {
        let mut column = 0;
        while column <= right.len() {
            rows[line][column] = if line == 0 || column == 0 {
                line + column
            } else {
                let change = (left[line - 1] != right[column - 1]) as usize;
                let mut least = rows[line - 1][column - 1] + change;
                least = min(least, rows[line - 1][column] + 1);
                least = min(least, rows[line][column - 1] + 1);
                if line > 1
                    && column > 1
                    && left[line - 1] == right[column - 2]
                    && left[line - 2] == right[column - 1]
                {
                    least = min(least, rows[line - 2][column - 2] + 1);
                }
                least
            };
            column += 1;
        }
        line += 1;
    }
    rows[left.len()][right.len()]
}

const fn min(left: usize, right: usize) -> usize {
    if left < right { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::{distance, nth};

    #[test]
    fn names_are_found_by_their_place() {
        let found: Vec<_> = (0..4).map(|index| nth("title of x", index)).collect();
        assert_eq!(found, ["title", "of", "x", ""]);
        assert_eq!(nth("", 0), "");
    }

    #[test]
    fn names_are_as_far_apart_as_their_slips() {
        for (left, right, slips) in [
            ("", "", 0),
            ("title", "title", 0),
            ("titel", "title", 1),
            ("colour", "color", 1),
            ("a", "", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(left.as_bytes(), right.as_bytes()), slips);
            assert_eq!(distance(right.as_bytes(), left.as_bytes()), slips);
        }
    }
}
