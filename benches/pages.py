"""Tables of the documents, and the places in them that scripts write."""

import re


def tables(page):
    """The tables of a page with their titles: columns, and rows of cells."""
    title, columns, rows = "", None, []
    for line in page.read_text().splitlines() + [""]:
        if line.startswith("#"):
            title = line.lstrip("# ")
        if not line.startswith("|"):
            if columns:
                yield title, columns, rows
            columns, rows = None, []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if columns is None:
            columns = cells
        elif not set(line) <= set("|- "):
            rows.append(cells)


def written(page, kind, texts):
    """A page with other texts between `<!-- kind: name -->` and the end of the table."""
    for name, text in texts.items():
        pattern = rf"(<!-- {kind}: {name} -->\n).*?(<!-- end of table -->)"
        page, count = re.subn(pattern, lambda found: f"{found[1]}\n{text}\n\n{found[2]}", page, flags=re.S)
        if count != 1:
            raise SystemExit(f"there is no place for {kind}: {name}")
    return page
