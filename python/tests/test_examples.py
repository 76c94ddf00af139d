"""The examples run, the notebook too, and the types are right."""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

import notebook
import pytest
from conftest import MODELS

PACKAGE = Path(__file__).parents[1]


def test_the_example_of_checks() -> None:
    args = [sys.executable, str(PACKAGE / "examples/check.py"), str(MODELS / "fischer-broken.xml")]
    run = subprocess.run(args, capture_output=True, text=True, check=False)
    assert run.returncode == 1, run.stderr
    assert "not satisfied: a run of" in run.stdout and "critical" in run.stdout


def test_the_notebook() -> None:
    """It runs, and shows what it is stored with."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed here")
    pytest.importorskip("nbclient", reason="nbclient is not installed here")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed here")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed here")
    pytest.importorskip("pandas", reason="pandas is not installed here")
    ran = notebook.executed()
    pages = [output["data"].get("text/html", "") for cell in ran.cells for output in cell.get("outputs", ()) if "data" in output]
    assert any("<iframe sandbox" in page for page in pages), "the result has its page"
    shown = notebook.texts(notebook.as_stored(ran))
    stored = nbformat.read(notebook.FILE, as_version=4)
    assert shown == notebook.texts(stored), "python python/tests/notebook.py stores what it shows"
    assert len(shown) == 6 and any("satisfied : a run of 9 steps, time 2" in text for text in shown) and "image/png, text/plain" in shown
    pages = [output["data"].get("text/html", "") for cell in stored.cells for output in cell.get("outputs", ())]
    assert any("<svg" in page for page in pages), "the trace is a picture"
    assert notebook.FILE.stat().st_size < 60_000


@pytest.mark.parametrize("page", ["docs/python.md", "README.md"])
def test_what_documents_show(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs of a document run, one after the other."""
    pytest.importorskip("pandas", reason="pandas is not installed here")
    root = PACKAGE.parent
    (tmp_path / "models").symlink_to(root / "models")
    monkeypatch.chdir(tmp_path)
    text = (root / page).read_text(encoding="utf-8")
    programs = re.findall(r"^ *```python\n(.*?)^ *```$", text, re.DOTALL | re.MULTILINE)
    assert programs
    names: dict[str, object] = {}
    for program in programs:
        if "cluster" not in program:
            exec(compile(textwrap.dedent(program), page, "exec"), names)


def test_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the README says that its second command prints."""
    text = (PACKAGE / "README.md").read_text(encoding="utf-8")
    program = re.findall(r'python -c "(.*)"', text)[0]
    run = subprocess.run([sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=False)
    printed = run.stdout.strip()
    # Which of the searches of auto is first may differ.
    assert f"prints `{printed.rsplit(' (', 1)[0]}" in text, run.stdout + run.stderr


def test_types() -> None:
    pytest.importorskip("mypy", reason="mypy is not installed here")
    args = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", "zonewalk", "examples"]
    run = subprocess.run(args, cwd=PACKAGE, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


def test_versions_agree() -> None:
    """The package has the version of the workspace."""
    import zonewalk

    text = (PACKAGE.parent / "Cargo.toml").read_text(encoding="utf-8")
    version = text.split("[workspace.package]")[1].split('version = "')[1].split('"')[0]
    assert zonewalk.__version__ == version
