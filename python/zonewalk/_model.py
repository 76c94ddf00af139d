"""Load a model, and ask."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

from . import _native
from ._errors import Problem
from ._results import Exploration, RefineResult, Result, Results
from ._trace import Step, Trace

#: What a constant of a model can be set to; a text is written as in the model's language, such as `{1, 2}`.
Constant: TypeAlias = "int | bool | str | Sequence[Constant]"

#: Hears of progress about ten times a second.
Progress: TypeAlias = Callable[[dict[str, Any]], object]


@dataclass(frozen=True)
class Query:
    """A query of a model."""

    formula: str
    comment: str = ""

    def __str__(self) -> str:
        return self.formula


@dataclass(frozen=True)
class Template:
    """A template: its locations, and the number of its edges."""

    name: str
    locations: tuple[str, ...]
    edges: int


@dataclass(frozen=True)
class Process:
    """A process: `P`, `P(3)`, `P(1,0)`."""

    name: str
    template: str


def written(value: Constant) -> str:
    """A constant as the language writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, Sequence):
        return "{" + ", ".join(written(each) for each in value) + "}"
    raise TypeError(f"{value!r} is no value of a constant: give an integer, a boolean, a list, or a text")


def _tqdm(wanted: bool | Progress | None) -> tuple[Progress | None, Callable[[], None]]:
    """A callback for `progress=True`, and what closes it."""
    if wanted is None or wanted is False:
        return None, lambda: None
    if wanted is not True:
        return wanted, lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install 'zonewalk[progress]'") from error
    bar = tqdm(unit=" steps", unit_scale=True)

    def show(progress: dict[str, Any]) -> None:
        done = progress["steps"] + (progress["states_explored"] or 0)
        bar.update(done - bar.n)
        bar.set_postfix(walks=progress["walks"], search=progress["search"])

    return show, bar.close


