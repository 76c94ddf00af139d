// What a live page adds: the server keeps the run and does every change; this asks for changes, and shows what is possible.

/** A step on one line, as the server tells it. */
function words(step) {
  const who = step.edges.map((edge) => {
    const selects = (edge.selects || []).map((cell) => `${cell.name} = ${cell.value}`).join(", ");
    return `${edge.process} ${edge.source} → ${edge.target}${selects ? ` (${selects})` : ""}`;
  });
  return `${step.channel ? `${step.channel}: ` : ""}${who.join(", ")}`;
}

class Live {
  constructor() {
    this.seen = { model: -1, revision: -1, trace: -1 };
    /** The server's place in the run, and what is possible there. */
    this.place = null;
    this.timer = null;
  }

  /** Adds controls to the page. */
  build(app, { heading, bar, right }) {
    this.app = app;
    const button = (id, text, action, title = "") => el("button", { type: "button", id, title: title || null, click: action }, text);
    const field = (id, label, attributes) => {
      const input = el("input", { id, autocomplete: "off", ...attributes });
      this[id.replace("-", "_")] = input;
      return el("span", { class: "pair" }, el("label", { for: id }, label), " ", input);
    };
    this.undo = button("undo", "Undo", this.change("undo", () => ({})), "take back the last change (U)");
    this.load = el("input", { type: "file", id: "load", accept: ".json,application/json", class: "sr-only", change: guarded(() => this.loadFile()) });
    heading.after(el("div", { class: "controls", role: "group", "aria-label": "the whole run" },
      this.undo, button("restart", "Restart", this.change("restart", () => ({})), "back to the initial state"),
      button("save", "Save run…", guarded(() => this.save())), this.load, el("label", { for: "load", class: "button" }, "Load run…")));
    bar.setAttribute("aria-label", "position in the run");

    const { state } = app;
    this.choices = state.enabled;
    this.choices.id = "choices";
    this.time = state.enabledNote;
    this.time.id = "time";
    state.enabledSection.prepend(state.enabledSection.querySelector("h3"));
    this.time.after(el("div", { class: "controls" },
      field("delay", "delay", { type: "text", size: 7, placeholder: "earliest", inputmode: "decimal" }),
      button("wait", "Wait", this.change("wait", () => ({ delay: this.delay.value.trim() })), "let time pass"),
      field("choice-filter", "with", { type: "search", size: 8, placeholder: "any text", input: () => this.showChoices() })));
    state.enabledSection.append(el("div", { class: "controls" },
      field("random-steps", "steps", { type: "number", min: 1, max: 100000, step: 1, value: 10 }),
      field("seed", "seed", { type: "number", min: 0, step: 1, value: 1 }),
      button("random", "Play at random", this.change("random", () => ({ seed: Number(this.seed.value), steps: Number(this.random_steps.value) })))));
    // What can be done comes before what is.
    right.insertBefore(state.enabledSection, right.children[1]);

    this.zone = el("pre", { id: "zone" });
    this.zoneBox = el("details", { id: "zone-box", toggle: () => this.showZone() }, el("summary", {}, "Zone of the path"),
      el("p", { class: "hint" }, "All clock values that the same transitions can lead to, with other delays."), this.zone);
    right.append(this.zoneBox);
  }

  /** The position on the page that is the server's place: at the end the last delay has passed. */
  position() {
    const { run } = this.app;
    return this.place.position === run.length ? run.end : this.place.position;
  }

  /** A change that the server makes. */
  change(path, body) {
    return guarded(async () => {
      tell("");
      const place = await ask(path, { revision: this.place.revision, ...body() });
      await this.arrive(place);
      const { played } = place;
      if (played) tell(`${grouped(played.steps)} random steps${played.stopped ? `; ${played.stopped}` : ""}`);
    });
  }

  /** The run or the place in it is another one. */
  async arrive(place) {
    this.place = place;
    this.seen.revision = place.revision;
    this.undo.disabled = place.changes === 0;
    if (place.trace !== this.seen.trace) {
      const { trace, run } = await ask("trace");
      this.seen.trace = trace;
      const next = new Run(run, this.app.document.model);
      if (this.isNew) this.app.use(next);
      this.isNew = false;
      this.app.replace(next, this.place.position === next.length ? next.end : this.place.position);
    } else {
      this.showChoices();
    }
    this.showZone();
  }

  /** The reader has gone somewhere; the server follows, once the reader stays. */
  moved() {
    clearTimeout(this.timer);
    const step = Math.min(this.app.position, this.app.run.length);
    if (!this.place || this.place.position === step) return;
    this.timer = setTimeout(guarded(async () => this.arrive(await ask("jump", { step }))), 50);
  }

  key(event) {
    if (event.key !== "u") return false;
    event.preventDefault();
    this.undo.click();
    return true;
  }

