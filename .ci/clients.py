"""What pyuppaal and uppaal-py make of zonewalk's answers. Run by .ci/clients."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import pyuppaal
import uppaalpy

ZONEWALK = os.path.abspath(sys.argv[1])
MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"

# A query of models/fischer-broken.xml, whether it is satisfied, and whether there is a trace.
QUERIES = [
    ("A[] not (Process(1).critical && Process(2).critical)", False, True),
    ("E<> Process(1).critical", True, True),
    ("A[] owner >= 0", True, False),
    ("E<> owner == 1 && owner == 2", False, False),
]

OPTIONS = [None, "-t 0", "-t 0 -o 0", "-o 1", "-o 2", "-o 4 -t 2", "-n 2", "-A", "-Z -y -S 1", "-u -H 27", "-r 7 -t 0"]


def verify(model, folder):
    """`verify` has the right answer with any options, and the trace that it writes replays."""
    for query, is_satisfied, has_trace in QUERIES:
        model.queries = [query]
        for options in OPTIONS:
            told = model.verify(verify_options=options)
            case = f"{query} with {options}:\n{told}"
            sentence = " -- Formula is satisfied." if is_satisfied else " -- Formula is NOT satisfied."
            assert told.count(" -- Formula is") == 1 and sentence in told, case
            trace = folder / "model_xtr-1.json"
            assert trace.exists() == has_trace, case
            if has_trace:
                replay = [ZONEWALK, "replay", str(folder / "model.xml"), str(trace)]
                assert subprocess.run(replay, capture_output=True).returncode == 0, case
                trace.unlink()


def refused(words, call):
    """A call fails, and its message has these words."""
    try:
        result = call()
    except ValueError as error:
        assert words in str(error), error
    else:
        raise AssertionError(f"no failure, but {result}")


def unsupported(model, folder):
    """What needs the formats of that tool fails in words, and never looks like an answer."""
    for query, _, has_trace in QUERIES:
        model.queries = [query]
        if has_trace:
            refused("does not write the intermediate format (.if)", model.easy_verify)
        else:
            assert model.easy_verify() is None
        refused("traces in XML are not supported", lambda: model.verify(trace_path=str(folder / "trace.xml")))


def answers(model):
    run = subprocess.run([ZONEWALK, "check", str(model), "--format", "json"], capture_output=True)
    return [result["verdict"] for result in json.loads(run.stdout)["results"]]


def written_again(folder):
    """A model that uppaal-py has read and written has the same answers."""
    original = MODELS / "fischer-broken.xml"
    uppaalpy.NTA.from_xml(str(original)).to_file(str(folder / "again.xml"))
    told = answers(folder / "again.xml")
    assert told == answers(original) and "not satisfied" in told and "satisfied" in told, told


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    script = folder / "verifyta"
    script.write_text(f'#!/bin/sh\nexec "{ZONEWALK}" verifyta "$@"\n')
    script.chmod(0o755)
    shutil.copy(MODELS / "fischer-broken.xml", folder / "model.xml")
    pyuppaal.set_verifyta_path(str(script))
    model = pyuppaal.UModel(str(folder / "model.xml"))
    verify(model, folder)
    unsupported(model, folder)
    written_again(folder)
print(f"clients of verifyta: {len(QUERIES) * len(OPTIONS)} answers by pyuppaal, and a model written by uppaal-py, are right")
