"""Measures what docs/python.md and docs/cluster.md state.

    python measure.py python [--wheel FILE] [--write docs/python.md]    import, overhead against the command, memory of many checks
    python measure.py cluster                                           start-up, time per task, one node against two
    python measure.py cluster MODEL QUERY WALKS [STEPS]                 a search in one process, on two nodes, and with one of them killed

`ZONEWALK` names the command to compare with; without it, that of this package is.
"""

import logging
import os
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zonewalk

#: About a second of work.
MODEL = zonewalk.generate("fischer", n=9)
QUERY = 2
#: The command to compare with.
COMMAND = os.environ.get("ZONEWALK", "").split() or [sys.executable, "-m", "zonewalk"]
RARE = """
int n; clock x;
process P() {
    state a, b, c; init a;
    trans a -> a { guard n < 60; assign n = n + 1; }, a -> b { guard n < 60; }, a -> c { guard n == 60; };
}
system P;
"""
IMPORT = """
import time
clock, cpu = time.perf_counter(), time.process_time()
import zonewalk
print(time.perf_counter() - clock, time.process_time() - cpu)
"""


def cpu(of: int) -> float:
    used = resource.getrusage(of)
    return used.ru_utime + used.ru_stime


def resident() -> int:
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def importing() -> str:
    """The best of ten: seconds of a processor, which others do not disturb."""
    each = [subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True).stdout.split() for _ in range(10)]
    clock, used = (min(float(row[place]) for row in each) * 1000 for place in (0, 1))
    return f"`import zonewalk` takes {used:.0f} ms of processor ({clock:.0f} ms on the clock)"


def overhead() -> str:
    """The same search from Python and by the command, in turn."""
    mine, command = [], []
    for _ in range(10):
        before = cpu(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*COMMAND, "check", "-", "--query-index", str(QUERY + 1), "--search", "bfs", "--threads", "1"],
            input=MODEL, capture_output=True, text=True, check=False,
        )
        command.append(cpu(resource.RUSAGE_CHILDREN) - before)
        before = cpu(resource.RUSAGE_SELF)
        zonewalk.loads(MODEL).check(QUERY, "bfs", threads=1)
        mine.append(cpu(resource.RUSAGE_SELF) - before)
    share = min(mine) / min(command) - 1
    return (
        f"a search takes {min(mine):.3f} s of processor from Python and {min(command):.3f} s by the command with its start ({share:+.1%}; "
        "best of ten each, in turn)"
    )


def memory() -> str:
    """Many small checks."""
    small = zonewalk.loads(RARE.replace("60", "3"))
    for _ in range(500):
        small.check("E<> P.c", "bfs", threads=1)
    before = resident()
    for _ in range(10_000):
        small.check("E<> P.c", "bfs", threads=1)
    return f"10,000 small checks in a loop leave the process with {resident() / 1024:.1f} MB, where it had {before / 1024:.1f} MB before"


def of_python(arguments: list[str]) -> None:
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    parts: list[Callable[[], str]] = [importing, overhead, memory]
    wheel = given.get("--wheel")
    lines = [f"the wheel has {Path(wheel).stat().st_size / 1e6:.1f} MB"] if wheel else []
    for part in parts:
        lines.append(part())
        print(lines[-1], flush=True)
    page = given.get("--write")
    if page:
        text = Path(page).read_text(encoding="utf-8")
        items = "".join(f"- {line}\n" for line in lines)
        new, count = re.subn(r"(<!-- measured -->\n).*?(<!-- end -->)", lambda at: at[1] + items + at[2], text, flags=re.DOTALL)
        assert count == 1, f"{page} has no place for the figures"
        Path(page).write_text(new, encoding="utf-8")


def of_cluster(arguments: list[str]) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    start = time.perf_counter()
    nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, logging_level=logging.ERROR, log_to_driver=False)
    print(f"start: a head node and one node in {time.perf_counter() - start:.1f} s")
    empty: Any = ray.remote(num_cpus=1)(lambda: 0)
    ray.get(empty.remote())
    start = time.perf_counter()
    for _ in range(100):
        ray.get(empty.remote())
    print(f"an empty task: {(time.perf_counter() - start) * 10:.2f} ms")
    (faults if arguments else throughput)(nodes, arguments)
    ray.shutdown()
    nodes.shutdown()


def throughput(nodes: Any, arguments: list[str]) -> None:
    """So many walks on one node, and on two, in tasks of more than a second."""
    from zonewalk import cluster

    model = zonewalk.loads(RARE)
    alone = model.check("E<> P.c", "ret", threads=1, timeout=3)
    size = int(alone.stats.walks / 3 * 1.5)
    speeds = []
    for count in (1, 2):
        if count == 2:
            nodes.add_node(num_cpus=1)
            # Workers start when they are needed first.
            cluster.check(model, "E<> P.c", walks=2 * size, range_size=size)
        best = 0.0
        for _ in range(3):
            result = cluster.check(model, "E<> P.c", walks=12 * size, range_size=size)
            best = max(best, result.stats.walks / result.stats.search_s)
        speeds.append(best)
        print(f"{count} nodes: {best:.0f} walks a second (best of three, {12} tasks of {size} walks)", flush=True)
    print(f"two nodes make {speeds[1] / speeds[0]:.2f} times the walks of one")


def faults(nodes: Any, arguments: list[str]) -> None:
    """The same answer in one process, on two nodes, and with one of them killed."""
    from zonewalk import cluster

    path, query, walks, steps = arguments[0], arguments[1], int(arguments[2]), arguments[3:]
    model = zonewalk.load(path)
    asked: Any = int(query) if query.isdigit() else query
    options: dict[str, Any] = {"max_steps": int(steps[0])} if steps else {}
    start = time.perf_counter()
    alone = model.check(asked, "ret", threads=1, max_walks=walks, **options)
    print(f"one process: {alone.verdict}, walk {alone.walk}, {alone.stats.walks} walks, {time.perf_counter() - start:.1f} s", flush=True)
    second = nodes.add_node(num_cpus=1)
    for fault in (False, True):
        is_killed = not fault

        def progress(at: cluster.Progress) -> None:
            nonlocal is_killed
            if at.walks > 0 and not is_killed:
                is_killed = True
                nodes.remove_node(second, allow_graceful=False)

        start = time.perf_counter()
        result = cluster.check(model, asked, search="ret", walks=walks, progress=progress, **options)
        same = (result.verdict, result.walk, result.trace) == (alone.verdict, alone.walk, alone.trace)
        print(
            f"two nodes{', one killed' if fault else ''}: {result.verdict}, walk {result.walk}, {result.stats.walks} walks, "
            f"{time.perf_counter() - start:.1f} s, {'the same' if same else 'NOT THE SAME'} as one process",
            flush=True,
        )


if __name__ == "__main__":
    if sys.argv[1:2] == ["cluster"]:
        of_cluster(sys.argv[2:])
    elif sys.argv[1:2] == ["python"]:
        of_python(sys.argv[2:])
    else:
        sys.exit(__doc__)
