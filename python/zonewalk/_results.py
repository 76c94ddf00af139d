"""What checks, explorations and refinements came to."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._errors import Problem
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
class Estimate:
    """What random runs say of a statistical query."""

    value: float | None
    interval: tuple[float, float] | None
    confidence: float | None
    runs: int
    satisfied: int | None
    undecided: int


@dataclass(frozen=True)
class RuntimeFault:
    """A run-time error of the model or the query that was met, and the run that leads there."""

    problem: Problem
    trace: Trace | None


#: Colours of verdicts.
_COLOURS = {"satisfied": "#1a7f37", "not satisfied": "#cf222e"}


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
    #: The constants of a sweep.
    constants: dict[str, Any] = field(default_factory=dict)
    #: The model, as messages call it.
    model: str = ""

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
        trace = None
        if self.trace is not None:
            trace = {
                "steps": len(self.trace),
                "duration": str(self.trace.duration),
                "found_steps": self.found_steps if self.found_steps is not None else len(self.trace),
                "found_duration": str(self.found_duration if self.found_duration is not None else self.trace.duration),
                "file": None,
            }
        stats = asdict(self.stats)
        search_s = stats.pop("search_s")
        stats.pop("trace_s")
        stats.pop("effort")
        data: dict[str, Any] = {
            "query": self.query,
            "verdict": self.verdict,
            "proof": self.proof,
            "search": self.search,
            "seed": self.seed,
            "threads": self.threads,
            "search_s": search_s,
            "stats": stats,
            "trace": trace,
            "reason": self.reason,
        }
        if self.constants:
            data["constants"] = dict(self.constants)
        if self.walk is not None:
            data["walk"] = self.walk
        if self.values is not None:
            data["values"] = [asdict(value) for value in self.values]
        if self.estimate is not None:
            data.update({key: value for key, value in asdict(self.estimate).items() if value is not None})
        return data

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
        """A page that stands alone: the answer, and the trace as a chart and a table."""
        title = html.escape(self.query)
        return (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
            f"<title>{title}</title><style>body{{font:14px sans-serif;margin:2em}}table{{border-collapse:collapse}}"
            "td,th{padding:2px 8px;text-align:left;border-bottom:1px solid #ddd}</style></head>"
            f"<body>{self._repr_html_()}</body></html>\n"
        )

    def _repr_html_(self) -> str:
        colour = _COLOURS.get(self.verdict, "#9a6700")
        words = html.escape(str(self)[len(self.verdict) :])
        head = (
            f"<p><code>{html.escape(self.query)}</code><br>"
            f'<b style="color:{colour}">{html.escape(self.verdict)}</b>{words}</p>'
        )
        return head + (self.trace._repr_html_() if self.trace is not None else "")

    @staticmethod
    def _of(query: str, data: dict[str, Any], model: str) -> Result:
        witness = data["witness"]
        run: dict[str, Any] = {}
        if witness is not None:
            run = {
                "trace": Trace(witness["trace"]) if witness["trace"] is not None else None,
                "walk": witness["walk"],
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
            reason=data["reason"] or _words(data["error"]),
            limit=data["limit"],
            values=None if values is None else tuple(Value(**value) for value in values),
            estimate=None if data["estimate"] is None else Estimate(**data["estimate"]),
            fault=_fault(data["error"]),
            model=model,
            **run,
        )


def _words(error: dict[str, Any] | None) -> str | None:
    return None if error is None else f"run-time error: {error['message']}"


def _fault(error: dict[str, Any] | None) -> RuntimeFault | None:
    if error is None:
        return None
    trace = error.pop("trace")
    return RuntimeFault(Problem(**error), None if trace is None else Trace(trace))


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
        if any(result.fault is not None and result.verdict == "unknown" for result in self):
            return 2
        if any(result.verdict == "not satisfied" for result in self):
            return 1
        return 0 if all(result.verdict == "satisfied" for result in self) else 3

    def to_dicts(self) -> list[dict[str, Any]]:
        """The objects of `results` of `zonewalk check --format json`."""
        return [result.to_dict() for result in self]

    def to_json(self) -> str:
        """A document like that of `zonewalk check --format json`."""
        document = {
            "zonewalk": _native.VERSION,
            "schema": 1,
            "valid": True,
            "model": self.model,
            "results": self.to_dicts(),
            "errors": 0,
            "warnings": 0,
            "suppressed": 0,
            "diagnostics": [],
        }
        return json.dumps(document, indent=2)

    def to_dataframe(self) -> pandas.DataFrame:
        """A row per answer: the constants first; needs pandas."""
        return dataframe(self._rows())

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
    def _of(data: dict[str, Any]) -> Exploration:
        coverage = data["coverage"]
        return Exploration(
            complete=data["complete"],
            limit=data["limit"],
            stats=Stats(**data["stats"]),
            locations=coverage["locations"],
            edges=coverage["edges"],
            unreached_locations=tuple(Unreached(**of) for of in coverage["unreached_locations"]),
            unreached_edges=tuple(Unreached(**of) for of in coverage["unreached_edges"]),
            fault=_fault(data["error"]),
        )


@dataclass(frozen=True)
class RefineResult:
    """The answer to a query about timed I/O automata."""

    query: str
    verdict: str
    proof: bool
    search: str
    reason: str | None
    notes: tuple[str, ...]
    #: Transitions of the run that shows the answer.
    run_steps: int | None
    #: The component that `get-component` and `prune` have built, as JSON of ECDAR.
    component: str | None
    walks: int
    steps: int
    zones_explored: int
    search_s: float

    def __bool__(self) -> bool:
        """Whether the query is satisfied."""
        if self.verdict == "unknown":
            raise ValueError(f"{self.query}: unknown; look at .verdict and .reason")
        return self.verdict == "satisfied"

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict

    def to_dict(self) -> dict[str, Any]:
        """All fields."""
        return asdict(self)
