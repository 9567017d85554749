//! Numbers as JavaScript parses and formats them.

use super::lex::is_blank;

/// Formats a number as `String(number)` does.
///
/// ```
/// use hud_layout::expr::number_text;
///
/// assert_eq!(number_text(0.1 + 0.2), "0.30000000000000004");
/// assert_eq!(number_text(-0.0), "0");
/// assert_eq!(number_text(1e21), "1e+21");
/// ```
#[must_use]
pub fn number_text(number: f64) -> String {
    if number.is_nan() {
        return "NaN".to_owned();
    }
    if number == 0.0 {
        return "0".to_owned();
    }
    let sign = if number < 0.0 { "-" } else { "" };
    if number.is_infinite() {
        return format!("{sign}Infinity");
    }
    // The shortest digits of this number, and the position of their point.
    let scientific = shortest(number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let point = exponent + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    if count <= point && point <= 21 {
        return format!("{sign}{digits}{}", zeros(point - count));
    }
    if 0 < point && point <= 21 {
        let (whole, part) = digits.split_at(usize::try_from(point).unwrap_or(0));
        return format!("{sign}{whole}.{part}");
    }
    if -6 < point && point <= 0 {
        return format!("{sign}0.{}{digits}", zeros(-point));
    }
    let (first, others) = digits.split_at(1);
    let dot = if others.is_empty() { "" } else { "." };
    let plus = if exponent < 0 { "-" } else { "+" };
    format!("{sign}{first}{dot}{others}e{plus}{}", exponent.abs())
}

/// The shortest digits of a number. Of two that are as near, the one with an even last digit is used, as in
/// JavaScript.
fn shortest(number: f64) -> String {
    let shortest = format!("{number:e}");
    let digits = shortest.bytes().take_while(|byte| *byte != b'e').count();
    // With fewer digits no other text is as near. The count includes the point, if there is one.
    if digits < 17 {
        return shortest;
    }
    let nearest = format!("{number:.*e}", digits - 2);
    if nearest.parse() == Ok(number) {
        nearest
    } else {
        shortest
    }
}

/// Parses a string as `Number(text)` does. The result may be `NaN`.
pub(super) fn text_number(text: &str) -> f64 {
    let text = text.trim_matches(is_blank);
    if text.is_empty() {
        return 0.0;
    }
    let radix = match text.get(..2) {
        Some("0x" | "0X") => Some(16),
        Some("0o" | "0O") => Some(8),
        Some("0b" | "0B") => Some(2),
        _ => None,
    };
    if let Some(radix) = radix {
        return parse_radix(&text[2..], radix).unwrap_or(f64::NAN);
    }
    let (sign, unsigned) = match text.as_bytes()[0] {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    if unsigned == "Infinity" {
        return sign * f64::INFINITY;
    }
    parse_decimal(unsigned).map_or(f64::NAN, |number| sign * number)
}

/// Parses a decimal number without a sign.
pub(super) fn parse_decimal(text: &str) -> Option<f64> {
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return None;
        }
    }
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if (whole.is_empty() && part.is_empty()) || !digits(whole) || !digits(part) {
        return None;
    }
    text.parse().ok()
}

/// Parses an integer of radix 2, 8 or 16.
pub(super) fn parse_radix(digits: &str, radix: u32) -> Option<f64> {
    if digits.is_empty() {
        return None;
    }
    let mut number: u128 = 0;
    let mut scale = 1.0;
    for digit in digits.chars() {
        let digit = u128::from(digit.to_digit(radix)?);
        if number >> 120 == 0 {
            number = number * u128::from(radix) + digit;
        } else {
            // Of the digits beyond the precision of a float, it only matters if one is not 0.
            number |= u128::from(digit != 0);
            scale *= f64::from(radix);
        }
    }
    #[allow(
        clippy::cast_precision_loss,
        reason = "the nearest float is what JavaScript takes, too"
    )]
    let nearest = number as f64;
    Some(nearest * scale)
}

/// Formats `number.toFixed(digits)`, for at most 100 digits.
pub(super) fn to_fixed(number: f64, digits: usize) -> String {
    if !number.is_finite() || number.abs() >= 1e21 {
        return number_text(number);
    }
    let sign = if number < 0.0 { "-" } else { "" };
    let number = number.abs();
    let rounded = format!("{number:.digits$}");
    // Rust rounds a half to the even digit, and JavaScript rounds it up. 1080 digits are enough for any float.
    let exact = format!("{number:.1080}");
    let cut = exact.find('.').map_or(exact.len(), |point| point + 1) + digits;
    let is_half =
        exact[cut..].starts_with('5') && exact[cut + 1..].bytes().all(|digit| digit == b'0');
    if !is_half {
        return format!("{sign}{rounded}");
    }
    let kept = exact[..cut].trim_end_matches('.');
    format!("{sign}{}", next_decimal(kept))
}

/// The decimal number with its last digit increased by one.
fn next_decimal(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        match byte {
            b'9' => *byte = b'0',
            b'0'..=b'8' => {
                *byte += 1;
                return String::from_utf8_lossy(&bytes).into_owned();
            }
            _ => {}
        }
    }
    format!("1{}", String::from_utf8_lossy(&bytes))
}
