#!/usr/bin/env python3
"""Compares Agent HUD's macros with those of other libraries: what is said of the same mistakes, and
how long the same components and uses take to compile. It prints the tables of COMPARE.md."""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time
from pathlib import Path

import compile_time

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

DEPENDENCIES = {
    "hud": f'hud-core = {{ path = "{ROOT / "hud-core"}" }}',
    "by hand": f'hud-core = {{ path = "{ROOT / "hud-core"}" }}',
    "dioxus": 'dioxus = { version = "=0.7.10", default-features = false, features = ["macro", "html", "signals", "hooks"] }',
    "leptos": 'leptos = { version = "=0.8.23", features = ["ssr"] }',
    "hypertext": 'hypertext = "=0.12.1"',
    "maud": 'maud = "=0.27.0"',
    "iocraft": 'iocraft = "=0.9.3"',
    "plait": 'plait = "=0.10.0"',
    "vy": 'vy = "=0.2.0"',
}
PEERS = ["hud", "dioxus", "leptos", "hypertext", "maud", "iocraft", "plait", "vy"]

# What must be read in an error, in its words or in what it suggests, for it to have the mend; all
# of several. It is the same for all libraries.
MENDS = {
    "missing_prop": [r"(?<![A-Za-z])owner\b|argument #2"],
    "several_missing": [r"(?<![A-Za-z])title\b|argument #1", r"(?<![A-Za-z])owner\b|argument #2"],
    "unknown_prop": [r"\b(title|owner|limit|note)\b"],
    "misspelt_prop": [r"\bowner\b"],
    "duplicate_prop": [r"twice|more than once|duplicate|already|multiple"],
    "wrong_type": [r"\bstr\b"],
    "wrong_literal": [r"\bstr\b"],
    "optional_wrong_type": [r"\bu32\b"],
    "optional_given_twice": [r"\bu32\b"],
    "into_wrong_type": [r"\bString\b"],
    "moved_value": [r"clon|borrow"],
    "borrowed_too_short": [r"live long enough|borrow|local variable"],
    "prop_without_value": [r"value|expression"],
    "empty_braces": [r"value|expression|\bstr\b"],
    "value_without_braces": [r"\{|brace"],
    "unknown_variable": [r"not found|cannot find"],
    "children_not_taken": [r"children"],
    "children_missing": [r"children|argument #1"],
    "child_not_showable": [r"trait|shown|implement"],
    "unquoted_text": [r"quote|\"hello|string literal"],
    "unknown_slot": [r"\bheader\b"],
    "slot_missing": [r"\bheader\b"],
    "wrong_closing_tag": [r"\bPanel\b"],
    "unclosed_tag": [r"clos"],
    "unended_tag": [r">"],
    "stray_closing_tag": [r"open|closes nothing|no corresponding"],
    "stray_bracket": [r"expected"],
    "unknown_tag": [r"not found|cannot find"],
    "misspelt_tag": [r"\b[Pp]anel\b"],
    "not_a_component": [r"component|implement|struct literal|syntax"],
    "variable_as_tag": [r"\{|brace|capital|upper"],
    "unmet_bound": [r"Display"],
    "if_without_body": [r"body|block|\{|curly"],
    "match_not_exhaustive": [r"Some"],
    "for_without_in": [r"\bin\b"],
    "component_self": [r"argument|parameter|\bprop"],
    "component_pattern": [r"\bname|ident"],
    "component_async": [r"wait|prop|suspense|future|resource"],
    "component_wrong_return": [r"Element|IntoView|Renderable"],
    "component_unknown_key": [r"default"],
    "component_on_struct": [r"\bfn\b|function"],
    "component_small_name": [r"capital|upper|PascalCase|camel"],
    "several_at_once": [r"(?<![A-Za-z])owner\b|argument #2", r"\bstr\b", r"\b[Pp]anel\b"],
    "let_in_a_body": [r"statement|@let|in front|before|outside"],
    "while_let": [r"\bfor\b|@while"],
    "else_without_if": [r"\bif\b"],
    "continue_in_a_for": [r"\bif\b|statement"],
    "for_of": [r"\bin\b"],
    "at_sign": [r"remove|without"],
    "ternary": [r"\bif\b"],
    "arm_with_a_colon": [r"=>"],
    "arm_without_braces": [r"\{|brace"],
    "or_a_value": [r"unwrap_or"],
    "body_without_braces": [r"body|\{|brace|block"],
    "html_comment": [r"//|/\*"],
    "entity": [r"character|quote|string literal"],
    "comma_between_elements": [r"remove"],
    "sum_of_texts": [r"remove|brace|paren"],
    "value_in_parentheses": [r"\{|brace|#\("],
    "value_in_braces": [r"\(|paren|#\("],
    "char_as_text": [r'"a"|string|quote'],
    "format_in_braces": [r'"\{|format'],
    "call_within": [r"no `|\{|paren|brace|remove"],
    "template_value": [r"remove"],
    "markdown_heading": [r"Section|\bh1\b|quote|string literal"],
    "attribute_on_an_element": [r"\bif\b"],
    "hash_map_values": [r"order|sort|BTree"],
    "call_of_a_component": [r"<Leaf|Leaf \{|literal"],
    "unknown_variable_in_a_text": [r"not found|cannot find"],
    "text_without_a_name": [r"name|argument"],
    "brace_in_a_text": [r"\{\{|escap"],
    "variable_in_a_borrowed_prop": [r"\bstr\b"],
    "html_tag": [r"Paragraph|`<>`|Section"],
    "dotted_tag": [r"::"],
    "dashed_tag": [r"MyPanel|ident|name"],
    "closed_as_a_fragment": [r"\bPanel\b"],
    "closed_with_props": [r">"],
    "closed_twice": [r"open|closes nothing|no corresponding|unexpected"],
    "another_syntax": [r"angle|`<|\{ ?\}|brace"],
    "prop_with_another_sign": [r"`=`|=\.\.|`:`"],
    "props_and_commas": [r"remove|comma|`,`"],
    "dashed_prop": [r"data_id|ident|name"],
    "mark_before_a_prop": [r"remove|alone"],
    "arrow_behind_a_prop": [r"`=`|`:`"],
    "call_without_braces": [r"\{|\(|brace|paren"],
    "reference_without_braces": [r"\{|\(|brace|paren"],
    "choice_without_braces": [r"\{|\(|brace|paren"],
    "name_in_braces": [r"`title`"],
    "spread_with_three_dots": [r"`\{?\.\.[a-z]|two dots"],
    "spread_without_braces": [r"\{"],
    "spread_with_props_in_it": [r"behind|\.\.props\}"],
    "attribute_on_a_prop": [r"remove|attribute"],
    "key": [r"remove|\b(title|owner|limit|note)\b"],
    "char_for_a_text": [r"\bstr\b"],
    "several_in_a_slot": [r"`?<>`?"],
    "condition_for_a_slot": [r"then|\bif\b"],
    "default_from_another_prop": [r"Option|other prop|body"],
    "component_named_like_its_data": [r"another name|multiple times"],
    "component_const": [r"remove|const"],
    "prop_that_can_not_be_cloned": [r"Clone"],
    "component_returns_a_local": [r"borrow|local|clone"],
    "component_default_in_parentheses": [r"="],
    "component_with_impl_result": [r"Element"],
    "ambient_without_a_default": [r"default|Default|Option"],
    "ambient_given_by_the_caller": [r"Provide"],
    "provided_by_value": [r"&value|Rc|borrow"],
    "flag_without_value": [r"=\s*\{?true|: true|\blet\b"],
    "component_forgotten": [r"#\[component\]"],
    "children_of_another_type": [r"\bChildren\b|\bElement\b|Renderable|AnyElement|Markup|PreEscaped"],
    "children_as_a_vector": [r"\bChildren\b|\bElement\b|Renderable|AnyElement|Markup|PreEscaped"],
    "density_of_another_type": [r"\bDensity\b"],
    "density_not_taken": [r"density: Density"],
    "iterator_with_its_places": [r"\bfor\b|\.map"],
    "iterator_without_a_type": [r"\bfor\b|\.map|collect"],
    "fragment_by_name": [r"`?<>"],
    "show_helper": [r"\bif\b"],
    "for_helper": [r"\bfor \w+ in\b"],
    "slot_by_directive": [r"header=|\bprop\b"],
    "html_list_in_capitals": [r"<List>|\bul\b"],
    "html_heading_in_capitals": [r"<Section|<Heading|\bh1\b"],
    "jinja_for": [r"`@?for \w+ in|\bfor\b.*\{"],
    "svelte_if": [r"`@?if \w+|\bif\b.*\{"],
    "layer_in_quotes": [r"layer = static"],
    "rule_without_one_way": [r"one_way\("],
    "owned_option_for_a_borrowed_one": [r"as_deref"],
    "another_integer": [r"\bas\b|try_into|into\(\)"],
    "array_for_a_list": [r"vec!|to_vec|into\(\)"],
    "children_twice": [r"clon|borrow"],
    "local_list_for_a_borrowing_component": [r"\bVec\b|\bRc\b|clone|to_vec|to_owned"],
    "component_in_an_impl": [r"mov(e|ing) .*out|module"],
    "component_with_self_in_an_impl": [r"prop|argument|parameter"],
    "leaf_not_ended": [r"/>|void|without a closing"],
    "equals_forgotten": [r"`?title=|`=`|`:`"],
    "unknown_beside_missing": [r"\burl\b"],
    "braces_that_are_meant": [r"\{\{"],
    "static_result_of_a_borrow": [r"`Element`|Element<'a>|\bString\b|&'static"],
    "undeclared_lifetime": [r"<'a>|'static"],
    "rsx_forgotten": [r"rsx!|view!|html!|element!"],
    "future_shown": [r"await|suspen|resource"],
    "lifetime_on_a_tag": [r"remove|elide"],
    "items_that_are_not_showable": [r"Display|to_string|where|restrict|bound"],
    "style_class": [r"remove|no styles|styles?\b"],
    "class_name": [r"remove|no styles|styles?\b"],
    "tuples_shown": [r"to_string|\bfor\b|iterator"],
    "map_shown": [r"\bfor\b|values|keys"],
    "path_shown": [r"display\(|to_string"],
    "value_of_an_own_type": [r"to_string|Display|implement"],
    "text_for_an_enum": [r"\bLevel\b"],
    "closure_without_braces": [r"\{|\(|brace|paren"],
    "negation_without_braces": [r"\{|\(|brace|paren"],
    "list_without_braces": [r"\{|\(|brace|paren"],
    "rendered_by_value": [r"&|borrow"],
    "result_for_a_text": [r"expect|unwrap|\?|Result"],
    "component_of_a_result": [r"\bElement\b|IntoView|Renderable|AnyElement"],
    "component_of_an_option": [r"\bElement\b|IntoView|Renderable|AnyElement"],
    "component_in_small_letters_used": [r"\bLeaf\b|capital|upper"],
    "component_in_another_case": [r"\b[Ll]eaf\b"],
    "question_mark": [r"Result|Option"],
    "awaited_in_a_function": [r"async"],
    "key_with_capital_letters": [r"\blayer\b"],
    "sum_in_a_prop": [r"\{|\(|brace|format|to_owned|to_string"],
    "recursive_component": [r"Box|\bRc\b|indirection"],
    "width_not_in_scope": [r"not found|cannot find"],
    "self_in_a_text": [r"\bself\b"],
    "debug_format_of_what_has_none": [r"\bDebug\b"],
    "private_component": [r"pub|private"],
    "text_in_single_quotes": [r'"|double quotes'],
    "quote_forgotten_within": [r'"|quote'],
    "words_and_a_variable": [r'"|quote'],
    "variable_between_texts": [r"\{ ?guest|\(guest\)|brace|paren"],
    "text_plus_variable": [r"remove|\{|brace|paren"],
    "method_without_call": [r"parenthes|\(\)"],
    "method_without_call_in_a_text": [r"parenthes|\(\)"],
    "field_of_a_text": [r"no field|doesn't have fields"],
    "number_in_quotes": [r"u8|integer|=\s*2\b"],
    "heading_for_title": [r"\btitle\b"],
    "title_forgotten": [r"\btitle\b"],
    "title_without_name": [r"title|name"],
    "level_forgotten": [r"\blevel\b"],
    "arrow_for_a_body": [r"\{|brace|body|block"],
    "and_a_text": [r"\bif\b|then"],
    "choice_of_two_types": [r"&str"],
    "ternary_of_tags": [r"\bif\b"],
    "map_of_a_vector": [r"iter\(\)|into_iter"],
    "closed_by_another_opening": [r"</Item>|clos"],
    "ended_and_closed": [r"open|closes nothing|no corresponding"],
    "small_closing_tag": [r"\b(Item|Panel)\b"],
    "small_tag": [r"\bItem\b|capital|upper"],
    "small_section": [r"\bSection\b"],
    "array_for_a_slice": [r"&|borrow"],
    "vector_for_a_slice": [r"&|borrow"],
    "float_for_an_integer": [r"\bu32\b|integer"],
    "none_without_braces": [r"\{|\(|brace|paren"],
    "variant_without_its_type": [r"Density::Full|use "],
    "density_in_quotes": [r"\bDensity\b"],
    "component_without_result": [r"-> |return type"],
    "component_with_a_semicolon": [r"semicolon|`;`"],
    "literal_for_an_owned_prop": [r"to_string|String::from|into"],
    "component_of_impl_trait": [r"<T|generic|parameter"],
    "prop_optional": [r"default|Option"],
    "props_for_prop": [r"\bprop\b"],
    "default_of_another_type": [r"to_string|\bString\b"],
    "worth_in_quotes": [r"number|integer|worth = \d"],
    "unknown_layer": [r"\bstatic\b|\bdynamic\b"],
    "density_by_reference": [r"`?density: Density"],
    "node_without_derives": [r"\bDebug\b"],
    "children_of_a_leaf_node": [r"children"],
    "rule_without_a_vector": [r"vec!|\bVec\b"],
    "rendered_without_a_density": [r"Density|argument #2"],
    "component_called_outside": [r"Leaf \{|<Leaf|literal"],
    "element_for_a_string": [r"\bString\b"],
    "provided_without_a_name": [r"\bvalue\b"],
    "unquoted_address": [r'"|quote'],
    "to_for_url": [r"\burl\b"],
    "lang_of_inline_code": [r"CodeBlock|none"],
    "language_of_a_code_block": [r"\blang\b"],
    "done_for_checked": [r"\bchecked\b"],
    "tag_named_if": [r"`if |\bif condition"],
    "match_helper": [r"`match |\bmatch value"],
    "vue_condition": [r"`if |\bif condition"],
    "event_handler": [r"remove|none|no prop"],
    "props_in_parentheses": [r"remove|paren|without"],
    "moved_by_a_loop": [r"&|clon|borrow"],
    "unknown_module": [r"not found|cannot find|undeclared|could not find|unresolved"],
    "another_type_argument": [r"\bString\b"],
    "unknown_format": [r"\?|format"],
    "closing_brace_in_a_text": [r"\}\}|escap"],
}


