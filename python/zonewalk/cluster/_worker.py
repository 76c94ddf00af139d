"""What runs on the nodes. Each function is a task that can be repeated anywhere: it depends on its arguments alone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import Any

from .. import _native
from .._model import Model, refine
from .._results import Result, Results

#: The models that this worker has loaded, by the digest of their texts; a few, because workers serve several drivers.
_LOADED: dict[str, Model] = {}
_MOST = 4


class VersionMismatch(Exception):
    """A worker has another version of zonewalk than the driver: its answers would not be comparable."""


def expect_version(version: str) -> None:
    """Refuses to work for a driver of another version."""
    if version != _native.VERSION:
        raise VersionMismatch(
            f"zonewalk {_native.VERSION} is installed on node {os.uname().nodename}, and the driver has {version}: "
            "install the same version there, or let the driver ship its own (ship=True)"
        )


def model(digest: str, source: dict[str, Any]) -> Model:
    """The model with this digest; loaded once in a worker."""
    known = _LOADED.get(digest)
    if known is None:
        while len(_LOADED) >= _MOST:
            _LOADED.pop(next(iter(_LOADED)))
        known = _LOADED[digest] = Model(source)
    return known


def walk_range(
    version: str, digest: str, source: dict[str, Any], formula: str, options: dict[str, Any], first: int, end: int
) -> dict[str, Any]:
    """Makes the walks with the numbers `first` to `end` - 1, and says which of them was the first to succeed."""
    expect_version(version)
    start = time.perf_counter()
    result = model(digest, source).check(
        formula, **{**options, "threads": 1, "trace": "none", "shrink": False, "walk_range": (first, end)}
    )
    return {
        "first": first,
        "end": end,
        # A run-time error ends a range as well; where, the driver finds out.
        "event": "error" if result.fault is not None and result.verdict == "unknown" else result.limit,
        "walk": result.walk,
        "walks": result.stats.walks,
        "steps": result.stats.steps,
        "effort": result.stats.effort,
        "max_depth": result.stats.max_depth,
        "seconds": time.perf_counter() - start,
    }


def whole_check(
    version: str, digest: str, source: dict[str, Any], formula: str | None, options: dict[str, Any]
) -> list[Result]:
    """Decides a query, or all of the model's own, by one search."""
    expect_version(version)
    checked = model(digest, source).check(formula, **{"threads": 1, **options})
    return list(checked) if isinstance(checked, Results) else [checked]


def whole_refinement(version: str, project: str, query: str, options: dict[str, Any]) -> Any:
    """Decides a query about timed I/O automata."""
    expect_version(version)
    return refine(project, query, **{"threads": 1, **options})


def command(version: str, args: list[str]) -> tuple[int, str, str]:
    """Runs the command `zonewalk` in a process of its own: exit status, output, messages."""
    expect_version(version)
    run = subprocess.run([sys.executable, "-m", "zonewalk", *args], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr
