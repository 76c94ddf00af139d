"""What checks, explorations and refinements came to."""

from __future__ import annotations

import gzip
import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._errors import Problem, ZonewalkError
from ._origin import Origin, details
from ._trace import Trace, _table, dataframe, exact

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Stats:
    """What was done, by other searches in parallel too. Fields that end in `_s` are seconds."""

    walks: int = 0
    steps: int = 0
    effort: int = 0
    max_depth: int = 0
    states_explored: int = 0
    states_stored: int = 0
    transitions: int = 0
    search_s: float = 0.0
    trace_s: float = 0.0


@dataclass(frozen=True)
class Value:
    """How large or small an expression becomes (`sup`, `inf`, `bounds`)."""

    expression: str
    value: str
    reached: str | None
    certain: bool


@dataclass(frozen=True)
class Series:
    """A curve of a `simulate` query: its points, straight lines between them."""

    expression: str
    run: int
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Histogram:
    """Values in buckets of one width; `of` is `hits`, `violations` or `values`."""

    start: float
    width: float
    counts: tuple[int, ...]
    of: str

    def _rows(self, runs: int) -> list[dict[str, Any]]:
        """A row per bucket; `runs` is the number of all runs."""
        rows: list[dict[str, Any]] = []
        cumulative = 0.0
        for place, count in enumerate(self.counts):
            start, share = self.start + place * self.width, count / max(runs, 1)
            cumulative += share
            row = {"from": start, "to": start + self.width, "count": count}
            rows.append({**row, "probability": share, "density": share / self.width, "cumulative": cumulative})
        return rows


@dataclass(frozen=True)
class Estimate:
    """What random runs say of a statistical query."""

    value: float | None
    interval: tuple[float, float] | None
    confidence: float | None
    runs: int
    satisfied: int | None
    undecided: int
    series: tuple[Series, ...] = ()
    histogram: Histogram | None = None

    def to_dataframe(self) -> pandas.DataFrame:
        """What `--plot` draws, as a table; needs pandas.

        A row per point of the curves of `simulate`: run, expression, time, value. Otherwise a row per bucket of the histogram, with the
        columns of `--plot FILE.csv`: from, to, count, probability (the share of all runs), density (that share for a unit of the axis)
        and cumulative (the share of all runs up to here: how the probability grows with time).
        """
        if self.series or self.histogram is None:
            rows = [
                {"run": curve.run, "expression": curve.expression, "time": time, "value": value}
                for curve in self.series
                for time, value in curve.points
            ]
            return dataframe(rows, ["run", "expression", "time", "value"])
        return dataframe(self.histogram._rows(self.runs))

    @staticmethod
    def _of(data: dict[str, Any], document: dict[str, Any]) -> Estimate:
        histogram = document.get("histogram")
        return Estimate(
            **data,
            series=tuple(
                Series(each["expression"], each["run"], tuple((x, y) for x, y in each["points"]))
                for each in document.get("series", ())
            ),
            histogram=None
            if histogram is None
            else Histogram(histogram["from"], histogram["width"], tuple(histogram["counts"]), histogram["of"]),
        )


@dataclass(frozen=True)
class RuntimeFault:
    """A run-time error of the model or the query that was met, and the run that leads there."""

    problem: Problem
    trace: Trace | None


#: Colours of verdicts.
_COLOURS = {"satisfied": "#1a7f37", "not satisfied": "#cf222e"}


