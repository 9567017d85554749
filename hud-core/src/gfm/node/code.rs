//! Code blocks, fenced or indented.

use markdown::mdast::Code;

use super::super::character::is_eol;
use super::super::constructs::Constructs;
use super::super::context::Context;
use super::super::options::{Fence, SerializeOptions};
use super::super::safe::Info;
use super::{indent_lines, longest_run};

pub(super) fn write(context: &Context<'_>, code: &Code) -> String {
    if is_indented(code, context.options) {
        return indent_lines(
            &code.value,
            |_, is_blank| if is_blank { "" } else { "    " },
        );
    }

    let (in_lang, in_meta) = match context.options.fence {
        Fence::Backtick => (
            Constructs::FENCE_LANG_BACKTICK,
            Constructs::FENCE_META_BACKTICK,
        ),
        Fence::Tilde => (Constructs::FENCE_LANG_TILDE, Constructs::FENCE_META_TILDE),
    };
    let marker = context.options.fence.char();
    let fence = marker
        .to_string()
        .repeat((longest_run(&code.value, marker) + 1).max(3));
    let mut out = fence.clone();
    // A backslash does not prevent a backtick from ending the info.
    let safe = |inside| context.safe(context.constructs.and(inside)).encoding('`');
    if let Some(lang) = code.lang.as_deref().filter(|lang| !lang.is_empty()) {
        safe(in_lang).write(&mut out, lang, Info::new(marker, ' '));
        if let Some(meta) = code.meta.as_deref().filter(|meta| !meta.is_empty()) {
            out.push(' ');
            safe(in_meta).write(&mut out, meta, Info::new(' ', '\n'));
        }
    }
    out.push('\n');
    if !code.value.is_empty() {
        out.push_str(&code.value);
        out.push('\n');
    }
    out.push_str(&fence);
    out
}

/// True if code is indented: the options allow it, and the code has neither a language nor a blank
/// line at its edges, which indented code cannot have.
pub(in super::super) fn is_indented(code: &Code, options: &SerializeOptions) -> bool {
    let is_blank = |line: &str| line.trim_matches(['\t', ' ']).is_empty();
    options.indents_code()
        && code.lang.as_deref().unwrap_or_default().is_empty()
        && code.value.contains(|c| !matches!(c, '\n' | '\r' | ' '))
        && !code.value.split(is_eol).next().is_none_or(is_blank)
        && !code.value.rsplit(is_eol).next().is_none_or(is_blank)
}
