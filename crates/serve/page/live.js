"use strict";
// The live page: it shows one run of the model, which the server keeps, and asks the server for every change. Everything that comes
// from a model is put into the page as text, never as markup; drawings are parsed as SVG, and the page's policy runs no script in them.

const token = new URLSearchParams(location.search).get("token");
const $ = (id) => document.getElementById(id);

/** Asks the server: by GET, or by POST where there is a body. */
async function ask(path, body) {
  const options = { headers: { Authorization: `Bearer ${token}` }, cache: "no-store" };
  if (body !== undefined) {
    options.method = "POST";
    options.headers["Content-Type"] = "application/json";
    options.body = typeof body === "string" ? body : JSON.stringify(body);
  }
  let reply;
  try {
    reply = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error("the server does not answer; was it ended?");
  }
  const text = await reply.text();
  if (path === "save" && reply.ok) return text;
  const data = JSON.parse(text);
  if (!reply.ok) throw new Error(data.error.message);
  return data;
}

/** An element with properties and children; texts stay texts. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

function tell(text, isError = false) {
  $("message").textContent = text;
  $("message").className = isError ? "error" : "";
}

/** Makes a handler that shows what goes wrong. */
const guarded = (action) => async (event) => {
  try {
    await action(event);
  } catch (error) {
    tell(error.message, true);
  }
};

// ---- what is known

let model = null;
let run = null;
/** Steps of the run that were fetched, by number. */
let known = new Map();
let seen = { model: -1, revision: -1 };

const PAGE = 200;
const ROW = 24;

/** A step on one line. */
function words(step) {
  const who = step.edges.map((edge) => {
    const selects = (edge.selects || []).map((cell) => `${cell.name}=${cell.value}`).join(", ");
    return `${edge.process}: ${edge.source} → ${edge.target}${selects ? ` [${selects}]` : ""}`;
  });
  return `${step.channel ? `${step.channel}: ` : ""}${who.join(", ")}`;
}

async function fetchSteps(from) {
  const start = Math.floor(from / PAGE) * PAGE;
  if (known.has(start) || start >= run.steps) return;
  const page = await ask(`steps?from=${start}&count=${PAGE}`);
  page.steps.forEach((step, index) => known.set(page.from + index, step));
}

// ---- the run

/** Shows a run that has come; a change makes the steps that were fetched stale. */
async function show(next, isChange = true) {
  if (isChange) known = new Map();
  run = next;
  seen.revision = run.revision;
  if (run.position > 0) await fetchSteps(run.position - 1);
  showRun();
  showChoices();
  showState();
  await showRows();
  lightAutomata();
  await showZone();
  await showChart();
}

const change = (path, body) => guarded(async () => {
  tell("");
  await show(await ask(path, { revision: run.revision, ...body() }));
  const played = run.played;
  if (played) tell(`${played.steps} random steps${played.stopped ? `; ${played.stopped}` : ""}`);
});

const jump = guarded(async (step) => {
  const place = Math.max(0, Math.min(run.steps, step));
  if (place !== run.position) await show(await ask("jump", { step: place }), false);
});

function showRun() {
  $("slider").max = run.steps;
  $("slider").value = run.position;
  const why = run.query ? `, for ${run.query}` : "";
  $("where").textContent = `step ${run.position} of ${run.steps}${why}`;
  for (const id of ["first", "back"]) $(id).disabled = run.position === 0;
  for (const id of ["next", "last"]) $(id).disabled = run.position === run.steps;
  $("undo").disabled = run.changes === 0;
}

/** Only the rows in view exist. */
async function showRows(follow = true) {
  const box = $("steps");
  $("rows").style.height = `${(run.steps + 1) * ROW}px`;
  if (follow) {
    const top = run.position * ROW;
    if (top < box.scrollTop || top + ROW > box.scrollTop + box.clientHeight) {
      box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    }
  }
  const from = Math.max(0, Math.floor(box.scrollTop / ROW) - 5);
  const until = Math.min(run.steps, from + Math.ceil(box.clientHeight / ROW) + 10);
  for (let at = Math.max(0, from - 1); at < until + PAGE; at += PAGE) await fetchSteps(Math.min(at, Math.max(0, until - 1)));
  const rows = [];
  for (let number = from; number <= until; number++) {
    const step = number > 0 ? known.get(number - 1) : null;
    const text = number === 0 ? "initial state" : step ? `+${step.delay}  ${words(step)}` : "…";
    const button = make("button", { type: "button", title: text }, `${number}. ${text}`);
    if (number === run.position) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => jump(number));
    const row = make("li", {}, button);
    row.style.top = `${number * ROW}px`;
    rows.push(row);
  }
  $("rows").replaceChildren(...rows);
}

// ---- choices

