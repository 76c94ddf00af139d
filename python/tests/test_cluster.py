"""Walks on a Ray cluster of several nodes on one machine: real raylets, killed for real."""

from __future__ import annotations

import json
import logging
import os
import shutil
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
ray = pytest.importorskip("ray", reason="Ray is not installed here: pip install ray")

import zonewalk
from zonewalk import cluster
from zonewalk.cluster import _worker
from zonewalk.cluster._session import RETRIES, Session

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


def test_one_line_for_a_lost_node(nodes: Any, caplog: pytest.LogCaptureFixture) -> None:
    session = Session(is_local=False)
    victim = nodes.add_node(num_cpus=1)
    count = 0
    with caplog.at_level(logging.INFO, logger="zonewalk.cluster"):
        end = time.monotonic() + 120
        while count < 1 and time.monotonic() < end:
            count = sum("has joined" in record.message for record in caplog.records)
            session.nodes(now=True)
            time.sleep(0.2)
        nodes.remove_node(victim, allow_graceful=False)
        count = 0
        while count < 1 and time.monotonic() < end:
            session.nodes(now=True)
            time.sleep(0.2)
            count = sum("is lost" in record.message for record in caplog.records)
        for _ in range(5):
            session.nodes(now=True)
    assert sum("has joined" in record.message for record in caplog.records) == 1
    assert sum("is lost" in record.message for record in caplog.records) == 1


def test_usage_statistics_are_off(nodes: Any) -> None:
    try:
        from ray._common.usage import usage_lib
    except ImportError:
        from ray._private.usage import usage_lib

    assert not usage_lib.usage_stats_enabled()


def test_a_worker_dies(nodes: Any, tmp_path: Path) -> None:
    """A task whose worker is killed is repeated elsewhere, once it is known."""
    mark = tmp_path / "died"

    # Inside: workers cannot import this file.
    def dying(mark: str, *work: Any) -> Any:
        if not os.path.exists(mark):
            with open(mark, "w", encoding="utf-8") as file:
                file.write("once")
            os.kill(os.getpid(), signal.SIGKILL)
        return _worker.task(*work)

    model = rare(10)
    session = Session(is_local=False)
    source, digest = session.put(model)
    work = (zonewalk.__version__, "walks", digest, source, QUERY, {"search": "ret", "seed": 1}, 0, 1000)
    report = ray.get(ray.remote(num_cpus=1, max_retries=RETRIES)(dying).remote(str(mark), *work))
    assert mark.exists()
    assert report["walk"] == model.check(QUERY, "ret", threads=1, walk_range=(0, 1000)).walk


