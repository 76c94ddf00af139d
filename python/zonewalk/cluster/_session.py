"""A connection to Ray: who is there, what is sent, and what becomes of tasks."""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Before Ray is imported: nothing is reported about its use.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")

from .. import _native
from .._errors import ZonewalkError
from .._model import Model
from . import _worker

log = logging.getLogger("zonewalk.cluster")

#: How often a task is repeated that is lost with its worker or its node. Every loss is another node, or a task that no node has the memory for:
#: that one is to end some time.
RETRIES = 20


class ClusterError(ZonewalkError):
    """The cluster cannot do what it was asked to."""


def ray() -> Any:
    """Ray, or an error that says how to get it."""
    try:
        import ray as module
    except ImportError as error:
        raise ImportError("zonewalk.cluster needs Ray: pip install ray") from error
    return module


class Session:
    """A connection that is up."""

    def __init__(self, is_local: bool) -> None:
        self.ray = ray()
        self.is_local = is_local
        self._alive: dict[str, str] = {}
        self._looked = 0.0
        self._task = self.ray.remote(num_cpus=1, max_retries=RETRIES, retry_exceptions=False)(_worker.task)
        self.nodes()

    def put(self, model: Model) -> tuple[Any, str]:
        """Sends a model to the object store, once; its reference and the digest of its text."""
        source = model.__getstate__()
        digest = hashlib.sha256(pickle.dumps(sorted(source.items(), key=str))).hexdigest()
        return self.ray.put(source), digest

    def cpus(self) -> int:
        """Processors of the nodes that are alive."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def nodes(self, now: bool = False) -> int:
        """The number of nodes; nodes that went or came are told, a line each. They are looked at once a second, or now."""
        if self._alive and not now and time.monotonic() - self._looked < 1.0:
            return len(self._alive)
        self._looked = time.monotonic()
        alive = {node["NodeID"]: node["NodeManagerAddress"] for node in self.ray.nodes() if node["Alive"]}
        if self._alive:
            for lost in self._alive.keys() - alive.keys():
                log.warning("node %s (%s) is lost; its tasks are repeated elsewhere", lost[:8], self._alive[lost])
            for new in alive.keys() - self._alive.keys():
                log.info("node %s (%s) has joined", new[:8], alive[new])
        self._alive = alive
        return len(alive)

    def submit(self, kind: str, *work: Any) -> Any:
        """Gives a piece of work to some node; a reference to its answer. It is repeated as nodes and workers are lost; what it raises itself
        is final."""
        return self._task.remote(_native.VERSION, kind, *work)

    def cancel(self, reference: Any) -> None:
        """Ends a task whose answer is not needed any more."""
        try:
            self.ray.cancel(reference, force=False, recursive=True)
        except Exception as error:  # It may have ended meanwhile, in whichever way.
            log.debug("a task could not be cancelled: %s", error)

    def explain(self, error: BaseException) -> ClusterError:
        """What a task died of, in words."""
        cause = getattr(error, "cause", None) or error
        if isinstance(cause, ZonewalkError):
            return ClusterError(str(cause), cause.problems)
        kind = type(cause).__name__
        words = str(cause).strip()
        if kind == "OutOfMemoryError":
            return ClusterError(
                "a node had too little memory for a task, again and again: give memory=BYTES, or nodes fewer processors "
                f"(--num-cpus). {_first_line(words)}"
            )
        if kind == "VersionMismatch":
            return ClusterError(words)
        if "No module named 'zonewalk" in words:
            return ClusterError("a node has no zonewalk: install it there, or let the driver ship its own (ship=True)")
        if kind in ("WorkerCrashedError", "NodeDiedError", "ObjectLostError"):
            return ClusterError(f"a task was lost {RETRIES + 1} times, with its worker or its node: {_first_line(words)}")
        return ClusterError(f"a task failed: {kind}: {words}")


def _first_line(text: str) -> str:
    return text.splitlines()[0] if text else ""


def expect_answer(address: str) -> None:
    """Refuses an address at which nothing listens: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
    except OSError as error:
        raise ClusterError(
            f"no Ray head node answers at {address}: {error}; `ray status` on the head node shows whether it is up"
        ) from error


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C waits for the end of the block: a Ray that is started halfway would leave processes behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def connected(address: str | None, ship: bool | None, cpus: int | None) -> Iterator[Session]:
    """Connects to a cluster; without an address, a local Ray is started, and ended with the block."""
    module = ray()
    if module.is_initialized():
        if address is not None:
            log.warning("Ray is connected already: address=%r is not looked at", address)
        yield Session(is_local=False)
        return
    environment: dict[str, Any] = {"env_vars": {"RAY_USAGE_STATS_ENABLED": "0"}}
    if ship if ship is not None else address is not None:
        # The package with its library, so that workers need nothing.
        environment["py_modules"] = [str(Path(__file__).parent.parent)]
    options: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False, "runtime_env": environment}
    if address is None:
        # A new one, whatever runs on this machine besides.
        options.update(address="local", include_dashboard=False, num_cpus=cpus)
    else:
        expect_answer(address)
        options["address"] = address
    try:
        try:
            with uninterrupted():
                module.init(**options)
        except Exception as error:
            where = "a local Ray cannot be started" if address is None else f"no Ray head node answers at {address}"
            raise ClusterError(f"{where}: {_first_line(str(error).strip()) or repr(error)}") from error
        yield Session(is_local=address is None)
    finally:
        with uninterrupted():
            module.shutdown()
