#!/usr/bin/env python3
"""Makes the sanity checks of `zonewalk lint` on all models below a folder, and prints what they find as a table.

    benches/lint/table.py FOLDER [--zonewalk BINARY] [--timeout 20s] [--results FILE]

Names and counts only: nothing of the models themselves is printed. With --results, one line of JSON per model is kept
in FILE, and models that are in it already are not checked again.
"""

import argparse
import collections
import json
import pathlib
import subprocess

KINDS = [
    ("unused-template", "templates"),
    ("variables", "variables"),
    ("channels", "channels"),
    ("unreachable-location", "locations"),
    ("unreachable-edge", "edges"),
    ("guard-never-true", "guards never true"),
    ("guard-always-true", "guards always true"),
    ("invariants", "invariants"),
    ("vacuous-query", "queries"),
    ("deadlock", "deadlock"),
    ("zeno-cycle", "zeno"),
]
GROUPS = {
    "never-read": "variables",
    "never-written": "variables",
    "unused-variable": "variables",
    "unused-channel": "channels",
    "channel-without-sender": "channels",
    "channel-without-receiver": "channels",
    "channel-without-partner": "channels",
    "invariant-never-holds": "invariants",
    "no-initial-state": "invariants",
}


def lint(args, path):
    command = [args.zonewalk, "lint", str(path), "--format", "json", "--quiet", "--threads", "1"]
    run = subprocess.run(command + ["--timeout", args.timeout], capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 2, 3):
        raise SystemExit(f"{path}: exit status {run.returncode}\n{run.stderr}")
    document = json.loads(run.stdout) if run.stdout else {}
    proved, open_ = collections.Counter(), collections.Counter()
    for found in document.get("findings", []):
        kind = GROUPS.get(found["code"], found["code"])
        (proved if found["proof"] else open_)[kind] += 1
    extents = {of["check"]: of["extent"] for of in document.get("checks", [])}
    return {"status": run.returncode, "proved": proved, "open": open_, "extents": extents}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--zonewalk", default="zonewalk")
    parser.add_argument("--timeout", default="20s")
    parser.add_argument("--results", type=pathlib.Path)
    args = parser.parse_args()
    known = {}
    if args.results and args.results.exists():
        for line in args.results.read_text().splitlines():
            row = json.loads(line)
            known[row.pop("model")] = row
    models = sorted(path for path in args.folder.rglob("*") if path.suffix in (".xml", ".xta", ".ta"))
    rows = []
    for path in models:
        name = str(path.relative_to(args.folder))
        if name not in known:
            known[name] = lint(args, path)
            if args.results:
                with args.results.open("a") as file:
                    file.write(json.dumps({"model": name, **known[name]}) + "\n")
        rows.append((name, known[name]))
    columns = [kind for kind, _ in KINDS]
    print("| model | " + " | ".join(title for _, title in KINDS) + " | not complete |")
    print("|---|" + "--:|" * len(KINDS) + "---|")
    totals, clean, refused = collections.Counter(), 0, 0
    for name, row in rows:
        if row["status"] == 2:
            refused += 1
            continue
        if not row["proved"] and not row["open"]:
            clean += 1
            continue
        cells = []
        for kind in columns:
            proved, open_ = row["proved"].get(kind, 0), row["open"].get(kind, 0)
            totals[kind] += proved
            cells.append((str(proved) if proved else "") + (f" ({open_})" if open_ else ""))
        limited = {"cut short": "limit", "skipped": "not supported"}
        rest = sorted({limited[extent] for extent in row["extents"].values() if extent in limited})
        print(f"| {name} | " + " | ".join(cell.strip() for cell in cells) + f" | {', '.join(rest)} |")
    print("| **all** | " + " | ".join(str(totals[kind]) for kind in columns) + " | |")
    print(f"\n{len(rows)} models: {clean} without findings, which the table leaves out, and {refused} that are malformed.")


main()
