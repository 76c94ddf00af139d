"""Runs of a model: exact times, and what changes at each step."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._origin import Origin, details

if TYPE_CHECKING:
    import pandas

    from ._model import Model


def exact(time: int | str | float) -> Fraction:
    """A time as the documents write it: an integer, or a text with a fraction such as `7/2`."""
    return Fraction(time)


@dataclass(frozen=True)
class Participant:
    """A process that takes part in a transition, and the edge that it takes."""

    process: str
    source: str
    target: str
    edge: int | None
    selects: tuple[tuple[str, int], ...]

    def __str__(self) -> str:
        return f"{self.process}: {self.source} → {self.target}"


@dataclass(frozen=True)
class Change:
    """A variable or a clock that has another value after a transition."""

    name: str
    old: Fraction
    new: Fraction


@dataclass(frozen=True)
class Step:
    """A delay and the transition after it. `time` is that of the transition, counted from the beginning."""

    delay: Fraction
    time: Fraction
    channel: str | None
    participants: tuple[Participant, ...]
    changes: tuple[Change, ...]

    @property
    def action(self) -> str:
        """Who does what, in one line."""
        who = ", ".join(str(participant) for participant in self.participants)
        return f"{self.channel}: {who}" if self.channel else who

    def __str__(self) -> str:
        return f"at {self.time}: {self.action}"

    @staticmethod
    def _of(data: dict[str, Any]) -> Step:
        return Step(
            delay=exact(data["delay"]),
            time=exact(data["time"]),
            channel=data["channel"],
            participants=tuple(
                Participant(
                    process=edge["process"],
                    source=edge["source"],
                    target=edge["target"],
                    edge=edge.get("edge"),
                    selects=tuple((cell["name"], cell["value"]) for cell in edge.get("selects", ())),
                )
                for edge in data["edges"]
            ),
            changes=tuple(
                Change(change["name"], exact(change["old"]), exact(change["new"])) for change in data["changes"]
            ),
        )


@dataclass(frozen=True)
class State:
    """Where each process is, and the values of variables. Clocks go on with time unless a model stops them: see `Step.changes`."""

    time: Fraction
    locations: dict[str, str]
    variables: dict[str, int | Fraction]


class Trace(Sequence[Step]):
    """A run that the reference interpreter has repeated: a sequence of steps.

    It is kept as the JSON that `zonewalk check --trace-file` writes, so that it can be pickled, saved and replayed.
    """

    def __init__(self, text: str, origin: Origin | None = None, title: str = "") -> None:
        self._json = text
        self._origin = origin
        self._title = title
        self._data: dict[str, Any] | None = None
        self._steps: tuple[Step, ...] | None = None

    @staticmethod
    def from_json(text: str, model: Model | None = None) -> Trace:
        """A trace that was saved: what `to_json()` and `zonewalk check --trace-file` write. A model is needed for `to_html()` alone."""
        try:
            document = json.loads(text)
            body = {key: document[key] for key in ("initial", "steps", "last_delay", "end")}
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"this is no trace: {type(error).__name__}: {error}") from None
        # As the library writes it, so that traces can be compared.
        plain = json.dumps(body, separators=(",", ":"), ensure_ascii=False)
        return Trace(plain, None if model is None else Origin(model), document.get("query") or "")

    def __getstate__(self) -> tuple[str, Origin | None, str]:
        return self._json, self._origin, self._title

    def __setstate__(self, state: tuple[str, Origin | None, str]) -> None:
        Trace.__init__(self, *state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    @property
    def _raw(self) -> dict[str, Any]:
        if self._data is None:
            self._data = json.loads(self._json)
        return self._data

    @property
    def steps(self) -> tuple[Step, ...]:
        """The transitions with their delays."""
        if self._steps is None:
            self._steps = tuple(Step._of(step) for step in self._raw["steps"])
        return self._steps

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Step, ...]: ...
    def __getitem__(self, index: int | slice) -> Step | tuple[Step, ...]:
        return self.steps[index]

    def __len__(self) -> int:
        return len(self._raw["steps"])

    @property
    def duration(self) -> Fraction:
        """The time that passes in it, after the last transition too."""
        last = self.steps[-1].time if self.steps else Fraction(0)
        return last + exact(self._raw["last_delay"])

    @property
    def end(self) -> str:
        """Why it goes no further: `goal`, `deadlock`, `cycle`, `steps` …"""
        end = self._raw["end"]
        return str(end["reason"] if isinstance(end, dict) else end)

    @property
    def initial(self) -> State:
        """Where it begins."""
        state = self._raw["initial"]
        variables: dict[str, int | Fraction] = {cell["name"]: cell["value"] for cell in state["variables"]}
        variables.update((cell["name"], exact(cell["value"])) for cell in state.get("doubles", ()))
        return State(
            time=Fraction(0),
            locations={at["process"]: at["location"] for at in state["locations"]},
            variables=variables,
        )

    def states(self) -> Iterator[State]:
        """The initial state, and the state after each transition."""
        state = self.initial
        yield state
        locations, variables = dict(state.locations), dict(state.variables)
        for step in self.steps:
            for change in step.changes:
                if change.name in variables:
                    is_int = isinstance(variables[change.name], int)
                    variables[change.name] = int(change.new) if is_int else change.new
            for participant in step.participants:
                locations[participant.process] = participant.target
            yield State(step.time, dict(locations), dict(variables))

    def to_json(self) -> str:
        """The trace as `zonewalk replay` and `zonewalk view` read it."""
        told = {"model": "", "defines": {}} if self._origin is None else self._origin.told()
        about = {"zonewalk": _native.VERSION, "schema": 1, "model": told["model"], "query": self._title or None}
        return json.dumps({**about, "defines": told["defines"], **self._raw}, ensure_ascii=False)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary per step, with exact times: one row of a table each."""
        return [
            {
                "step": number,
                "delay": step.delay,
                "time": step.time,
                "channel": step.channel,
                "processes": [participant.process for participant in step.participants],
                "edges": [f"{p.source} → {p.target}" for p in step.participants],
                "changes": {change.name: change.new for change in step.changes},
            }
            for number, step in enumerate(self.steps, 1)
        ]

    def to_dataframe(self) -> pandas.DataFrame:
        """A row per step; needs pandas. `delay` and `time` are exact, `delay_float` and `time_float` are for charts."""
        columns = ["step", "delay", "time", "channel", "processes", "edges", "changes"]
        return dataframe(self.to_dicts(), columns, exact=["delay", "time"])

    def gantt(self) -> dict[str, list[tuple[Fraction, Fraction, str]]]:
        """For each process the locations that it is in, as (from, to, location): what a Gantt chart shows."""
        now = dict(self.initial.locations)
        since = {process: Fraction(0) for process in now}
        bars: dict[str, list[tuple[Fraction, Fraction, str]]] = {process: [] for process in now}
        for step in self.steps:
            for participant in step.participants:
                process = participant.process
                bars[process].append((since[process], step.time, now[process]))
                now[process], since[process] = participant.target, step.time
        end = self.duration
        for process, location in now.items():
            bars[process].append((since[process], end, location))
        return bars

    def __str__(self) -> str:
        lines = [str(step) for step in self.steps]
        return "\n".join([*lines, f"end after {self.duration}: {self.end}"])

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps, time {self.duration}>"

    def to_html(self) -> str:
        """The page of `zonewalk view`: automata, variables and clocks step by step, charts; it needs nothing but itself."""
        if self._origin is None:
            raise ValueError("this trace does not know its model: Trace.from_json(text, model) makes one that does")
        return self._origin.model()._page([], [(self._title or "a run", self._json)])

    def _repr_html_(self) -> str:
        page = "" if self._origin is None else details("Step by step", self.to_html())
        return self._picture() + page

    def _picture(self) -> str:
        """A chart and a table, without a script."""
        return self._chart() + _table(
            ["", "time", "delay", "channel", "transition", "changes"],
            [
                [
                    str(number),
                    str(step.time),
                    str(step.delay),
                    step.channel or "",
                    ", ".join(map(str, step.participants)),
                    ", ".join(f"{change.name} = {change.new}" for change in step.changes),
                ]
                for number, step in enumerate(self.steps[:200], 1)
            ],
        )

    def _chart(self) -> str:
        """A Gantt chart as SVG."""
        bars = self.gantt()
        end = self.duration or Fraction(1)
        left, width, row = 140, 640, 24
        hues = {
            name: (47 * place) % 360
            for place, name in enumerate(sorted({bar[2] for of in bars.values() for bar in of}))
        }
        parts = []
        for line, (process, of) in enumerate(list(bars.items())[:40]):
            y = line * row
            parts.append(f'<text x="{left - 8}" y="{y + 16}" text-anchor="end">{html.escape(process)}</text>')
            for start, stop, location in of:
                x = left + float(start / end) * width
                wide = max(float((stop - start) / end) * width, 1.0)
                label = html.escape(location)
                parts.append(
                    f'<g><title>{html.escape(process)}: {label}, {start} to {stop}</title>'
                    f'<rect x="{x:.1f}" y="{y + 3}" width="{wide:.1f}" height="{row - 6}" '
                    f'fill="hsl({hues[location]},55%,80%)" stroke="#fff"/>'
                    + (f'<text x="{x + 4:.1f}" y="{y + 16}">{label}</text>' if wide > 7 * len(location) else "")
                    + "</g>"
                )
        height = min(len(bars), 40) * row + 20
        parts.append(f'<text x="{left}" y="{height - 4}">0</text>')
        parts.append(f'<text x="{left + width}" y="{height - 4}" text-anchor="end">{end}</text>')
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {left + width + 10} {height}" '
            f'width="{left + width + 10}" role="img" aria-label="locations of the processes over time" '
            f'style="font:12px sans-serif">{"".join(parts)}</svg>'
        )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def cells(tag: str, row: Sequence[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

    body = "".join(cells("td", row) for row in rows)
    return f"<table><thead>{cells('th', header)}</thead><tbody>{body}</tbody></table>"


def dataframe(rows: list[dict[str, Any]], columns: Sequence[str] = (), exact: Sequence[str] = ()) -> pandas.DataFrame:
    """A table of pandas, or an error that says how to get it.

    `columns` are those of a table without rows. Fractions can be compared and added, but not plotted: each `exact` column is followed by one
    with floats, named `time_float` for `time`.
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("to_dataframe() needs pandas: pip install pandas") from error
    frame = pandas.DataFrame(rows) if rows else pandas.DataFrame(columns=list(columns))
    for name in exact:
        values = [row[name] for row in rows]
        floats = [None if value is None else float(value) for value in values]
        place = list(frame.columns).index(name) + 1
        frame.insert(place, f"{name}_float", pandas.Series(floats, index=frame.index, dtype="float64"))
    return frame
