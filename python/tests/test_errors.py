"""What is refused, and how; interrupts and progress."""

import contextlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from conftest import COUNTER, MODELS

import zonewalk


def test_errors_say_where_and_what_to_do() -> None:
    with pytest.raises(zonewalk.ModelError) as caught:
        zonewalk.loads("int count;\nprocess P() { state a; init a; trans a -> a { guard coutn > 0; }; } system P;", name="p.xta")
    error = caught.value
    assert (error.file, error.line, error.column) == ("p.xta", 2, 53)
    assert error.problems[0].code == "unknown-name" and error.hint is not None
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, str(again)) == (error.line, str(error))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: zonewalk.load("no-such-file.xml"), zonewalk.ModelFileError, "no such file"),
        (lambda: zonewalk.load("no-such-file.xml"), OSError, "no such file"),
        (lambda: zonewalk.loads(COUNTER).check("E<> m == 1"), zonewalk.QueryError, "m"),
        (lambda: zonewalk.loads(COUNTER).check("E<> m == 1"), zonewalk.ModelError, "m"),
        (lambda: zonewalk.loads(COUNTER, queries="E<> m == 1").check(0), zonewalk.QueryError, "m"),
        (lambda: zonewalk.refine(MODELS / "tea-machine", "refinement: ("), zonewalk.QueryError, "expected"),
        (lambda: zonewalk.loads(COUNTER).check(), ValueError, "has no queries"),
        (lambda: zonewalk.loads(COUNTER, queries="E<> P.b").check(1), IndexError, "has 1"),
        (lambda: zonewalk.loads(COUNTER).check("E<> P.b", "nonsense"), ValueError, "search='?nonsense|search=\"nonsense"),
        (lambda: zonewalk.loads(COUNTER).check("E<> P.b", trace="best"), ValueError, "expected none, some"),
        (lambda: zonewalk.loads(COUNTER).check("E<> P.b", wrong=1), TypeError, "no option wrong"),
        (lambda: zonewalk.loads(COUNTER).check("E<> P.b", timeout=-1), ValueError, "seconds"),
        (lambda: zonewalk.loads(COUNTER).check("E<> P.b", max_steps="many"), TypeError, "max_steps"),
        (lambda: zonewalk.loads(COUNTER).check("A<> P.b", "ret"), zonewalk.UnsupportedError, "cannot decide"),
        (lambda: zonewalk.loads(COUNTER, {"M": 1}), zonewalk.ModelError, "no global constant"),
        (lambda: zonewalk.generate("nonsense"), zonewalk.QueryError, "nonsense"),
        (lambda: zonewalk.sweep(COUNTER, {"N": range(0)}, 0), ValueError, "no values"),
        (lambda: zonewalk.sweep(COUNTER, {"N": range(20_000)}, 0), ValueError, "20000 combinations"),
        (lambda: zonewalk.sweep(COUNTER, {"N": [1]}, 0, constants={"N": 1}), ValueError, "given a value and swept"),
    ],
)
def test_refusals(call, error, words) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(error, match=words):
        call()


@pytest.mark.parametrize(
    ("formula", "column", "code"),
    [
        ("E<> Process(1).", 16, "syntax"),
        ("E<> Process(1).criticl", 16, "unknown-name"),
        ("E<> Procss(1).critical", 5, "unknown-name"),
        ("E<> Process(9).critical", 5, "unknown-name"),
        ("A[] Process(1).critical imply not Process(9).critical", 35, "unknown-name"),
    ],
)
def test_every_wrong_query_is_one_kind_of_error(broken: zonewalk.Model, formula: str, column: int, code: str) -> None:
    """Queries that were asked before do not count: the place is in the formula that was given."""
    assert broken.check("E<> Process(1).critical", "bfs") and len(broken.queries) == 5
    with pytest.raises(zonewalk.QueryError) as caught:
        broken.check(formula)
    error = caught.value
    assert (error.file, error.line, error.column, error.problems[0].code) == ("<query>", 1, column, code)
    assert isinstance(error, zonewalk.ModelError) and isinstance(error, ValueError)
    assert pickle.loads(pickle.dumps(error)).column == column


def test_the_place_in_a_query_that_the_model_was_loaded_with() -> None:
    model = zonewalk.loads(COUNTER, queries=["E<> P.b", "E<> P.c"])
    with pytest.raises(zonewalk.QueryError) as caught:
        model.check(1)
    assert (caught.value.file, caught.value.column) == ("<query 2>", 7)


def test_indices_count_from_0(broken: zonewalk.Model) -> None:
    """As in all of Python; the command counts from 1, and the message says so."""
    assert broken.check(0, "bfs").query == broken.queries[0].formula
    assert broken.check(-1, "bfs").query == broken.queries[4].formula
    with pytest.raises(zonewalk.NoSuchQueryError, match="has 5, counted from 0 .*counts from 1"):
        broken.check(5)


