"""Which runs benches/same makes on a model."""

import collections
import itertools
import pathlib
import re
import xml.etree.ElementTree as ElementTree

WALKS = ["sem", "ret", "rlc", "rlc-a"]
ZONES = ["bfs", "dfs", "rdfs", "drs", "highway", "random"]
# What decides more than reachability.
EXHAUSTIVE = ["bfs", "dfs", "rdfs"]
# Options that change what a search through the zone graph does. Without extrapolation a zone may grow for ever and take
# the place of the one before, so that the number of stored states is a limit only where states are compared for equality.
VARIANTS = [
    ["bfs", "--store", "equality"],
    ["bfs", "--extrapolation", "none", "--store", "equality"],
    ["bfs", "--extrapolation", "m"],
    ["bfs", "--extrapolation", "lu"],
    ["bfs", "--extrapolation", "lu+"],
    ["bfs", "--keep-variables"],
    ["bfs", "--trace", "shortest"],
    ["dfs", "--non-zeno"],
    ["drs", "--cutoff", "60", "--increment", "20", "--walks", "3"],
    ["drs", "--fringe", "children"],
    ["highway", "--exact", "--width", "8"],
]

WALK_LIMITS = ["--max-walks", "20", "--max-steps", "200"]
STATES = 500
# Searches that spend more on a state than to store it: on all its successors, or on the way to it.
COSTLY_STATES = 150
COSTLY = ["drs", "highway", "random"]
# Zones of more clocks than this are so large that fewer of them must do.
CLOCKS = 100
LEAST_STATES = 10
QUERIES = 3  # of the model's own, of each kind: reachability and the rest
GOALS = 2  # places that a random run passed
COUNTED = "E<> edges_taken >= 100"
# A guard, which no run should meet.
TIMEOUT_S = 20

Run = collections.namedtuple("Run", "mode args")


def with_counted_edges(source, target):
    """A copy of a model that counts in `edges_taken` how many edges were taken; false where that cannot be written."""
    declaration = "int[0,1000000] edges_taken; "
    update = "edges_taken := edges_taken + 1"
    try:
        if source.suffix == ".xml":
            tree = ElementTree.parse(source)
            top = tree.getroot().find("declaration")
            if top is None:
                top = ElementTree.Element("declaration")
                tree.getroot().insert(0, top)
            top.text = declaration + (top.text or "")
            forks = {fork.get("id") for fork in tree.iter("branchpoint")}
            for edge in tree.iter("transition"):
                if edge.find("target").get("ref") in forks:
                    continue
                label = next((label for label in edge.iter("label") if label.get("kind") == "assignment"), None)
                if label is None:
                    label = ElementTree.Element("label", kind="assignment")
                    edge.insert(2, label)
                written = re.sub(r"//[^\n]*|/\*.*?\*/", "", label.text or "", flags=re.DOTALL).strip()
                label.text = f"{update}, {written}" if written else update
            tree.write(target, encoding="utf-8", xml_declaration=True)
            return True
        model = source.read_text(errors="replace")
        model = re.sub(r"//[^\n]*|/\*.*?\*/", "", model, flags=re.DOTALL)
        edge = re.compile(r"(->\s*\w+\s*\{)([^{}]*)\}")
        model, edges = edge.subn(lambda found: found[1] + counted(found[2], update) + "}", model)
        target.write_text(declaration + model)
        return edges > 0
    except (ElementTree.ParseError, AttributeError, OSError, UnicodeError):
        return False


def counted(labels, update):
    replaced, found = re.subn(r"\bassign\b", f"assign {update},", labels, count=1)
    return replaced if found else f"{labels} assign {update}; "


def goals(simulated):
    """Places that a random run passed, the latest first, and the last of two processes together."""
    trace = simulated["output"].get("trace") or {}
    places = [(entry["process"], entry["location"]) for entry in trace.get("initial", {}).get("locations", [])]
    for step in trace.get("steps", []):
        places += [(edge["process"], edge["target"]) for edge in step["edges"]]
    late = [place for place in reversed(dict.fromkeys(places)) if place[1]]
    chosen = [f"E<> {process}.{location}" for process, location in late[:GOALS]]
    for process, location in late:
        if process != late[0][0]:
            return [*chosen, f"E<> {late[0][0]}.{late[0][1]} && {process}.{location}"]
    return chosen


