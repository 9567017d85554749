#!/usr/bin/env python3
"""Installs peers by their packages' names, measures Agent HUD beside them on the same work in one run on one machine,
and prints tables, also where they are better.

    HUD_DATA=.. python3 compare/peers.py [--part PART...] [--seconds N]

It needs Rust and Node with npm, and the labelled sessions and the workload in HUD_DATA. The packages are installed in
`target/compare/peers`. What cannot be run here is named with the reason."""

import argparse
import json
import os
import re
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import fit
import sessions

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLACE = ROOT / "target" / "compare" / "peers"
PACKAGES = {
    "@vscode/prompt-tsx": "0.4.0-alpha.9",
    "@impowering/priompt": "0.2.1",
    "@tarquinen/opencode-dcp": "3.1.14",
    "@modelcontextprotocol/server-memory": "2026.8.31",
    "mdast-util-to-markdown": "2.2.3",
    "mdast-util-from-markdown": "2.1.0",
    "mdast-util-gfm": "3.1.0",
    "micromark-extension-gfm": "3.0.0",
    "remark-gfm": "4.0.1",
    "remark-stringify": "11.0.0",
    "unified": "11.0.5",
    "gpt-tokenizer": "4.0.0",
}
# Peers that are looked for by name, so that one notices when they can be installed.
MISSING = ["@anysphere/priompt", "opencode-working-memory"]
# Why what can be installed is not measured.
NOT_RUN = {
    "mem0": "keeps what a model extracts and finds it by a model's embeddings; both are asked for over the network",
    "Letta": "its package has the client; blocks are rendered by its server, whose agents need a model",
    "poml": "needs a process for each prompt, and drops whole classes of priority; `layouts.py` has its mistakes",
    "opencode-dcp, facts": "takes something out only when the model calls `compress`, and what it leaves instead is "
    "the model's own summary: that is the row of the summary",
}
# As many characters as CI asks of the HUD, too.
CHARACTERS = 2000


def run(*command, **options):
    options = {"check": True, "text": True, "stdout": subprocess.PIPE, "cwd": ROOT, **options}
    return subprocess.run(command, **options).stdout


def node(script, *arguments, **options):
    environment = {**os.environ, "PEERS": str(PLACE)}
    output = run("node", str(HERE / "peers" / script), *map(str, arguments), env=environment, **options)
    return [json.loads(line) for line in output.splitlines()]


def bench(package, name, *arguments, **environment):
    command = ["cargo", "bench", "-q", "--locked", "-p", package, *arguments, "--bench", name]
    return run(*command, env={**os.environ, **environment})


def install():
    PLACE.mkdir(parents=True, exist_ok=True)
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(PLACE)]
    run(*npm, *(f"{name}@{version}" for name, version in PACKAGES.items()))
    missing = []
    for name in MISSING:
        found = run("npm", "view", name, "version", check=False, stderr=subprocess.DEVNULL).strip()
        missing.append(f"{name}: {found} is in the npm registry now" if found else f"{name}: not in the npm registry")
    return missing


def of_fit(data, seconds):
    """Choosing and writing 50 sections with 250 blocks within a share of all their tokens."""
    rows = [*fit.ours(bench("hud-core", "fit", "--features", "bpe"))]
    fit.table(rows + node("fit.mjs", data / "fit" / "workload.json", seconds))


def of_serialise(_, seconds):
    """Writing the GFM of a tree, for documents of about 100 kB."""
    documents = PLACE / "documents"
    documents.mkdir(exist_ok=True)
    ours = fit.medians(bench("hud-core", "gfm", HUD_DOCUMENTS=str(documents)))
    names = {"hud": "Agent HUD", "comrak": "comrak (Rust)", "mdast_util_to_markdown": "mdast_util_to_markdown (Rust)"}
    found = {(names[bench], document): took for (bench, document), took in ours.items() if bench in names}
    for row in node("serialise.mjs", documents, seconds):
        found[row["peer"], row["document"].removesuffix(".md")] = row["milliseconds"]
    columns = sorted({document for _, document in found})
    print(f"| | {' | '.join(name.lower() for name in columns)} |\n| --- |{' --- |' * len(columns)}")
    for peer in dict.fromkeys(peer for peer, _ in found):
        cells = [f"{found[peer, name]:.2f} ms" if (peer, name) in found else "–" for name in columns]
        print(f"| {peer} | {' | '.join(cells)} |")


BRIDGE = ["a line to `cat` and back", "a frame after a report", "the same frame again", "what stays of 500 messages"]


def of_frame(_, seconds):
    """What a client waits for in a turn. Agent HUD and the memory server answer over pipes; DCP is within opencode."""
    output = bench("hud-cli", "bridge")
    # The part with full durability comes first.
    full = output[output.index("durability full"):output.index("durability fast")]
    print("| | p50 |\n| --- | --- |")
    for what in BRIDGE:
        print(f"| Agent HUD: {what} | {re.search(re.escape(what) + r' +p50 +([0-9.]+) ms', full)[1]} ms |")
    for row in node("frame.mjs", seconds):
        print(f"| {row['peer']} | {row['milliseconds']:.3f} ms |")


