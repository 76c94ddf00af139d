"""Every combination of values of constants."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from . import _native
from ._errors import ModelError, ZonewalkError
from ._model import Constant, Model, load, loads, written
from ._options import CheckOptions
from ._results import Result, Results, Stats

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Table:
    """The combinations of a sweep: as the language writes them, and as they were given."""

    combinations: list[list[tuple[str, str]]]
    given: dict[str, dict[str, Constant]]

    @staticmethod
    def of(values: Mapping[str, Iterable[Constant]], constants: Mapping[str, Constant] | None) -> Table:
        """All combinations of these values, none of which may be given besides."""
        twice = set(values) & set(constants or {})
        if twice:
            raise ValueError(f"{', '.join(sorted(twice))}: given a value and swept; leave one of them out")
        given = {name: {written(value): value for value in each} for name, each in values.items()}
        axes = [(name, list(each)) for name, each in given.items()]
        return Table(_native.combinations(axes), given)

    def constants(self, place: int) -> dict[str, Any]:
        """The constants of a combination, as they were given."""
        return {name: self.given[name][value] for name, value in self.combinations[place]}


def model_of(model: str | os.PathLike[str] | Model, constants: Mapping[str, Constant]) -> Model:
    """A model with other constants: from a file, a text, or another one that was loaded."""
    if isinstance(model, Model):
        source = model.__getstate__()
        kept = [(name, value) for name, value in source["constants"] if name not in constants]
        return Model({**source, "constants": [*kept, *((name, written(value)) for name, value in constants.items())]})
    if isinstance(model, str) and ("\n" in model or "<nta" in model or ";" in model):
        return loads(model, constants)
    return load(model, constants)


def refused(error: ZonewalkError, search: str, options: Mapping[str, Any], query: str = "") -> Result:
    """The row of a combination that has no answer because of an error."""
    return Result(
        query=query, verdict="unknown", proof=False, search=search, seed=options.get("seed") or 1,
        threads=options.get("threads") or os.cpu_count() or 1, stats=Stats(), reason=_words(error), error=error,
    )


def _words(error: ZonewalkError) -> str:
    errors = [problem for problem in error.problems if problem.severity == "error"]
    return errors[0].message if errors else str(error)


def finished(rows: list[Result], name: str) -> Results:
    """The table. A model that no combination makes well-formed is an error, and no table."""
    errors = [row.error for row in rows if isinstance(row.error, ModelError)]
    if rows and len(errors) == len(rows):
        raise errors[0]
    return Results(rows, name)


def sweep(
    model: str | os.PathLike[str] | Model,
    values: Mapping[str, Iterable[Constant]],
    query: str | int | None = None,
    search: str = "auto",
    *,
    constants: Mapping[str, Constant] | None = None,
    progress: bool | Callable[[int, int], object] | None = None,
    **options: Unpack[CheckOptions],
) -> Results:
    """Checks every combination of values of constants: `sweep("fischer.xml", {"N": range(2, 6), "K": [1, 2]})`.

    `model` is a file, the text of a model, or a `Model`. Each result has its `constants`; `to_dataframe()` makes a table of them. A
    combination for which the model is malformed or not supported has a row that says so: its `error` is the exception. `progress` is
    called with the number of combinations that are done and the number of all. A sweep has at most 10,000 combinations.
    """
    table = Table.of(values, constants)
    count = len(table.combinations)
    told: Callable[[int, int], object] = progress if callable(progress) else lambda done, of: None
    bar = None
    if progress is True:
        from tqdm.auto import tqdm

        bar = tqdm(total=count, unit=" combinations")
    rows: list[Result] = []
    name = ""
    try:
        for place, combination in enumerate(table.combinations):
            try:
                loaded = model_of(model, {**(constants or {}), **dict(combination)})
                name = loaded.name
                checked: list[Result] = list(_checked(loaded, query, search, options))
            except (ModelError, ZonewalkError) as error:
                if isinstance(error, OSError):
                    raise
                checked = [refused(error, search, options)]
            rows.extend(replace(row, constants=table.constants(place)) for row in checked)
            told(place + 1, count)
            if bar is not None:
                bar.update()
    finally:
        if bar is not None:
            bar.close()
    return finished(rows, name)


def _checked(model: Model, query: str | int | None, search: str, options: Mapping[str, Any]) -> Iterable[Result]:
    """The answers, those in error too where there are several queries."""
    if query is not None:
        yield model.check(query, search, **options)
        return
    if not model.queries:
        raise ValueError(f"{model.name} has no queries: give one, such as query='A[] not deadlock'")
    for index, each in enumerate(model.queries):
        try:
            yield model.check(index, search, **options)
        except OSError:
            raise
        except ZonewalkError as error:
            yield replace(refused(error, search, options, each.formula), model=model.name)
