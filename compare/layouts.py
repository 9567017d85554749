#!/usr/bin/env python3
"""Compares what is said of mistakes in layouts that are read at run time: by `hud layout check`, by MDX with React,
and by poml. It prints the table of COMPARE.md."""

import argparse
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent

MDX = {"@mdx-js/mdx": "3.1.1", "react": "19.3.1", "react-dom": "19.3.1"}
POML = "0.0.8"
# How many seconds a tool is waited for.
WAIT = 60
TOOLS = ["hud", "mdx", "poml"]

# The state of which expressions read in MDX and poml; hud has the schema of its own.
STATE = {
    "turn": 3,
    "task": {"description": "Add rate limits", "done": False},
    "decisions": [{"id": "d1", "summary": "Use Redis"}],
    "notes": [{"id": "n1", "content": "Tests need Redis"}],
    "next_steps": [{"id": "s1", "description": "Write the limiter", "status": "pending"}],
    "errors": [{"id": "e1", "message": "no route"}],
    "active_files": [{"path": "src/limit.rs", "status": "editing"}],
    "compacted": None,
}


class Case:
    """A mistake: its name, the patterns of its mend, and the layouts with it, with their marks."""

    def __init__(self, block):
        head, *rest = block.splitlines()
        self.name, mend = (part.strip() for part in head.split(" | ", 1))
        self.mend = [pattern.strip() for pattern in mend.split(" && ")]
        texts = dict(line.split(" ", 1) for line in rest)
        if texts["mdx"] == "=":
            texts["mdx"] = texts["hud"]
        self.marked = {
            tool: text.replace("\\n", "\n") for tool, text in texts.items() if text != "-"
        }

    def text(self, tool):
        return re.sub("[«»]", "", self.marked[tool])

    def marks(self, tool):
        """Where the wrong words begin and end."""
        before, rest = self.marked[tool].split("«", 1)
        return len(before), len(before) + len(rest.split("»", 1)[0])


def cases():
    text = (HERE / "layouts" / "mistakes.txt").read_text()
    blocks = [block for block in text.split("\n\n") if not block.startswith("#")]
    found = [Case(block.strip("\n")) for block in blocks]
    assert len({case.name for case in found}) == len(found), "a name is there twice"
    return found


def offset(text, line, column):
    """The character at a line and a column, both from 1."""
    lines = text.split("\n")
    return sum(len(line) + 1 for line in lines[: line - 1]) + column - 1


def run(*command, **options):
    options = {"timeout": 600, **options}
    return subprocess.run(command, capture_output=True, text=True, **options)


def told_by_hud(cases, work):
    run("cargo", "build", "-q", "-p", "hud-cli", cwd=ROOT).check_returncode()
    hud = ROOT / "target/debug/hud"
    tags = [line.split()[0] for line in run(hud, "layout", "tags").stdout.splitlines()]

    def told(case):
        file = work / "layout.mdx"
        file.write_text(case.text("hud"))
        answer = run(hud, "layout", "check", "--json", file).stdout
        mistakes = json.loads(answer)["mistakes"] if answer else []
        return [
            {
                "message": " ".join(filter(None, [mistake["message"], mistake.get("help")])),
                "at": [offset(case.text("hud"), mistake["line"], mistake["column"])],
            }
            for mistake in mistakes
        ]

    return tags, {case.name: told(case) for case in cases}


def told_by_mdx(cases, work, tags):
    packages = [f"{name}@{version}" for name, version in MDX.items()]
    run("npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", work, *packages)
    script = HERE / "layouts" / "mdx.mjs"
    mdx = work / "node_modules/@mdx-js/mdx/index.js"

    def told(case):
        given = json.dumps({"text": case.text("mdx"), "tags": tags, "state": STATE})
        try:
            # React renders a component that is made of itself without an end.
            done = run("node", "--max-old-space-size=256", script, work / "package.json", mdx, input=given, cwd=work, timeout=WAIT)
        except subprocess.TimeoutExpired:
            print(f"MDX did not end: {case.name}", file=sys.stderr)
            return []
        said = json.loads(done.stdout) if done.stdout else []
        for one in said:
            places = [(line, column) for line, column in one.pop("places") if line > 0]
            one["at"] = [offset(case.text("mdx"), line, column) for line, column in places]
        return said

    with ThreadPoolExecutor(2) as pool:
        return dict(zip((case.name for case in cases), pool.map(told, cases)))


