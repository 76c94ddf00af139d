"""Queries about timed I/O automata, and the runs that answer them."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._model import Progress, _tqdm, peak_memory
from ._options import RefineOptions
from ._origin import details
from ._trace import _table, dataframe, exact

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Move:
    """What a component does in a step; `source` and `target` are the same where it stays."""

    component: str
    source: str
    target: str
    #: The edge, as the file calls it.
    edge: str | None = None

    def __str__(self) -> str:
        return f"{self.component}: {self.source} → {self.target}" if self.edge is not None else f"{self.component} stays in {self.source}"

    @staticmethod
    def _of(data: dict[str, Any]) -> Move:
        if data["does"] == "edge":
            return Move(data["component"], data["source"], data["target"], data["id"])
        if "component" in data:
            return Move(data["component"], data["location"], data["location"])
        return Move(f"quotient {data['quotient'] + 1}", data["does"], data["does"])


@dataclass(frozen=True)
class RefineStep:
    """A delay and the action after it: what the components of the left and of the right system do. `time` counts from the beginning."""

    delay: Fraction
    time: Fraction
    action: str
    direction: str
    left: tuple[Move, ...]
    right: tuple[Move, ...] | None

    def __str__(self) -> str:
        sign = "?" if self.direction == "input" else "!"
        sides = [side for side in (self.left, self.right) if side is not None]
        moves = " | ".join(", ".join(map(str, side)) or "–" for side in sides)
        return f"at {self.time}: {self.action}{sign}  {moves}"


class RefineTrace(Sequence[RefineStep]):
    """A run of one system, or of two side by side, that the judge has repeated."""

    def __init__(self, text: str, project: _Project | None = None, title: str = "") -> None:
        self._json = text
        self._project = project
        self._title = title

    def __getstate__(self) -> tuple[str, _Project | None, str]:
        return self._json, self._project, self._title

    def __setstate__(self, state: tuple[str, _Project | None, str]) -> None:
        RefineTrace.__init__(self, *state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RefineTrace) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    @property
    def _raw(self) -> dict[str, Any]:
        raw: dict[str, Any] = json.loads(self._json)
        return raw

    @property
    def systems(self) -> tuple[str, ...]:
        """The system, or the left and the right one, as queries write them."""
        return tuple(self._raw["systems"])

    @property
    def rule(self) -> str:
        """What its end shows: `output`, `input`, `delay` or `reached`."""
        return str(self._raw["end"]["rule"])

    @property
    def action(self) -> str | None:
        """The action that its end is about."""
        action: str | None = self._raw["end"].get("action")
        return action

    @property
    def duration(self) -> Fraction:
        """The time that passes in it."""
        return exact(self._raw["end"]["time"])

    @property
    def steps(self) -> tuple[RefineStep, ...]:
        """The actions with their delays."""
        return tuple(
            RefineStep(
                delay=exact(step["delay"]),
                time=exact(step["time"]),
                action=step["action"],
                direction=step["direction"],
                left=tuple(map(Move._of, step["left"])),
                right=None if step.get("right") is None else tuple(map(Move._of, step["right"])),
            )
            for step in self._raw["steps"]
        )

    @overload
    def __getitem__(self, index: int) -> RefineStep: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RefineStep, ...]: ...
    def __getitem__(self, index: int | slice) -> RefineStep | tuple[RefineStep, ...]:
        return self.steps[index]

    def __len__(self) -> int:
        return len(self._raw["steps"])

    def __iter__(self) -> Iterator[RefineStep]:
        return iter(self.steps)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary per step, with exact times."""
        return [
            {
                "step": number,
                "delay": step.delay,
                "time": step.time,
                "action": step.action,
                "direction": step.direction,
                "left": [str(move) for move in step.left],
                "right": None if step.right is None else [str(move) for move in step.right],
            }
            for number, step in enumerate(self.steps, 1)
        ]

    def to_dataframe(self) -> pandas.DataFrame:
        """A row per step; needs pandas. `delay` and `time` are exact, `delay_float` and `time_float` are for charts."""
        columns = ["step", "delay", "time", "action", "direction", "left", "right"]
        return dataframe(self.to_dicts(), columns, exact=["delay", "time"])

    def to_json(self) -> str:
        """The run as `zonewalk replay` and `zonewalk view` read it."""
        name = "" if self._project is None else self._project.name
        about = {"zonewalk": _native.VERSION, "schema": 1, "model": name, "query": self._title, "defines": {}}
        return json.dumps({**about, **self._raw}, ensure_ascii=False)

    def to_html(self) -> str:
        """The page of `zonewalk view`: the automata side by side, step by step; it needs nothing but itself."""
        if self._project is None:
            raise ValueError("this run does not know its project")
        return self._project.native().page(self._title, self._json)

    def __str__(self) -> str:
        about = f" {self.action}" if self.action else ""
        return "\n".join([*map(str, self.steps), f"end after {self.duration}: {self.rule}{about}"])

    def __repr__(self) -> str:
        return f"<RefineTrace of {len(self)} steps, time {self.duration}, {self.rule}>"

    def _repr_html_(self) -> str:
        rows = [
            [
                str(number),
                str(step.time),
                str(step.delay),
                step.action + ("?" if step.direction == "input" else "!"),
                ", ".join(map(str, step.left)),
                ", ".join(map(str, step.right or ())),
            ]
            for number, step in enumerate(self.steps, 1)
        ]
        table = _table(["", "time", "delay", "action", "left", "right"], rows)
        return table if self._project is None else table + details("Step by step", self.to_html())


