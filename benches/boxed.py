"""Runs of zonewalk that end when they have used so many seconds of the processor: fair on a busy machine, too."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile

# What a run may use beyond its box before it is killed: loading does not listen.
LOADING_S = 30


def processor_seconds(process):
    """What a process has used so far."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


def run(command, box):
    """The results of a command that prints JSON, and what it complains about."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
        is_late = False
        while True:
            try:
                process.wait(timeout=0.1)
                break
            except subprocess.TimeoutExpired:
                if processor_seconds(process) > (box + LOADING_S if is_late else box):
                    # The first time asks for what it knows.
                    process.kill() if is_late else process.send_signal(signal.SIGINT)
                    is_late = True
        output.seek(0)
        errors.seek(0)
        complaint = "time limit" if is_late else errors.read().decode(errors="replace")
        try:
            return json.loads(output.read()).get("results", []), complaint
        except ValueError:
            return [], complaint