class Snippet:
    """One mistake in one library's syntax."""

    def __init__(self, words, body):
        self.name = words[0]
        self.kind = next((word for word in words[1:] if word in ("item", "block")), "markup")
        self.all = "all" in words[1:]
        self.body = body


def snippets(peer):
    prelude, wrap, found = "", "", []
    for part in (HERE / "mistakes" / f"{peer}.rs").read_text().split("//# ")[1:]:
        head, _, body = part.partition("\n")
        if head == "prelude":
            prelude = body
        elif head == "wrap":
            wrap = body.strip()
        else:
            found.append(Snippet(head.split(), body.strip()))
    return prelude, wrap, found


def source(snippet, prelude, wrap):
    """The file to compile, and the places in it that the marks enclose, in bytes."""
    body = snippet.body
    if snippet.kind == "markup":
        body = wrap.replace("$", body)
    if snippet.kind != "item":
        body = f"fn snippet() {{\n{body}\n}}"
    marked = f"#![allow(warnings)]\n{prelude}\n{body}\nfn main() {{}}\n"
    text, places, start = bytearray(), [], 0
    for char in marked:
        if char == "«":
            start = len(text)
        elif char == "»":
            places.append((start, len(text)))
        else:
            text += char.encode()
    return bytes(text), places


def words(message):
    """What an error says and suggests, without the source that it shows."""
    spans = message["spans"]
    said = [message["message"]]
    said += [span["label"] or "" for span in spans]
    said += [span["suggested_replacement"] or "" for span in spans]
    return said + [word for child in message["children"] for word in words(child)]


