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
    InvalidCertificateError,
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
from ._families import Family, Parameter, families, generate
from ._model import Constant, Model, Process, Progress, Query, Template, load, loads
from ._native import VERSION as __version__
from ._options import CheckOptions, RefineOptions
from ._refinement import Move, RefineResult, RefineStep, RefineTrace, refine
from ._results import (
    Certificate,
    Estimate,
    Exploration,
    Histogram,
    Judgement,
    Result,
    Results,
    RuntimeFault,
    Series,
    Stats,
    Unreached,
    Value,
)
from ._sweep import sweep
from ._trace import Change, Participant, State, Step, Trace

__all__ = [
    "Certificate",
    "Change",
    "CheckOptions",
    "Constant",
    "Estimate",
    "Exploration",
    "Family",
    "Histogram",
    "InternalError",
    "InvalidCertificateError",
    "InvalidTraceError",
    "Judgement",
    "Model",
    "ModelError",
    "ModelFileError",
    "Move",
    "NoSuchQueryError",
    "OptionError",
    "Parameter",
    "Participant",
    "Problem",
    "Process",
    "Progress",
    "Query",
    "QueryError",
    "RefineOptions",
    "RefineResult",
    "RefineStep",
    "RefineTrace",
    "Result",
    "Results",
    "RuntimeFault",
    "Series",
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
