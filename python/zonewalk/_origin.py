"""Where an answer comes from: enough to load its model again, on another machine too."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._errors import Problem
    from ._model import Model


class Origin:
    """A model that is loaded, or what it takes to load it: its text goes along when it is pickled, and is read only when it is needed."""

    def __init__(self, model: Model) -> None:
        self._model: Model | None = model
        self._source: dict[str, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        if self._model is not None:
            return self._model.__getstate__()
        assert self._source is not None
        return self._source

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._model, self._source = None, state

    def model(self) -> Model:
        """The model; loaded if it is not yet."""
        if self._model is None:
            from ._model import Model

            assert self._source is not None
            self._model = Model(self._source)
        return self._model

    def warnings(self) -> tuple[Problem, ...]:
        """What looks wrong in the model, as far as that is known without loading it."""
        return () if self._model is None else self._model.warnings

    def told(self) -> dict[str, Any]:
        """What a trace file says of it: the model and the constants that were given other values."""
        if self._model is not None:
            name, constants = self._model.name, self._model.constants
        else:
            assert self._source is not None
            name, constants = self._source["name"], dict(self._source["constants"])
        return {"model": name, "defines": {key: _plain(value) for key, value in constants.items()}}


def _plain(value: str) -> int | str:
    """A number as a number."""
    try:
        return int(value)
    except ValueError:
        return value


def details(title: str, page: str, height: int = 640) -> str:
    """A page within a notebook, to be opened: in a frame of its own, so that neither disturbs the other. It may run its script, and
    nothing else."""
    return (
        f'<details><summary>{html.escape(title)}</summary><iframe sandbox="allow-scripts" srcdoc="{html.escape(page)}" '
        f'width="100%" height="{height}" loading="lazy" style="border:1px solid #ccc" title="zonewalk"></iframe></details>'
    )
