"""What was said in sessions that Claude Code recorded, up to a turn: a part of `peers.py`."""

import json


def said(path, last):
    """What user and agent said until the results of turn `last` were there, oldest first. A turn is one call of the
    model, known by the id of its message."""
    texts, turns = [], []
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        message = entry.get("message") or {}
        if entry["type"] not in ("user", "assistant") or entry.get("isSidechain"):
            continue
        if entry["type"] == "assistant":
            if message.get("model") == "<synthetic>":
                continue
            if message["id"] not in turns:
                turns.append(message["id"])
            if len(turns) > last:
                break
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        texts += [block["text"] for block in blocks if block["type"] == "text" and block["text"].strip()]
    return texts


def states(facts, sessions, calls):
    """The states that `facts` has something of, with what was said and what the `hud` tool was told until then."""
    rows = lambda path: [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
    told = rows(calls)
    for session, turn in sorted({(fact["session"], fact["turn"]) for fact in rows(facts)}):
        yield {
            "session": session,
            "turn": turn,
            "messages": said(sessions / session, turn),
            "calls": [call["input"] for call in told if call["session"] == session and call["turn"] <= turn],
        }
