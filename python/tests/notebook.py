"""The notebook with its outputs, as it is stored: readers of a page that shows notebooks see them without running anything.

    python python/tests/notebook.py      runs it and stores what it shows
"""

import re
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "examples/quick-start.ipynb"


def executed() -> Any:
    """The notebook after it has run."""
    import nbclient
    import nbformat

    notebook = nbformat.read(FILE, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", record_timing=False).execute()
    return notebook


def as_stored(notebook: Any) -> Any:
    """What does not depend on the machine, without the pages that need a script: 92 of 111 kB are one of those."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            page = data.get("text/html")
            if page is not None:
                data["text/html"] = re.sub(r"<details>.*?</details>", "", page, flags=re.DOTALL)
                # It has times, and nobody sees it.
                del data["text/plain"]
    return notebook


def texts(notebook: Any) -> list[str]:
    """What a reader sees of each output: words, or that there is a picture."""
    found = []
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            page = re.sub(r"<style.*?</style>", "", data.get("text/html", ""), flags=re.DOTALL)
            words = re.sub(r"<[^>]*>", " ", page).split()
            found.append(" ".join(words) if words else ", ".join(sorted(data)))
    return found


if __name__ == "__main__":
    import nbformat

    nbformat.write(as_stored(executed()), FILE)
