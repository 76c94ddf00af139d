"""Families of models of any size."""

from __future__ import annotations

from dataclasses import dataclass

from . import _native


def generate(family: str, **parameters: int | str) -> str:
    """The XML of a member of a family, with its queries: `loads(generate("fischer", n=5))`. `families()` lists them."""
    return _native.generate(family, [(name, str(value)) for name, value in parameters.items()])


@dataclass(frozen=True)
class Parameter:
    """A parameter of a family."""

    name: str
    default: str
    summary: str


@dataclass(frozen=True)
class Family:
    """A family of models."""

    name: str
    summary: str
    parameters: tuple[Parameter, ...]


def families() -> tuple[Family, ...]:
    """The families of models that `generate` knows."""
    return tuple(
        Family(name, summary, tuple(Parameter(*parameter) for parameter in parameters))
        for name, summary, parameters in _native.families()
    )
