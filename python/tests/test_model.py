"""Loading, checking, exploring, simulating."""

import itertools
import json
import pickle
import subprocess
import sys
import threading
from fractions import Fraction
from pathlib import Path
from typing import Any

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


def command(*args: str) -> Any:
    """What the command writes as JSON."""
    run = subprocess.run([sys.executable, "-m", "zonewalk", *args, "--format", "json"], capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1, 2, 3), run.stderr
    return json.loads(run.stdout)


def timeless(document: Any) -> Any:
    """A document without what depends on time and on the process."""
    for result in document["results"]:
        for field in ("time_s", "load_s", "search_s", "cpu_s", "peak_memory_bytes"):
            assert result.pop(field) >= 0
        for field in [field for field in result["stats"] if field.endswith("_s")]:
            result["stats"].pop(field)
        if result["trace"] is not None:
            for field in ("shrink_s", "improve_s"):
                result["trace"].pop(field, None)
        if result.get("certificate") is not None:
            result["certificate"].pop("judge_s")
    return document


@pytest.mark.parametrize("search", ["bfs", "ret", "greedy"])
def test_the_document_of_the_command(models: Path, search: str) -> None:
    """All fields, and no others."""
    file = str(models / "fischer-broken.xml")
    options = ["--search", search, "--threads", "1", "--max-walks", "300"]
    for index in (1, 2):
        theirs = timeless(command("check", file, "-D", "N=3", "--query-index", str(index), *options))
        ours = zonewalk.load(file, {"N": 3}).check(index - 1, search, threads=1, max_walks=300)
        assert timeless(json.loads(ours.to_json())) == theirs
        assert timeless(json.loads(pickle.loads(pickle.dumps(ours)).to_json())) == theirs


def test_the_document_of_estimates_values_and_errors(tmp_path: Path) -> None:
    file = tmp_path / "counter.xta"
    file.write_text(COUNTER, encoding="utf-8")
    for query in ("Pr[<=3](<> n >= 2)", "sup: n, x", "simulate[<=5; 3] { n, x }", "E<> 6 / n > 1", "P.a --> P.b"):
        theirs = command("check", str(file), "-q", query, "--threads", "1", "--search", "auto")
        ours = zonewalk.load(file).check(query, threads=1)
        told = timeless(json.loads(ours.to_json()))
        for found in (*told["diagnostics"], *theirs["diagnostics"]):
            # What the query is called: `-q 1` there, `query 1` here.
            found.pop("file")
        assert told == timeless(theirs), query


def test_the_document_of_refinements(models: Path) -> None:
    theirs = command("refine", str(models / "tea-machine"), "--threads", "1")["results"]
    for mine, other in zip(zonewalk.refine(models / "tea-machine", threads=1), theirs, strict=True):
        ours = timeless({"results": [mine.to_dict()]})
        assert ours == timeless({"results": [other]})


