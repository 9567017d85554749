//! Sorting with any comparison.

use super::Evaluated;
use crate::expr::Value;

/// Sorts by merging, so that equal values keep their order. It ends for each comparison, even one that contradicts
/// itself.
pub(super) fn merge_sort(
    mut values: Vec<Value>,
    is_less: &mut dyn FnMut(&Value, &Value) -> Evaluated<bool>,
) -> Evaluated<Vec<Value>> {
    let mut width = 1;
    while width < values.len() {
        let mut merged = Vec::with_capacity(values.len());
        for pair in values.chunks(width * 2) {
            let (left, right) = pair.split_at(width.min(pair.len()));
            let (mut at_left, mut at_right) = (0, 0);
            while let (Some(a), Some(b)) = (left.get(at_left), right.get(at_right)) {
                if is_less(b, a)? {
                    merged.push(b.clone());
                    at_right += 1;
                } else {
                    merged.push(a.clone());
                    at_left += 1;
                }
            }
            merged.extend_from_slice(&left[at_left..]);
            merged.extend_from_slice(&right[at_right..]);
        }
        values = merged;
        width *= 2;
    }
    Ok(values)
}