class Model:
    """A loaded model. `load` and `loads` make it; it can be pickled, and is loaded again from its text then.

    Its methods may be called from several threads at once.
    """

    def __init__(self, source: Mapping[str, Any]) -> None:
        self._source = dict(source)
        self._native = _native.NativeModel(self._source)
        self._count = len(self._native.queries())

    def __getstate__(self) -> dict[str, Any]:
        source = dict(self._source)
        if source["path"] is not None:
            # The text goes along: another machine does not have the file.
            path = os.fspath(source["path"])
            with open(path, encoding="utf-8", errors="replace") as file:
                source.update(text=file.read(), path=None, name=path)
            source["queries"] = [query.formula for query in self.queries]
            source["query_file"] = None
        return source

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(state)  # type: ignore[misc]

    @property
    def name(self) -> str:
        """What messages call it."""
        return self._native.name()

    @property
    def queries(self) -> tuple[Query, ...]:
        """The queries that it came with."""
        return tuple(Query(*query) for query in self._native.queries()[: self._count])

    @property
    def templates(self) -> tuple[Template, ...]:
        """Its templates, in the order of the file."""
        return tuple(Template(name, tuple(of), edges) for name, of, edges in self._native.templates())

    @property
    def processes(self) -> tuple[Process, ...]:
        """Its processes, in the order of the system line."""
        return tuple(Process(*process) for process in self._native.processes())

    @property
    def clocks(self) -> tuple[str, ...]:
        """The names of its clocks."""
        return tuple(self._native.clocks())

    @property
    def features(self) -> tuple[str, ...]:
        """What it uses beyond plain timed automata, in words."""
        return tuple(self._native.features())

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What looks wrong in it."""
        return tuple(Problem(**warning) for warning in self._native.warnings())

    @property
    def constants(self) -> dict[str, str]:
        """The constants that were given other values, as the language writes them."""
        return dict(self._source["constants"])

    def _index(self, query: str | int | Query) -> tuple[int, str]:
        if isinstance(query, int):
            queries = self.queries
            try:
                formula = queries[query].formula
            except IndexError:
                raise IndexError(f"there is no query {query}: the model has {len(queries)}, counted from 0") from None
            return range(len(queries))[query], formula
        formula = str(query)
        return self._native.index(formula), formula

    @overload
    def check(
        self, query: None = None, search: str = "auto", *, seed: int = 1, timeout: float | None = None,
        progress: bool | Progress | None = None, **options: Any,
    ) -> Results: ...
    @overload
    def check(
        self, query: str | int | Query, search: str = "auto", *, seed: int = 1, timeout: float | None = None,
        progress: bool | Progress | None = None, **options: Any,
    ) -> Result: ...
    def check(
        self, query: str | int | Query | None = None, search: str = "auto", *, seed: int = 1,
        timeout: float | None = None, progress: bool | Progress | None = None, **options: Any,
    ) -> Result | Results:
        """Decides a query: a formula, or the index of one of the model's own; without one, all of the model's own.

        `search` is one of `zonewalk help searches`, `timeout` is in seconds per query. Further options are those of the command
        line with `_` in place of `-`: `threads` (all cores unless given), `memory` (bytes), `trace` (`none`, `some`, `shortest`,
        `fastest`), `shrink` (a boolean), `max_steps`, `max_walks`, `max_states`, `schedule`, `delays`, `store`, `extrapolation`,
        `heuristic`, `queues`, `width`, `cutoff`, `increment`, `alpha`, `epsilon`, `runs` and so on; and `walk_range=(first, end)`.

        `progress` is called with a dictionary about ten times a second; `True` shows a bar of tqdm. Ctrl-C ends the search.
        """
        if query is None:
            if not self._count:
                raise ValueError(f"{self.name} has no queries: give one, such as check('A[] not deadlock')")
            each = (
                self.check(index, search, seed=seed, timeout=timeout, progress=progress, **options)
                for index in range(self._count)
            )
            return Results(each, self.name)
        index, formula = self._index(query)
        callback, close = _tqdm(progress)
        options.update(search=search, seed=seed, timeout=timeout)
        try:
            data = self._native.check(index, options, callback)
        finally:
            close()
        return Result._of(formula, data, self.name)

    def explore(
        self, search: str = "bfs", *, seed: int = 1, timeout: float | None = None,
        progress: bool | Progress | None = None, **options: Any,
    ) -> Exploration:
        """Explores the model without a query: all of the zone graph, or by walks, as the search says.

        Walks need `max_walks` or a `timeout`, or they never end. Options are those of `check`.
        """
        callback, close = _tqdm(progress)
        options.update(search=search, seed=seed, timeout=timeout)
        try:
            return Exploration._of(self._native.explore(options, callback))
        finally:
            close()

    def simulate(self, seed: int = 1, steps: int | None = None) -> Iterator[Step]:
        """The steps of a random run on the reference interpreter, one by one.

        It ends after `steps`, in a deadlock or at a run-time error; otherwise it never ends. `run` gives a trace instead.
        """
        # A run of twice the length begins with the same steps, so that what is not asked for is not simulated.
        done, length = 0, 32
        while True:
            wanted = length if steps is None else min(length, steps)
            trace = self.run(seed, wanted)
            yield from trace.steps[done:]
            done = len(trace)
            if done < wanted or (steps is not None and done >= steps):
                return
            length *= 2

    def run(self, seed: int = 1, steps: int = 20) -> Trace:
        """A random run of so many steps on the reference interpreter; a deadlock or a run-time error ends it earlier."""
        return Trace(self._native.simulate(seed, steps))

    def replay(self, trace: Trace, query: str | int | Query | None = None) -> None:
        """Has the reference interpreter repeat a trace; raises `InvalidTraceError` with the first thing that is not so."""
        index = None if query is None else self._index(query)[0]
        self._native.replay(trace.to_json(), index)

    def __repr__(self) -> str:
        return f"<Model {self.name}: {len(self.processes)} processes, {self._count} queries>"

    def _repr_html_(self) -> str:
        from ._trace import _table

        return _table(
            ["template", "locations", "edges", "processes"],
            [
                [
                    template.name,
                    str(len(template.locations)),
                    str(template.edges),
                    str(sum(process.template == template.name for process in self.processes)),
                ]
                for template in self.templates
            ],
        )


def _source(
    path: str | os.PathLike[str] | None,
    text: str | None,
    name: str,
    constants: Mapping[str, Constant] | None,
    queries: Iterable[str] | str | None,
    query_file: str | os.PathLike[str] | None,
) -> dict[str, Any]:
    if queries is not None and query_file is not None:
        raise ValueError("give queries or query_file, not both")
    if isinstance(queries, str):
        queries = [queries]
    return {
        "path": path,
        "text": text,
        "name": name,
        "constants": [(key, written(value)) for key, value in (constants or {}).items()],
        "queries": None if queries is None else list(queries),
        "query_file": query_file,
    }


def load(
    path: str | os.PathLike[str],
    constants: Mapping[str, Constant] | None = None,
    *,
    queries: Iterable[str] | str | None = None,
    query_file: str | os.PathLike[str] | None = None,
) -> Model:
    """Loads the model in a file: `.xml` (UPPAAL), `.xta` or `.ta`.

    `constants` gives global constants other values. `queries` or `query_file` take the place of the model's own queries.
    """
    return Model(_source(path, None, "", constants, queries, query_file))


def loads(
    text: str,
    constants: Mapping[str, Constant] | None = None,
    *,
    name: str | None = None,
    queries: Iterable[str] | str | None = None,
    query_file: str | os.PathLike[str] | None = None,
) -> Model:
    """Loads the model in a text. Messages call it `name`, and the ending of that says how to read it (XML is recognised)."""
    if name is None:
        name = "<text>.xml" if text.lstrip().startswith("<") else "<text>.xta"
    return Model(_source(None, text, name, constants, queries, query_file))


def generate(family: str, **parameters: int | str) -> str:
    """The XML of a member of a family, with its queries: `loads(generate("fischer", n=5))`. `families()` lists them."""
    return _native.generate(family, [(name, str(value)) for name, value in parameters.items()])


@dataclass(frozen=True)
class Parameter:
    """A parameter of a family."""

    name: str
    default: str
    summary: str


@dataclass(frozen=True)
class Family:
    """A family of models."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]


