#!/usr/bin/env python3
"""Counts the warnings of `zonewalk check` about answers that say less than they seem to, on all models below a folder.

    benches/sanity/table.py FOLDER [--zonewalk BINARY] [--max-states N] [--timeout 10s] [--results FILE]

Every query that a model comes with is checked by bfs within so many states; a query that this does not decide can only have
warnings about channels. Counts only: nothing of the models themselves is printed. With --results, one line of JSON per model is
kept in FILE, and models that are in it already are not checked again.
"""

import argparse
import collections
import json
import pathlib
import subprocess

CODES = [
    "trivial-state-space",
    "every-run-ends",
    "vacuous-query",
    "unreachable-location",
    "location-never-left",
    "channel-without-sender",
    "channel-without-receiver",
    "channel-without-partner",
]


def check(args, path):
    command = [args.zonewalk, "check", str(path), "--format", "json", "--quiet", "--threads", "1", "--trace", "none"]
    command += ["--search", "bfs", "--max-states", str(args.max_states), "--timeout", args.timeout]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode not in (0, 1, 2, 3):
        raise SystemExit(f"{path}: exit status {run.returncode}\n{run.stderr}")
    document = json.loads(run.stdout) if run.stdout else {}
    results = document.get("results", [])
    return {
        "queries": [
            [result["query"], result["verdict"], [[found["code"], found["message"]] for found in result.get("warnings", [])]]
            for result in results
        ]
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--zonewalk", default="zonewalk")
    parser.add_argument("--max-states", type=int, default=20000)
    parser.add_argument("--timeout", default="10s")
    parser.add_argument("--results", type=pathlib.Path)
    args = parser.parse_args()
    known = {}
    if args.results and args.results.exists():
        for line in args.results.read_text().splitlines():
            row = json.loads(line)
            known[row.pop("model")] = row
    models, queries = collections.Counter(), collections.Counter()
    decided, counted = 0, 0
    for path in sorted(path for path in args.folder.rglob("*") if path.suffix in (".xml", ".xta", ".ta")):
        name = str(path.relative_to(args.folder))
        if name not in known:
            known[name] = check(args, path)
            if args.results:
                with args.results.open("a") as file:
                    file.write(json.dumps({"model": name, **known[name]}) + "\n")
        answers = [codes for _, verdict, codes in known[name]["queries"] if verdict in ("satisfied", "not satisfied")]
        if not answers:
            continue
        counted += 1
        decided += len(answers)
        codes = [{code for code, _ in found} for found in answers]
        models.update(set().union(*codes))
        models.update(["any"] if any(codes) else [])
        for found in codes:
            queries.update(found)
            queries.update(["any"] if found else [])
    print(f"{decided} answers about {counted} models.\n")
    print("| warning | models | answers |")
    print("|---|--:|--:|")
    for code in [*CODES, "any"]:
        title = "**any of them**" if code == "any" else f"`{code}`"
        print(f"| {title} | {models[code]} | {queries[code]} |")


main()
