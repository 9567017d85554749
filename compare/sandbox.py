#!/usr/bin/env python3
"""Prints what functions in layouts cost whoever builds `hud`: how large the program is, and how long it takes to
compile, without them and with them (the feature `script`, which has QuickJS in it)."""

import argparse
import os
import resource
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

BUILDS = {
    "no layouts' functions": [],
    "with the feature `script`": ["--features", "script"],
}


def built(name, features):
    """Seconds of processor and of the wall, and the size of the program, of a build from nothing."""
    target = ROOT / "target/compare/sandbox" / ("script" if features else "plain")
    environment = {**os.environ, "CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"}
    subprocess.run(["cargo", "clean", "-q"], cwd=ROOT, env=environment, check=True)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = ["cargo", "build", "-q", "--release", "--locked", "-p", "hud-cli", *features]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return processor, wall, (target / "release/hud").stat().st_size


def main():
    argparse.ArgumentParser(description=__doc__).parse_args()
    print("| build | processor, s | wall, s | program, MB |\n| --- | --- | --- | --- |")
    for name, features in BUILDS.items():
        processor, wall, size = built(name, features)
        print(f"| {name} | {processor:.0f} | {wall:.0f} | {size / 1e6:.1f} |")


if __name__ == "__main__":
    main()
