"""What runs on the nodes. Each function is a task that can be repeated anywhere: it depends on its arguments alone."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .. import _native
from .._errors import ZonewalkError
from .._model import Model
from .._refinement import RefineResult, refine
from .._results import Result, Results

#: The models that this worker has loaded, by the digest of their texts; a few, because workers serve several drivers.
_LOADED: dict[str, Model] = {}
_MOST = 4


class VersionMismatch(Exception):
    """A worker has another version of zonewalk than the driver: its answers would not be comparable."""


def task(version: str, kind: str, *work: Any) -> Any:
    """Does a piece of work of one of the kinds below, for a driver of this version and no other.

    This is all that drivers call, so that the versions are compared before anything else is.
    """
    if version != _native.VERSION:
        raise VersionMismatch(
            f"zonewalk {_native.VERSION} is installed on node {platform.node()}, and the driver has {version}: "
            "install the same version there, or let the driver ship its own (ship=True)"
        )
    return KINDS[kind](*work)


def model(digest: str, source: dict[str, Any]) -> Model:
    """The model with this digest; loaded once in a worker."""
    known = _LOADED.get(digest)
    if known is None:
        while len(_LOADED) >= _MOST:
            _LOADED.pop(next(iter(_LOADED)))
        known = _LOADED[digest] = Model(source)
    return known


def share_of_memory() -> int | None:
    """What states may take on a node whose processors are all at work: the fair share of four fifths; `None` where it is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 4 // 5 // (os.cpu_count() or 1)
    except (AttributeError, OSError, ValueError):
        return None


def walk_range(
    digest: str, source: dict[str, Any], formula: str, options: dict[str, Any], first: int, end: int
) -> dict[str, Any]:
    """Makes the walks with the numbers `first` to `end` - 1, and says which of them was the first to succeed."""
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
    digest: str, source: dict[str, Any], formula: str | None, options: dict[str, Any]
) -> list[Result | ZonewalkError]:
    """Decides a query, or all of the model's own, by one search each. What is wrong with a query is an answer, too."""
    loaded = model(digest, source)
    given = {"threads": 1, "memory": share_of_memory(), **options}
    answers: list[Result | ZonewalkError] = []
    for asked in range(len(loaded.queries)) if formula is None else [formula]:
        try:
            # The driver has the model.
            answers.append(loaded.check(asked, **given)._with_origin(None))
        except ZonewalkError as error:
            answers.append(error)
    return answers


def whole_refinement(project: dict[str, bytes] | str, query: str, options: dict[str, Any]) -> RefineResult:
    """Decides a query about timed I/O automata: of a text, or of files by their names, the first of which is that of the project."""
    given = {"threads": 1, "memory": share_of_memory(), **options}
    if isinstance(project, str):
        return refine(project, query, **given)
    with tempfile.TemporaryDirectory(prefix="zonewalk-") as folder:
        for name, content in project.items():
            at = Path(folder, name)
            at.parent.mkdir(parents=True, exist_ok=True)
            at.write_bytes(content)
        root = next(iter(project)).split("/")[0]
        return refine(Path(folder, root), query, **given)


def command(args: list[str]) -> tuple[int, str, str]:
    """Runs the command `zonewalk` in a process of its own: exit status, output, messages."""
    run = subprocess.run([sys.executable, "-m", "zonewalk", *args], capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def about() -> dict[str, str]:
    """What this worker is: its node, and where its package is."""
    return {"node": platform.node(), "version": _native.VERSION, "package": os.path.dirname(__file__)}


#: What a task can be.
KINDS: dict[str, Callable[..., Any]] = {
    "walks": walk_range,
    "check": whole_check,
    "refine": whole_refinement,
    "command": command,
    "about": about,
}