  showChoices() {
    if (!this.place || !this.app.run) return;
    const { place, app } = this;
    const isHere = this.position() === app.position;
    this.choices.hidden = !isHere;
    if (!isHere) {
      this.time.textContent = app.position === app.run.length && app.run.end > app.run.length
        ? "Time passes at the end of this run: go on to its end to continue it."
        : "…";
      return;
    }
    this.time.textContent = `Time ${place.time}${place.delays ? `; delays ${place.delays.text} are possible` : ""}.`;
    const wanted = this.choice_filter.value.trim().toLowerCase();
    const numbers = new Map(app.run.model.processes.map((process, number) => [process.name, number]));
    const { automata } = app.views;
    const next = app.position < app.run.length ? words(this.taken(app.position + 1)) : null;
    const rows = [];
    place.choices.forEach((choice, index) => {
      const text = words(choice);
      if (!text.toLowerCase().includes(wanted)) return;
      const parts = choice.edges.map((edge) => ({ process: numbers.get(edge.process), edge: edge.edge }));
      const light = () => automata.view.point(parts), dark = () => automata.view.point([]);
      rows.push(el("li", { class: text === next ? "next" : null }, el("button", {
        type: "button", "data-choice": index, mouseenter: light, focus: light, mouseleave: dark, blur: dark,
        click: this.change("take", () => {
          const delay = this.delay.value.trim();
          return delay ? { choice: index, delay } : { choice: index };
        }),
      }, el("span", { class: "window" }, choice.windows.text), ` ${text}`, text === next ? el("span", { class: "muted" }, " (taken next)") : null)));
    });
    if (place.error) rows.push(el("li", { class: "error" }, place.error));
    else if (place.choice_count === 0) rows.push(el("li", {}, `No transition is possible, now or later${place.time_stops ? ", and time stops" : ""}.`));
    else if (place.choice_count > place.choices.length) rows.push(el("li", {}, `… ${grouped(place.choice_count - place.choices.length)} more`));
    this.choices.replaceChildren(...rows);
  }

  /** A step of the run, in the form of a choice. */
  taken(step) {
    const { run } = this.app;
    const transition = run.step(step);
    return {
      channel: run.channelName(transition),
      edges: transition.parts.map((part) => {
        const names = run.selectNames.get(`${run.model.processes[part.process].template}.${part.edge}`) || [];
        return {
          process: run.model.processes[part.process].name,
          source: run.locationName(part.process, run.location(part.process, step - 1)),
          target: run.locationName(part.process, run.template(part.process).targets[part.edge]),
          selects: part.selects.map((value, i) => ({ name: names[i] || "?", value })),
        };
      }),
    };
  }

  showZone() {
    if (!this.zoneBox.open || !this.place) return;
    guarded(async () => {
      try {
        const zone = await ask("zone");
        const pieces = zone.pieces.map((piece) => piece.split(", ").join("\n"));
        this.zone.textContent = pieces.join("\n\nor\n\n") + (zone.approximate ? "\n\n(more than the path leads to: clocks can be stopped)" : "")
          + (zone.cut ? "\n\n(and further pieces)" : "");
      } catch (error) {
        this.zone.textContent = error.message;
      }
    })();
  }

  async save() {
    const link = el("a", { download: "run.json", href: URL.createObjectURL(new Blob([await ask("save")], { type: "application/json" })) });
    link.click();
    URL.revokeObjectURL(link.href);
  }

  async loadFile() {
    const file = this.load.files[0];
    if (!file) return;
    tell(`loading ${file.name} …`);
    try {
      const place = await ask("load", await file.text());
      await this.arrive(place);
      tell(`${file.name} is a run of this model: ${grouped(place.steps)} steps`);
    } finally {
      this.load.value = "";
    }
  }

  /** Another model, or the first one. */
  async useModel(model) {
    this.seen.model = model.model;
    this.seen.trace = -1;
    this.isNew = true;
    document.getElementById("name").textContent = model.name;
    document.title = `${model.name} – zonewalk`;
    const warnings = document.getElementById("warnings");
    warnings.hidden = model.warnings.length === 0;
    warnings.querySelector("pre").textContent = model.warnings.join("\n");
    this.queries.use(model.queries);
    this.app.document.model = model.page;
    this.app.player.hidden = Boolean(model.no_runs);
    const plain = document.getElementById("plain");
    plain.hidden = !model.no_runs;
    if (model.no_runs) {
      tell(`There are no runs to look at: ${model.no_runs}`, true);
      plain.replaceChildren(el("h2", {}, "Automata"), el("div", { class: "cards" }, ...model.page.templates.map((template) => {
        const picture = new DOMParser().parseFromString(template.svg, "image/svg+xml").documentElement;
        return el("section", { class: "card", "aria-label": template.name }, el("h3", {}, template.name),
          el("div", { class: "picture", tabindex: 0, role: "group", "aria-label": `drawing of ${template.name}` }, document.importNode(picture, true)));
      })));
      return;
    }
    await this.arrive(await ask("run"));
  }

  /** Asks again and again what is new: another model, another run, the query that is decided. */
  async watch() {
    let pause = 500;
    try {
      const { news, job } = await ask("status");
      this.queries.show(job);
      const broken = document.getElementById("broken");
      broken.hidden = !news.broken;
      broken.textContent = news.broken ? `The changed file has errors, and the earlier model stays:\n${news.broken}` : "";
      if (news.model !== this.seen.model) {
        await this.useModel(await ask("model"));
        tell(`The model was loaded again. ${news.note ?? ""}`);
      } else if (this.place && news.revision !== this.seen.revision) {
        await this.arrive(await ask("run"));
        // Another tab has moved.
        if (this.position() !== this.app.position) this.app.go(this.position());
      }
      if (job?.running) pause = 200;
    } catch (error) {
      tell(error.message, true);
      pause = 2000;
    }
    setTimeout(() => this.watch(), pause);
  }
}

async function serve() {
  const live = new Live();
  const wanted = location.hash;
  const model = await ask("model");
  await start({ live, load: async () => ({ model: model.page, runs: [] }) });
  if (!live.app) return;
  live.queries = new QueryPanel(document.getElementById("query-panel"), async () => live.arrive(await ask("open", {})));
  await live.useModel(model);
  if (wanted && live.app.run) {
    history.replaceState(null, "", wanted);
    live.app.follow();
  }
  live.watch();
}

guarded(serve)();
