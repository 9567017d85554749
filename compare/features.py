#!/usr/bin/env python3
"""Prints what optional features cost whoever builds `hud`: how large the program is, and how long it takes to compile,
without them and with them (`script`, for functions in layouts, has QuickJS in it; `inspect` and `watch` show people what an
agent sees); and what a frame costs that starts an engine for a function, beside one that shows the same by an expression."""

import argparse
import os
import re
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BUILDS = {
    "no optional feature": [],
    "`script`": ["--features", "script"],
    "`inspect` and `watch`": ["--features", "inspect,watch"],
}


def built(features, profile):
    """Seconds of processor and of the wall, and the size of the program, of a build from nothing."""
    target = ROOT / "target/compare/features"
    # Nothing comes from a cache of what was compiled before.
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0", "RUSTC_WRAPPER": ""}
    subprocess.run(["cargo", "clean", "-q"], cwd=ROOT, env=environment, check=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = ["cargo", "build", "-q", "--profile", profile, "--locked", "-p", "hud-cli", *features]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    folder = {"dev": "debug"}.get(profile, profile)
    return processor, wall, (target / folder / "hud").stat().st_size


def builds(profile):
    print(f"| build ({profile}) | processor, s | wall, s | program, MB |\n| --- | --- | --- | --- |", flush=True)
    for name, features in BUILDS.items():
        processor, wall, size = built(features, profile)
        print(f"| {name} | {processor:.0f} | {wall:.0f} | {size / 1e6:.1f} |", flush=True)


def engine(_):
    """Prints the milliseconds that the benchmark of layouts measures."""
    bench = ["--features", "script", "--bench", "layout", "--", "--only", "function, "]
    command = ["cargo", "bench", "-q", "--locked", "-p", "hud-layout", *bench]
    said = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = re.findall(r"(?m)^(function, .*?) +([\d.]+) +([\d.]+)", said)
    assert len(rows) == 2, said
    print("| frame | fastest, ms | median, ms |\n| --- | --- | --- |")
    for row in rows:
        print(f"| {' | '.join(row)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {"builds": builds, "engine": engine}
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts))
    parser.add_argument("--profile", default="release", help="what is built: `release` or `dev` (default: %(default)s)")
    arguments = parser.parse_args()
    for part in arguments.only:
        parts[part](arguments.profile)


if __name__ == "__main__":
    main()
