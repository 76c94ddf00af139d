"""Loading, checking, exploring, simulating."""

import pickle
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import COUNTER

import zonewalk


def test_a_model_tells_what_it_has(models: Path) -> None:
    model = zonewalk.load(models / "fischer.xml", constants={"N": 3})
    assert [process.name for process in model.processes] == ["Process(1)", "Process(2)", "Process(3)"]
    assert model.templates[0].locations == ("idle", "request", "wait", "critical")
    assert len(model.queries) == 5 and model.queries[1].formula == "E<> Process(1).critical"
    assert model.constants == {"N": "3"} and len(model.clocks) == 3
    assert "3 processes" in repr(model) and "Process" in model._repr_html_()


def test_answers(broken: zonewalk.Model) -> None:
    result = broken.check(0, "bfs")
    assert result.verdict == "not satisfied" and result.proof and not result
    assert result.satisfied is False and result.stats.states_explored > 0
    assert result.trace is not None and len(result.trace) == 6
    broken.replay(result.trace, 0)
    every = broken.check(search="bfs")
    assert [len(every), every[0].verdict, every.exit_status] == [5, "not satisfied", 1]
    assert broken.check("E<> Process(1).critical", "ret").verdict == "satisfied"


def test_the_same_as_the_command(broken: zonewalk.Model, models: Path) -> None:
    import json
    import subprocess
    import sys

    args = ["check", str(models / "fischer-broken.xml"), "-D", "N=3", "--search", "bfs", "--threads", "1", "--format", "json"]
    run = subprocess.run([sys.executable, "-m", "zonewalk", *args], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    ours = broken.check(search="bfs", threads=1).to_dicts()
    for mine, theirs in zip(ours, json.loads(run.stdout)["results"], strict=True):
        for field in ("query", "verdict", "proof", "search", "seed", "threads"):
            assert mine[field] == theirs[field]
        assert mine["stats"]["states_explored"] == theirs["stats"]["states_explored"]


def test_no_answer_is_no_truth_value() -> None:
    result = zonewalk.loads(COUNTER).check("E<> n == 9", "ret", max_walks=10)
    assert (result.verdict, result.limit, result.satisfied) == ("unknown", "walks", None)
    with pytest.raises(ValueError, match="unknown"):
        bool(result)


def test_values_and_estimates(models: Path) -> None:
    result = zonewalk.loads(COUNTER).check("sup: n", "bfs")
    assert result.values is not None and result.values[0].value == "3"
    estimated = zonewalk.loads(COUNTER).check("Pr[<=3](<> n >= 2)", runs=200)
    assert estimated.estimate is not None and estimated.estimate.runs == 200


def test_times_are_exact() -> None:
    trace = zonewalk.loads(COUNTER).check("E<> P.b && x > 2", "bfs").trace
    assert trace is not None
    assert all(isinstance(step.time, Fraction) for step in trace)
    assert trace.duration == sum((step.delay for step in trace), Fraction(0)) + Fraction(trace._raw["last_delay"])
    assert [state.variables["n"] for state in trace.states()] == [0, 1, 2, 3, 3]
    assert list(trace.states())[-1].locations == {"P": "b"}
    assert trace.end == "goal" and trace[0].participants[0].process == "P"
    rows = trace.to_dicts()
    assert rows[0]["changes"]["n"] == 1
    bars = trace.gantt()["P"]
    assert bars[0][2] == "a" and bars[-1] == (trace[-1].time, trace.duration, "b")


def test_tables_and_pictures(broken: zonewalk.Model) -> None:
    pandas = pytest.importorskip("pandas")
    result = broken.check(0, "bfs")
    assert result.trace is not None
    frame = result.trace.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 6
    page = result.to_html()
    assert page.startswith("<!doctype html>") and "Show the run of query 1" in page
    assert "not satisfied" in result._repr_html_()
    table = broken.check(search="bfs")
    assert list(table.to_dataframe()["verdict"])[0] == "not satisfied" and "<table>" in table._repr_html_()


def test_what_comes_from_a_model_is_escaped() -> None:
    model = zonewalk.loads(COUNTER)
    result = model.check("E<> n < 1 && n > -1", "bfs")
    assert "n < 1 &&" not in result.to_html() and "n &lt; 1 &amp;&amp;" in result.to_html()


def test_explore_and_simulate() -> None:
    model = zonewalk.loads(COUNTER)
    explored = model.explore()
    assert explored.complete and explored.locations == 2 and not explored.unreached_locations
    steps = list(model.simulate(seed=3))
    assert steps == list(model.run(3, 100).steps), "a deadlock ends it"
    assert list(model.simulate(seed=3, steps=2)) == steps[:2]
    endless = zonewalk.loads("process P() { state a; init a; trans a -> a { }; } system P;")
    several = endless.simulate()
    assert len([next(several) for _ in range(100)]) == 100


def test_pickles(broken: zonewalk.Model) -> None:
    result = broken.check(0, "bfs")
    again = pickle.loads(pickle.dumps(result))
    assert again == result and again.trace == result.trace
    model = pickle.loads(pickle.dumps(broken))
    assert model.check(0, "bfs").trace == result.trace
    every = broken.check(search="bfs")
    assert list(pickle.loads(pickle.dumps(every))) == list(every)


def test_several_threads(broken: zonewalk.Model) -> None:
    answers: list[str] = []

    def ask() -> None:
        answers.append(broken.check(0, "ret", threads=1).verdict)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["not satisfied"] * 4


def test_families_and_sweeps(models: Path) -> None:
    assert "fischer" in [family.name for family in zonewalk.families()]
    model = zonewalk.loads(zonewalk.generate("fischer", n=4))
    assert len(model.processes) == 4
    done: list[tuple[int, int]] = []
    table = zonewalk.sweep(
        models / "fischer.xml", {"N": range(2, 4), "K": [1, 2]}, 0, "bfs", progress=lambda *at: done.append(at)
    )
    assert [result.constants for result in table] == [
        {"N": 2, "K": 1}, {"N": 2, "K": 2}, {"N": 3, "K": 1}, {"N": 3, "K": 2},
    ]
    assert all(table) and done[-1] == (4, 4)
    arrays = zonewalk.sweep(COUNTER, {"D": [[1, 1], [1, 2]]}, "E<> n == 3", "bfs")
    assert [result.verdict for result in arrays] == ["satisfied", "not satisfied"]


def test_refinement(models: Path) -> None:
    every = zonewalk.refine(models / "tea-machine")
    assert every and {result.verdict for result in every} <= {"satisfied", "not satisfied"}
    one = zonewalk.refine(models / "tea-machine", every[0].query)
    assert one.verdict == every[0].verdict
    text = zonewalk.generate("milner-tioa", n=2) if "milner-tioa" in [f.name for f in zonewalk.families()] else None
    if text is not None:
        assert zonewalk.refine(text)


def test_a_range_of_walks(broken: zonewalk.Model) -> None:
    whole = broken.check(0, "ret", threads=1, max_walks=1000)
    assert whole.walk is not None
    parts = [broken.check(0, "ret", threads=1, walk_range=(at, at + 100)).walk for at in range(0, 1000, 100)]
    assert min(walk for walk in parts if walk is not None) == whole.walk
    with pytest.raises(zonewalk.OptionError, match="depend on earlier ones"):
        broken.check(0, "rlc-a", walk_range=(5, 10))