def test_another_version_is_refused_by_name(nodes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zonewalk.cluster._session._native", type("Other", (), {"VERSION": "9.9.9"}))
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


def test_portfolios_and_sweeps(nodes: Any) -> None:
    broken = zonewalk.load(MODELS / "fischer-broken.xml", {"N": 3})
    result = cluster.portfolio(broken, 0, [{"search": "ret"}, {"search": "rdfs"}, {"search": "bfs"}], timeout=120)
    assert result.verdict == "not satisfied" and result.trace is not None
    assert "<!doctype html>" in result.to_html() and json.loads(result.to_json())["results"][0]["proof"]
    undecided = cluster.portfolio(rare(60), QUERY, [{"search": "ret"}, {"search": "sem"}], max_walks=50)
    assert undecided.verdict == "unknown" and "ret: 50 walks found nothing" in str(undecided.reason)
    done: list[tuple[int, int]] = []
    table = cluster.sweep(
        MODELS / "fischer.xml", {"N": [2, 3], "K": [1, 2]}, 0, "bfs", progress=lambda *at: done.append(at)
    )
    assert [result.constants for result in table][1] == {"N": 2, "K": 2} and all(table) and done[-1] == (4, 4)
    alone = zonewalk.sweep(MODELS / "fischer.xml", {"N": [2, 3], "K": [1, 2]}, 0, "bfs", threads=1)
    assert plain(table.to_json()) == plain(alone.to_json()), "the same document as without a cluster"
    mixed = cluster.sweep(RARE.replace("int n;", "int n; int a[LENGTH];"), {"LENGTH": [-1, 9]}, QUERY, "bfs")
    assert [result.verdict for result in mixed] == ["unknown", "satisfied"] and mixed.exit_status == 2
    assert isinstance(mixed[0].error, zonewalk.ModelError) and mixed[0].error.line == 2


def test_refinements_and_tables(nodes: Any) -> None:
    every = zonewalk.refine(MODELS / "tea-machine", threads=1)
    queries = [each.query for each in every]
    answers = cluster.refine(MODELS / "tea-machine", queries)
    assert [(each.verdict, each.trace) for each in answers] == [(each.verdict, each.trace) for each in every]
    assert any(each.trace is not None and "<!doctype html>" in each.to_html() for each in answers)
    printed = cluster.bench(["zones"], ["--help"])
    assert "Reproduce the tables" in printed["zones"]
    with pytest.raises(cluster.ClusterError, match="bench nonsense ended with status 2"):
        cluster.bench(["nonsense"])


def plain(document: str) -> Any:
    """A document without what depends on time and on the process."""
    told = json.loads(document)
    for result in told["results"]:
        for field in ("time_s", "load_s", "search_s", "cpu_s", "peak_memory_bytes"):
            result.pop(field)
        # Tasks carry a query as text, which has lost its comment.
        result.pop("comment", None)
        if result["trace"] is not None:
            for field in ("shrink_s", "improve_s"):
                result["trace"].pop(field)
        if result.get("certificate") is not None:
            result["certificate"].pop("judge_s")
    return told


def test_the_command(nodes: Any, tmp_path: Path) -> None:
    file = tmp_path / "rare.xta"
    file.write_text(RARE, encoding="utf-8")
    alone = rare(12).check(QUERY, "ret", threads=1)
    args = [sys.executable, "-m", "zonewalk.cluster", "check", str(file), "-q", QUERY, "--address", nodes.address, "--no-ship"]
    run = subprocess.run([*args, "--format", "json"], capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0, run.stderr
    document = json.loads(run.stdout)
    result = document["results"][0]
    assert (result["verdict"], result["walk"]) == ("satisfied", alone.walk)
    theirs = json.loads(zonewalk.load(file).check(QUERY, "ret", threads=1).to_json())
    assert set(document) == set(theirs) and set(result) == set(theirs["results"][0]), "the fields of check"
    run = subprocess.run([*args, "--portfolio"], capture_output=True, text=True, check=False, timeout=240)
    assert run.returncode == 0 and "satisfied: a run of 13 steps" in run.stdout, run.stdout + run.stderr


#: A driver: what it gives to Ray decides which package the workers have.
DRIVER = """
import sys
import ray
import zonewalk
from zonewalk import cluster
from zonewalk.cluster._session import connected
address, sent, text, query = sys.argv[1:]
if sent:
    ray.init(address=address, runtime_env={"py_modules": [sent]}, log_to_driver=False)
with connected(address, None, None) as session:
    try:
        print(session.ray.get(session.submit("about"))["package"])
        print(cluster.check(zonewalk.loads(text, {"LENGTH": 10}, name="rare.xta"), query, walks=20_000).walk)
    except Exception as error:
        print(session.explain(error))
"""


def test_the_package_is_shipped(nodes: Any, tmp_path: Path) -> None:
    """Workers use what the driver sends, and not what they have. Another version is refused by name, before anything else is done."""
    program = tmp_path / "driver/driver.py"
    program.parent.mkdir()
    program.write_text(DRIVER, encoding="utf-8")

    def driven(sent: str) -> str:
        args = [sys.executable, str(program), nodes.address, sent, RARE, QUERY]
        run = subprocess.run(args, capture_output=True, text=True, check=False, timeout=300)
        assert run.returncode == 0, run.stderr
        return run.stdout

    package, walk = driven("").split()
    assert "runtime_resources" in package and "py_modules" in package, package
    assert int(walk) == rare(10).check(QUERY, "ret", threads=1, max_walks=20_000).walk
    other = tmp_path / "other/zonewalk"
    shutil.copytree(Path(zonewalk.__file__).parent, other)
    worker = other / "cluster/_worker.py"
    worker.write_text(worker.read_text(encoding="utf-8").replace("_native.VERSION", "'0.0.9'"), encoding="utf-8")
    message = driven(str(other))
    assert message.startswith("zonewalk 0.0.9 is installed on node")
    assert f"the driver has {zonewalk.__version__}" in message


def test_a_worker_out_of_memory() -> None:
    """Ray ends workers of a node that has no memory left; a task that meets this again and again is an error that says so."""
    program = f"""
import os
os.environ["RAY_memory_usage_threshold"] = "0.001"
os.environ["RAY_memory_monitor_refresh_ms"] = "100"
os.environ["RAY_task_oom_retries"] = "1"
import zonewalk
from zonewalk import cluster
from zonewalk.cluster import _session
_session.RETRIES = 1
model = zonewalk.loads({RARE!r}, {{"LENGTH": 60}})
try:
    cluster.check(model, {QUERY!r}, walks=100_000_000, range_size=10_000_000, cpus=1)
except cluster.ClusterError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=300)
    if not run.stdout:
        pytest.skip(f"Ray does not watch the memory here: {run.stderr[-300:]}")
    assert "too little memory for a task" in run.stdout


@pytest.mark.parametrize("wait", [0.0, 5.0])
def test_an_interrupted_driver(tmp_path: Path, wait: float) -> None:
    """Ctrl-C ends the search and the local Ray, also one that is just being started: nothing goes on alone."""
    file = tmp_path / "rare.xta"
    file.write_text(RARE.replace("12", "60"), encoding="utf-8")
    mark = f"ZONEWALK_TEST={tmp_path}"
    args = [sys.executable, "-m", "zonewalk.cluster", "check", str(file), "-q", QUERY, "--cpus", "1"]
    driver = subprocess.Popen(
        args, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env={**os.environ, "ZONEWALK_TEST": str(tmp_path)},
    )
    try:
        end = time.monotonic() + 180
        # Until Ray is being started.
        while time.monotonic() < end and driver.poll() is None and len(marked(mark)) < 3:
            time.sleep(0.1)
        time.sleep(wait)
        driver.send_signal(signal.SIGINT)
        _, messages = driver.communicate(timeout=180)
    finally:
        driver.kill()
    assert driver.returncode == 130, messages
    assert "interrupted" in messages
    end = time.monotonic() + 60
    while marked(mark) and time.monotonic() < end:
        time.sleep(0.5)
    assert not marked(mark)


def marked(mark: str) -> list[int]:
    """The processes that have this in their environment."""
    found = []
    for at in Path("/proc").glob("[0-9]*/environ"):
        try:
            if mark.encode() in at.read_bytes().split(b"\0"):
                found.append(int(at.parts[2]))
        except OSError:
            continue
    return found


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
