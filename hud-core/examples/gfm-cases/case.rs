//! Cases of the serialiser: a line of JSON each, with a tree, options and the text that the
//! reference writes for them.

use hud_core::gfm::{
    Attention, Bullet, BulletOrdered, Fence, ListItemIndent, QuoteMarker, RuleMarker,
    RuleRepetition, SerializeOptions,
};
use markdown::mdast::Node;
use serde_json::{Map, Value, json};

/// One case.
pub(crate) struct Case {
    /// Its name.
    pub(crate) id: String,
    /// What is written; or why it is no tree of the `markdown` crate's types.
    pub(crate) tree: Result<Node, String>,
    /// How.
    pub(crate) options: SerializeOptions,
    /// What the reference writes.
    pub(crate) expected: String,
}

impl Case {
    /// Reads a line of a file.
    ///
    /// # Errors
    ///
    /// What is wrong with the line, which is no case then.
    pub(crate) fn read(line: &str) -> Result<Self, String> {
        let case: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let text = |name: &str| {
            let text = case[name].as_str();
            text.ok_or_else(|| format!("`{name}` is missing, or no string"))
        };
        let mut tree = case["tree"].clone();
        // What the reference takes a missing `spread` for depends on who asks.
        let is_spread = case["options"]["listItemIndent"] != "mixed";
        fill_defaults(&mut tree, is_spread);
        Ok(Self {
            id: text("id")?.to_owned(),
            tree: serde_json::from_value(tree).map_err(|error| error.to_string()),
            options: options(&case)?,
            expected: text("expected")?.to_owned(),
        })
    }
}

/// The trees are the reference's, which takes more for granted than the `markdown` crate's types.
fn fill_defaults(node: &mut Value, is_spread: bool) {
    let Value::Object(fields) = node else { return };
    let kind = fields.get("type").and_then(Value::as_str);
    let defaults: &[(&str, Value)] = match kind.unwrap_or_default() {
        "list" => &[
            ("ordered", json!(false)),
            ("spread", json!(is_spread)),
            ("children", json!([])),
        ],
        "listItem" => &[("spread", json!(is_spread)), ("children", json!([]))],
        "heading" => &[("depth", json!(1)), ("children", json!([]))],
        "link" => &[("url", json!("")), ("children", json!([]))],
        "image" => &[("url", json!("")), ("alt", json!(""))],
        "definition" => &[("url", json!("")), ("identifier", json!(""))],
        "linkReference" => &[
            ("identifier", json!("")),
            ("referenceType", json!("collapsed")),
            ("children", json!([])),
        ],
        "imageReference" => &[
            ("identifier", json!("")),
            ("referenceType", json!("collapsed")),
            ("alt", json!("")),
        ],
        "footnoteReference" => &[("identifier", json!(""))],
        "footnoteDefinition" => &[("identifier", json!("")), ("children", json!([]))],
        "table" => &[("align", json!([])), ("children", json!([]))],
        "text" | "inlineCode" | "code" | "html" | "inlineMath" | "math" => &[("value", json!(""))],
        "break" | "thematicBreak" => &[],
        _ => &[("children", json!([]))],
    };
    for (name, value) in defaults {
        let field = fields.entry(*name).or_insert(Value::Null);
        if field.is_null() {
            *field = value.clone();
        }
    }
    if let Some(Value::Array(children)) = fields.get_mut("children") {
        for child in children {
            fill_defaults(child, is_spread);
        }
    }
}

fn options(case: &Value) -> Result<SerializeOptions, String> {
    let mut options = SerializeOptions::default();
    let all = [&case["options"], &case["gfmOptions"]];
    for (name, value) in all
        .into_iter()
        .filter_map(Value::as_object)
        .flat_map(Map::iter)
    {
        set(&mut options, name, value)
            .ok_or_else(|| format!("option `{name}` can not be {value}, or is none"))?;
    }
    Ok(options)
}

/// Sets the option that the reference gives this name. None where there is no such option or value.
fn set(options: &mut SerializeOptions, name: &str, value: &Value) -> Option<()> {
    match name {
        "bullet" => options.bullet = bullet(value)?,
        "bulletOrdered" => {
            options.bullet_ordered = match value.as_str()? {
                "." => BulletOrdered::Dot,
                ")" => BulletOrdered::Paren,
                _ => return None,
            }
        }
        "bulletOther" => options.bullet_other = Some(bullet(value)?),
        "closeAtx" => options.close_atx = value.as_bool()?,
        "emphasis" => options.emphasis = attention(value)?,
        "fence" => {
            options.fence = match value.as_str()? {
                "`" => Fence::Backtick,
                "~" => Fence::Tilde,
                _ => return None,
            }
        }
        "fences" => options.fences = value.as_bool()?,
        "firstLineBlank" => options.first_line_blank = value.as_bool()?,
        "incrementListMarker" => options.increment_list_marker = value.as_bool()?,
        "math" => options.math = value.as_bool()?,
        "mdx" => options.mdx = value.as_bool()?,
        "listItemIndent" => {
            options.list_item_indent = match value.as_str()? {
                "mixed" => ListItemIndent::Mixed,
                "tab" => ListItemIndent::Tab,
                "one" => ListItemIndent::One,
                _ => return None,
            }
        }
        "quote" => {
            options.quote = match value.as_str()? {
                "'" => QuoteMarker::Single,
                "\"" => QuoteMarker::Double,
                _ => return None,
            }
        }
        "resourceLink" => options.resource_link = value.as_bool()?,
        "rule" => {
            options.rule = match value.as_str()? {
                "-" => RuleMarker::Dash,
                "_" => RuleMarker::Underscore,
                "*" => RuleMarker::Asterisk,
                _ => return None,
            }
        }
        "ruleRepetition" => {
            let markers = u8::try_from(value.as_u64()?).ok()?;
            options.rule_repetition = RuleRepetition::new(markers)?;
        }
        "ruleSpaces" => options.rule_spaces = value.as_bool()?,
        "setext" => options.setext = value.as_bool()?,
        "strict" => options.strict = value.as_bool()?,
        "strong" => options.strong = attention(value)?,
        "tableCellPadding" => options.table_cell_padding = Some(value.as_bool()?),
        "tablePipeAlign" => options.table_pipe_align = value.as_bool()?,
        "tightDefinitions" => options.tight_definitions = value.as_bool()?,
        _ => return None,
    }
    Some(())
}

fn bullet(marker: &Value) -> Option<Bullet> {
    match marker.as_str()? {
        "-" => Some(Bullet::Dash),
        "+" => Some(Bullet::Plus),
        "*" => Some(Bullet::Asterisk),
        _ => None,
    }
}

fn attention(marker: &Value) -> Option<Attention> {
    match marker.as_str()? {
        "_" => Some(Attention::Underscore),
        "*" => Some(Attention::Asterisk),
        _ => None,
    }
}
