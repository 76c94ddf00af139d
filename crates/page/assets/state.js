// The state at the present position: locations, variables, clocks, and what is possible next.

class StateView {
  constructor(host, app) {
    this.app = app;
    this.find = el("input", { type: "search", id: "find-name", placeholder: "name", "aria-label": "show only names with", autocomplete: "off", input: () => this.update() });
    this.lists = {};
    host.append(el("div", { class: "controls" }, el("label", { for: "find-name" }, "names with "), this.find));
    for (const [key, title] of [["locations", "Locations"], ["variables", "Variables"], ["clocks", "Clocks"]]) {
      const box = el("div", { class: "values", id: `state-${key}` });
      const count = el("span", { class: "muted" });
      const section = el("section", {}, el("h3", {}, title, " ", count), box);
      const list = new VirtualList(box, 24, (index, row) => this.row(key, index, row), { role: "list", label: title });
      this.lists[key] = { section, count, list, ids: [] };
      host.append(section);
    }
    this.enabled = el("ul", { class: "enabled" });
    this.enabledNote = el("p", { class: "hint" });
    this.enabledSection = el("section", { id: "enabled" }, el("h3", {}, "Possible next"), this.enabledNote, this.enabled);
    host.append(this.enabledSection);
  }

  reset() {
    this.find.value = "";
    this.matched = null;
  }

  names(key) {
    const { model } = this.app.run;
    return key === "locations" ? model.processes.map((process) => process.name) : model[key];
  }

  update() {
    const wanted = this.find.value.trim().toLowerCase();
    if (this.matched !== wanted) {
      this.matched = wanted;
      for (const [key, entry] of Object.entries(this.lists)) {
        const names = this.names(key);
        entry.ids = names.map((_, id) => id).filter((id) => names[id].toLowerCase().includes(wanted));
        entry.count.textContent = entry.ids.length === names.length ? `(${grouped(names.length)})` : `(${grouped(entry.ids.length)} of ${grouped(names.length)})`;
        entry.section.hidden = names.length === 0;
        entry.list.setCount(entry.ids.length);
      }
    } else {
      for (const { list } of Object.values(this.lists)) list.refresh();
    }
    this.showEnabled();
  }

  row(key, index, row) {
    const { run, position, lap } = this.app;
    const id = this.lists[key].ids[index];
    const step = position > 0 && position <= run.length ? position : 0;
    let value, changed, exact;
    if (key === "locations") {
      value = run.locationName(id, run.location(id, position));
      changed = step && run.step(step).parts.some((part) => part.process === id);
    } else if (key === "variables") {
      value = String(run.variable(id, position));
      changed = step && run.writes.last(id, step) >= 0 && run.writes.steps[run.writes.last(id, step)] === step;
    } else {
      value = run.readable(run.clock(id, position, lap));
      exact = run.exact(run.clock(id, position, lap));
      const at = run.sets.last(id, step);
      changed = step && at >= 0 && run.sets.steps[at] === step;
      const rate = run.rate(id, position);
      if (rate !== 1) value += ` (rate ${rate})`;
    }
    const name = this.names(key)[id];
    row.classList.toggle("changed", Boolean(changed));
    row.dataset.name = name;
    row.dataset.value = value;
    row.append(el("span", { class: "name", title: name }, name), el("span", { class: "value", title: exact ?? value }, value));
  }

  showEnabled() {
    const { run, position, live } = this.app;
    if (live) {
      live.showChoices();
      return;
    }
    const list = run.data.enabled[Math.min(position, run.length)];
    this.enabledSection.hidden = !list;
    if (!list) return;
    const next = position < run.length ? run.data.steps[position] : -1;
    this.enabledNote.textContent = position > run.length
      ? "Before the last delay:"
      : list.length ? "Each with the delays after which it can be taken." : "No transition, however long one waits.";
    this.enabled.replaceChildren(...list.map(([number, windows]) => {
      const text = run.transitionText(run.transition(number), Math.min(position, run.length));
      return el("li", { class: number === next ? "next" : null, "data-transition": number },
        el("span", { class: "window" }, run.data.windows[windows]), " ", el("span", {}, text),
        number === next ? el("span", { class: "muted" }, " (taken next)") : null);
    }));
  }
}
