// The automata: one card for each process that is shown, with its location and the edges just taken lit.

const CARDS = 12;

class AutomataView {
  constructor(host, app) {
    this.host = host;
    this.app = app;
    this.cards = new Map();
    this.order = [];
    this.parsed = new Map();
    this.note = el("p", { class: "hint" });
    this.grid = el("div", { class: "cards" });
    this.full = el("input", { type: "checkbox", id: "full-size", change: () => host.classList.toggle("full", this.full.checked) });
    host.append(
      el("div", { class: "controls" }, el("label", {}, this.full, " full size"), this.note),
      this.grid,
    );
  }

  reset() {
    this.cards.clear();
    this.order = [];
    this.parsed.clear();
    this.grid.replaceChildren();
  }

  /** The run has changed, the model has not. */
  renew() {}

  /** Marks the edges of a transition that is possible, and of no other one. */
  point(parts) {
    for (const card of this.cards.values()) for (const node of card.picture.querySelectorAll(".possible")) node.classList.remove("possible");
    for (const { process, edge } of parts) {
      const card = this.cards.get(process);
      if (card) for (const drawn of this.app.run.template(process).drawn[edge] || []) card.edges.get(drawn)?.classList.add("possible");
    }
  }

  /** The processes to show: all of a few; of many those that take part in the step, then those that were shown before. */
  shown() {
    const { run, position } = this.app;
    const all = this.app.processes();
    if (all.length <= CARDS) return all;
    const wanted = new Set(all);
    const parts = position > 0 && position <= run.length ? run.step(position).parts.map((part) => part.process) : [];
    const list = [...new Set([...parts, ...this.order, ...all.slice(0, CARDS)])];
    return list.filter((process) => wanted.has(process)).slice(0, CARDS).sort((a, b) => a - b);
  }

  update() {
    const { run, position } = this.app;
    const list = this.shown();
    this.order = list;
    const total = this.app.processes().length;
    this.note.textContent = list.length < total
      ? `${list.length} of ${grouped(total)} processes: those of this step, and of those before. Filter by process to see others.`
      : "";
    const keep = new Set(list);
    for (const [process, card] of this.cards) {
      if (!keep.has(process)) {
        card.node.remove();
        this.cards.delete(process);
      }
    }
    const moved = new Map();
    if (position > 0 && position <= run.length) {
      for (const part of run.step(position).parts) moved.set(part.process, part.edge);
    }
    let before = null;
    for (const process of list) {
      let card = this.cards.get(process);
      if (!card) {
        card = this.card(process);
        this.cards.set(process, card);
      }
      const next = before ? before.nextSibling : this.grid.firstChild;
      if (next !== card.node) this.grid.insertBefore(card.node, next);
      before = card.node;
      this.light(card, process, moved);
    }
    const first = list.find((process) => moved.has(process));
    if (first !== undefined) this.reveal(this.cards.get(first).node);
  }

  /** Scrolls to a card that is not seen as a whole. */
  reveal(node) {
    const { grid } = this;
    const top = node.offsetTop - grid.offsetTop;
    if (top < grid.scrollTop || top + node.offsetHeight > grid.scrollTop + grid.clientHeight) grid.scrollTop = top;
  }

  card(process) {
    const { run } = this.app;
    const template = run.model.processes[process].template;
    if (!this.parsed.has(template)) {
      const parsed = new DOMParser().parseFromString(run.model.templates[template].svg, "image/svg+xml");
      this.parsed.set(template, parsed.documentElement);
    }
    const picture = document.importNode(this.parsed.get(template), true);
    const locations = new Map(), edges = new Map();
    for (const node of picture.querySelectorAll("[data-location]")) locations.set(Number(node.dataset.location), node);
    for (const node of picture.querySelectorAll("[data-edge]")) edges.set(Number(node.dataset.edge), node);
    const where = el("span", { class: "where" });
    const name = run.model.processes[process].name;
    const side = run.model.processes[process].side;
    const label = side === undefined ? name : `${run.model.sides[side]}: ${name}`;
    const node = el("section", { class: "card", "data-process": name, "aria-label": label },
      el("h3", {}, el("span", {}, name), where),
      el("div", { class: "picture", tabindex: 0, role: "group", "aria-label": `drawing of ${name}` }, picture));
    if (side !== undefined) node.dataset.side = side;
    return { node, picture, where, locations, edges, lit: [] };
  }

  light(card, process, moved) {
    for (const node of card.lit) node.classList.remove("here", "taken");
    card.lit = [];
    const { run, position } = this.app;
    const location = run.location(process, position);
    const light = (node, name) => {
      if (!node) return;
      node.classList.add(name);
      card.lit.push(node);
    };
    light(card.locations.get(location), "here");
    const edge = moved.get(process);
    if (edge !== undefined) for (const drawn of run.template(process).drawn[edge] || []) light(card.edges.get(drawn), "taken");
    const name = run.locationName(process, location);
    card.where.textContent = name;
    card.node.dataset.at = name;
    card.node.classList.toggle("moved", edge !== undefined);
    card.picture.setAttribute("aria-label", `${run.model.processes[process].name} is in ${name}`);
  }
}
