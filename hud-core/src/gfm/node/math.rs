//! Math between dollars: `$inline$`, and blocks that are fenced like code.

use markdown::mdast::{InlineMath, Math};

use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::safe::Info;
use super::{inline_code, longest_run};

pub(super) fn write_inline(context: &Context<'_>, math: &InlineMath) -> String {
    inline_code::fence(context, &math.value, '$')
}

pub(super) fn write(context: &Context<'_>, math: &Math) -> String {
    let fence = "$".repeat((longest_run(&math.value, '$') + 1).max(2));
    let mut out = fence.clone();
    if let Some(meta) = &math.meta {
        let safe = context
            .safe(context.constructs.and(Constructs::MATH_META))
            .encoding('$');
        safe.write(&mut out, meta, Info::new('$', '\n'));
    }
    out.push('\n');
    if !math.value.is_empty() {
        out.push_str(&math.value);
        out.push('\n');
    }
    out.push_str(&fence);
    out
}
