"""Looks for a rare error by walks on all nodes of a cluster: `python swarm.py MODEL QUERY [ADDRESS]`."""

import sys

import zonewalk
from zonewalk import cluster


def shown(progress: cluster.Progress) -> None:
    print(f"{progress.nodes} nodes, {progress.walks} walks, {progress.steps_per_s:.3g} steps/s", file=sys.stderr)


def main() -> None:
    model = zonewalk.load(sys.argv[1])
    address = sys.argv[3] if len(sys.argv) > 3 else None
    result = cluster.check(model, sys.argv[2], search="ret", walks=1_000_000, address=address, progress=shown)
    print(result)
    if result.walk is not None:
        print(f"walk number {result.walk}, on any number of nodes")


if __name__ == "__main__":
    main()