@dataclass(frozen=True)
class Certificate:
    """The proof of an answer that rests on having explored everything, and whether the judge of proofs has accepted it."""

    #: As certificates have it; `None` where they cannot express it.
    claim: str | None
    #: How many nodes it has, where that is known.
    nodes: int | None
    judged: bool
    #: Sets of states that had to lie in nodes, where it was judged.
    obligations: int | None = None
    judge_s: float = field(default=0.0, compare=False)
    #: Why it was not judged.
    reason: str | None = None
    _text: bytes | None = field(default=None, repr=False, compare=False)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes it to a file, compressed if the name ends in `.gz`. `check` keeps it where `certificate=True` asks for it."""
        if self._text is None:
            raise ValueError("the certificate was not kept: check with certificate=True")
        text = gzip.compress(self._text, mtime=0) if str(path).endswith(".gz") else self._text
        Path(path).write_bytes(text)

    @staticmethod
    def _of(document: dict[str, Any], text: bytes | None) -> Certificate | None:
        told = document.get("certificate")
        if told is None:
            return None
        names = ("claim", "nodes", "judged", "obligations", "judge_s", "reason")
        return Certificate(**{name: told[name] for name in names}, _text=text)


@dataclass(frozen=True)
class Judgement:
    """What the judge of proofs says of a certificate; true where it is accepted."""

    accepted: bool
    nodes: int | None = None
    obligations: int | None = None
    #: The obligation that is not met, as in `docs/certificates.md`, and the line of the file that it is about.
    obligation: str | None = None
    line: int | None = None
    #: Why it is not accepted.
    reason: str | None = None
    #: States that are left over, and one of them.
    left: str | None = None
    point: str | None = None
    #: Whether the judge covers model, query and claim.
    is_covered: bool = True

    def __bool__(self) -> bool:
        return self.accepted


@dataclass(frozen=True)
class Result:
    """The answer to a query.

    `verdict` is `satisfied`, `not satisfied`, `maybe satisfied`, `maybe not satisfied` or `unknown`; `proof` says whether a replayed
    trace shows it or everything was explored.
    """

    query: str
    verdict: str
    proof: bool
    search: str
    seed: int
    threads: int
    stats: Stats
    reason: str | None = None
    #: Why a search without an answer ended: `time`, `walks`, `memory` …
    limit: str | None = None
    #: A run that shows the answer.
    trace: Trace | None = None
    #: The number of the walk that found it.
    walk: int | None = None
    #: Steps of the run when it was found, before it was made shorter.
    found_steps: int | None = None
    #: Its time.
    found_duration: Fraction | None = None
    #: Whether no run has fewer steps, or takes less time; `None` if it was not asked for.
    shortest: bool | None = None
    fastest: bool | None = None
    values: tuple[Value, ...] | None = None
    estimate: Estimate | None = None
    fault: RuntimeFault | None = None
    #: Where the answer rests on having explored everything: its proof, and whether it was judged.
    certificate: Certificate | None = None
    #: The constants of a sweep.
    constants: dict[str, Any] = field(default_factory=dict)
    #: The model, as messages call it.
    model: str = ""
    #: What looks wrong in the model, and came to light on the way.
    problems: tuple[Problem, ...] = ()
    #: Why the answer may say less than it seems to: the model stands still, or what the query is about never happens.
    warnings: tuple[Problem, ...] = ()
    #: What the author of the query says about it.
    comment: str = ""
    #: Of a sweep: why there is no answer for these constants.
    error: ZonewalkError | None = field(default=None, compare=False)
    #: Seconds of all processors, and the most memory that the process has had so far, in bytes.
    cpu_s: float = field(default=0.0, compare=False)
    peak_memory_bytes: int = field(default=0, compare=False)
    #: What the library has told: the object of `--format json`, the answer of a page, and where it comes from.
    _document: str = field(default="{}", repr=False, compare=False)
    _answer: str = field(default="", repr=False, compare=False)
    _origin: Origin | None = field(default=None, repr=False, compare=False)

    def __bool__(self) -> bool:
        """Whether the query is satisfied. An answer that is not certain is no truth value."""
        if self.verdict == "satisfied":
            return True
        if self.verdict == "not satisfied":
            return False
        raise ValueError(f"{self.query}: {self.verdict}; look at .verdict and .reason")

    @property
    def satisfied(self) -> bool | None:
        """Whether the query is satisfied; `None` where that is not certain."""
        return {"satisfied": True, "not satisfied": False}.get(self.verdict)

    def to_dict(self) -> dict[str, Any]:
        """The answer with the fields of `zonewalk check --format json`."""
        data: dict[str, Any] = json.loads(self._document)
        data.update(
            query=self.query or None,
            verdict=self.verdict,
            proof=self.proof,
            search=self.search,
            seed=self.seed,
            threads=self.threads,
            search_s=self.stats.search_s,
            cpu_s=self.cpu_s,
            peak_memory_bytes=self.peak_memory_bytes,
            reason=self.reason,
        )
        data.setdefault("trace", None)
        data.setdefault("load_s", 0.0)
        # Nothing takes less time than the search for it.
        data["time_s"] = max(data.get("time_s", 0.0), self.stats.search_s)
        counts = asdict(self.stats)
        for other in ("search_s", "trace_s", "effort"):
            del counts[other]
        data["stats"] = {**data.get("stats", {}), **counts}
        if self.constants:
            data["constants"] = dict(self.constants)
        return data

    def to_json(self) -> str:
        """The document of `zonewalk check --format json` for this query alone."""
        return Results([self], self.model).to_json()

    @property
    def figure(self) -> str | None:
        """Of a statistical query: its histogram or curves as SVG."""
        figure: str | None = json.loads(self._answer).get("figure") if self._answer else None
        return figure

    def __str__(self) -> str:
        words = self.verdict
        if self.values is not None:
            words += ": " + ", ".join(f"{value.expression}: {value.value}" for value in self.values)
        elif self.estimate is not None and self.estimate.value is not None:
            words += f": about {self.estimate.value:g}"
        elif self.trace is not None:
            words += f": a run of {len(self.trace)} steps, time {self.trace.duration}"
        elif self.reason is not None:
            words += f": {self.reason}"
        return f"{words} ({self.search})"

    def to_html(self) -> str:
        """The page of `zonewalk check --report html:FILE`: the answer, and its run step by step; it needs nothing but itself."""
        return Results([self], self.model).to_html()

    def _repr_html_(self) -> str:
        colour = _COLOURS.get(self.verdict, "#9a6700")
        words = html.escape(str(self)[len(self.verdict) :])
        head = (
            f"<p><code>{html.escape(self.query)}</code><br>"
            f'<b style="color:{colour}">{html.escape(self.verdict)}</b>{words}</p>'
        )
        shown = self.trace._picture() if self.trace is not None else (self.figure or "")
        page = "" if self._origin is None else details("Step by step" if self.trace is not None else "The report", self.to_html())
        return head + shown + page

    def _with_origin(self, origin: Origin | None) -> Result:
        """The same answer, with or without its model: what travels between machines leaves it out."""
        trace = None if self.trace is None else Trace(self.trace._json, origin, self.query)
        fault = self.fault
        if fault is not None and fault.trace is not None:
            fault = replace(fault, trace=Trace(fault.trace._json, origin, self.query))
        return replace(self, trace=trace, fault=fault, _origin=origin)

    @staticmethod
    def _of(query: str, data: dict[str, Any], model: str, origin: Origin | None, used: tuple[float, int]) -> Result:
        witness = data["witness"]
        document = json.loads(data["document"])
        run: dict[str, Any] = {}
        if witness is not None:
            run = {
                "trace": None if witness["trace"] is None else Trace(witness["trace"], origin, query),
                "found_steps": witness["found_steps"],
                "found_duration": exact(witness["found_duration"]),
                "shortest": witness["shortest"],
                "fastest": witness["fastest"],
            }
        values = data["values"]
        return Result(
            query=query,
            verdict=data["verdict"],
            proof=data["proof"],
            search=data["search"],
            seed=data["seed"],
            threads=data["threads"],
            stats=Stats(**data["stats"]),
            reason=data["reason"],
            limit=data["limit"],
            walk=document.get("walk"),
            values=None if values is None else tuple(Value(**value) for value in values),
            estimate=None if data["estimate"] is None else Estimate._of(data["estimate"], document),
            fault=_fault(data["error"], origin, query),
            certificate=Certificate._of(document, data["certificate"]),
            model=model,
            problems=tuple(Problem(**problem) for problem in data["problems"]),
            warnings=tuple(Problem(**problem) for problem in data["warnings"]),
            comment=document.get("comment", ""),
            cpu_s=used[0],
            peak_memory_bytes=used[1],
            _document=data["document"],
            _answer=data["answer"],
            _origin=origin,
            **run,
        )


def _fault(error: dict[str, Any] | None, origin: Origin | None, title: str) -> RuntimeFault | None:
    if error is None:
        return None
    trace = error.pop("trace")
    return RuntimeFault(Problem(**error), None if trace is None else Trace(trace, origin, title))


class Results(Sequence[Result]):
    """Answers to several queries, or to one for several constants: a sequence, and a table."""

    def __init__(self, results: Iterable[Result], model: str = "") -> None:
        self._results = tuple(results)
        self.model = model

    @overload
    def __getitem__(self, index: int) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Results: ...
    def __getitem__(self, index: int | slice) -> Result | Results:
        if isinstance(index, slice):
            return Results(self._results[index], self.model)
        return self._results[index]

    def __len__(self) -> int:
        return len(self._results)

    @property
    def exit_status(self) -> int:
        """That of the command: 0 all satisfied, 1 some are not, 2 an error of the model, 3 some are undecided."""
        if any(result.error is not None for result in self):
            return 2
        if any(result.fault is not None and result.verdict == "unknown" for result in self):
            return 2
        if any(result.verdict == "not satisfied" for result in self):
            return 1
        return 0 if all(result.verdict == "satisfied" for result in self) else 3

    def to_dicts(self) -> list[dict[str, Any]]:
        """The objects of `results` of `zonewalk check --format json`."""
        return [result.to_dict() for result in self]

    def to_json(self) -> str:
        """The document of `zonewalk check --format json`."""
        listed: dict[str, dict[str, Any]] = {}
        for result in self:
            model = () if result._origin is None else result._origin.warnings()
            errors = () if result.error is None else result.error.problems
            for problem in (*model, *result.problems, *errors):
                if problem.document:
                    listed.setdefault(problem.document, json.loads(problem.document))
        diagnostics = list(listed.values())
        document = {
            "zonewalk": _native.VERSION,
            "schema": 1,
            "valid": True,
            "model": self.model,
            "results": self.to_dicts(),
            "errors": sum(found["severity"] == "error" for found in diagnostics),
            "warnings": sum(found["severity"] == "warning" for found in diagnostics),
            "suppressed": 0,
            "diagnostics": diagnostics,
        }
        return json.dumps(document, indent=2, ensure_ascii=False)

    def to_html(self) -> str:
        """The page of `zonewalk check --report html:FILE`: all answers, and their runs step by step; it needs nothing but itself.

        The answers of a sweep are about different models: each of them has a page of its own.
        """
        if not self._results:
            raise ValueError("there are no answers, and so there is no page")
        first = self._results[0]
        if any(result.constants != first.constants for result in self):
            raise ValueError("these answers are about models with different constants: call to_html() of one of them")
        if any(result._origin is None or not result._answer for result in self) or first._origin is None:
            raise ValueError("an answer does not know its model")
        answers = [
            (
                result._answer,
                None if result.trace is None else result.trace._json,
                None if result.fault is None or result.fault.trace is None else result.fault.trace._json,
            )
            for result in self
        ]
        return first._origin.model()._page(answers, [])

    def to_dataframe(self) -> pandas.DataFrame:
        """A row per answer: the constants first; needs pandas. `trace_time` is exact, `trace_time_float` is for charts."""
        rows = self._rows()
        return dataframe(rows, exact=["trace_time"] if rows else [])

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                **result.constants,
                "query": result.query,
                "verdict": result.verdict,
                "proof": result.proof,
                "search": result.search,
                "states": result.stats.states_explored,
                "walks": result.stats.walks,
                "steps": result.stats.steps,
                "trace_steps": None if result.trace is None else len(result.trace),
                "trace_time": None if result.trace is None else result.trace.duration,
                "search_s": result.stats.search_s,
                "value": _value(result),
                "reason": result.reason,
            }
            for result in self
        ]

    def __str__(self) -> str:
        def line(result: Result) -> str:
            constants = ", ".join(f"{name} = {value}" for name, value in result.constants.items())
            return f"{result.query}{' for ' + constants if constants else ''}: {result}"

        return "\n".join(map(line, self))

    def __repr__(self) -> str:
        return f"<Results: {len(self)}>"

    def _repr_html_(self) -> str:
        rows = self._rows()
        if not rows:
            return "<p>no results</p>"
        header = [name for name in rows[0] if any(row.get(name) is not None for row in rows)]
        return _table(header, [[_cell(row.get(name)) for name in header] for row in rows])


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def _value(result: Result) -> Any:
    if result.values is not None:
        values = [value.value for value in result.values]
        return values[0] if len(values) == 1 else values
    return None if result.estimate is None else result.estimate.value


@dataclass(frozen=True)
class Unreached:
    """A location or an edge that not all processes of its template have reached."""

    template: str
    name: str
    line: int | None
    missed: int
    processes: int


@dataclass(frozen=True)
class Exploration:
    """What an exploration without a query came to. `locations` and `edges` count those of all processes together."""

    complete: bool
    limit: str | None
    stats: Stats
    locations: int
    edges: int
    unreached_locations: tuple[Unreached, ...]
    unreached_edges: tuple[Unreached, ...]
    fault: RuntimeFault | None

    @staticmethod
    def _of(data: dict[str, Any], origin: Origin | None) -> Exploration:
        coverage = data["coverage"]
        return Exploration(
            complete=data["complete"],
            limit=data["limit"],
            stats=Stats(**data["stats"]),
            locations=coverage["locations"],
            edges=coverage["edges"],
            unreached_locations=tuple(Unreached(**of) for of in coverage["unreached_locations"]),
            unreached_edges=tuple(Unreached(**of) for of in coverage["unreached_edges"]),
            fault=_fault(data["error"], origin, "explore"),
        )
