"""Why something could not be done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Problem:
    """What is wrong with a text, and where. Lines and columns count from 1."""

    severity: str
    code: str
    message: str
    file: str | None
    line: int | None
    column: int | None
    hint: str | None
    #: The object of `diagnostics` of `--format json`, as text.
    document: str = field(default="", repr=False, compare=False)

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file is not None else ""
        return place + self.message


class ZonewalkError(Exception):
    """The base of all exceptions of this package.

    `problems` lists what is wrong with the model or the query; `file`, `line`, `column` and `hint` are those of the first one.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message, tuple(problems))
        self.message = message
        self.problems: tuple[Problem, ...] = tuple(problems)

    def __str__(self) -> str:
        return self.message

    @property
    def _first(self) -> Problem | None:
        errors = [problem for problem in self.problems if problem.severity == "error"] or list(self.problems)
        return errors[0] if errors else None

    @property
    def file(self) -> str | None:
        """The file that has the first error."""
        return self._first.file if self._first else None

    @property
    def line(self) -> int | None:
        """Its line, from 1."""
        return self._first.line if self._first else None

    @property
    def column(self) -> int | None:
        """Its column in characters, from 1."""
        return self._first.column if self._first else None

    @property
    def hint(self) -> str | None:
        """What to do about it."""
        return self._first.hint if self._first else None


class ModelError(ZonewalkError):
    """A model, a constant, a query or a project has errors. Those of a query are of the class `QueryError` below it."""


class UnsupportedError(ZonewalkError):
    """The search does not support the model, or cannot decide the query."""


class ModelFileError(ZonewalkError, OSError):
    """A file cannot be read."""

    def __str__(self) -> str:
        return self.message


class QueryError(ModelError, ValueError):
    """A query has errors: its syntax is wrong, or it names what the model or the project does not have.

    `file`, `line` and `column` are the place in the query. The file is `<query>` for a formula that was given to `check`, and `<query 2>`
    for the second of those that were given when the model was loaded. A family or a pattern that does not exist raises it, too.
    """


class InvalidTraceError(ZonewalkError):
    """A trace is not one of the model, or does not show what its query asks for."""


class InvalidCertificateError(ZonewalkError):
    """A file is no certificate of the model."""


class InternalError(ZonewalkError):
    """A bug of zonewalk: please report it."""


class NoSuchQueryError(ZonewalkError, IndexError):
    """There is no query with this index."""


class OptionError(ZonewalkError, ValueError):
    """An option does not go with the search."""


_KINDS: dict[str, type[ZonewalkError]] = {
    "file": ModelFileError,
    "malformed": ModelError,
    "unsupported": UnsupportedError,
    "index": NoSuchQueryError,
    "value": OptionError,
    "trace": InvalidTraceError,
    "certificate": InvalidCertificateError,
    "query": QueryError,
    "internal": InternalError,
}


def make(kind: str, message: str, problems: Sequence[dict[str, Any]]) -> ZonewalkError:
    """The exception for an error of the library. Called from Rust."""
    return _KINDS[kind](message, [Problem(**problem) for problem in problems])
