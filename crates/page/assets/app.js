// The page: which run is shown, and where in it the reader is. Views ask the app and draw themselves when it calls `update`.

class App {
  /** `live` is what a page of a server adds; see there. */
  constructor(documentData, live = null) {
    this.document = documentData;
    this.runs = new Map();
    this.run = null;
    this.position = 0;
    this.lap = 0;
    this.timer = null;
    this.view = "automata";
    this.live = live;
    this.build();
  }

  build() {
    this.player = document.getElementById("player");
    this.player.hidden = false;
    this.title = el("p", { class: "run-title" });
    this.ending = el("p", { class: "ending" });
    this.notes = el("div", { class: "notes" });
    this.announcer = el("p", { class: "sr-only", role: "status", "aria-live": "polite", id: "announcer" });
    const button = (id, text, label, action) => el("button", { type: "button", id, "aria-label": label, title: label, click: action }, text);
    this.playButton = button("play", "Play", "play (space)", () => this.toggle());
    this.slider = el("input", { type: "range", id: "slider", min: 0, value: 0, "aria-label": "step", input: () => this.go(Number(this.slider.value)) });
    this.counter = el("span", { id: "counter" });
    this.clock = el("span", { id: "now" });
    this.speed = el("select", { id: "speed", "aria-label": "speed", change: () => { if (this.timer) { this.stop(); this.toggle(); } } },
      ...[["1500", "slow"], ["700", "normal"], ["200", "fast"], ["40", "very fast"]].map(([value, text]) => el("option", { value, selected: value === "700" }, text)));
    const bar = el("div", { class: "bar", role: "group", "aria-label": "position in the run" },
      button("first", "|◀", "to the initial state (Home)", () => this.go(0)),
      button("previous", "◀", "one step back (left arrow)", () => this.back()),
      this.playButton,
      button("next", "▶", "one step on (right arrow)", () => this.next()),
      button("last", "▶|", "to the end (End)", () => this.go(this.run.end)),
      this.slider, this.counter, this.clock, this.speed);

    this.filterProcess = el("input", { type: "search", id: "filter-process", list: "process-names", placeholder: "all", autocomplete: "off", input: () => this.filter() });
    this.filterVariable = el("input", { type: "search", id: "filter-variable", list: "variable-names", placeholder: "all", autocomplete: "off", input: () => this.filter() });
    this.processNames = el("datalist", { id: "process-names" });
    this.variableNames = el("datalist", { id: "variable-names" });
    this.search = el("input", { type: "search", id: "search", placeholder: "text in a step", autocomplete: "off" });
    this.search.addEventListener("keydown", (event) => { if (event.key === "Enter") this.seek(event.shiftKey ? -1 : 1); });
    this.found = el("span", { class: "muted", id: "found", role: "status" });
    const stepBox = el("div", { id: "steps" });
    this.steps = new VirtualList(stepBox, 46, (index, row) => this.stepRow(index, row), { role: "listbox", label: "steps", choose: (index) => this.go(this.listed ? this.listed[index] : index) });
    const left = el("section", { class: "panel steps", "aria-label": "steps of the run" },
      el("h2", {}, "Steps"),
      el("div", { class: "fields" },
        el("label", { for: "filter-process" }, "process"), this.filterProcess, this.processNames,
        el("label", { for: "filter-variable" }, "variable"), this.filterVariable, this.variableNames,
        el("label", { for: "search" }, "search"), el("span", { class: "seek" }, this.search, button("find-next", "↓", "next match (Enter)", () => this.seek(1)))),
      this.found, stepBox);

    const middle = el("section", { class: "panel views", "aria-label": "charts" });
    const tabs = el("div", { role: "tablist", "aria-label": "charts", class: "tabs" });
    middle.append(tabs);
    this.axis = new Axis(this);
    this.views = {};
    for (const [key, title, make] of [
      ["automata", "Automata", (host) => new AutomataView(host, this)],
      ["sequence", "Sequence", (host) => new SequenceView(host, this)],
      ["gantt", "Gantt", (host) => new GanttView(host, this, this.axis)],
      ["plots", "Plots", (host) => new PlotView(host, this, this.axis)],
    ]) {
      const tab = el("button", { type: "button", role: "tab", id: `tab-${key}`, "aria-controls": `view-${key}`, click: () => this.show(key) }, title);
      const host = el("div", { role: "tabpanel", id: `view-${key}`, "aria-labelledby": `tab-${key}`, class: "view" });
      tabs.append(tab);
      middle.append(host);
      this.views[key] = { tab, host, view: make(host) };
    }
    tabs.addEventListener("keydown", (event) => this.moveTab(event));
    const right = el("section", { class: "panel state", "aria-label": "state" }, el("h2", {}, "State"));
    this.state = new StateView(right, this);
    const heading = el("h2", { id: "run-heading" }, "Run");
    this.player.append(heading, this.title, this.ending, this.notes, bar, el("div", { class: "columns" }, left, middle, right), this.announcer);

    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => this.follow());
    window.addEventListener("beforeprint", () => this.beforePrint(true));
    window.addEventListener("afterprint", () => this.beforePrint(false));
    this.show(this.view);
    if (this.live) this.live.build(this, { heading, bar, right });
  }

  /** Shows a run of the document. */
  open(number) {
    if (!this.runs.has(number)) this.runs.set(number, new Run(this.document.runs[number], this.document.model));
    this.number = number;
    this.use(this.runs.get(number));
  }

  /** Shows a run from anywhere. */
  use(run) {
    this.stop();
    this.run = run;
    this.position = 0;
    this.lap = 0;
    const { model } = run;
    this.describe();
    this.filterProcess.value = this.filterVariable.value = this.search.value = "";
    this.found.textContent = "";
    this.processNames.replaceChildren(...model.processes.slice(0, 3000).map((process) => el("option", { value: process.name })));
    this.variableNames.replaceChildren(...[...model.variables, ...model.clocks].slice(0, 3000).map((name) => el("option", { value: name })));
    this.player.classList.toggle("sides", model.sides.length > 1);
    this.axis.reset();
    for (const { view } of Object.values(this.views)) view.reset();
    this.state.reset();
    this.filter();
    this.update();
  }

  /** Another version of the run that is shown: filters, charts and their zoom stay. */
  replace(run, position) {
    this.stop();
    this.run = run;
    this.position = clamp(position, 0, run.end);
    this.lap = 0;
    this.describe();
    this.axis.renew();
    for (const { view } of Object.values(this.views)) view.renew();
    this.filter();
    this.address();
  }

  /** What the run is, in words. */
  describe() {
    const { data } = this.run;
    this.title.textContent = data.title;
    this.ending.textContent = data.end.rule || data.end.text;
    this.ending.classList.toggle("rule", Boolean(data.end.rule));
    this.notes.replaceChildren(...data.notes.map((note) => el("p", { class: "hint" }, note)));
    this.slider.max = this.run.end;
  }

  /** The processes that the filter leaves. */
  processes() {
    return this.shownProcesses;
  }

  filter() {
    const { run } = this;
    const name = this.filterProcess.value.trim().toLowerCase();
    const variable = this.filterVariable.value.trim().toLowerCase();
    const names = run.model.processes.map((process) => process.name.toLowerCase());
    const exact = names.indexOf(name);
    this.shownProcesses = names.map((_, id) => id).filter((id) => (exact >= 0 ? id === exact : names[id].includes(name)));
    this.listed = null;
    if (name || variable) {
      const steps = new Set();
      if (name) for (const id of this.shownProcesses) for (let at = run.moves.first[id]; at < run.moves.first[id + 1]; at += 1) steps.add(run.moves.steps[at]);
      if (variable) {
        const of = (history, list) => list.forEach((text, id) => {
          const low = text.toLowerCase();
          if (low !== variable && (list.some((other) => other.toLowerCase() === variable) || !low.includes(variable))) return;
          for (let at = history.first[id]; at < history.first[id + 1]; at += 1) changed.add(history.steps[at]);
        });
        const changed = new Set();
        of(run.writes, run.model.variables);
        of(run.sets, run.model.clocks);
        if (name) for (const step of [...steps]) { if (!changed.has(step)) steps.delete(step); }
        else changed.forEach((step) => steps.add(step));
      }
      this.listed = [...steps].sort((a, b) => a - b);
      this.found.textContent = `${grouped(this.listed.length)} of ${grouped(run.length)} steps`;
    } else {
      this.found.textContent = "";
    }
    this.steps.setCount(this.listed ? this.listed.length : run.end + 1);
    this.update();
  }

  stepRow(index, row) {
    const { run } = this;
    const position = this.listed ? this.listed[index] : index;
    const isEnd = position > run.length;
    row.dataset.step = position;
    row.classList.toggle("cycle", run.isInCycle(position));
    const delay = position > 0 ? run.delay(position) : run.zero;
    const text = run.text(position);
    row.append(
      el("span", { class: "number" }, isEnd ? "end" : String(position)),
      el("span", { class: "time", title: `time ${run.exact(run.time(position))}` }, run.readable(run.time(position))),
      el("span", { class: "delay", title: `delay before: ${run.exact(delay)}` }, delay > run.zero ? `+${run.readable(delay)}` : ""),
      el("span", { class: "text", title: text }, text));
  }

  go(position, lap = 0) {
    this.position = clamp(position, 0, this.run.end);
    this.lap = lap;
    this.update();
    this.address();
    if (this.live) this.live.moved();
  }

  /** Has the address say where the reader is. */
  address() {
    const hash = this.document.runs.length > 1 ? `#run=${this.number + 1}&step=${this.position}` : `#step=${this.position}`;
    if (location.hash === hash) return;
    try {
      history.replaceState(null, "", hash);
    } catch {
      // A frame, of a notebook for instance, has no address of its own.
    }
  }

  next() {
    this.go(...this.run.after(this.position, this.lap));
  }

  back() {
    this.go(...this.run.before(this.position, this.lap));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.position >= this.run.end && !this.run.cycle) this.go(0);
    this.playButton.textContent = "Pause";
    this.playButton.setAttribute("aria-label", "pause (space)");
    this.timer = setInterval(() => {
      if (this.position >= this.run.end && !this.run.cycle) this.stop();
      else this.next();
    }, Number(this.speed.value));
    return undefined;
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.playButton.textContent = "Play";
    this.playButton.setAttribute("aria-label", "play (space)");
  }

  /** To the next or previous step whose text has what is searched for. */
  seek(way) {
    const wanted = this.search.value.trim().toLowerCase();
    if (!wanted) return;
    const { run } = this;
    for (let i = 1; i <= run.end + 1; i += 1) {
      const position = (((this.position + way * i) % (run.end + 1)) + run.end + 1) % (run.end + 1);
      if (run.text(position).toLowerCase().includes(wanted)) {
        this.found.textContent = `found in step ${position}`;
        this.go(position);
        return;
      }
    }
    this.found.textContent = "found nowhere";
  }

  update() {
    const { run, position } = this;
    if (!run) return;
    this.slider.value = position;
    const time = run.cycle && this.lap ? run.time(position) + run.period() * run.number(this.lap) : run.time(position);
    this.slider.setAttribute("aria-valuetext", `step ${position} of ${run.end}, time ${run.readable(time)}`);
    this.counter.textContent = position > run.length ? `end, after ${grouped(run.length)} steps` : `step ${grouped(position)} of ${grouped(run.length)}`;
    const round = this.lap ? `, round ${this.lap + 1} of the cycle` : run.isInCycle(position) ? ", in the cycle" : "";
    this.clock.textContent = `time ${run.readable(time)}${round}`;
    this.clock.title = `time ${run.exact(time)}`;
    const index = this.listed ? upTo(this.listed, position, 0, this.listed.length) - 1 : position;
    this.steps.choose(this.listed && this.listed[index] !== position ? -1 : index);
    if (index >= 0) this.steps.reveal(index);
    this.state.update();
    this.views[this.view].view.update();
    this.announcer.textContent = `step ${position}, time ${run.readable(time)}: ${run.text(position)}`;
    document.documentElement.dataset.step = position;
  }

  show(key) {
    this.view = key;
    for (const [name, { tab, host }] of Object.entries(this.views)) {
      const isShown = name === key;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      host.hidden = !isShown;
    }
    if (this.run) this.views[key].view.update();
  }

  moveTab(event) {
    const keys = Object.keys(this.views);
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    event.stopPropagation();
    const next = keys[(keys.indexOf(this.view) + way + keys.length) % keys.length];
    this.show(next);
    this.views[next].tab.focus();
  }

  key(event) {
    if (!this.run || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event;
    if (target.closest("input:not([type=range]), select, textarea")) return;
    if (this.live && this.live.key(event)) return;
    const isButton = Boolean(target.closest("button, a, input, summary"));
    const actions = {
      ArrowRight: () => this.next(),
      ArrowDown: () => this.next(),
      ArrowLeft: () => this.back(),
      ArrowUp: () => this.back(),
      PageDown: () => this.go(this.position + 10),
      PageUp: () => this.go(this.position - 10),
      Home: () => this.go(0),
      End: () => this.go(this.run.end),
      "/": () => this.search.focus(),
    };
    if (!isButton) actions[" "] = () => this.toggle();
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** Goes where the address says: `#step=17`, `#run=2&step=17`. */
  follow() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const number = Number(wanted.get("run") || (this.number === undefined ? 1 : this.number + 1)) - 1;
    const isOther = number !== this.number && Boolean(this.document.runs[number]);
    const isFirst = this.number === undefined;
    if (isOther) this.open(number);
    const step = Number(wanted.get("step"));
    if (this.run && wanted.has("step") && Number.isInteger(step) && step !== this.position) this.go(step);
    if (isOther && !isFirst) this.player.scrollIntoView();
  }

  /** Paper shows the steps as a table, up to a thousand of them. */
  beforePrint(isPrinting) {
    if (!this.run) return;
    this.steps.all = isPrinting && this.steps.count <= 1000;
    for (const { list } of Object.values(this.state.lists)) {
      list.all = isPrinting && list.count <= 1000;
      list.refresh();
    }
    this.steps.refresh();
  }
}

async function start(source) {
  const page = document.documentElement;
  try {
    const documentData = await source.load();
    const app = documentData.runs.length || source.live ? new App(documentData, source.live) : null;
    if (app) {
      app.follow();
      if (!app.run && documentData.runs.length) app.open(0);
    }
    window.zonewalk = { app, Run };
    performance.mark("ready");
    page.dataset.ready = "yes";
    return app;
  } catch (error) {
    page.dataset.ready = "failed";
    document.getElementById("trouble").textContent = `The run cannot be shown: ${error.message}. A browser from 2023 or later is needed.`;
    return null;
  }
}
