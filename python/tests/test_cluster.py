"""Walks on a Ray cluster of several nodes on one machine: real raylets, killed for real."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import MODELS

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
# Nodes that die are noticed soon.
os.environ.setdefault("RAY_health_check_period_ms", "1000")
os.environ.setdefault("RAY_health_check_failure_threshold", "3")
ray = pytest.importorskip("ray", reason="Ray is not installed here: pip install 'zonewalk[ray]'")

import zonewalk
from zonewalk import cluster
from zonewalk.cluster import _worker
from zonewalk.cluster._session import Session

#: One walk in 2^LENGTH succeeds.
RARE = """
const int LENGTH = 12; int n; clock x;
process P() {
    state a, b, c; init a;
    trans a -> a { guard n < LENGTH; assign n = n + 1; }, a -> b { guard n < LENGTH; }, a -> c { guard n == LENGTH; };
}
system P;
"""
QUERY = "E<> P.c"


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A head node that does no work, and two nodes with a processor each."""
    from ray.cluster_utils import Cluster

    try:
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
        for _ in range(2):
            made.add_node(num_cpus=1)
        ray.init(address=made.address, logging_level=logging.ERROR, log_to_driver=False)
    except Exception as error:
        pytest.skip(f"Ray starts no cluster here: {error}")
    yield made
    ray.shutdown()
    made.shutdown()


def rare(length: int) -> zonewalk.Model:
    return zonewalk.loads(RARE, {"LENGTH": length}, name="rare.xta")


@pytest.mark.parametrize("search", ["ret", "rlc", "sem", "smc"])
def test_the_answer_of_one_process(nodes: Any, search: str) -> None:
    """The same walk number and the same trace, however the ranges are cut."""
    model = rare(10)
    alone = model.check(QUERY, search, threads=1, max_walks=20_000)
    assert alone.walk is not None or search != "ret"
    for size in (400, 1777):
        result = cluster.check(model, QUERY, search=search, walks=20_000, range_size=size)
        assert (result.verdict, result.walk, result.trace) == (alone.verdict, alone.walk, alone.trace)
        assert result.proof == alone.proof


def test_no_walk_succeeds(nodes: Any) -> None:
    seen: list[cluster.Progress] = []
    result = cluster.check(rare(40), QUERY, walks=5_000, range_size=500, progress=lambda p: seen.append(p))
    assert (result.verdict, result.limit, result.stats.walks) == ("unknown", "walks", 5_000)
    assert "5000 walks" in str(result.reason)
    assert seen[-1].nodes == 3 and seen[-1].walks == 5_000 and seen[-1].steps_per_s > 0


def test_a_time_limit(nodes: Any) -> None:
    start = time.monotonic()
    result = cluster.check(rare(60), QUERY, timeout=3)
    assert (result.verdict, result.limit) == ("unknown", "time")
    assert time.monotonic() - start < 120


def test_a_node_dies_and_another_joins(nodes: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is lost: the same walk and trace as without the fault, and one line about the lost node."""
    model = rare(19)
    alone = model.check(QUERY, "ret", threads=1)
    victim = nodes.add_node(num_cpus=1)
    is_done = False

    def progress(at: cluster.Progress) -> None:
        nonlocal is_done
        if at.walks > 0 and not is_done:
            is_done = True
            # Killed, not asked to leave.
            nodes.remove_node(victim, allow_graceful=False)
            nodes.add_node(num_cpus=1)

    with caplog.at_level(logging.INFO, logger="zonewalk.cluster"):
        result = cluster.check(model, QUERY, search="ret", range_size=20_000, progress=progress)
    assert is_done
    assert (result.verdict, result.walk, result.trace) == ("satisfied", alone.walk, alone.trace)
    assert sum("is lost" in record.message for record in caplog.records) <= 1


def test_a_worker_dies(nodes: Any, tmp_path: Path) -> None:
    """A task whose worker is killed is repeated elsewhere, once it is known."""
    mark = tmp_path / "died"

    # Inside: workers cannot import this file.
    def dying(mark: str, *work: Any) -> Any:
        if not os.path.exists(mark):
            with open(mark, "w", encoding="utf-8") as file:
                file.write("once")
            os.kill(os.getpid(), signal.SIGKILL)
        return _worker.walk_range(*work)

    model = rare(10)
    session = Session(is_local=False)
    source, digest = session.put(model)
    work = (zonewalk.__version__, digest, source, QUERY, {"search": "ret", "seed": 1}, 0, 1000)
    report = ray.get(session.task(dying).remote(str(mark), *work))
    assert mark.exists()
    assert report["walk"] == model.check(QUERY, "ret", threads=1, walk_range=(0, 1000)).walk


def test_another_version_is_refused_by_name(nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zonewalk.cluster._walks._native", type("Other", (), {"VERSION": "9.9.9"}))
    with pytest.raises(cluster.ClusterError, match=r"zonewalk .* is installed on node .*, and the driver has 9\.9\.9"):
        cluster.check(rare(10), QUERY, walks=100)


def test_errors_of_the_model(nodes: Any) -> None:
    text = "int n = 3; process P() { state a; init a; trans a -> a { assign n = n - 1, n = 6 / n * n / 6 * n; }; } system P;"
    model = zonewalk.loads(text)
    alone = model.check("E<> n > 50", "ret", threads=1, max_walks=1000)
    result = cluster.check(model, "E<> n > 50", walks=1000, range_size=10)
    assert result.verdict == alone.verdict == "unknown" and result.fault is not None
    with pytest.raises(zonewalk.OptionError, match="portfolio"):
        cluster.check(model, "E<> n > 50", search="rlc-a", walks=10)
    with pytest.raises(zonewalk.ModelError):
        cluster.check(model, "E<> m > 50", walks=10)


def test_portfolios_sweeps_and_refinements(nodes: Any) -> None:
    broken = zonewalk.load(MODELS / "fischer-broken.xml", {"N": 3})
    result = cluster.portfolio(broken, 0, [{"search": "ret"}, {"search": "rdfs"}, {"search": "bfs"}])
    assert result.verdict == "not satisfied" and result.trace is not None
    table = cluster.sweep(MODELS / "fischer.xml", {"N": [2, 3], "K": [1, 2]}, 0, "bfs")
    assert [result.constants for result in table][1] == {"N": 2, "K": 2} and all(table)
    every = zonewalk.refine(MODELS / "tea-machine")
    queries = [each.query for each in every]
    assert [each.verdict for each in cluster.refine(MODELS / "tea-machine", queries)] == [each.verdict for each in every]


def test_the_command(nodes: Any, tmp_path: Path) -> None:
    file = tmp_path / "rare.xta"
    file.write_text(RARE, encoding="utf-8")
    alone = rare(12).check(QUERY, "ret", threads=1)
    args = [sys.executable, "-m", "zonewalk.cluster", "check", str(file), "-q", QUERY, "--address", nodes.address, "--no-ship"]
    run = subprocess.run([*args, "--format", "json"], capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0, run.stderr
    result = json.loads(run.stdout)["results"][0]
    assert (result["verdict"], result["walk"]) == ("satisfied", alone.walk)


def test_no_head_node() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "zonewalk.cluster", "check", str(MODELS / "fischer.xml"), "--query-index", "2", "--address", "127.0.0.1:1"],
        capture_output=True, text=True, check=False, timeout=240,
    )
    assert run.returncode == 2
    assert "no Ray head node answers at 127.0.0.1:1" in run.stderr


def test_what_a_worker_keeps() -> None:
    for place in range(10):
        _worker.model(str(place), rare(3).__getstate__())
    assert len(_worker._LOADED) <= 4
