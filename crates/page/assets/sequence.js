// The sequence chart: a lifeline for each process, a row for each step, drawn for the rows in view.

const ROW = 42;
const LIFELINES = 24;
const TIME_COLUMN = 84;

class SequenceView {
  constructor(host, app) {
    this.app = app;
    this.note = el("p", { class: "hint" });
    this.head = svg("svg", { class: "heads", role: "presentation" });
    this.scroll = el("div", { class: "chart", tabindex: 0, role: "group", "aria-label": "sequence chart" });
    this.spacer = el("div", { class: "rows" });
    this.body = svg("svg", { class: "lines", role: "img" });
    this.spacer.append(this.body);
    this.scroll.append(el("div", { class: "head" }, this.head), this.spacer);
    host.append(el("div", { class: "controls" }, this.note), this.scroll);
    const draw = oncePerFrame(() => this.draw());
    this.scroll.addEventListener("scroll", draw);
    new ResizeObserver(draw).observe(this.scroll);
    this.body.addEventListener("click", (event) => {
      const row = event.target.closest("[data-step]");
      if (row) app.go(Number(row.dataset.step));
    });
  }

  reset() {
    this.columns = [];
    this.scroll.scrollTop = 0;
  }

  /** Every drawing is of the present run. */
  renew() {}

  /** Which processes have a lifeline: all of a few, of many those that take part near the step. */
  lifelines() {
    const { run, position } = this.app;
    const all = this.app.processes();
    if (all.length <= LIFELINES) return all;
    const wanted = new Set(all);
    const near = new Set();
    for (let distance = 0; distance < 200 && near.size < LIFELINES; distance += 1) {
      for (const step of distance ? [position - distance, position + distance] : [position]) {
        if (step < 1 || step > run.length) continue;
        for (const part of run.step(step).parts) if (wanted.has(part.process) && near.size < LIFELINES) near.add(part.process);
      }
    }
    return [...near].sort((a, b) => a - b);
  }

  update() {
    const { run, position } = this.app;
    this.columns = this.lifelines();
    const total = this.app.processes().length;
    this.note.textContent = this.columns.length < total
      ? `${this.columns.length} of ${grouped(total)} lifelines: those of the steps around. Filter by process to see others.`
      : "";
    this.spacer.style.height = `${(run.end + 1) * ROW}px`;
    const top = position * ROW, { scrollTop, clientHeight } = this.scroll;
    if (top < scrollTop + 2 * ROW || top > scrollTop + clientHeight - 4 * ROW) this.scroll.scrollTop = Math.max(0, top - clientHeight / 2);
    this.draw();
  }

  draw() {
    const { run, position } = this.app;
    if (!run || !this.scroll.clientWidth) return;
    const wide = clamp((this.scroll.clientWidth - TIME_COLUMN - 30) / Math.max(1, this.columns.length), 110, 190);
    const width = TIME_COLUMN + wide * this.columns.length;
    const x = new Map(this.columns.map((process, i) => [process, TIME_COLUMN + wide * (i + 0.5)]));
    const height = this.scroll.clientHeight;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - 2);
    const last = Math.min(run.end, Math.ceil((this.scroll.scrollTop + height) / ROW) + 2);
    this.head.setAttribute("width", width);
    this.head.setAttribute("height", 30);
    const letters = Math.floor(wide / 7.5);
    this.head.replaceChildren(
      svg("text", { x: 8, y: 20, class: "muted" }, "time"),
      ...this.columns.map((process) => {
        const name = run.model.processes[process].name;
        return svg("text", { x: x.get(process), y: 20, "text-anchor": "middle", class: "head-name" }, svg("title", {}, name), cut(name, letters));
      }));
    const y = (step) => (step - first) * ROW + ROW / 2;
    const tall = (last - first + 1) * ROW;
    this.body.setAttribute("width", width);
    this.body.setAttribute("height", tall);
    this.body.style.top = `${first * ROW}px`;
    const nodes = this.columns.map((process) => svg("line", { class: "lifeline", x1: x.get(process), x2: x.get(process), y1: 0, y2: tall }));
    for (let step = first; step <= last; step += 1) nodes.push(this.row(step, y(step), x, width, letters));
    this.body.replaceChildren(...nodes);
    this.body.setAttribute("aria-label", `sequence chart, steps ${first} to ${last}, at step ${position}`);
  }

  row(step, y, x, width, letters) {
    const { run, position } = this.app;
    const row = svg("g", { class: "step", "data-step": step });
    if (step === position) row.classList.add("now");
    if (run.isInCycle(step)) row.classList.add("cycle");
    row.append(svg("rect", { class: "back", x: 0, y: y - ROW / 2, width, height: ROW }));
    const time = run.readable(run.time(step));
    if (step === 0 || run.delay(step) > run.zero) row.append(svg("text", { x: 8, y: y + 4, class: "time" }, `t = ${cut(time, 9)}`));
    if (step === 0 || step > run.length) {
      row.append(svg("title", {}, run.text(step)));
      if (step === 0) for (const [process, at] of x) row.append(...this.pill(process, 0, at, y, letters));
      return row;
    }
    const transition = run.step(step);
    const seen = transition.parts.filter((part) => x.has(part.process));
    row.append(svg("title", {}, `step ${step}: ${run.text(step)}`));
    const [sender, ...receivers] = transition.parts;
    const channel = run.channelName(transition);
    row.dataset.channel = channel;
    row.dataset.parts = transition.parts.map((part) => run.model.processes[part.process].name).join(" ");
    if (receivers.length && x.has(sender.process)) {
      const from = x.get(sender.process);
      for (const receiver of receivers) {
        if (!x.has(receiver.process)) continue;
        const to = x.get(receiver.process), way = Math.sign(to - from);
        const tip = to - way * 2;
        row.append(svg("path", { class: "message", d: `M${from} ${y - 4}H${tip}` }),
          svg("path", { class: "tip", d: `M${tip} ${y - 4}l${-way * 7} -3.5v7Z` }));
      }
      const others = receivers.filter((part) => x.has(part.process)).map((part) => x.get(part.process));
      if (others.length) row.append(svg("text", { class: "channel", x: (from + others[0]) / 2, y: y - 8, "text-anchor": "middle" }, channel));
    } else if (channel && seen.length) {
      row.append(svg("text", { class: "channel", x: x.get(seen[0].process), y: y - 6, "text-anchor": "middle" }, `${channel}!`));
    }
    for (const part of seen) row.append(...this.pill(part.process, step, x.get(part.process), y, letters));
    return row;
  }

  /** The location that a process enters. */
  pill(process, step, x, y, letters) {
    const { run } = this.app;
    const name = run.locationName(process, run.location(process, step));
    const text = cut(name, letters - 2);
    const width = text.length * 6.6 + 12;
    return [
      svg("rect", { class: "pill", x: x - width / 2, y, width, height: 17, rx: 8, "data-process": run.model.processes[process].name, "data-location": name }),
      svg("text", { class: "pill-name", x, y: y + 12.5, "text-anchor": "middle" }, text),
    ];
  }
}

/** A name, shortened where there is no room for it. */
function cut(text, letters) {
  return text.length <= letters ? text : `${text.slice(0, Math.max(1, letters - 1))}…`;
}
