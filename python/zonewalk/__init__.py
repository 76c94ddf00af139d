"""Finds errors in real-time system models: networks of timed automata in UPPAAL's language, and timed I/O automata of ECDAR.

    >>> import zonewalk
    >>> model = zonewalk.loads(zonewalk.generate("fischer", n=3))
    >>> result = model.check(0)
    >>> result.verdict, result.proof
    ('satisfied', True)

`load` and `loads` make a `Model`; `Model.check`, `Model.explore` and `Model.simulate` work on it. `sweep` checks every combination of
constants, `refine` timed I/O automata, `generate` makes models of any size. `zonewalk.cluster` spreads walks over a Ray cluster.
"""

from ._errors import (
    InternalError,
    InvalidTraceError,
    ModelError,
    ModelFileError,
    NoSuchQueryError,
    OptionError,
    Problem,
    QueryError,
    UnsupportedError,
    ZonewalkError,
)
from ._model import (
    Family,
    Model,
    Parameter,
    Process,
    Query,
    Template,
    families,
    generate,
    load,
    loads,
    refine,
    sweep,
)
from ._native import VERSION as __version__
from ._results import Estimate, Exploration, RefineResult, Result, Results, RuntimeFault, Stats, Unreached, Value
from ._trace import Change, Participant, State, Step, Trace

__all__ = [
    "Change",
    "Estimate",
    "Exploration",
    "Family",
    "InternalError",
    "InvalidTraceError",
    "Model",
    "ModelError",
    "ModelFileError",
    "NoSuchQueryError",
    "OptionError",
    "Parameter",
    "Participant",
    "Problem",
    "Process",
    "Query",
    "QueryError",
    "RefineResult",
    "Result",
    "Results",
    "RuntimeFault",
    "State",
    "Stats",
    "Step",
    "Template",
    "Trace",
    "UnsupportedError",
    "Unreached",
    "Value",
    "ZonewalkError",
    "__version__",
    "families",
    "generate",
    "load",
    "loads",
    "refine",
    "sweep",
]