def test_options_of_all_kinds(broken: zonewalk.Model) -> None:
    led = broken.check(0, "greedy", heuristic="pdb", pattern="Process(1);Process(2)", threads=1).to_dict()
    assert led["patterns"] == ["Process(1)", "Process(2)"] and led["heuristic"] == "pdb"
    with pytest.raises(zonewalk.QueryError, match="nonsense"):
        broken.check(0, "greedy", heuristic="pdb", pattern="nonsense")
    assert broken.check(0, "greedy", queues="alternation", threads=1).to_dict()["queues"] == "alternation"
    assert broken.check(0, "bfs", trace="none").trace is None
    best = broken.check(0, "bfs", trace="shortest", timeout=60)
    assert best.shortest and best.trace is not None and len(best.trace) == 6
    assert broken.check(0, "ret", schedule="paper", delays="70,10", max_steps=40, max_walks=2000).search == "ret"
    counter = zonewalk.loads(COUNTER)
    split = counter.check("Pr[<=30](<> n >= 3)", levels="n", epsilon=0.1)
    assert split.estimate is not None and split.to_dict()["splitting"]["levels"] == "n"
    for name, value in [("alpha", 2.0), ("runs", 0), ("resolution", 0), ("histogram_bar_width", -1.0)]:
        with pytest.raises(ValueError, match=name):
            counter.check("Pr[<=3](<> n >= 2)", **{name: value})  # type: ignore[arg-type]
    curves = counter.check("simulate[<=5; 2] { n }", resolution=100).estimate
    assert curves is not None and len(curves.series) == 2 and curves.series[0].expression == "n" and len(curves.series[0].points) > 1


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
    assert "<svg" in result._repr_html_() and "<iframe sandbox" in result._repr_html_()
    assert "a run" in broken.run(3, 5).to_html() and "<iframe" in broken.run(3, 5)._repr_html_()
    page = result.to_html()
    assert page.startswith("<!doctype html>") and "Show the run of query 1" in page
    assert "not satisfied" in result._repr_html_()
    table = broken.check(search="bfs")
    assert list(table.to_dataframe()["verdict"])[0] == "not satisfied" and "<table>" in table._repr_html_()


def test_tables_have_floats_beside_exact_times(broken: zonewalk.Model, models: Path) -> None:
    pytest.importorskip("pandas")
    trace = broken.check(0, "bfs").trace
    assert trace is not None
    frame = trace.to_dataframe()
    assert list(frame.columns)[:5] == ["step", "delay", "delay_float", "time", "time_float"]
    assert frame["time_float"].dtype == "float64" and isinstance(frame["time"][0], Fraction)
    assert list(frame["time_float"]) == [float(step.time) for step in trace]
    empty = zonewalk.loads(COUNTER).run(steps=0).to_dataframe()
    assert len(empty) == 0 and list(empty.columns) == list(frame.columns)
    table = broken.check(search="bfs").to_dataframe()
    assert table["trace_time_float"].dtype == "float64" and table["trace_time_float"].notna().any()
    runs = [result.trace for result in zonewalk.refine(models / "tea-machine") if result.trace is not None]
    assert runs and runs[0].to_dataframe()["time_float"].dtype == "float64"


def test_estimates_as_tables(tmp_path: Path) -> None:
    """The table of a probability is that of `--plot FILE.csv`."""
    pandas = pytest.importorskip("pandas")
    model = zonewalk.loads(COUNTER)
    estimate = model.check("Pr[<=3](<> n >= 2)", runs=200).estimate
    assert estimate is not None and estimate.histogram is not None
    frame = estimate.to_dataframe()
    assert len(frame) == len(estimate.histogram.counts) > 1
    assert frame["count"].sum() == estimate.satisfied
    assert frame["cumulative"].iloc[-1] == pytest.approx(estimate.value)
    (tmp_path / "counter.xta").write_text(COUNTER, encoding="utf-8")
    args = ["check", "counter.xta", "-q", "Pr[<=3](<> n >= 2)", "--runs", "200", "--plot", "plot.csv", "--quiet"]
    subprocess.run([sys.executable, "-m", "zonewalk", *args], cwd=tmp_path, capture_output=True, check=True)
    written = pandas.read_csv(tmp_path / "plot.csv")
    assert list(frame.columns) == list(written.columns)
    assert frame.to_numpy().ravel() == pytest.approx(written.to_numpy().ravel())
    values = model.check("E[<=3; 50](max: n)").estimate
    assert values is not None and values.to_dataframe()["count"].sum() == 50
    curves = model.check("simulate[<=3; 2] { n }").estimate
    assert curves is not None
    assert list(curves.to_dataframe().columns) == ["run", "expression", "time", "value"] and len(curves.to_dataframe()) > 2