def places_of(message, name):
    """Where an error is marked in the file, in bytes."""
    for span in message["spans"]:
        primary = span["is_primary"]
        # Within a macro of another crate: where the file calls it, as the compiler shows it.
        while span and not span["file_name"].endswith(name):
            span = (span["expansion"] or {}).get("span")
        if span and primary:
            yield span["byte_start"], span["byte_end"]


def judge(snippet, marks, errors):
    """Whether a mistake is caught, at the right token, with the mend."""
    name = f"{snippet.name}.rs"
    found = [place for error in errors for place in places_of(error, name)]
    hit = [any(start <= a and b <= end and a < b for a, b in found) for start, end in marks]
    said = "\n".join(word for error in errors for word in words(error))
    mended = all(re.search(mend, said) for mend in MENDS[snippet.name])
    return bool(errors), (all(hit) if snippet.all else any(hit)), bool(errors) and mended


def project(work, peer):
    path = work / peer.replace(" ", "-")
    (path / "src").mkdir(parents=True, exist_ok=True)
    manifest = (f'[package]\nname = "compare-{path.name}"\nversion = "0.0.0"\nedition = "2024"\n\n'
                f"[dependencies]\n{DEPENDENCIES[peer]}\n\n[workspace]\n")
    if not (path / "Cargo.toml").exists() or (path / "Cargo.toml").read_text() != manifest:
        (path / "Cargo.toml").write_text(manifest)
    return path


