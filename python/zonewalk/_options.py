"""The options of searches, by their types. The command explains them: `zonewalk check --help`."""

from __future__ import annotations

from typing import Literal, TypedDict


class CheckOptions(TypedDict, total=False):
    """Options of `Model.check` and `Model.explore`; `None` is the same as leaving one out."""

    #: Of everything that is left to chance; 1 unless given.
    seed: int | None
    #: Seconds per query.
    timeout: float | None
    #: All cores unless given.
    threads: int | None
    #: For states, in bytes; four fifths of the machine's unless given.
    memory: int | None
    trace: Literal["none", "some", "short", "shortest", "fastest"] | None
    #: Whether a found run is made shorter.
    shrink: bool | None
    #: When proofs are judged: `auto` unless given.
    certify: Literal["auto", "always", "never"] | None
    #: Whether results keep their certificates: `result.certificate.save(file)`.
    certificate: bool | None

    # Walks.
    max_walks: int | None
    max_steps: int | None
    #: The model's time after which walks of `smc` end.
    time_bound: int | None
    schedule: Literal["tuned", "paper"] | None
    #: `adaptive`, `uniform`, `pd`, or two percentages such as `70,10`.
    delays: str | None
    #: The first number, and the one behind the last: those walks and no others.
    walk_range: tuple[int, int] | None
    #: What the walks before that have cost elsewhere: the sum of their `stats.effort`.
    effort_before: int | None

    # The zone graph.
    max_states: int | None
    store: Literal["inclusion", "equality"] | None
    extrapolation: Literal["auto", "none", "m", "lu", "lu+"] | None
    keep_variables: bool | None
    non_zeno: bool | None

    # Directed searches.
    heuristic: Literal["blind", "dl", "du", "dg", "hl", "hu", "pdb"] | None
    queues: Literal["plain", "useless", "alternation", "icb"] | None
    icb: str | None
    #: Patterns of `heuristic="pdb"`: `auto`, `downward`, or names with commas between them, patterns with semicolons.
    pattern: str | None

    # Deep random search and highway search.
    cutoff: int | None
    increment: int | None
    walks: int | None
    fringe: Literal["paper", "children"] | None
    width: int | None
    exact: bool | None

    # Statistical queries.
    alpha: float | None
    beta: float | None
    epsilon: float | None
    lower_delta: float | None
    upper_delta: float | None
    u0: float | None
    u1: float | None
    runs: int | None
    max_runs: int | None
    discretization: float | None
    truncation_error: float | None
    truncation_time_error: float | None
    histogram_bar_count: int | None
    histogram_bar_width: float | None
    resolution: int | None
    #: Importance splitting: an expression that says how far a state is on its way to the goal.
    levels: str | None


class RefineOptions(TypedDict, total=False):
    """Options of `refine`; `None` is the same as leaving one out."""

    seed: int | None
    #: Seconds per query.
    timeout: float | None
    threads: int | None
    #: In bytes.
    memory: int | None
    max_steps: int | None
    max_walks: int | None
    delays: Literal["adaptive", "uniform", "pd"] | None
    #: What an input does that no edge allows: it is ignored, or refused.
    inputs: Literal["complete", "strict"] | None
    #: The actions that a component knows: those on its edges, or those of its `IO` line too.
    alphabet: Literal["edges", "declared"] | None
    #: Whether the conditions of a refinement are checked first.
    preconditions: bool | None
