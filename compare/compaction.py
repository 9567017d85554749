#!/usr/bin/env python3
"""Compacts conversations with planted statements five times over, and prints how many of the statements are still there,
beside the end of the conversation and the benchmark's own ways.

    HUDBIN=target/release/hud python3 compare/compaction.py [--seeds 1-4] [--rounds 5] [--budgets 10%,20%,30%]
        [--least PERCENT,..] [--most-stale N]

The benchmark is `compaction-conformance-kit` of PyPI, which is installed in `target/compare/compaction`; it imports the classes
of this file. `hud` is HUDBIN, or the one on the PATH."""

import argparse
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PLACE = Path(__file__).resolve().parent.parent / "target" / "compare" / "compaction"
KIT = "compaction-conformance-kit==0.8.0"
# Seconds that a frame may take, and a whole benchmark.
FRAME, BENCHMARK = 60, 900


@functools.cache
def program():
    """The absolute path of `hud`, which runs in another folder."""
    name = os.environ.get("HUDBIN") or "hud"
    path = shutil.which(name)
    if path is None:
        sys.exit(f"no program {name}: build it with `cargo build --release -p hud-cli`, and name it in HUDBIN")
    return str(Path(path).resolve())


@functools.cache
def scratch():
    """A folder without settings, where `hud` is run."""
    return tempfile.TemporaryDirectory(prefix="hud-compaction-")


def replay(*arguments):
    place = scratch().name
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("HUD_")}
    environment = {**inherited, "HOME": place, "XDG_STATE_HOME": place, "XDG_CONFIG_HOME": place}
    command = [program(), "replay", *arguments]
    options = {"check": True, "text": True, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.run(command, cwd=place, env=environment, timeout=FRAME, **options).stdout


@functools.cache
def handoff():
    """The option that prints what an agent gets right after a compaction."""
    return ["--handoff"] if "--handoff" in replay("--help") else []


@functools.cache
def hud(messages, most):
    """What `hud` shows of a conversation in at most so many characters. It takes a budget in tokens, so the largest
    one is looked for whose text is short enough; nothing is cut here."""
    with tempfile.TemporaryDirectory(dir=scratch().name) as place:
        session = Path(place) / "session.jsonl"
        lines = [json.dumps({"role": role, "content": text}) for role, text in messages]
        session.write_text("".join(f"{line}\n" for line in lines))
        best, low, high, budget = "", 1, most, most
        # To a hundredth of the budget. Where all there is fits, the first answer is it.
        while high - low >= most // 100:
            text = replay(str(session), *handoff(), "--budget", str(budget)).strip()
            if len(text) > most:
                high = budget - 1
            else:
                low = budget + 1
                # More tokens are not always more text.
                best = max(best, text, key=len)
            budget = (low + high) // 2
    return best


class Compactor:
    """What the benchmark calls: `turns` have a `role` and a `text`."""

    def compact(self, turns, round_num=1, budget_chars=None):
        from compaction_kit.compacted import CompactedContext

        most = budget_chars or sum(len(turn.text) + 1 for turn in turns)
        text = self.text([(turn.role, turn.text) for turn in turns], most)
        return CompactedContext(text=text, compactor_name=self.name, round_num=round_num)


class LogKept(Compactor):
    """Each round appends its messages to the session, as the log of a session goes on after a compaction."""

    name = "hud, its log kept"

    def __init__(self):
        self.messages = []

    def text(self, messages, most):
        self.messages += messages
        return hud(tuple(self.messages), most)


class NoLog(Compactor):
    """Each round is a session of its own, which begins with the text of the last one: as if it were typed by the user,
    since a client's own instructions (`system`) are no part of a session."""

    name = "hud, without a log"

    def __init__(self):
        self.rounds = 0

    def text(self, messages, most):
        self.rounds += 1
        if self.rounds > 1:
            messages = [("user" if role == "system" else role, text) for role, text in messages]
        return hud(tuple(messages), most)


class Tail(Compactor):
    """The end of the conversation, as many characters of it."""

    name = "end of the conversation"

    def text(self, messages, most):
        return "\n".join(text for _, text in messages)[-most:]


def install():
    """The benchmark's command, in an environment of its own."""
    venv.create(PLACE, with_pip=True)
    subprocess.run([PLACE / "bin" / "pip", "install", "--quiet", KIT], check=True, timeout=BENCHMARK)
    return PLACE / "bin" / "compaction-kit"


def entries(kit, arguments, *which):
    command = [kit, "benchmark", *which, "--format", "json", "--rounds", str(arguments.rounds)]
    command += ["--seeds", arguments.seeds, "--budgets", arguments.budgets]
    output = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, timeout=BENCHMARK).stdout
    return json.loads(output)["entries"]


