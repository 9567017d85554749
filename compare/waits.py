#!/usr/bin/env python3
"""Prints what a user waits for: checking a crate of their own with one layout, from nothing and after a change, and a start
of `hud render`, each beside something that everybody knows."""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "target" / "compare" / "waits"
SESSION = ROOT / "examples" / "sessions" / "rate-limiter.jsonl"

MANIFEST = """[package]
name = "waits"
version = "0.0.0"
edition = "2024"

[dependencies]
{dependency}

[workspace]
"""
# What is checked: a dependency, and a program with it.
LAYOUT = (ROOT / "examples" / "first_layout.rs").read_text().replace("anstream::print!", "print!")
JSON = 'fn main() { println!("{}", serde_json::json!({ "title": "Changed files" })); }\n'
CRATES = {
    "a layout (`hud-core`)": (f'hud-core = {{ path = "{ROOT / "hud-core"}" }}', LAYOUT),
    "a value (`serde_json`)": ('serde_json = "1"', JSON),
}
# What changes in it before it is checked again.
TEXT = "Changed files"


def took(*command, **options):
    """Milliseconds by the clock."""
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    return (time.monotonic() - began) * 1e3


def check(rounds):
    print("| `cargo check` of a crate with | from nothing, s | after a change, ms |\n| --- | --- | --- |", flush=True)
    for name, (dependency, source) in CRATES.items():
        crate = PLACE / "crate"
        (crate / "src").mkdir(parents=True, exist_ok=True)
        (crate / "Cargo.toml").write_text(MANIFEST.format(dependency=dependency))
        main = crate / "src" / "main.rs"
        main.write_text(source)
        # As the user's own machine does it, whatever is set here.
        environment = {**os.environ, "CARGO_TARGET_DIR": str(PLACE / "target"), "CARGO_INCREMENTAL": "1", "RUSTC_WRAPPER": ""}
        cargo = {"cwd": crate, "env": environment}
        subprocess.run(["cargo", "fetch", "-q"], check=True, **cargo)
        subprocess.run(["cargo", "clean", "-q"], check=True, **cargo)
        cold = took("cargo", "check", "-q", **cargo)
        changes = []
        for round in range(rounds):
            main.write_text(source.replace(TEXT, f"{TEXT} {round}"))
            changes.append(took("cargo", "check", "-q", **cargo))
        print(f"| {name} | {cold / 1e3:.1f} | {statistics.median(changes):.0f} |", flush=True)


def start(rounds):
    subprocess.run(["cargo", "build", "-q", "--release", "--locked", "-p", "hud-cli"], cwd=ROOT, check=True)
    hud = ROOT / "target" / "release" / "hud"
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([hud, "replay", SESSION, "--db", "hud.db"], cwd=place, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        commands = {
            "`hud render --db hud.db`": [hud, "render", "--db", "hud.db"],
            "`hud --version`": [hud, "--version"],
            "`git --version`": ["git", "--version"],
            "`true`": ["true"],
        }
        times = {name: [] for name in commands}
        # They take turns, so that all of them meet what else the machine does.
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(took(*command, cwd=place))
    print("| command | fastest, ms | median, ms |\n| --- | --- | --- |")
    for name, each in times.items():
        print(f"| {name} | {min(each):.2f} | {statistics.median(each):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parts = {"check": (check, 10), "start": (start, 200)}
    parser.add_argument("--only", nargs="+", choices=parts, default=list(parts))
    for part in parser.parse_args().only:
        measure, rounds = parts[part]
        measure(rounds)
        print(flush=True)


if __name__ == "__main__":
    main()