def of_tools(*_):
    """What the definitions of tools take of each request, with what is said of them in the system prompt."""
    output = run("cargo", "bench", "-q", "--locked", "-p", "hud-cli", "--bench", "bridge", "--", "--test")
    print("| | tools | tokens of their definitions | tokens in the system prompt |\n| --- | --- | --- | --- |")
    for number, tokens in enumerate(re.findall(r"the definition of \w+: (\d+) tokens", output)):
        print(f"| Agent HUD, {['each operation described', 'compact'][number]} | 1 | {tokens} | 0 |")
    for row in node("tools.mjs"):
        print(f"| {row['peer']} | {row['tools']} | {row['tokens']} | {row['system']} |")


def scored(data, texts, *arguments):
    """What the scorer says of each text: states, characters, percent held and percent kept out."""
    file = PLACE / "texts.jsonl"
    file.write_text("".join(json.dumps(text) + "\n" for text in texts))
    command = ["cargo", "run", "-q", "--release", "--locked", "-p", "hud-eval", "--bin", "facts", "--"]
    where = [data / "facts" / "claude-code.jsonl", data / "sessions" / "claude-code", "--texts", file]
    output = run(*command, *map(str, [*where, *arguments]))
    line = r"(?m)^(.+): (\d+) states of (\d+) characters, facts held ([0-9.]+) %, wrong things kept out ([0-9.]+) %$"
    return {name: row for name, *row in re.findall(line, output)}


def score_table(rows):
    print("| | states | characters | facts held, % | wrong things kept out, % |\n| --- | --- | --- | --- | --- |")
    for name, (states, characters, held, out) in rows.items():
        print(f"| {name} | {states} | {characters} | {held} | {out} |")


def states_of(data):
    facts, calls = (data / "facts" / name for name in ("claude-code.jsonl", "hud-calls.jsonl"))
    return list(sessions.states(facts, data / "sessions" / "claude-code", calls))


def texts_of(states):
    return node("texts.mjs", CHARACTERS, input=json.dumps(states))


def of_facts(data, _):
    """What a text has of the facts that an agent must know at labelled turns of 13 recorded sessions."""
    states = states_of(data)
    whole = [{**state, "name": "all that was said", "text": "\n".join(state["messages"])} for state in states]
    texts = texts_of(states)
    rows = scored(data, texts + whole, "--chars", str(CHARACTERS))
    mine = rows.pop(f"within {CHARACTERS}")
    called = scored(data, [], "--chars", str(CHARACTERS), "--with-calls", str(data / "facts" / "hud-calls.jsonl"))
    # The states in which a model had recorded something, with the same calls.
    recorded = {(text["session"], text["turn"]) for text in texts if text["name"].startswith("MCP")}
    same = [{**text, "name": f"{text['name']}, given the same records"} for text in texts if text["name"].startswith("MCP")]
    rows.pop("MCP's memory server", None)
    rows |= {name: row for name, row in scored(data, same).items() if name.startswith("MCP")}
    score_table({
        f"Agent HUD, in {CHARACTERS} characters, no call of a model": mine,
        f"Agent HUD, in {CHARACTERS} characters, with the calls of a model": called[f"within {CHARACTERS}"],
        **rows,
    })
    print(f"\nThe memory server is scored where a model had recorded something: {len(recorded)} of {len(states)} states.")


def of_compaction(data, _):
    """What is held behind a compaction, of which the client keeps a summary by a model."""
    path = data / "facts" / "summaries.jsonl"
    summaries = [json.loads(line) for line in path.read_text().splitlines()]
    long = {(summary["session"], summary["turn"]): summary["long"] for summary in summaries}
    states = [state for state in states_of(data) if (state["session"], state["turn"]) in long]
    graphs = [text for text in texts_of(states) if text["name"].startswith("MCP")]
    joined = [
        {**text, "name": f"the summary and {text['name']}",
         "text": long[text["session"], text["turn"]] + "\n" + text["text"]}
        for text in graphs
    ]
    short = [{**summary, "name": "the short summary alone", "text": summary["short"]} for summary in summaries]
    rows = scored(data, graphs + joined + short, "--after-summary", str(path))
    names = {
        "summary, long": "the summary alone",
        "behind its summary": "Agent HUD alone, in no more characters than the summary",
        "summary, long, and the HUD": "the summary and Agent HUD",
        "MCP's memory server": "MCP's memory server alone",
    }
    score_table({names.get(name, name): row for name, row in rows.items()})


PARTS = {
    "fit": of_fit,
    "serialise": of_serialise,
    "frame": of_frame,
    "tools": of_tools,
    "facts": of_facts,
    "compaction": of_compaction,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--seconds", type=float, default=6, help="for the peers' runs of a part together")
    arguments = parser.parse_args()
    data = Path(os.environ.get("HUD_DATA", "."))
    for needed in ("fit/workload.json", "facts/claude-code.jsonl"):
        if not (data / needed).is_file():
            sys.exit(f"{data / needed} is not there: set HUD_DATA to the directory that has it")
    missing = install()
    load = os.getloadavg()[0]
    print(f"{datetime.now(timezone.utc):%Y-%m-%d %H:%M} UTC, {os.cpu_count()} cores, load {load:.1f} as it began")
    for part in arguments.part:
        print(f"\n### {part}\n\n{PARTS[part].__doc__}\n", flush=True)
        PARTS[part](data, arguments.seconds)
        sys.stdout.flush()
    print("\n### not measured\n")
    for said in missing:
        print(f"- {said}")
    for name, why in NOT_RUN.items():
        print(f"- {name}: {why}")


if __name__ == "__main__":
    main()