def row(entry):
    random, semantic = entry["randomized"], entry["semantic"]
    stale = [random["supersession"], semantic["conflicts"]]
    cells = [
        f"{entry['budget_fraction']:.0%}",
        entry["compactor"],
        f"{random['overall_final_survival']:.1%}",
        f"{semantic['resolved_rate']:.1%}",
        " + ".join(f"{part['stale']}/{part['n']}" for part in stale),
        f"{semantic['distinct_pair_rate']:.1%}",
        "yes" if entry["budget_compliant"] else "NO",
        f"{entry['mean_final_output_ratio']:.1%}",
    ]
    return f"| {' | '.join(cells)} |"


def failures(ours, least, most_stale):
    """What the HUD with its log has less of than is asked for."""
    for entry, percent in zip(ours, least or [0] * len(ours)):
        budget = f"{entry['budget_fraction']:.0%}"
        survival = 100 * entry["randomized"]["overall_final_survival"]
        stale = entry["randomized"]["supersession"]["stale"] + entry["semantic"]["conflicts"]["stale"]
        if survival < percent:
            yield f"{budget}: {survival:.1f} % of the statements survive, fewer than {percent} %"
        if most_stale is not None and stale > most_stale:
            yield f"{budget}: {stale} values are shown that were replaced, more than {most_stale}"
        if not entry["budget_compliant"]:
            yield f"{budget}: a text is longer than the budget"


def main():
    numbers = lambda text: [float(number) for number in text.split(",")]
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seeds", default="1-4", help="the conversations: 1-4, or 1,3,5")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is compacted")
    parser.add_argument("--budgets", default="10%,20%,30%", help="shares of the conversation's characters, smallest first")
    parser.add_argument("--least", type=numbers, help="fail where fewer percent survive, by budget: 40,85,100")
    parser.add_argument("--most-stale", type=int, help="fail where more values are shown at a budget that were replaced")
    arguments = parser.parse_args()
    # Before anything is installed.
    program()
    kit = install()
    log_kept, no_log, tail = (
        entries(kit, arguments, "--spec", f"{Path(__file__).resolve()}:{kind.__name__}") for kind in (LogKept, NoLog, Tail)
    )
    every = [*log_kept, *no_log, *tail, *entries(kit, arguments)]
    print("| budget | | survive | updates resolved | replaced values shown | distinct pairs kept | within the budget | size |")
    print("|" + " --- |" * 8)
    for entry in sorted(every, key=lambda entry: entry["budget_fraction"]):
        print(row(entry))
    if failed := list(failures(log_kept, arguments.least, arguments.most_stale)):
        sys.exit("\n".join(failed))


if __name__ == "__main__":
    try:
        main()
    except subprocess.TimeoutExpired as error:
        sys.exit(f"`{Path(error.cmd[0]).name} {error.cmd[1]}` takes longer than {error.timeout} s: try fewer --seeds")
    except subprocess.CalledProcessError as error:
        sys.exit(f"`{' '.join(map(str, error.cmd))}` ended with {error.returncode}")