def states(search, clocks=0):
    most = COSTLY_STATES if search in COSTLY else STATES
    return ["--max-states", str(max(LEAST_STATES, most * CLOCKS // max(CLOCKS, clocks)))]


def unsettled(old, model, queries, options, clocks):
    """Of the queries, those that bfs does not settle within its limit: auto would walk on for seconds."""
    result = old.run(["check", model, *asked(queries), "--search", "bfs", *states("bfs", clocks), *options])
    answers = result["output"].get("results", []) if result and isinstance(result["output"], dict) else []
    return [query for query, answer in itertools.zip_longest(queries, answers) if not answer or not answer["proof"]]


def asked(queries):
    return [part for query in queries for part in ("-q", query)]


def plan(old, model, modes):
    """The runs on a model, by what the old binary says about it."""
    common = ["--format", "json", "--quiet"]
    searching = ["--threads", "1", "--timeout", f"{TIMEOUT_S}s", *common]
    finding = ["--shrink", "none", *searching]
    if model.endswith(".aut"):
        for search in ZONES:
            yield Run("zones", ["explore", model, "--search", search, *states(search), *searching])
            yield Run("zones", ["check", model, "--search", search, *states(search), *finding])
        yield Run("auto", ["check", model, *states("auto"), *finding])
        return

    info_args = ["info", model, *common]
    yield Run("model", info_args)
    info = old.run(info_args)
    if info is None or not isinstance(info["output"], dict) or not info["output"].get("valid"):
        return
    simulate = ["simulate", model, "--seed", "1", "--steps", "100", *common]
    yield Run("model", simulate)

    clocks = info["output"]["clocks"]
    engines = {engine["engine"]: engine for engine in info["output"]["engines"]}
    decided = [query for query in info["output"]["queries"] if query["valid"] and query["decided_by"]]
    simple = [query["query"] for query in decided if "ret" in query["decided_by"] or "drs" in query["decided_by"]]
    other = [query["query"] for query in decided if query["query"] not in simple][:QUERIES]
    simulated = old.run(simulate)
    reached = goals(simulated) if simulated and isinstance(simulated["output"], dict) else []
    simple = simple[:QUERIES] + ["E<> deadlock"] + reached

    if "walks" in modes:
        copy = f"counted/{model}"
        (old.work / copy).parent.mkdir(parents=True, exist_ok=True)
        has_copy = with_counted_edges(old.work / model, old.work / copy)
        if has_copy:
            copied = old.run(["info", copy, *common])
            has_copy = copied is not None and copied["status"] == 0
        searches = WALKS + (["smc"] if engines["statistical walks"]["suitable"] else [])
        for search in searches:
            by = ["--search", search]
            yield Run("walks", ["explore", model, *by, "--seed", "1", *WALK_LIMITS, *searching])
            yield Run("walks", ["check", model, *asked(simple), *by, "--seed", "2", *WALK_LIMITS, *finding])
            if has_copy:
                goal = ["check", copy, "-q", COUNTED, *by]
                yield Run("walks", [*goal, "--seed", "3", *WALK_LIMITS, *finding])
                yield Run("walks", [*goal, "--seed", "4", *WALK_LIMITS, "--trace", "fastest", *finding])
                if search != "smc":
                    paper = ["--schedule", "paper", "--delays", "pd"]
                    yield Run("walks", [*goal, "--seed", "5", *WALK_LIMITS, *paper, *finding])

    for search, *options in [[search] for search in ZONES] + VARIANTS:
        by = ["--search", search, *options, *states(search, clocks), "--seed", "1"]
        if not options:
            yield Run("zones", ["explore", model, *by, *searching])
        queries = simple + (other if search in EXHAUSTIVE else [])
        yield Run("zones", ["check", model, *asked(queries), *by, *finding])

    if "auto" in modes:
        # A limit on walks is a wish for walks alone; without one they go on long after the last state is stored.
        hard = unsettled(old, model, simple + other, finding, clocks)
        easy = [query for query in simple + other if query not in hard]
        if easy:
            yield Run("auto", ["check", model, *asked(easy), "--seed", "1", *states("auto", clocks), *finding])
        if hard:
            limits = ["--max-walks", "100", *states("auto", clocks)]
            yield Run("auto", ["check", model, *asked(hard), "--seed", "1", *limits, *finding])
