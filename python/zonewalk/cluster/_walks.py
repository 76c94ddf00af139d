"""Walks spread over a cluster: ranges of walk numbers are the units of work, and the smallest successful number wins."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from .._errors import OptionError
from .._model import Model
from .._results import Result
from ._session import ClusterError, Session

#: Searches whose walk number i is the same everywhere.
INDEPENDENT = ("sem", "ret", "rlc", "com", "smc")

#: A task is meant to take so many seconds: long against what Ray needs to start it, short against what is lost with a node.
TASK_S = 2.0

#: The walks of the first tasks, by which the others are sized.
FIRST_WALKS = 64

#: Tasks per processor that are submitted ahead.
AHEAD = 2


@dataclass
class Progress:
    """A moment of a search over a cluster."""

    nodes: int = 0
    cpus: int = 0
    walks: int = 0
    steps: int = 0
    max_depth: int = 0
    tasks: int = 0
    seconds: float = 0.0
    best_walk: int | None = None

    @property
    def walks_per_s(self) -> float:
        """Walks a second so far."""
        return self.walks / self.seconds if self.seconds > 0 else 0.0

    @property
    def steps_per_s(self) -> float:
        """Steps a second so far."""
        return self.steps / self.seconds if self.seconds > 0 else 0.0


@dataclass
class Search:
    """A search that is under way."""

    session: Session
    model: Model
    formula: str
    options: dict[str, Any]
    walks: int | None
    deadline: float | None
    #: Set where ranges have a fixed size.
    range_size: int | None
    told: Callable[[Progress], object]
    next: int = 0
    size: float = FIRST_WALKS
    #: Ranges under way, by their references.
    running: dict[Any, tuple[int, int]] = field(default_factory=dict)
    #: Effort of complete ranges, by their first numbers.
    efforts: dict[int, int] = field(default_factory=dict)
    #: The number that wins so far, and the range that has it.
    best: int | None = None
    best_range: tuple[int, int] | None = None
    best_effort: int = 0
    is_error: bool = False
    progress: Progress = field(default_factory=Progress)

    def run(self) -> Result:
        """Makes the walks until the smallest successful number is known, or a limit is met."""
        start = time.monotonic()
        source, digest = self.session.put(self.model)
        fixed = ("walks", digest, source, self.formula, self.options)
        limit = "walks"
        try:
            while True:
                if self.deadline is not None and time.monotonic() >= self.deadline:
                    limit = "time"
                    break
                while len(self.running) < AHEAD * self.session.cpus() and (work := self.take()) is not None:
                    self.running[self.session.submit(*fixed, *work)] = work
                if not self.running:
                    break
                done, _ = self.session.ray.wait(list(self.running), num_returns=1, timeout=0.25)
                for reference in done:
                    self.finish(reference)
                self.progress.nodes = self.session.nodes()
                self.progress.cpus = self.session.cpus()
                self.progress.tasks = len(self.running)
                self.progress.seconds = time.monotonic() - start
                self.told(self.progress)
        finally:
            # An answer, a limit, an error or Ctrl-C: nothing goes on alone.
            for reference in self.running:
                self.session.cancel(reference)
        if self.best is not None:
            # After a time limit, lower numbers might have succeeded, too: it is an answer all the same.
            return self.confirm(start)
        return self.nothing(limit, start)

    def take(self) -> tuple[int, int] | None:
        """The next range that is worth a task."""
        if self.best is not None and self.next > self.best:
            return None
        if self.walks is not None and self.next >= self.walks:
            return None
        first = self.next
        size = self.range_size if self.range_size is not None else max(1, int(self.size))
        end = first + size
        if self.walks is not None:
            end = min(end, self.walks)
        self.next = end
        return first, end

    def finish(self, reference: Any) -> None:
        """Takes what a task came to."""
        first, end = self.running.pop(reference)
        try:
            report = self.session.ray.get(reference)
        except self.session.ray.exceptions.TaskCancelledError:
            return
        except Exception as error:
            if self.best is not None and first > self.best:
                return
            raise self.session.explain(error) from None
        self.progress.walks += report["walks"]
        self.progress.steps += report["steps"]
        self.progress.max_depth = max(self.progress.max_depth, report["max_depth"])
        # Sizes change nothing but the speed.
        if report["seconds"] > 0 and report["walks"] > 0:
            wanted = report["walks"] / report["seconds"] * TASK_S
            self.size = min(max(wanted, 1.0), self.size * 4)
        number = report["walk"]
        if report["event"] == "error":
            number = first
        if number is None:
            self.efforts[first] = report["effort"]
        elif self.best is None or number < self.best:
            self.best, self.best_range, self.best_effort = number, (first, end), report["effort"]
            self.is_error = report["event"] == "error"
            self.progress.best_walk = number
            for other, (start, _) in list(self.running.items()):
                if start > number:
                    self.session.cancel(other)
                    del self.running[other]

    def confirm(self, start: float) -> Result:
        """Makes the walk that wins again, here, and has the reference interpreter repeat it."""
        assert self.best is not None and self.best_range is not None
        first = self.best_range[0] if self.is_error else self.best
        effort = sum(each for at, each in self.efforts.items() if at < self.best_range[0])
        if not self.is_error:
            # Up to the winner in its range; the winner itself is made again.
            alone = self.model.check(
                self.formula,
                **{**self.options, "threads": 1, "trace": "none", "shrink": False, "walk_range": (first, first + 1)},
            )
            if alone.walk != self.best:
                raise ClusterError(f"walk {self.best} succeeded on a node, and does not on the driver: please report this")
            effort += max(0, self.best_effort - alone.stats.effort)
        end = self.walks if self.walks is not None else 2**63
        result = self.model.check(
            self.formula, **{**self.options, "threads": 1, "walk_range": (first, end), "effort_before": effort}
        )
        if result.trace is not None:
            self.model.replay(result.trace, self.formula)
        return self.told_of(result, start)

    def nothing(self, limit: str, start: float) -> Result:
        """No walk succeeded."""
        made = sum(1 for _ in self.efforts)
        words = (
            f"none of {self.progress.walks} walks has found it"
            if limit == "walks"
            else f"the time limit: {self.progress.walks} walks in {made} tasks have found nothing"
        )
        # An answer of the library without a walk, so that it has everything that answers have.
        bare = self.model.check(self.formula, **{**self.options, "threads": 1, "max_walks": 0})
        return self.told_of(replace(bare, reason=words, limit=limit), start)

    def told_of(self, result: Result, start: float) -> Result:
        stats = replace(
            result.stats,
            walks=max(self.progress.walks, result.stats.walks),
            steps=max(self.progress.steps, result.stats.steps),
            max_depth=max(self.progress.max_depth, result.stats.max_depth),
            search_s=time.monotonic() - start,
        )
        return replace(result, stats=stats)


def expect_independent(search: str) -> None:
    """Ranges need walks that do not depend on each other."""
    if search not in INDEPENDENT:
        raise OptionError(
            f"search={search!r}: a range of its walks is no unit of work; {', '.join(INDEPENDENT)} have independent walks, and "
            "portfolio() runs any searches side by side"
        )