def cargo(path, *arguments):
    env = dict(os.environ, CARGO_TARGET_DIR=str(path.parent / "built"), CARGO_INCREMENTAL="0")
    return subprocess.run(["cargo", *arguments], cwd=path, env=env, capture_output=True, text=True)


def check(path, sources):
    """The errors in each source, each of which is a program."""
    bins = path / "src" / "bin"
    bins.mkdir(exist_ok=True)
    for old in bins.glob("*.rs"):
        old.unlink()
    (path / "src" / "lib.rs").write_text("")
    for name, text in sources.items():
        (bins / f"{name}.rs").write_bytes(text)
    output = cargo(path, "check", "--bins", "--keep-going", "--message-format=json")
    errors, built = {name: [] for name in sources}, set()
    for line in output.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact":
            built.add(message["target"]["name"])
        elif message["reason"] == "compiler-message" and message["target"]["name"] in errors:
            message, name = message["message"], message["target"]["name"]
            if message["level"].startswith("error") and message["spans"]:
                errors[name].append(message)
    for name, found in errors.items():
        if not found and name not in built:
            sys.exit(f"{path.name}: {name} was not compiled:\n{output.stderr[-2000:]}")
    return errors


def suggestions(error, name):
    """What the compiler proposes to replace in the file: for each proposal its pieces, the last first."""
    for child in error["children"]:
        spans = child["spans"]
        if spans and all(span["file_name"].endswith(f"/{name}.rs")
                         and span["suggestion_applicability"] in ("MachineApplicable", "MaybeIncorrect") for span in spans):
            pieces = [(span["byte_start"], span["byte_end"], span["suggested_replacement"].encode()) for span in spans]
            yield sorted(pieces, reverse=True)


