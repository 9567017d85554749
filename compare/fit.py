#!/usr/bin/env python3
"""Compares the fit of Agent HUD with vscode-prompt-tsx on the same blocks, in one run on one machine.

    HUD_DATA=.. python3 compare/fit.py [--seconds N]

It needs Rust, Node with npm, and `fit/workload.json` in HUD_DATA: 50 sections with 250 blocks, 44 kB. The
packages are installed in `target/compare/fit`. Figures are medians."""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLACE = ROOT / "target" / "compare" / "fit"
PACKAGES = ["@vscode/prompt-tsx@0.4.0-alpha.9", "gpt-tokenizer@4.0.0"]
PRIOMPT = "@anysphere/priompt"
UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0, "s": 1e3}

# The benches of hud-core/benches/fit.rs, and what each is beside the peers' counters.
BENCHES = {
    "structural": ("Agent HUD", "a fourth of the characters"),
    "cold": ("Agent HUD, nothing counted before", "o200k"),
    "warm": ("Agent HUD, all counted before", "o200k"),
}


def installed():
    PLACE.mkdir(parents=True, exist_ok=True)
    npm = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(PLACE)]
    subprocess.run([*npm, *PACKAGES], check=True)
    found = subprocess.run(["npm", "view", PRIOMPT, "version"], capture_output=True, text=True, check=False)
    if found.returncode == 0:
        print(f"{PRIOMPT} {found.stdout.strip()} is in the registry now, and is not compared yet")
    else:
        print(f"{PRIOMPT} is not in the npm registry, so it is not compared")


def ours():
    bench = ["cargo", "bench", "-q", "-p", "hud-core", "--features", "bpe", "--bench", "fit"]
    output = subprocess.run(bench, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    taken = {
        int(percent): (int(all_tokens) * int(percent) // 100, int(tokens))
        for percent, all_tokens, tokens in re.findall(r"^(\d+) % of (\d+) tokens \(\w+\): (\d+) taken", output, re.M)
    }
    bench = None
    for line in output.splitlines():
        # The lines within a bench begin with the bar of its group, which is no cell's.
        cells = [cell.strip() for cell in line.lstrip("│ ").split("│")]
        name = re.search(r"[├╰]─ (\w+)", cells[0])
        if not name:
            continue
        if not name[1].isdigit():
            bench = name[1]
        elif bench in BENCHES and len(cells) > 2:
            number, unit = cells[2].split()
            what, counter = BENCHES[bench]
            percent = int(name[1])
            # The structural bench counts otherwise, and only its time is of interest.
            budget, tokens = taken[percent] if counter == "o200k" else (None, None)
            yield dict(peer=what, counter=counter, percent=percent, budget=budget, taken=tokens,
                       milliseconds=float(number) * UNITS[unit])


def theirs(workload, seconds):
    environment = {**os.environ, "NODE_MODULES": str(PLACE)}
    node = ["node", str(HERE / "fit" / "peers.mjs"), str(workload), str(seconds)]
    output = subprocess.run(node, env=environment, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def table(rows):
    counters = sorted({row["counter"] for row in rows})
    percents = sorted({row["percent"] for row in rows}, reverse=True)
    heads = " | ".join(f"{percent} %" for percent in percents)
    for counter in counters:
        print(f"\ntokens counted as {counter}: milliseconds (share of the budget that is filled)\n")
        print(f"| | {heads} |\n| --- |{' --- |' * len(percents)}")
        for peer in dict.fromkeys(row["peer"] for row in rows if row["counter"] == counter):
            cells = []
            for percent in percents:
                row = next(row for row in rows
                           if (row["peer"], row["counter"], row["percent"]) == (peer, counter, percent))
                filled = f" ({row['taken'] / row['budget']:.3f})" if row["budget"] else ""
                cells.append(f"{row['milliseconds']:.3f}{filled}")
            print(f"| {peer} | {' | '.join(cells)} |")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seconds", type=float, default=6, help="for the peers' runs together")
    seconds = arguments.parse_args().seconds
    data = os.environ.get("HUD_DATA")
    workload = Path(data or ".") / "fit" / "workload.json"
    if not data or not workload.is_file():
        sys.exit(f"{workload} is not there: set HUD_DATA to the directory that has fit/workload.json")
    installed()
    rows = [*ours(), *theirs(workload, seconds)]
    print("choosing and writing 50 sections with 250 blocks, within a share of all their tokens; medians")
    table(rows)


if __name__ == "__main__":
    main()
