//! `hud catalogue`: shows all tags with their props, docs, schemas and a picture of each density.

use hud_core::gfm::{self, ParseOptions};
use hud_core::{Density, Element, PropMeta, Renderer, Scope, TagKind, html};
use hud_layout::catalogue::{Entry, plain};
use hud_layout::{states, template};
use serde_json::{Map, Value, json};

use super::other;
use crate::app::App;
use crate::args::{self, CatalogueFormat};
use crate::output::{Failure, Output};

pub(crate) fn run(args: &args::Catalogue, app: &App) -> Result<(), Failure> {
    let mut output = Output::new();
    let entries = app.catalogue().entries();
    match args.format {
        CatalogueFormat::Json => {
            let tags: Result<Vec<Value>, Failure> = entries.map(row).collect();
            output.json(&tags?)?;
        }
        CatalogueFormat::Markdown => {
            output.text(&markdown(app, Docs::Whole)?)?;
        }
        CatalogueFormat::Html => {
            for entry in entries {
                let told = gfm::parse(&told(entry, Docs::Whole), &ParseOptions::default())
                    .map_err(other)?;
                output.text(html::to_string(&told).trim_end())?;
                for (density, picture) in pictures(entry) {
                    output.text(&format!("<h3>{density}</h3>"))?;
                    output.text(&format!(
                        "<blockquote>\n{}</blockquote>",
                        page(&picture, density)?
                    ))?;
                }
            }
        }
    }
    Ok(output.flush()?)
}

/// The amount of documentation that is shown of a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Docs {
    /// All documentation and the schema of the props.
    Whole,
    /// The first paragraph.
    Summary,
}

/// Returns all tags with their props and a picture of each density, as Markdown.
pub(crate) fn markdown(app: &App, docs: Docs) -> Result<String, Failure> {
    let mut text = String::new();
    for entry in app.catalogue().entries() {
        text.push_str(&told(entry, docs));
        text.push('\n');
        for (density, picture) in pictures(entry) {
            let picture = hud_core::render(&picture, density).map_err(other)?;
            text.push_str(&format!("{density}:\n\n````markdown\n{picture}````\n\n"));
        }
    }
    Ok(text)
}

/// Returns the documentation and the props of a tag, as Markdown.
fn told(entry: &Entry, docs: Docs) -> String {
    let meta = entry.meta();
    let about = match docs {
        Docs::Whole => meta.docs,
        Docs::Summary => meta.docs.split("\n\n").next().unwrap_or_default(),
    };
    let mut told = format!("## {}\n\n{}\n", meta.name, plain(about));
    if !meta.props.is_empty() {
        told.push_str("\n| prop | type | |\n| --- | --- | --- |\n");
    }
    for prop in meta.props {
        let docs = plain(prop.docs).replace('\n', " ");
        told.push_str(&format!("| `{}` | {} | {docs} |\n", prop.name, kind(prop)));
    }
    if meta.children {
        told.push_str("\nIt takes children.\n");
    }
    let mut told = without_paths(&told);
    if docs == Docs::Whole {
        let schema = entry.schema();
        told.push_str(&format!("\n```json\n{schema:#}\n```\n"));
    }
    told
}

/// Replaces links to Rust items, which are useless here, with their text.
fn without_paths(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, link)) = rest.split_once("](") {
        let target = link.split_once(')');
        match (target, before.rfind('[')) {
            (Some((path, after)), Some(open)) if path.contains("::") => {
                plain.push_str(&before[..open]);
                plain.push_str(&before[open + 1..]);
                rest = after;
            }
            _ => {
                plain.push_str(before);
                plain.push_str("](");
                rest = link;
            }
        }
    }
    plain + rest
}

fn kind(prop: &PropMeta) -> String {
    let required = if prop.required { "" } else { ", optional" };
    format!("`{}`{required}", prop.ty.replace('|', "\\|"))
}

fn row(entry: &Entry) -> Result<Value, Failure> {
    let meta = entry.meta();
    let mut shown = Map::new();
    for (density, picture) in pictures(entry) {
        let picture = json!({
            "markdown": hud_core::render(&picture, density).map_err(other)?,
            "html": page(&picture, density)?,
            "json": data(&picture, density)?,
        });
        shown.insert(density.name().to_owned(), picture);
    }
    Ok(json!({
        "name": meta.name,
        "kind": match meta.kind { TagKind::Component => "component", TagKind::Node => "node" },
        "docs": meta.docs,
        "children": meta.children,
        "schema": entry.schema(),
        "pictures": shown,
    }))
}

/// Returns a picture of a component of the built-in HUD at each density.
fn pictures(entry: &Entry) -> Vec<(Density, Element<'static>)> {
    let picture = |density| {
        Some((
            density,
            template::picture(entry.meta().name, states::overfull())?,
        ))
    };
    Density::ALL.into_iter().filter_map(picture).collect()
}

/// Renders a picture as HTML.
fn page(picture: &Element<'_>, density: Density) -> Result<String, Failure> {
    let tree = Renderer::builtin().mdast(picture, Scope::new(density));
    Ok(html::to_string(&tree.map_err(other)?))
}

/// Renders a picture as JSON, or as null in a build without formats.
fn data(picture: &Element<'_>, density: Density) -> Result<Value, Failure> {
    #[cfg(feature = "formats")]
    {
        let data = Renderer::builtin().data(picture, Scope::new(density));
        let text = hud_core::data::json::to_string(&data.map_err(other)?).map_err(other)?;
        serde_json::from_str(&text).map_err(other)
    }
    #[cfg(not(feature = "formats"))]
    {
        let _ = (picture, density);
        Ok(Value::Null)
    }
}
