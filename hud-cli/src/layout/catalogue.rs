//! `hud catalogue`: all tags with their props, docs, schemas, and a picture of each density.

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
            for entry in entries {
                output.text(&told(entry))?;
                for (density, picture) in pictures(entry) {
                    let picture = hud_core::render(&picture, density).map_err(other)?;
                    output.text(&format!("{density}:\n\n````markdown\n{picture}````\n"))?;
                }
            }
        }
        CatalogueFormat::Html => {
            for entry in entries {
                let told = gfm::parse(&told(entry), &ParseOptions::default()).map_err(other)?;
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

/// What a tag is for, and its props.
fn told(entry: &Entry) -> String {
    let meta = entry.meta();
    let mut told = format!("## {}\n\n{}\n", meta.name, plain(meta.docs));
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
    told
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

/// What a component of the built-in HUD shows at each density.
fn pictures(entry: &Entry) -> Vec<(Density, Element<'static>)> {
    let picture = |density| {
        Some((
            density,
            template::picture(entry.meta().name, states::overfull())?,
        ))
    };
    Density::ALL.into_iter().filter_map(picture).collect()
}

/// A picture as HTML.
fn page(picture: &Element<'_>, density: Density) -> Result<String, Failure> {
    let tree = Renderer::builtin().mdast(picture, Scope::new(density));
    Ok(html::to_string(&tree.map_err(other)?))
}

/// A picture as JSON; nothing in a program without formats.
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
