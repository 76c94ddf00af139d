"""Measures what docs/python.md and docs/cluster.md state: `python measure.py python|cluster [MODEL QUERY WALKS]`.

`python`: import time, overhead against the command, memory of many checks. `cluster`: start-up, time per task, one node against two.
"""

import logging
import os
import resource
import subprocess
import sys
import time
from typing import Any

import zonewalk

#: About a second of work.
MODEL = zonewalk.generate("fischer", n=9)
#: The command to compare with.
COMMAND = os.environ.get("ZONEWALK", "").split() or [sys.executable, "-m", "zonewalk"]
QUERY = 2
RARE = """
int n; clock x;
process P() {
    state a, b, c; init a;
    trans a -> a { guard n < 60; assign n = n + 1; }, a -> b { guard n < 60; }, a -> c { guard n == 60; };
}
system P;
"""


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def resident() -> int:
    with open("/proc/self/status", encoding="utf-8") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:"))


def of_python() -> None:
    times = []
    for _ in range(10):
        out = subprocess.run(
            [sys.executable, "-c", "import time; t = time.perf_counter(); import zonewalk; print(time.perf_counter() - t)"],
            capture_output=True, text=True, check=True,
        )
        times.append(float(out.stdout))
    print(f"import: {min(times) * 1000:.1f} ms (best of ten)")

    mine, command = [], []
    for _ in range(10):
        before = children()
        subprocess.run(
            [*COMMAND, "check", "-", "--query-index", str(QUERY + 1), "--search", "bfs", "--threads", "1"],
            input=MODEL, capture_output=True, text=True, check=False,
        )
        command.append(children() - before)
        before = cpu()
        zonewalk.loads(MODEL).check(QUERY, "bfs", threads=1)
        mine.append(cpu() - before)
    print(f"check: {min(mine):.3f} s of processor from Python, {min(command):.3f} s by the command with its start (best of ten each, in turn)")

    small = zonewalk.loads(RARE.replace("60", "3"))
    for _ in range(500):
        small.check("E<> P.c", "bfs", threads=1)
    before, start = resident(), time.perf_counter()
    for _ in range(10_000):
        small.check("E<> P.c", "bfs", threads=1)
    took = time.perf_counter() - start
    print(f"10,000 small checks: {took:.1f} s, memory {before} kB before and {resident()} kB after")


def of_cluster(arguments: list[str]) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    from zonewalk import cluster

    logging.basicConfig(level=logging.INFO, format="%(message)s")
    start = time.perf_counter()
    nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    victim = nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, logging_level=logging.ERROR, log_to_driver=False)
    print(f"start: a head node and one node in {time.perf_counter() - start:.1f} s")
    empty: Any = ray.remote(num_cpus=1)(lambda: 0)
    ray.get(empty.remote())
    start = time.perf_counter()
    for _ in range(100):
        ray.get(empty.remote())
    print(f"an empty task: {(time.perf_counter() - start) * 10:.2f} ms")

    if arguments:
        path, query, walks, steps = arguments[0], arguments[1], int(arguments[2]), arguments[3:]
        model = zonewalk.load(path)
        asked: Any = int(query) if query.isdigit() else query
        options: dict[str, Any] = {"max_steps": int(steps[0])} if steps else {}
        start = time.perf_counter()
        alone = model.check(asked, "ret", threads=1, max_walks=walks, **options)
        print(f"one process: {alone.verdict}, walk {alone.walk}, {alone.stats.walks} walks, {time.perf_counter() - start:.1f} s")
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
                f"{time.perf_counter() - start:.1f} s, {'the same' if same else 'NOT THE SAME'} as one process"
            )
    else:
        model = zonewalk.loads(RARE)
        for count in (1, 2):
            if count == 2:
                nodes.add_node(num_cpus=1)
            speeds = []
            for _ in range(3):
                result = cluster.check(model, "E<> P.c", timeout=15)
                speeds.append(result.stats.walks / result.stats.search_s)
            print(f"{count} nodes: {max(speeds):.0f} walks a second (best of three)")
    ray.shutdown()
    nodes.shutdown()
    del victim


if __name__ == "__main__":
    if sys.argv[1:2] == ["cluster"]:
        of_cluster(sys.argv[2:])
    else:
        of_python()
