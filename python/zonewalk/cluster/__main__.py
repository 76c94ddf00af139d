"""The command `zonewalk-cluster`."""

from __future__ import annotations

import argparse
import logging
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from .. import _native
from .._errors import ZonewalkError
from .._model import load
from .._results import Result, Results
from . import Progress, check, portfolio
from ._session import connected


def arguments() -> argparse.ArgumentParser:
    """What the command understands."""
    parser = argparse.ArgumentParser(
        prog="zonewalk-cluster",
        description="Spreads the walks of zonewalk over a Ray cluster.",
        epilog="Exit status: 0 every query is satisfied; 1 some query is not; 3 some query is undecided; 2 usage error, invalid model "
        "or no cluster; 130 interrupted.",
    )
    parser.add_argument("--version", action="version", version=f"zonewalk-cluster {_native.VERSION}")
    commands = parser.add_subparsers(dest="command", required=True)
    of = commands.add_parser("check", help="look for what the queries of a model ask for by walks on all nodes")
    of.add_argument("model", help="the model: .xml, .xta or .ta")
    of.add_argument("-q", dest="queries", metavar="FORMULA", action="append", help="check this query instead; can be repeated")
    of.add_argument("--query-index", type=int, metavar="N", help="check only the Nth query, from 1")
    of.add_argument("-D", dest="constants", metavar="NAME=VALUE", action="append", default=[], help="override a global constant")
    of.add_argument("--address", metavar="auto|HOST:PORT", help="the head node [default: a local Ray is started]")
    of.add_argument("--cpus", type=int, metavar="N", help="processors of a local Ray [default: all]")
    of.add_argument("--no-ship", dest="ship", action="store_false", default=None, help="use the zonewalk that the nodes have")
    of.add_argument("--search", default="ret", metavar="NAME", help="sem, ret, rlc, com or smc [default: ret]")
    of.add_argument(
        "--portfolio", type=int, nargs="?", const=1, metavar="SEEDS",
        help="run walks, rdfs, drs, highway, greedy and bfs side by side, each with so many seeds [default: 1]; the first answer ends them",
    )
    of.add_argument("--seed", type=int, default=1, metavar="N")
    of.add_argument("--walks", "--max-walks", type=int, metavar="N", help="maximum number of walks")
    of.add_argument("--max-steps", type=int, metavar="N", help="maximum number of steps per walk")
    of.add_argument("--timeout", type=float, metavar="SECONDS", help="time limit per query; the answer then depends on speed")
    of.add_argument("--schedule", choices=["tuned", "paper"], default="tuned")
    of.add_argument("--trace-file", metavar="FILE", help="write the trace to this file as JSON")
    of.add_argument("--format", choices=["text", "json"], default="text")
    of.add_argument("--quiet", action="store_true", help="print no progress")
    return parser


def shown(progress: Progress) -> None:
    """One line on the screen, again and again."""
    best = "" if progress.best_walk is None else f", walk {progress.best_walk} succeeded"
    text = (
        f"{progress.nodes} nodes, {progress.tasks} tasks; {progress.walks} walks, {progress.walks_per_s:.0f} walks/s, "
        f"{progress.steps_per_s:.3g} steps/s, depth {progress.max_depth}{best}"
    )
    sys.stderr.write(f"\r\x1b[K{text}")
    sys.stderr.flush()


def run(args: argparse.Namespace, out: TextIO) -> int:
    """Does what the arguments ask for; the exit status."""
    constants = {}
    for define in args.constants:
        name, equals, value = define.partition("=")
        if not equals:
            raise ValueError(f"-D {define}: expected NAME=VALUE")
        constants[name.strip()] = value.strip()
    model = load(args.model, constants, queries=args.queries)
    asked = list(range(len(model.queries)))
    if args.query_index is not None:
        if not 1 <= args.query_index <= len(asked):
            raise ValueError(f"--query-index {args.query_index}: there are only {len(asked)}")
        asked = [args.query_index - 1]
    if not asked:
        raise ValueError(f"{args.model} has no queries; give one with -q, such as -q 'E<> deadlock'")
    options: dict[str, Any] = {"schedule": args.schedule}
    if args.max_steps is not None:
        options["max_steps"] = args.max_steps
    has_line = sys.stderr.isatty() and not args.quiet
    results: list[Result] = []
    # One connection for all queries.
    with connected(args.address, args.ship, args.cpus):
        for place in asked:
            if args.portfolio is not None:
                result = portfolio(model, place, seeds=args.portfolio, timeout=args.timeout, max_walks=args.walks, **options)
            else:
                result = check(
                    model, place, search=args.search, walks=args.walks, timeout=args.timeout, seed=args.seed,
                    progress=shown if has_line else None, **options,
                )
            results.append(result)
            if has_line:
                sys.stderr.write("\r\x1b[K")
            if args.format == "text":
                print(f"{result.query}\n{result}", file=out, flush=True)
                if result.walk is not None:
                    stats = result.stats
                    print(f"walk {result.walk}; {stats.walks} walks, {stats.steps} steps in {stats.search_s:.1f} s", file=out)
                if result.trace is not None and args.trace_file is None:
                    print(result.trace, file=out)
            if result.trace is not None and args.trace_file is not None:
                name = Path(args.trace_file)
                name = name if len(asked) == 1 else name.with_stem(f"{name.stem}-{place + 1}")
                name.write_text(result.trace.to_json(), encoding="utf-8")
    together = Results(results, model.name)
    if args.format == "json":
        print(together.to_json(), file=out)
    return together.exit_status


def main() -> None:
    """Runs the command, and ends the process with its exit status."""
    args = arguments().parse_args()
    logging.basicConfig(format="%(message)s", level=logging.WARNING if args.quiet else logging.INFO)
    # Ray prints what it has to say of lost nodes among the answers: the log has a line for each.
    out, sys.stdout = sys.stdout, open(os.devnull, "w", encoding="utf-8")
    try:
        status = run(args, out)
        out.flush()
        sys.exit(status)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        out.flush()
        sys.stderr.flush()
        # Everything is ended. Ray's library may crash when an interrupted process is taken down in the usual order, and so the exit status
        # would be lost.
        os._exit(130)
    except (ZonewalkError, ValueError, ImportError) as error:
        sys.stderr.write(f"error: {error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
