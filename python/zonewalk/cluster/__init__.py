"""Walks, portfolios, sweeps and refinements on a Ray cluster.

    >>> from zonewalk import cluster
    >>> result = cluster.check("model.xml", "E<> P.bad", search="ret", walks=1_000_000)     # doctest: +SKIP

Seed ranges are the units of work: walk number i of a seed is the same everywhere, a found walk cancels only higher numbers, and the
successful walk with the smallest number wins. So for `sem`, `ret`, `rlc`, `com` and `smc` without a time limit, the answer and the
trace are those of one process with one thread, however many nodes there are. With a time limit, and with `portfolio`, the answer
depends on speed.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .._errors import ZonewalkError
from .._model import Constant, Model, load
from .._refinement import RefineResult, RefineTrace, _Project
from .._results import Result, Results
from .._sweep import Table, finished, model_of, refused
from . import _worker
from ._session import ClusterError, Session, connected
from ._walks import Progress, Search, expect_independent
from ._worker import VersionMismatch

__all__ = ["ClusterError", "Progress", "VersionMismatch", "bench", "check", "portfolio", "refine", "sweep"]

#: A portfolio unless another is given: what finds different errors.
MEMBERS: tuple[dict[str, Any], ...] = (
    {"search": "ret"},
    {"search": "rlc"},
    {"search": "sem"},
    {"search": "rdfs"},
    {"search": "drs"},
    {"search": "highway"},
    {"search": "greedy"},
    {"search": "bfs"},
)


def _model(model: Model | str | os.PathLike[str]) -> Model:
    return model if isinstance(model, Model) else load(model)


def check(
    model: Model | str | os.PathLike[str],
    query: str | int = 0,
    *,
    search: str = "ret",
    walks: int | None = None,
    timeout: float | None = None,
    seed: int = 1,
    address: str | None = None,
    ship: bool | None = None,
    cpus: int | None = None,
    range_size: int | None = None,
    progress: Callable[[Progress], object] | None = None,
    **options: Any,
) -> Result:
    """Looks for what a query asks for by walks on all nodes of a cluster.

    `walks` and `timeout` (seconds) bound it; without either it goes on until a walk succeeds. `address` is that of the head node, or
    `auto`; without one a local Ray is started, with `cpus` processors. `ship` sends this package to the workers: by default to
    clusters with an address. Further options are those of `Model.check`.
    """
    expect_independent(search)
    loaded = _model(model)
    _, formula = loaded._index(query)
    options.update(search=search, seed=seed)
    with connected(address, ship, cpus) as session:
        deadline = None if timeout is None else time.monotonic() + timeout
        told = progress if progress is not None else lambda _: None
        return Search(session, loaded, formula, options, walks, deadline, range_size, told).run()


def _all(
    session: Session, references: Sequence[Any], timeout: float | None, done: Callable[[int, Any], bool]
) -> None:
    """Waits for tasks, and gives their places and answers to `done` until that says that it is enough."""
    places = {reference: place for place, reference in enumerate(references)}
    deadline = None if timeout is None else time.monotonic() + timeout
    try:
        while places and (deadline is None or time.monotonic() < deadline):
            ready, _ = session.ray.wait(list(places), num_returns=1, timeout=0.25)
            session.nodes()
            for reference in ready:
                place = places.pop(reference)
                try:
                    answer = session.ray.get(reference)
                except Exception as error:
                    raise session.explain(error) from None
                if done(place, answer):
                    return
    finally:
        for reference in places:
            session.cancel(reference)


def portfolio(
    model: Model | str | os.PathLike[str],
    query: str | int = 0,
    members: Sequence[Mapping[str, Any]] | None = None,
    *,
    seeds: int = 1,
    timeout: float | None = None,
    address: str | None = None,
    ship: bool | None = None,
    cpus: int | None = None,
    **options: Any,
) -> Result:
    """Runs several searches side by side; the first answer ends the others.

    A member is a dictionary of options of `Model.check` (`search`, `seed` …); each runs with `seeds` seeds. Which of them answers first
    depends on speed; every found run is replayed on the driver all the same.
    """
    loaded = _model(model)
    _, formula = loaded._index(query)
    each = [
        {**options, **member, "seed": seed, "timeout": timeout}
        for seed in range(1, seeds + 1)
        for member in (members if members is not None else MEMBERS)
    ]
    found: list[Result] = []
    reasons: list[str] = []

    def done(place: int, answer: list[Result | ZonewalkError]) -> bool:
        result = answer[0]
        if isinstance(result, ZonewalkError):
            # A member that cannot decide the query leaves it to the others.
            reasons.append(f"{each[place].get('search', 'auto')}: {str(result).splitlines()[0]}")
            return False
        if result.satisfied is None:
            reasons.append(f"{result.search}: {result.reason}")
            return False
        if result.trace is not None:
            loaded.replay(result.trace, formula)
        found.append(result._with_origin(loaded._origin))
        return True

    with connected(address, ship, cpus) as session:
        source, digest = session.put(loaded)
        references = [session.submit("check", digest, source, formula, member) for member in each]
        _all(session, references, None if timeout is None else timeout + 5, done)
    if found:
        return found[0]
    nothing = loaded.check(formula, "ret", max_walks=0, trace="none")
    return replace(nothing, search="portfolio", reason="; ".join(reasons) or "the time limit was reached")


def sweep(
    model: Model | str | os.PathLike[str],
    values: Mapping[str, Iterable[Constant]],
    query: str | int | None = None,
    search: str = "auto",
    *,
    constants: Mapping[str, Constant] | None = None,
    address: str | None = None,
    ship: bool | None = None,
    cpus: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    **options: Any,
) -> Results:
    """`zonewalk.sweep`, with a task for every combination. `progress` is called with the number of those that are done, and of all."""
    table = Table.of(values, constants)
    count = len(table.combinations)
    rows: dict[int, list[Result]] = {}
    models: dict[int, Model] = {}
    places: list[int] = []
    options["search"] = search

    def done(at: int, answer: list[Result | ZonewalkError]) -> bool:
        place = places[at]
        loaded = models[place]
        rows[place] = [
            replace(refused(each, search, options), model=loaded.name)
            if isinstance(each, ZonewalkError)
            else each._with_origin(loaded._origin)
            for each in answer
        ]
        told(len(rows), count)
        return False

    told = progress if progress is not None else lambda done, of: None
    name = ""
    with connected(address, ship, cpus) as session:
        references = []
        for place, combination in enumerate(table.combinations):
            try:
                loaded = model_of(model, {**(constants or {}), **dict(combination)})
                formula = None if query is None else loaded._index(query)[1]
            except OSError:
                raise
            except ZonewalkError as error:
                rows[place] = [refused(error, search, options)]
                continue
            if formula is None and not loaded.queries:
                raise ValueError(f"{loaded.name} has no queries: give one, such as query='A[] not deadlock'")
            name = loaded.name
            models[place] = loaded
            places.append(place)
            source, digest = session.put(loaded)
            references.append(session.submit("check", digest, source, formula, options))
        _all(session, references, None, done)
    every = [replace(row, constants=table.constants(place)) for place in sorted(rows) for row in rows[place]]
    return finished(every, name)


def _files(project: str | os.PathLike[str]) -> dict[str, bytes] | str:
    """A project as it travels: a text as it is, a file or a folder by what it holds."""
    if isinstance(project, str) and ("\n" in project or "<" in project):
        return project
    root = Path(project)
    if root.is_dir():
        found = sorted(at for at in root.rglob("*") if at.is_file())
        return {f"{root.name}/{at.relative_to(root).as_posix()}": at.read_bytes() for at in found}
    return {root.name: root.read_bytes()}


def _confirmed(project: str | os.PathLike[str], result: RefineResult) -> RefineResult:
    """The answer of a node, after the judge has repeated its run here."""
    if result.trace is None:
        return result
    trace = RefineTrace(result.trace._json, _Project(project), result.query)
    with tempfile.TemporaryDirectory(prefix="zonewalk-") as folder:
        run, text = Path(folder, "run.json"), Path(folder, "project.xml" if "<" in os.fspath(project)[:200] else "project.xta")
        run.write_text(trace.to_json(), encoding="utf-8")
        given = os.fspath(project)
        if "\n" in given or "<" in given:
            text.write_text(given, encoding="utf-8")
            given = str(text)
        status, _, messages = _worker.command(["replay", given, str(run)])
    if status:
        raise ClusterError(f"{result.query}: the run that a node has found is none here: {messages.strip()}")
    return replace(result, trace=trace)


def refine(
    project: str | os.PathLike[str],
    queries: Sequence[str],
    *,
    address: str | None = None,
    ship: bool | None = None,
    cpus: int | None = None,
    **options: Any,
) -> list[RefineResult]:
    """`zonewalk.refine`, with a task for every query. The project travels: its folder, its file, or its text."""
    answers: dict[int, RefineResult] = {}

    def done(place: int, answer: RefineResult) -> bool:
        answers[place] = _confirmed(project, answer)
        return False

    with connected(address, ship, cpus) as session:
        shared = session.ray.put(_files(project))
        references = [session.submit("refine", shared, query, options) for query in queries]
        _all(session, references, None, done)
    return [answers[place] for place in sorted(answers)]


def bench(
    tables: Sequence[str],
    arguments: Sequence[str] = (),
    *,
    address: str | None = None,
    ship: bool | None = None,
    cpus: int | None = None,
) -> dict[str, str]:
    """`zonewalk bench`, with a task for every table: what it prints, by the name of the table."""
    answers: dict[str, str] = {}

    def done(place: int, answer: tuple[int, str, str]) -> bool:
        status, output, messages = answer
        if status:
            raise ClusterError(f"bench {tables[place]} ended with status {status}: {messages.strip()}")
        answers[tables[place]] = output
        return False

    with connected(address, ship, cpus) as session:
        references = [session.submit("command", ["bench", table, *arguments]) for table in tables]
        _all(session, references, None, done)
    return {table: answers[table] for table in tables if table in answers}