function showChoices() {
  const delays = run.delays ? `, delays ${run.delays.text}` : "";
  $("time").textContent = `time ${run.time}${delays}`;
  const wanted = $("choice-filter").value.toLowerCase();
  const rows = run.choices.map((choice, index) => {
    const text = words(choice);
    if (!text.toLowerCase().includes(wanted)) return null;
    const button = make("button", { type: "button" }, `${text} `, make("small", {}, `after ${choice.windows.text}`));
    button.dataset.choice = index;
    button.addEventListener("click", change("take", () => {
      const delay = $("delay").value.trim();
      return delay ? { choice: index, delay } : { choice: index };
    }));
    for (const kind of ["mouseenter", "focus"]) button.addEventListener(kind, () => light("possible", choice.edges));
    for (const kind of ["mouseleave", "blur"]) button.addEventListener(kind, () => light("possible", []));
    return make("li", {}, button);
  }).filter(Boolean);
  if (run.error) rows.push(make("li", { className: "error" }, run.error));
  else if (run.choice_count === 0) {
    rows.push(make("li", {}, `no transition is possible, now or later${run.time_stops ? ", and time stops" : ""}`));
  } else if (run.choice_count > run.choices.length) {
    rows.push(make("li", {}, `… ${run.choice_count - run.choices.length} more`));
  }
  $("choices").replaceChildren(...rows);
}

// ---- state

function showState() {
  const wanted = $("state-filter").value.toLowerCase();
  const last = run.position > 0 ? known.get(run.position - 1) : null;
  const changed = new Set(last ? last.changes.map((one) => one.name) : []);
  const moved = new Set(last ? last.edges.map((edge) => edge.process) : []);
  const row = (name, value, isChanged) =>
    name.toLowerCase().includes(wanted)
      ? make("tr", { className: isChanged ? "changed" : "" }, make("td", {}, name), make("td", {}, String(value)))
      : "";
  const { locations, variables, clocks } = run.state;
  $("state").replaceChildren(
    ...locations.map((at) => row(at.process, at.location, moved.has(at.process))),
    ...variables.map((cell) => row(cell.name, cell.value, changed.has(cell.name))),
    ...clocks.map((clock) => row(clock.name, clock.value, changed.has(clock.name))),
  );
}

async function showZone() {
  const box = $("zone");
  box.hidden = !$("zone-on").checked;
  if (box.hidden) return;
  try {
    const zone = await ask("zone");
    const pieces = zone.pieces.map((piece) => piece.split(", ").join("\n"));
    box.textContent = pieces.join("\n\nor\n\n") + (zone.approximate ? "\n\n(more than the path leads to: clocks can be stopped)" : "")
      + (zone.cut ? "\n\n(and further pieces)" : "");
  } catch (error) {
    box.textContent = error.message;
  }
}

/** A chart as an image: whatever names it has, nothing in it runs. */
async function showChart() {
  const kind = document.querySelector("input[name=chart]:checked").value;
  const box = $("chart");
  box.hidden = !kind;
  if (!kind) return;
  try {
    const { svg } = await ask(`chart?kind=${kind}`);
    const image = make("img", { alt: `${kind} chart of the steps around step ${run.position}` });
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    box.replaceChildren(image);
  } catch (error) {
    box.textContent = error.message;
  }
}

// ---- automata

/** By process: its picture's element and what is drawn where. */
let figures = new Map();
const FIGURES = 12;

function showAutomata() {
  figures = new Map();
  const wanted = $("process-filter").value.toLowerCase();
  const processes = model.processes.filter((process) => process.name.toLowerCase().includes(wanted));
  const parsed = new Map();
  for (const picture of model.pictures) {
    const svg = new DOMParser().parseFromString(picture.svg, "image/svg+xml").documentElement;
    parsed.set(picture.template, { picture, svg });
  }
  const shown = processes.slice(0, FIGURES).filter((process) => parsed.has(process.template)).map((process) => {
    const { picture, svg } = parsed.get(process.template);
    const copy = document.importNode(svg, true);
    copy.setAttribute("role", "img");
    copy.setAttribute("aria-label", `automaton of ${process.name}`);
    const caption = make("figcaption", {}, process.name);
    const figure = make("figure", {}, caption, copy);
    figure.tabIndex = 0;
    figure.dataset.process = process.name;
    figures.set(process.name, { picture, svg: copy });
    return figure;
  });
  $("pictures").replaceChildren(...shown);
  const more = processes.length - shown.length;
  $("more").textContent = more > 0 ? `and ${more} more: narrow the filter to see them` : "";
}

/** Lights the edges of some participants. */
function light(mark, edges) {
  for (const { svg } of figures.values()) svg.querySelectorAll(`.${mark}`).forEach((element) => element.classList.remove(mark));
  for (const edge of edges) {
    const figure = figures.get(edge.process);
    for (const number of figure?.picture.edges[edge.edge] ?? []) {
      figure.svg.querySelector(`[data-edge="${number}"]`)?.classList.add(mark);
    }
  }
}

function lightAutomata() {
  for (const { svg } of figures.values()) svg.querySelectorAll(".active").forEach((element) => element.classList.remove("active"));
  for (const at of run.state.locations) {
    const figure = figures.get(at.process);
    if (!figure) continue;
    const number = figure.picture.locations.indexOf(at.location);
    figure.svg.querySelector(`[data-location="${number}"]`)?.classList.add("active");
  }
  const last = run.position > 0 ? known.get(run.position - 1) : null;
  light("possible", []);
  light("taken", last ? last.edges : []);
}

