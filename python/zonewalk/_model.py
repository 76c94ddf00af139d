"""Load a model, and ask."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from . import _native
from ._errors import NoSuchQueryError, Problem
from ._options import CheckOptions
from ._origin import Origin
from ._results import Exploration, Judgement, Result, Results
from ._trace import Step, Trace

if TYPE_CHECKING:
    from typing_extensions import Unpack

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


def peak_memory() -> int:
    """The most memory that this process has had so far, in bytes; 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    # Bytes on macOS, kibibytes elsewhere.
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def _tqdm(wanted: bool | Progress | None) -> tuple[Progress | None, Callable[[], None]]:
    """A callback for `progress=True`, and what closes it."""
    if wanted is None or wanted is False:
        return None, lambda: None
    if wanted is not True:
        return wanted, lambda: None
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("progress=True needs tqdm: pip install tqdm") from error
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
        self._origin = Origin(self)
        if self._source["path"] is not None:
            # Kept, because another machine does not have the file, and this one may have another one there later.
            with open(self._source["path"], encoding="utf-8", errors="replace") as file:
                self._source["text"] = file.read()

    def __getstate__(self) -> dict[str, Any]:
        source = dict(self._source)
        if source["path"] is not None:
            source.update(path=None, name=os.fspath(source["path"]))
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

    def _index(self, query: str | int | Query, levels: str | None = None) -> tuple[int, str]:
        if isinstance(query, int):
            queries = self.queries
            try:
                formula = queries[query].formula
            except IndexError:
                raise NoSuchQueryError(
                    f"there is no query {query}: the model has {len(queries)}, counted from 0 (--query-index of the command counts from 1)"
                ) from None
            if levels is None:
                return range(len(queries))[query], formula
        else:
            formula = str(query)
        return self._native.index(formula, levels), formula

    def _page(self, answers: list[tuple[str, str | None, str | None]], runs: list[tuple[str, str]]) -> str:
        """The page of answers and of further runs."""
        return self._native.page(answers, runs)

    @overload
    def check(
        self, query: None = None, search: str = "auto", *, progress: bool | Progress | None = None,
        **options: Unpack[CheckOptions],
    ) -> Results: ...
    @overload
    def check(
        self, query: str | int | Query, search: str = "auto", *, progress: bool | Progress | None = None,
        **options: Unpack[CheckOptions],
    ) -> Result: ...
    def check(
        self, query: str | int | Query | None = None, search: str = "auto", *, progress: bool | Progress | None = None,
        **options: Unpack[CheckOptions],
    ) -> Result | Results:
        """Decides a query: a formula, or the index of one of the model's own; without one, all of the model's own.

        Indices count from 0, as those of `queries` do: `check(0)` is `--query-index 1` of the command. A formula that is wrong raises
        `QueryError`.

        `search` is one of `zonewalk help searches`; `seed` (1 unless given) and `timeout` (seconds per query) go with all of them.
        Further options are those of the command line with `_` in place of `-`: `CheckOptions` lists them, and `zonewalk check --help`
        explains them.

        `progress` is called with a dictionary about ten times a second; `True` shows a bar of tqdm. Ctrl-C ends the search.
        """
        if query is None:
            if not self._count:
                raise ValueError(f"{self.name} has no queries: give one, such as check('A[] not deadlock')")
            each = (self.check(index, search, progress=progress, **options) for index in range(self._count))
            return Results(each, self.name)
        given: dict[str, Any] = {**options, "search": search}
        patterns, levels = given.pop("pattern", None), given.pop("levels", None)
        index, formula = self._index(query, levels)
        callback, close = _tqdm(progress)
        before = time.process_time()
        try:
            data = self._native.check(index, given, None if patterns == "auto" else patterns, callback)
        finally:
            close()
        used = time.process_time() - before, peak_memory()
        return Result._of(formula, data, self.name, self._origin, used)

    def explore(
        self, search: str = "bfs", *, progress: bool | Progress | None = None, **options: Unpack[CheckOptions]
    ) -> Exploration:
        """Explores the model without a query: all of the zone graph, or by walks, as the search says. Options are those of `check`.

        Unless `max_walks` is given, walks go through the whole schedule of depths once; a `timeout` makes that less.
        """
        callback, close = _tqdm(progress)
        try:
            return Exploration._of(self._native.explore({**options, "search": search}, callback), self._origin)
        finally:
            close()

    def simulate(self, seed: int = 1, steps: int | None = None) -> Iterator[Step]:
        """The steps of a random run on the reference interpreter, one by one.

        It ends after `steps`, in a deadlock or at a run-time error; otherwise it never ends, and takes no more memory as it goes on.
        `run` gives a trace instead.
        """
        simulation = self._native.simulation(seed)
        # A few at first, for whoever wants a few; many later, because each call costs something.
        done, size = 0, 4
        while steps is None or done < steps:
            wanted = size if steps is None else min(size, steps - done)
            made = simulation.steps(wanted)
            for text in made:
                yield Step._of(json.loads(text))
            done += len(made)
            if len(made) < wanted:
                return
            size = min(size * 2, 256)

    def run(self, seed: int = 1, steps: int = 20) -> Trace:
        """A random run of so many steps on the reference interpreter; a deadlock or a run-time error ends it earlier."""
        return Trace(self._native.simulate(seed, steps), self._origin)

    def replay(self, trace: Trace, query: str | int | Query | None = None) -> None:
        """Has the reference interpreter repeat a trace; raises `InvalidTraceError` with the first thing that is not so."""
        index = None if query is None else self._index(query)[0]
        self._native.replay(trace._json, index)

    def judge(self, certificate: str | os.PathLike[str], query: str | int | Query | None = None) -> Judgement:
        """Has the judge of proofs look at a certificate in a file: whether it proves what it claims about the query.

        Nothing is concluded from what the file says about model and query. A file that is no certificate of the model raises
        `InvalidCertificateError`.
        """
        index = None if query is None else self._index(query)[0]
        return Judgement(**self._native.judge(Path(certificate).read_bytes(), index))

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
