//! `![alt](url "title")`

use markdown::mdast::Image;

use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::safe::Info;
use super::resource::{self, Resource};

pub(super) fn write(context: &Context<'_>, image: &Image) -> String {
    let constructs = context.constructs.and(Constructs::IMAGE);
    let mut out = "![".to_owned();
    let label = context.safe(constructs.and(Constructs::LABEL));
    label.write(&mut out, &image.alt, Info::new('[', ']'));
    out.push_str("](");
    let title = resource::title(&image.title);
    let resource = Resource {
        url: &image.url,
        title,
        encloses_empty: title.is_some(),
        after: ')',
    };
    resource.write(context, constructs, &mut out);
    out.push(')');
    out
}