@dataclass(frozen=True)
class RefineResult:
    """The answer to a query about timed I/O automata."""

    query: str
    verdict: str
    proof: bool
    search: str
    reason: str | None
    notes: tuple[str, ...]
    #: The run that shows the answer.
    trace: RefineTrace | None
    #: The component that `get-component` and `prune` have built, as JSON of ECDAR.
    component: str | None
    walks: int
    steps: int
    zones_explored: int
    search_s: float
    #: Seconds of all processors, and the most memory that the process has had so far, in bytes.
    cpu_s: float = field(default=0.0, compare=False)
    peak_memory_bytes: int = field(default=0, compare=False)
    _document: str = field(default="{}", repr=False, compare=False)

    @property
    def satisfied(self) -> bool | None:
        """Whether the query is satisfied; `None` where that is not certain."""
        return {"satisfied": True, "not satisfied": False}.get(self.verdict)

    def __bool__(self) -> bool:
        """Whether the query is satisfied. An answer that is not certain is no truth value."""
        if self.satisfied is None:
            raise ValueError(f"{self.query}: unknown; look at .verdict and .reason")
        return self.satisfied

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" if self.reason else self.verdict

    def to_dict(self) -> dict[str, Any]:
        """The answer with the fields of `zonewalk refine --format json`."""
        data: dict[str, Any] = json.loads(self._document)
        return {**data, "cpu_s": self.cpu_s, "peak_memory_bytes": self.peak_memory_bytes}

    def to_html(self) -> str:
        """The page of the run that shows the answer."""
        if self.trace is None:
            raise ValueError(f"{self.query}: there is no run to show")
        return self.trace.to_html()

    def _repr_html_(self) -> str:
        import html

        head = f"<p><code>{html.escape(self.query)}</code><br><b>{html.escape(str(self))}</b></p>"
        return head + ("" if self.trace is None else self.trace._repr_html_())


class _Project:
    """A project that is loaded, or what it takes to load it: a folder or a file on this machine, or a text."""

    def __init__(self, project: str | os.PathLike[str]) -> None:
        self._given = os.fspath(project)
        self._native: _native.NativeProject | None = None

    def __getstate__(self) -> str:
        return self._given

    def __setstate__(self, state: str) -> None:
        _Project.__init__(self, state)

    def native(self) -> _native.NativeProject:
        """The project; loaded if it is not yet."""
        if self._native is None:
            text = self._given
            if "\n" in text or "<" in text:
                self._native = _native.NativeProject(None, text, "<text>.xml" if "<" in text[:200] else "<text>.xta")
            else:
                self._native = _native.NativeProject(text, None, "")
        return self._native

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.native().name()


@overload
def refine(
    project: str | os.PathLike[str], query: str, search: str = ..., *, progress: bool | Progress | None = ...,
    **options: Unpack[RefineOptions],
) -> RefineResult: ...
@overload
def refine(
    project: str | os.PathLike[str], query: None = None, search: str = ..., *, progress: bool | Progress | None = ...,
    **options: Unpack[RefineOptions],
) -> list[RefineResult]: ...
def refine(
    project: str | os.PathLike[str], query: str | None = None, search: str = "auto", *,
    progress: bool | Progress | None = None, **options: Unpack[RefineOptions],
) -> RefineResult | list[RefineResult]:
    """Decides a query about timed I/O automata (`refinement: A <= B`, `consistency: A` …); without one, all of the project's own.

    `project` is a folder of ECDAR, an XML or XTA file, or the text of one. `search` is `auto`, `symbolic`, `ret`, `rcf` or `smc`;
    `RefineOptions` lists the others.
    """
    given = _Project(project)
    native = given.native()
    callback, close = _tqdm(progress)

    def one(asked: str) -> RefineResult:
        before = time.process_time()
        data = native.check(asked, {**options, "search": search}, callback)
        run = data.pop("run")
        document = data.pop("document")
        data["notes"] = tuple(data["notes"])
        return RefineResult(
            query=asked, trace=None if run is None else RefineTrace(run, given, asked), _document=document,
            cpu_s=time.process_time() - before, peak_memory_bytes=peak_memory(), **data,
        )

    try:
        return [one(each) for each in native.queries()] if query is None else one(query)
    finally:
        close()