def told_by_poml(cases, work):
    packages = work / "poml"
    if not packages.exists():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--target", packages, f"poml=={POML}"]
        run(*pip).check_returncode()
    context = work / "context.json"
    context.write_text(json.dumps({"state": STATE}))
    # Its 10 MB of JavaScript are compiled once.
    environment = {**os.environ, "PYTHONPATH": str(packages), "NODE_COMPILE_CACHE": str(work / "cache")}

    def told(number, case):
        folder = work / f"poml-{number}"
        folder.mkdir(exist_ok=True)
        file = folder / "self.poml"
        before = "<poml>\n"
        file.write_text(f"{before}{case.text('poml')}\n</poml>\n")
        command = [sys.executable, "-m", "poml", "-f", file, "--context-file", context]
        try:
            done = run(*command, env=environment, cwd=folder, timeout=WAIT)
        except subprocess.TimeoutExpired:
            print(f"poml did not end: {case.name}", file=sys.stderr)
            return []
        said = []
        words = done.stderr + (done.stdout if done.returncode else "")
        # Each error has its words, and behind the stack the place where it begins.
        for message, rest in re.findall(r"(?m)^\s*(?:\[errors\]: \[\s*)?(?:\[cause\]: )?(\w*Error: .*)\n((?:(?!^\s*(?:\[cause\]: )?\w*Error: ).*\n?)*)", words):
            place = re.search(r"startIndex: (\d+)", rest)
            said.append({"message": message, "at": [int(place[1]) - len(before)] if place else []})
        if done.returncode and not said:
            said.append({"message": words, "at": []})
        return said

    with ThreadPoolExecutor(2) as pool:
        told = pool.map(told, range(len(cases)), cases)
        return dict(zip((case.name for case in cases), told))


def judge(case, tool, said):
    """What is said of a mistake: whether it is caught, at its place, and with its mend."""
    if tool not in case.marked:
        return None
    start, end = case.marks(tool)
    words = " ".join(one["message"] for one in said)
    return {
        "caught": bool(said),
        "place": any(start <= at <= end for one in said for at in one["at"]),
        "fix": bool(said) and all(re.search(pattern, words) for pattern in case.mend),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=TOOLS, default=TOOLS)
    parser.add_argument("--show", help="print what is said of a mistake")
    args = parser.parse_args()
    work = ROOT / "target/compare/layouts"
    work.mkdir(parents=True, exist_ok=True)
    all_cases = cases()
    if args.show:
        all_cases = [case for case in all_cases if case.name == args.show]
    of = {tool: [case for case in all_cases if tool in case.marked] for tool in TOOLS}
    tags, told = told_by_hud(of["hud"], work)
    told = {"hud": told}
    if "mdx" in args.only:
        told["mdx"] = told_by_mdx(of["mdx"], work, tags)
    if "poml" in args.only:
        told["poml"] = told_by_poml(of["poml"], work)
    tools = [tool for tool in TOOLS if tool in told]
    if args.show:
        print(json.dumps({tool: told[tool] for tool in tools}, indent=2, ensure_ascii=False))
    judged = {
        case.name: {tool: judge(case, tool, told[tool].get(case.name, [])) for tool in tools}
        for case in all_cases
    }
    print(f"| of {len(all_cases)} errors | {' | '.join(tools)} |\n| --- |{' --- |' * len(tools)}")
    rows = {
        "can be made": lambda row: True,
        "caught": lambda row: row["caught"],
        "caught at the place": lambda row: row["place"],
        "caught with a fix": lambda row: row["fix"],
        "all three": lambda row: row["place"] and row["fix"],
    }
    for label, counts in rows.items():
        numbers = [
            sum(1 for row in judged.values() if row[tool] and counts(row[tool])) for tool in tools
        ]
        print(f"| {label} | {' | '.join(map(str, numbers))} |")
    print(f"\n| error | {' | '.join(tools)} |\n| --- |{' --- |' * len(tools)}")
    for name, row in judged.items():
        cells = []
        for tool in tools:
            words = row[tool] and [word for word, holds in row[tool].items() if holds]
            cells.append("–" if words is None else " ".join(words) or "no")
        print(f"| {name} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