def test_pages_of_results_that_travelled(models: Path, tmp_path: Path) -> None:
    """The model goes along: neither the file nor what it was is needed any more."""
    file = tmp_path / "model.xml"
    file.write_text((models / "fischer-broken.xml").read_text(encoding="utf-8"), encoding="utf-8")
    result = zonewalk.load(file, {"N": 3}).check(0, "bfs")
    page = result.to_html()
    file.unlink()
    again = pickle.loads(pickle.dumps(result))
    assert again.to_html() == page and again.trace.to_html() == result.trace.to_html()  # type: ignore[union-attr]
    every = zonewalk.load(models / "fischer-broken.xml").check(search="bfs")
    assert "Show the run of query 1" in every.to_html() and "query-5" in every.to_html()
    table = zonewalk.sweep(models / "fischer.xml", {"N": [2, 3]}, 0, "bfs")
    with pytest.raises(ValueError, match="different constants"):
        table.to_html()


def test_traces_are_files_of_the_command(broken: zonewalk.Model, models: Path, tmp_path: Path) -> None:
    trace = broken.check(0, "bfs").trace
    assert trace is not None
    file = tmp_path / "trace.json"
    file.write_text(trace.to_json(), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "zonewalk", "replay", str(models / "fischer-broken.xml"), str(file)],
        capture_output=True, text=True, check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    again = zonewalk.Trace.from_json(file.read_text(encoding="utf-8"), broken)
    assert again == trace and again.to_html() == trace.to_html()
    with pytest.raises(ValueError, match="this is no trace"):
        zonewalk.Trace.from_json("{}")


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
    assert [step.time for step in steps] == sorted(step.time for step in steps)


def test_a_run_without_end_is_made_step_by_step() -> None:
    model = zonewalk.loads("int n; process P() { state a; init a; trans a -> a { assign n = (n + 1) % 7; }; } system P;")
    several = model.simulate(seed=5)
    first = list(itertools.islice(several, 1000))
    assert [step.changes[0].new for step in first[:8]] == [1, 2, 3, 4, 5, 6, 0, 1]
    assert first == list(model.run(5, 1000)), "the same as a trace of that length"
    # It goes on while the model is asked other things.
    assert model.check("E<> n == 6", "bfs").verdict == "satisfied"
    assert next(several).changes[0].old == first[-1].changes[0].new


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
    mixed = zonewalk.sweep(COUNTER.replace("int n;", "int n; int a[N];"), {"N": [-1, 3]}, "E<> n == 3", "bfs")
    assert [result.verdict for result in mixed] == ["unknown", "satisfied"] and mixed.exit_status == 2
    assert isinstance(mixed[0].error, zonewalk.ModelError) and mixed[0].error.line == 2 and "\"errors\": 1" in mixed.to_json()
    with pytest.raises(zonewalk.ModelError):
        zonewalk.sweep(COUNTER.replace("int n;", "int n; int a[N];"), {"N": [-1, -2]}, "E<> n == 3", "bfs")
    arrays = zonewalk.sweep(COUNTER, {"D": [[1, 1], [1, 2]]}, "E<> n == 3", "bfs")
    assert [result.verdict for result in arrays] == ["satisfied", "not satisfied"]


def test_refinement(models: Path) -> None:
    every = zonewalk.refine(models / "tea-machine")
    assert every and {result.verdict for result in every} <= {"satisfied", "not satisfied"}
    one = zonewalk.refine(models / "tea-machine", every[0].query)
    assert one.verdict == every[0].verdict
    refuted = next(each for each in every if each.trace is not None)
    trace = refuted.trace
    assert trace is not None and len(trace.systems) == 2 and trace.rule in ("output", "input", "delay")
    assert trace.duration >= sum((step.delay for step in trace), Fraction(0)) and len(trace.to_dicts()) == len(trace)
    assert all(isinstance(step.time, Fraction) and step.right is not None for step in trace)
    assert refuted.to_html().startswith("<!doctype html>") and "<iframe" in refuted._repr_html_()
    assert pickle.loads(pickle.dumps(refuted)) == refuted
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