def applied(path, sources, errors):
    """For each mistake with code that the compiler proposes, whether each proposal fixes its error."""
    fixed, of = {}, {}
    for name, found in errors.items():
        for error in found:
            for pieces in suggestions(error, name):
                text = sources[name]
                for start, end, replacement in pieces:
                    text = text[:start] + replacement + text[end:]
                key = f"{name}-{len(fixed)}"
                fixed[key], of[key] = text, name
    holds = {}
    for name, left in check(path, fixed).items():
        before = errors[of[name]]
        new = {error["message"] for error in left} - {error["message"] for error in before}
        holds.setdefault(of[name], []).append(not new and len(left) < len(before))
    return holds


def mistakes(work, peer):
    """What a library says of each mistake that it can have: judgement, errors, and which proposals fix them."""
    path = project(work, peer)
    prelude, wrap, found = snippets(peer)
    sources, marks = {}, {}
    for snippet in found:
        sources[snippet.name], marks[snippet.name] = source(snippet, prelude, wrap)
    errors = check(path, sources)
    if errors["ok"]:
        sys.exit(f"{peer}: what is right does not compile:\n{errors['ok'][0]['rendered']}")
    holds = applied(path, sources, errors)
    return {snippet.name: (judge(snippet, marks[snippet.name], errors[snippet.name]), errors[snippet.name],
                           holds.get(snippet.name, []))
            for snippet in found if snippet.name != "ok"}


def measured(path, command, runs):
    """The least seconds of processor and of waiting that the crate alone takes."""
    arguments = ["-q", "--lib"]
    first = cargo(path, command, *arguments)
    if first.returncode != 0:
        sys.exit(f"{path.name} does not compile:\n{first.stderr[:3000]}")
    best = []
    for _ in range(runs):
        (path / "src" / "lib.rs").touch()
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        cargo(path, command, *arguments)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best.append((after.ru_utime - before.ru_utime, time.monotonic() - start))
    return min(best)


# A text goes on behind a line's end, which may have a backslash in front.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[A-Za-z_0-9]+|[^\sA-Za-z_0-9]', re.DOTALL)


