"""The fit of Agent HUD and of two libraries on the same blocks: a part of `peers.py`. It needs `fit/workload.json` in
HUD_DATA, which has 50 sections with 250 blocks, 44 kB. Figures are medians."""

import re

UNITS = {"ns": 1e-6, "µs": 1e-3, "ms": 1.0, "s": 1e3}

# The benches of hud-core/benches/fit.rs, and what each is beside the peers' counters.
BENCHES = {
    "structural": ("Agent HUD", "a fourth of the characters"),
    "cold": ("Agent HUD, nothing counted before", "o200k"),
    "warm": ("Agent HUD, all counted before", "o200k"),
}


def medians(output):
    """The medians of divan's table in milliseconds: by bench and argument."""
    bench, found = None, {}
    for line in output.splitlines():
        # The lines within a bench begin with the bar of its group, which is no cell's.
        within = line.startswith(("│", " "))
        cells = [cell.strip() for cell in line.lstrip("│ ").split("│")]
        name = re.search(r"[├╰]─ (\w+)", cells[0])
        if not name:
            continue
        if not within:
            bench = name[1]
        if len(cells) > 2 and re.match(r"[\d.]+ \S+$", cells[2]):
            number, unit = cells[2].split()
            found[bench, name[1]] = float(number) * UNITS[unit]
    return found


def ours(output):
    """The rows that the benchmark's output has."""
    taken = {
        int(percent): (int(all_tokens) * int(percent) // 100, int(tokens))
        for percent, all_tokens, tokens in re.findall(r"^(\d+) % of (\d+) tokens \(\w+\): (\d+) taken", output, re.M)
    }
    for (bench, argument), milliseconds in medians(output).items():
        if bench in BENCHES:
            what, counter = BENCHES[bench]
            percent = int(argument)
            # The structural bench counts otherwise, and only its time is of interest.
            budget, tokens = taken[percent] if counter == "o200k" else (None, None)
            yield dict(peer=what, counter=counter, percent=percent, budget=budget, taken=tokens,
                       milliseconds=milliseconds)


def table(rows):
    """Prints milliseconds, and the share of the budget that is filled, with a row for each peer."""
    percents = sorted({row["percent"] for row in rows}, reverse=True)
    heads = " | ".join(f"{percent} %" for percent in percents)
    print(f"| tokens counted as | | {heads} |\n| --- | --- |{' --- |' * len(percents)}")
    for counter in sorted({row["counter"] for row in rows}):
        name = counter
        for peer in dict.fromkeys(row["peer"] for row in rows if row["counter"] == counter):
            cells = []
            for percent in percents:
                row = next(row for row in rows
                           if (row["peer"], row["counter"], row["percent"]) == (peer, counter, percent))
                filled = f" ({row['taken'] / row['budget']:.3f})" if row["budget"] else ""
                cells.append(f"{row['milliseconds']:.3f}{filled}")
            print(f"| {name} | {peer} | {' | '.join(cells)} |")
            name = ""