// ---- queries

function showQueries() {
  const rows = model.queries.map((query) => {
    const button = make("button", { type: "button" }, "Check");
    button.dataset.query = query.number;
    button.addEventListener("click", check({ query: query.number }));
    const remark = query.error ?? query.comment;
    return make("li", { value: query.number, title: remark ?? "" }, button, " ", make("code", {}, query.text));
  });
  $("queries").replaceChildren(...rows);
  $("warnings").hidden = model.warnings.length === 0;
  $("warnings").querySelector("pre").textContent = model.warnings.join("\n");
}

const check = (what) => guarded(async () => {
  tell("");
  showJob(await ask("check", what));
});

function showJob(job) {
  $("job").hidden = !job;
  if (!job) return;
  $("job-query").textContent = job.query;
  const seconds = `${job.elapsed_s.toFixed(1)} s`;
  const verdict = job.error ? "cannot be checked" : job.result?.verdict ?? "";
  $("job-state").textContent = job.running
    ? `${job.cancelled ? "is being cancelled" : "is being decided"}, ${seconds}`
    : `${verdict}${job.cancelled ? " (cancelled)" : ""}, ${seconds}`;
  $("job-text").textContent = job.running ? job.progress.join("\n") : job.error ?? job.text;
  $("cancel").disabled = !job.running || job.cancelled;
  $("open").disabled = !job.has_run;
}

// ---- everything

async function showModel() {
  model = await ask("model");
  seen.model = model.model;
  $("name").textContent = model.name;
  document.title = `${model.name} – zonewalk`;
  showQueries();
  showAutomata();
  if (model.no_runs) tell(`There are no runs to look at: ${model.no_runs}`, true);
  else await show(await ask("run"));
}

/** Asks again and again what is new: another model, another run, the query that is being decided. */
async function watch() {
  let pause = 500;
  try {
    const { news, job } = await ask("status");
    showJob(job);
    $("broken").hidden = !news.broken;
    $("broken").textContent = news.broken ? `The changed file has errors, and the earlier model stays:\n${news.broken}` : "";
    if (news.model !== seen.model) {
      await showModel();
      tell(`The model was loaded again. ${news.note ?? ""}`);
    } else if (run && news.revision !== seen.revision) {
      await show(await ask("run"));
    }
    if (job?.running) pause = 200;
  } catch (error) {
    tell(error.message, true);
    pause = 2000;
  }
  setTimeout(watch, pause);
}

const save = guarded(async () => {
  const link = make("a", { download: "run.json", href: URL.createObjectURL(new Blob([await ask("save")], { type: "application/json" })) });
  link.click();
  URL.revokeObjectURL(link.href);
});

const load = guarded(async (event) => {
  const file = event.target.files[0];
  if (!file) return;
  tell(`loading ${file.name} …`);
  try {
    await show(await ask("load", await file.text()));
    tell(`${file.name} is a run of this model: ${run.steps} steps`);
  } finally {
    event.target.value = "";
  }
});

function keys(event) {
  const isTyping = event.target.closest("input, textarea, select, #steps");
  if (isTyping || !run || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = {
    ArrowLeft: () => jump(run.position - 1),
    ArrowRight: () => jump(run.position + 1),
    Home: () => jump(0),
    End: () => jump(run.steps),
    u: change("undo", () => ({})),
  }[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
}

$("first").addEventListener("click", () => jump(0));
$("back").addEventListener("click", () => jump(run.position - 1));
$("next").addEventListener("click", () => jump(run.position + 1));
$("last").addEventListener("click", () => jump(run.steps));
$("slider").addEventListener("input", () => jump(Number($("slider").value)));
$("steps").addEventListener("scroll", () => run && showRows(false));
$("undo").addEventListener("click", change("undo", () => ({})));
$("restart").addEventListener("click", change("restart", () => ({})));
$("wait").addEventListener("click", change("wait", () => ({ delay: $("delay").value.trim() })));
$("random").addEventListener("click", change("random", () => ({ seed: Number($("seed").value), steps: Number($("random-steps").value) })));
$("save").addEventListener("click", save);
$("load").addEventListener("change", load);
$("choice-filter").addEventListener("input", () => run && showChoices());
$("state-filter").addEventListener("input", () => run && showState());
$("process-filter").addEventListener("input", () => { showAutomata(); if (run) lightAutomata(); });
document.querySelectorAll("input[name=chart]").forEach((one) => one.addEventListener("change", () => run && showChart()));
$("zone-on").addEventListener("change", () => run && showZone());
$("ask").addEventListener("submit", (event) => { event.preventDefault(); check({ formula: $("formula").value })(); });
$("cancel").addEventListener("click", guarded(async () => showJob(await ask("cancel", {}))));
$("open").addEventListener("click", guarded(async () => show(await ask("open", {}))));
document.addEventListener("keydown", keys);
guarded(async () => { await showModel(); })().then(watch);