def expanded_tokens(path, text):
    """How many tokens a source has when all macros are expanded."""
    (path / "src" / "lib.rs").write_text(text)
    os.environ["RUSTC_BOOTSTRAP"] = "1"  # For this measurement only: stable has no way to show it.
    output = cargo(path, "rustc", "-q", "--lib", "--profile", "dev", "--", "-Zunpretty=expanded")
    del os.environ["RUSTC_BOOTSTRAP"]
    return len(TOKEN.findall(output.stdout))


def compile_times(work, peer, runs):
    path = project(work, peer)
    whole = compile_time.SOURCES[peer]()
    components = whole[:whole.index("pub fn use0(")]
    (path / "src" / "lib.rs").write_text(whole)
    check, build = (measured(path, command, runs) for command in ("check", "build"))
    tokens = expanded_tokens(path, components), expanded_tokens(path, whole)
    return check, build, (tokens[1] - tokens[0]) / compile_time.USES, tokens[0] / compile_time.COMPONENTS


def print_mistakes(results, peers):
    names = [name for name in MENDS if any(name in results[peer] for peer in peers)]
    print(f"| error | {' | '.join(peers)} |\n| --- |{' --- |' * len(peers)}")
    for name in names:
        cells = []
        for peer in peers:
            if name not in results[peer]:
                cells.append("–")
                continue
            (caught, token, mend), *_ = results[peer][name]
            cells.append(" ".join(["caught"] + ["token"] * token + ["fix"] * mend) if caught else "no")
        print(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    print(f"\n| of {len(names)} errors | {' | '.join(peers)} |\n| --- |{' --- |' * len(peers)}")
    row = lambda title, value: print(f"| {title} | {' | '.join(value(results[peer].values()) for peer in peers)} |")
    row("can be made", lambda all: str(len(all)))
    row("caught", lambda all: str(sum(judged[0] for judged, *_ in all)))
    row("caught at the token", lambda all: str(sum(judged[0] and judged[1] for judged, *_ in all)))
    row("caught with a fix", lambda all: str(sum(judged[2] for judged, *_ in all)))
    row("all three", lambda all: str(sum(judged == (True, True, True) for judged, *_ in all)))
    row("reported once", lambda all: str(sum(len(errors) == 1 for _, errors, _ in all)))
    row("proposed code that fixes its error", lambda all: (
        f"{sum(sum(holds) for *_, holds in all)} of {sum(len(holds) for *_, holds in all)}"))
    row("lines per error", lambda all: f"{sum(e['rendered'].count(chr(10)) for _, t, _ in all for e in t) / max(1, sum(bool(t) for _, t, _ in all)):.0f}")


def print_times(times):
    hand = times.get("by hand")
    print("| | check, s | build, s | check, wall | build, wall | check ÷ by hand | build ÷ by hand "
          "| tokens per use | tokens per component |\n| --- |" + " --- |" * 8)
    for peer, (check, build, use, component) in times.items():
        ratios = [f"{mine[0] / theirs[0]:.1f}" if hand else "" for mine, theirs in zip((check, build), hand or (1, 1))]
        print(f"| {peer} | {check[0]:.2f} | {build[0]:.2f} | {check[1]:.2f} | {build[1]:.2f} | "
              f"{' | '.join(ratios)} | {use:.0f} | {component:.0f} |")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--only", nargs="*", choices=PEERS, default=PEERS, help="these libraries")
    options.add_argument("--part", choices=["mistakes", "time", "all"], default="all")
    options.add_argument("--runs", type=int, default=3, help="of which the quickest counts")
    options.add_argument("--work", type=Path, default=ROOT / "target" / "compare")
    options.add_argument("--show", nargs="*", help="show what is said of these mistakes")
    given = options.parse_args()
    work = given.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    if given.part in ("mistakes", "all"):
        results = {}
        for peer in given.only:
            print(f"{peer}: mistakes", file=sys.stderr)
            results[peer] = mistakes(work, peer)
        for name in given.show or []:
            for peer in given.only:
                judgement, errors, holds = results[peer].get(name, ((), [], []))
                print(f"=== {name}, {peer}: {judgement}, {holds}")
                print("".join(error["rendered"] for error in errors))
        print_mistakes(results, given.only)
        print()
    if given.part in ("time", "all"):
        times = {}
        for peer in ["by hand", *(peer for peer in given.only if peer in compile_time.SOURCES)]:
            print(f"{peer}: compile time", file=sys.stderr)
            times[peer] = compile_times(work, peer, given.runs)
        print_times(times)


if __name__ == "__main__":
    main()