def test_a_run_time_error_of_the_model() -> None:
    text = "int n; process P() { state a; init a; trans a -> a { assign n = 1 / n; }; } system P;"
    result = zonewalk.loads(text).check("A[] n < 5", "bfs")
    assert result.verdict == "unknown" and result.fault is not None
    assert "division" in result.fault.problem.message and "division" in str(result.reason)
    assert zonewalk.Results([result]).exit_status == 2


def test_a_trace_of_another_model(broken: zonewalk.Model) -> None:
    trace = broken.check(0, "bfs").trace
    assert trace is not None
    with pytest.raises(zonewalk.InvalidTraceError):
        zonewalk.loads(COUNTER).replay(trace)


def test_ctrl_c_ends_a_search_within_a_tenth_of_a_second() -> None:
    """The best of several: others may be at work on this machine."""
    model = zonewalk.loads(zonewalk.generate("fischer", n=11))
    sent: list[float] = []

    def send() -> None:
        time.sleep(0.2)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    took: list[float] = []
    for search in ("bfs", "ret", "auto") * 10:
        thread = threading.Thread(target=send)
        thread.start()
        # It holds, so that walks never end, and it takes seconds to prove.
        with pytest.raises(KeyboardInterrupt):
            model.check(2, search)
        took.append(time.perf_counter() - sent[-1])
        thread.join()
        if len(took) >= 3 and min(took) < 0.1:
            break
    assert min(took) < 0.1, took
    # None of them goes on for long.
    assert max(took) < 20, took


def test_queries_may_be_asked_while_a_search_runs() -> None:
    """A search works on the model as it was when it began: another thread neither waits for it nor disturbs it."""
    model = zonewalk.loads(zonewalk.generate("fischer", n=11))
    seen: list[dict[str, object]] = []
    is_over = threading.Event()

    def stop(progress: dict[str, object]) -> None:
        seen.append(progress)
        if is_over.is_set():
            raise RuntimeError("enough")

    def search() -> None:
        with contextlib.suppress(RuntimeError):
            model.check(2, "bfs", progress=stop)

    thread = threading.Thread(target=search)
    thread.start()
    while not seen:
        time.sleep(0.01)
    assert [model.check(f"E<> P({i}).req", "ret", threads=1).verdict for i in (1, 2, 3)] == ["satisfied"] * 3
    assert thread.is_alive() and model.name
    is_over.set()
    thread.join()


def test_progress_and_callbacks_that_fail() -> None:
    model = zonewalk.loads(zonewalk.generate("fischer", n=11))
    seen: list[dict[str, object]] = []
    result = model.check(2, "bfs", timeout=1.0, progress=seen.append)
    assert result.limit == "time" and seen and "states_explored" in seen[0]

    def fail(progress: dict[str, object]) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        model.check(2, "bfs", progress=fail)


def test_python_goes_on_meanwhile() -> None:
    """The GIL is released: another thread of Python counts while a search runs."""
    counted = 0
    is_over = False

    def count() -> None:
        nonlocal counted
        while not is_over:
            counted += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    zonewalk.loads(zonewalk.generate("fischer", n=11)).check(2, "bfs", timeout=1.0)
    is_over = True
    thread.join()
    assert counted > 10, counted


def test_deep_expressions_do_not_end_the_process() -> None:
    deep = "(" * 900 + "n" + ")" * 900
    model = zonewalk.loads(f"int n; process P() {{ state a; init a; trans a -> a {{ guard {deep} > 0; }}; }} system P;")
    assert model.check("A[] n == 0", "bfs").verdict == "satisfied"
    answers: list[str] = []
    thread = threading.Thread(target=lambda: answers.append(model.check(f"A[] {deep} == 0", "bfs").verdict))
    thread.start()
    thread.join()
    assert answers == ["satisfied"]


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (["check", "fischer-broken.xml", "--query-index", "1", "--search", "bfs"], 1, "violated by a run of 6 steps"),
        (["check", "fischer.xml", "--query-index", "2", "--search", "bfs"], 0, "satisfied"),
        (["check", "fischer.xml", "--query-index", "1", "--search", "ret", "--max-walks", "3"], 3, "unknown"),
        (["check", "no-such-file.xml"], 2, ""),
        (["--version"], 0, "zonewalk"),
    ],
)
def test_the_command(args: list[str], status: int, words: str) -> None:
    run = subprocess.run([sys.executable, "-m", "zonewalk", *args], cwd=MODELS, capture_output=True, text=True, check=False)
    assert (run.returncode, words in run.stdout) == (status, True), run.stdout + run.stderr


def test_memory_does_not_grow() -> None:
    model = zonewalk.loads(COUNTER)

    def resident() -> int:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1])
        pytest.skip("this system does not tell")

    for _ in range(200):
        model.check("E<> P.b", "bfs", threads=1)
    before = resident()
    for _ in range(1000):
        assert model.check("E<> P.b", "bfs", threads=1).verdict == "satisfied"
    assert resident() - before < 8 * 1024, f"{before} kB, and {resident()} kB after a thousand checks"
