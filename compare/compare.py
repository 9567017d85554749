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
}
PEERS = ["hud", "dioxus", "leptos", "hypertext", "maud", "iocraft"]

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
        while span and not span["file_name"].endswith(name):
            span = (span["expansion"] or {}).get("span")
        if span and span["is_primary"]:
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


def mistakes(work, peer):
    """What a library says of each mistake that it can have: judgement and number of errors."""
    path = project(work, peer)
    bins = path / "src" / "bin"
    bins.mkdir(exist_ok=True)
    for old in bins.glob("*.rs"):
        old.unlink()
    (path / "src" / "lib.rs").write_text("")
    prelude, wrap, found = snippets(peer)
    marks = {}
    for snippet in found:
        text, marks[snippet.name] = source(snippet, prelude, wrap)
        (bins / f"{snippet.name}.rs").write_bytes(text)
    output = cargo(path, "check", "--bins", "--keep-going", "--message-format=json")
    errors, built = {snippet.name: [] for snippet in found}, set()
    for line in output.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact":
            built.add(message["target"]["name"])
        elif message["reason"] == "compiler-message" and message["target"]["name"] in errors:
            message, name = message["message"], message["target"]["name"]
            if message["level"].startswith("error") and message["spans"]:
                errors[name].append(message)
    results = {}
    for snippet in found:
        found_errors = errors[snippet.name]
        if not found_errors and snippet.name not in built:
            sys.exit(f"{peer}: {snippet.name} was not compiled:\n{output.stderr[-2000:]}")
        if snippet.name == "ok":
            if found_errors:
                sys.exit(f"{peer}: what is right does not compile:\n{found_errors[0]['rendered']}")
            continue
        results[snippet.name] = (judge(snippet, marks[snippet.name], found_errors), found_errors)
    return results


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
            (caught, token, mend), _ = results[peer][name]
            cells.append(" ".join(["caught"] + ["token"] * token + ["fix"] * mend) if caught else "no")
        print(f"| {name.replace('_', ' ')} | {' | '.join(cells)} |")
    print(f"\n| of {len(names)} errors | {' | '.join(peers)} |\n| --- |{' --- |' * len(peers)}")
    row = lambda title, value: print(f"| {title} | {' | '.join(value(results[peer].values()) for peer in peers)} |")
    row("can be made", lambda all: str(len(all)))
    row("caught", lambda all: str(sum(caught for (caught, _, _), _ in all)))
    row("caught at the token", lambda all: str(sum(caught and token for (caught, token, _), _ in all)))
    row("caught with a fix", lambda all: str(sum(mend for (_, _, mend), _ in all)))
    row("all three", lambda all: str(sum(all_three == (True, True, True) for all_three, _ in all)))
    row("reported once", lambda all: str(sum(len(errors) == 1 for _, errors in all)))
    row("lines per error", lambda all: f"{sum(e['rendered'].count(chr(10)) for _, t in all for e in t) / max(1, sum(bool(t) for _, t in all)):.0f}")


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
                judgement, errors = results[peer].get(name, ((), []))
                print(f"=== {name}, {peer}: {judgement}")
                print("".join(error["rendered"] for error in errors))
        print_mistakes(results, given.only)
        print()
    if given.part in ("time", "all"):
        times = {}
        for peer in ["by hand", *given.only]:
            print(f"{peer}: compile time", file=sys.stderr)
            times[peer] = compile_times(work, peer, given.runs)
        print_times(times)


if __name__ == "__main__":
    main()