def families() -> tuple[Family, ...]:
    """The families of models that `generate` knows."""
    return tuple(
        Family(name, summary, tuple(Parameter(*parameter) for parameter in parameters))
        for name, summary, parameters in _native.families()
    )


def sweep(
    model: str | os.PathLike[str],
    values: Mapping[str, Iterable[Constant]],
    query: str | int | None = None,
    search: str = "auto",
    *,
    constants: Mapping[str, Constant] | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
    **options: Any,
) -> Results:
    """Checks every combination of values of constants: `sweep("fischer.xml", {"N": range(2, 6), "K": [1, 2]})`.

    `model` is a file, or the text of a model. Each result has its `constants`; `to_dataframe()` makes a table of them. `progress` is
    called with the number of combinations that are done and the number of all. A sweep has at most 10,000 combinations.
    """
    twice = set(values) & set(constants or {})
    if twice:
        raise ValueError(f"{', '.join(sorted(twice))}: given a value and swept; leave one of them out")
    given = {name: list(each) for name, each in values.items()}
    plain = {name: {written(value): value for value in each} for name, each in given.items()}
    axes = [(name, [written(value) for value in each]) for name, each in given.items()]
    combinations = _native.combinations(axes)
    told: Callable[[int, int], object] = progress if callable(progress) else lambda done, of: None
    bar = None
    if progress is True:
        from tqdm.auto import tqdm

        bar = tqdm(total=len(combinations), unit=" combinations")
    results: list[Result] = []
    name = ""
    for done, combination in enumerate(combinations, 1):
        loaded = _loaded(model, {**(constants or {}), **dict(combination)})
        name = loaded.name
        checked = loaded.check(query, search, **options)
        swept = {key: plain[key][value] for key, value in combination}
        for result in checked if isinstance(checked, Results) else [checked]:
            results.append(_with(result, swept))
        told(done, len(combinations))
        if bar is not None:
            bar.update()
    if bar is not None:
        bar.close()
    return Results(results, name)


def _loaded(model: str | os.PathLike[str], constants: Mapping[str, Constant]) -> Model:
    if isinstance(model, str) and ("\n" in model or "<nta" in model or ";" in model):
        return loads(model, constants)
    return load(model, constants)


def _with(result: Result, constants: dict[str, Any]) -> Result:
    from dataclasses import replace

    return replace(result, constants=constants)


@overload
def refine(
    project: str | os.PathLike[str], query: str, search: str = ..., *, progress: bool | Progress | None = ..., **options: Any
) -> RefineResult: ...
@overload
def refine(
    project: str | os.PathLike[str], query: None = None, search: str = ..., *, progress: bool | Progress | None = ...,
    **options: Any,
) -> list[RefineResult]: ...
def refine(
    project: str | os.PathLike[str], query: str | None = None, search: str = "auto", *,
    progress: bool | Progress | None = None, **options: Any,
) -> RefineResult | list[RefineResult]:
    """Decides a query about timed I/O automata (`refinement: A <= B`, `consistency: A` …); without one, all of the project's own.

    `project` is a folder of ECDAR, an XML or XTA file, or the text of one. Options: `search` (`auto`, `symbolic`, `ret`, `rcf`,
    `smc`), `delays`, `inputs`, `alphabet`, `preconditions`, `seed`, `threads`, `timeout` in seconds, `memory`, `max_steps`,
    `max_walks`.
    """
    is_text = isinstance(project, str) and ("\n" in project or "<" in project)
    native = (
        _native.NativeProject(None, str(project), "<text>.xml" if "<" in str(project)[:200] else "<text>.xta")
        if is_text
        else _native.NativeProject(project, None, "")
    )
    callback, close = _tqdm(progress)
    options["search"] = search

    def one(asked: str) -> RefineResult:
        data = native.check(asked, dict(options), callback)
        data["notes"] = tuple(data["notes"])
        return RefineResult(query=asked, **data)

    try:
        return [one(each) for each in native.queries()] if query is None else one(query)
    finally:
        close()


#: Searches whose walks do not depend on each other.
IndependentWalks: TypeAlias = Literal["sem", "ret", "rlc", "com", "smc"]
