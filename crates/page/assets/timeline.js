// Charts over time: the Gantt chart, and plots of variables and clocks. Both share an axis, by time or by steps.

const BAR = 24;
const NAMES = 150;
const PLOT = 84;
const HUES = 10;
/** Bars that are narrower are drawn together. */
const NARROW = 3;

/** What lies between the left and the right end of a chart. */
class Axis {
  constructor(app) {
    this.app = app;
    this.bySteps = false;
    this.zoom = 1;
  }

  reset() {
    this.zoom = 1;
    this.stood = this.app.run.duration === this.app.run.zero;
    this.bySteps = this.stood;
  }

  /** Of a run in which time has begun to pass, the axis shows that. */
  renew() {
    const stands = this.app.run.duration === this.app.run.zero;
    if (this.stood !== stands) this.bySteps = stands;
    this.stood = stands;
  }

  /** Where a position lies on the axis: when its step happens. */
  value(position) {
    const { run } = this.app;
    return this.bySteps ? position : run.seconds(run.time(position));
  }

  range() {
    const { run, position } = this.app;
    const whole = Math.max(this.bySteps ? run.end + 1 : run.seconds(run.duration), 1e-9);
    const size = whole / this.zoom;
    const from = clamp(this.value(position) - size / 2, 0, whole - size);
    return [from, from + size];
  }

  /** Positions in view, with one more on each side. */
  positions() {
    const { run } = this.app;
    const [from, to] = this.range();
    if (this.bySteps) return [Math.max(0, Math.floor(from)), Math.min(run.end, Math.ceil(to))];
    let low = 0, high = run.end;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.value(middle) < from) low = middle;
      else high = middle - 1;
    }
    const first = low;
    high = run.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.value(middle) > to) high = middle;
      else low = middle + 1;
    }
    return [first, low];
  }

  ticks() {
    const [from, to] = this.range();
    const rough = (to - from) / 8;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) || rough;
    const ticks = [];
    for (let tick = Math.ceil(from / step) * step; tick <= to + 1e-12; tick += step) ticks.push(Number(tick.toPrecision(10)));
    return ticks;
  }
}

/** A chart whose rows are drawn where they are in view. */
class Timeline {
  constructor(host, app, axis, label, rowHeight) {
    this.app = app;
    this.axis = axis;
    this.label = label;
    this.rowHeight = rowHeight;
    this.controls = el("div", { class: "controls" });
    this.scroll = el("div", { class: "chart", tabindex: 0, role: "group", "aria-label": label });
    this.head = svg("svg", { class: "heads", role: "presentation", height: 26 });
    this.spacer = el("div", { class: "rows" });
    this.body = svg("svg", { class: "lines", role: "img" });
    this.spacer.append(this.body);
    this.scroll.append(el("div", { class: "head" }, this.head), this.spacer);
    host.append(this.controls, this.scroll);
    this.controls.append(
      el("label", {}, "axis ", this.select = el("select", { change: () => this.setAxis(this.select.value === "steps") },
        el("option", { value: "time" }, "time"), el("option", { value: "steps" }, "steps"))),
      el("button", { type: "button", click: () => this.setZoom(this.axis.zoom * 2) }, "Zoom in"),
      el("button", { type: "button", click: () => this.setZoom(this.axis.zoom / 2) }, "Zoom out"),
      el("button", { type: "button", click: () => this.setZoom(1) }, "Fit"));
    const draw = oncePerFrame(() => this.draw());
    this.scroll.addEventListener("scroll", draw);
    new ResizeObserver(draw).observe(this.scroll);
    this.body.addEventListener("click", (event) => this.point(event));
  }

  setAxis(bySteps) {
    this.axis.bySteps = bySteps;
    this.draw();
  }

  setZoom(zoom) {
    this.axis.zoom = clamp(zoom, 1, 1e6);
    this.draw();
  }

  reset() {
    this.scroll.scrollTop = 0;
    this.drawn = null;
  }

  /** What is drawn is of another run. */
  renew() {
    this.drawn = null;
  }

  update() {
    this.draw();
  }

  x(value) {
    const [from, to] = this.axis.range();
    return NAMES + ((value - from) / (to - from)) * (this.width - NAMES - 12);
  }

  /** To the last position at or before the place of a click. */
  point(event) {
    const [from, to] = this.axis.range();
    const at = event.clientX - this.body.getBoundingClientRect().left;
    const value = from + ((at - NAMES) / (this.width - NAMES - 12)) * (to - from);
    const [first, last] = this.axis.positions();
    let best = first;
    for (let position = first; position <= last; position += 1) if (this.axis.value(position) <= value + 1e-9) best = position;
    this.app.go(best);
  }

  draw() {
    const { run } = this.app;
    this.width = this.scroll.clientWidth - 14;
    if (!run || this.width < NAMES + 50) return;
    this.select.value = this.axis.bySteps ? "steps" : "time";
    const rows = this.rows();
    this.spacer.style.height = `${rows.length * this.rowHeight}px`;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / this.rowHeight) - 1);
    const last = Math.min(rows.length, Math.ceil((this.scroll.scrollTop + this.scroll.clientHeight) / this.rowHeight) + 1);
    const tall = Math.max(1, last - first) * this.rowHeight;
    // Where only the position has moved, the drawing stays: a long run has too many changes to draw at every step.
    const drawn = [run.data.title, this.app.number, ...this.axis.range(), this.axis.bySteps, this.width, first, last, this.rowsKey(rows)].join();
    if (drawn === this.drawn) {
      this.move(tall);
      return;
    }
    this.drawn = drawn;
    this.body.setAttribute("width", this.width);
    this.body.setAttribute("height", tall);
    this.body.style.top = `${first * this.rowHeight}px`;
    this.head.setAttribute("width", this.width);
    const ticks = this.axis.ticks();
    this.head.replaceChildren(
      svg("text", { x: 8, y: 17, class: "muted" }, this.axis.bySteps ? "step" : "time"),
      ...ticks.map((tick) => svg("text", { x: this.x(tick), y: 17, "text-anchor": "middle", class: "muted" }, String(tick))));
    const nodes = ticks.map((tick) => svg("line", { class: "grid", x1: this.x(tick), x2: this.x(tick), y1: 0, y2: tall }));
    for (let row = first; row < last; row += 1) nodes.push(this.row(rows[row], (row - first) * this.rowHeight));
    this.marker = svg("line", { class: "marker" });
    nodes.push(this.marker);
    this.body.replaceChildren(...nodes);
    this.move(tall);
  }

  /** Shows the position in what is drawn. */
  move(tall) {
    const { run, position } = this.app;
    const now = this.x(this.axis.value(position));
    for (const [name, value] of [["x1", now], ["x2", now], ["y1", 0], ["y2", tall]]) this.marker.setAttribute(name, value);
    this.mark();
    const where = this.axis.bySteps ? `step ${position}` : `time ${run.readable(run.time(position))}`;
    this.body.setAttribute("aria-label", `${this.label}, at ${where}`);
  }

  name(text, y) {
    return svg("text", { x: 8, y, class: "row-name" }, svg("title", {}, text), cut(text, 20));
  }
}

class GanttView extends Timeline {
  constructor(host, app, axis) {
    super(host, app, axis, "Gantt chart", BAR);
  }

  rows() {
    const { run } = this.app;
    const own = this.axis.bySteps ? [] : run.data.gantt;
    return [...own, ...this.app.processes()];
  }

  rowsKey(rows) {
    return `${rows.length} ${rows.length ? rows[rows.length - 1] : ""} ${rows[0]}`;
  }

  /** Which bars are those of the position. A long run has thousands of them: they are read once for each drawing. */
  mark() {
    const { run, position } = this.app;
    if (this.barsOf !== this.marker) {
      this.barsOf = this.marker;
      this.marks = [...this.body.querySelectorAll("[data-from]")].map((bar) => ({
        bar, from: Number(bar.dataset.from), to: Number(bar.dataset.to), isLast: bar.dataset.last === "yes", isNow: false,
      }));
    }
    for (const mark of this.marks) {
      const isNow = position >= mark.from && (position < mark.to || (mark.to >= run.end && mark.isLast));
      if (isNow === mark.isNow) continue;
      mark.isNow = isNow;
      mark.bar.classList.toggle("now", isNow);
    }
  }

  row(row, y) {
    const group = svg("g", {});
    if (typeof row === "number") {
      group.dataset.process = this.app.run.model.processes[row].name;
      group.append(this.name(group.dataset.process, y + 16), ...this.locations(row, y));
    } else {
      group.classList.add("own");
      group.dataset.row = row.name;
      group.append(this.name(row.name, y + 16), ...this.bars(row, y));
    }
    return group;
  }

  /** The locations of a process over time. What is too narrow to be seen is drawn together. */
  locations(process, y) {
    const { run } = this.app;
    const [firstPosition, lastPosition] = this.axis.positions();
    const nodes = [];
    const { moves } = run;
    let at = moves.last(process, firstPosition);
    let from = at < 0 ? 0 : moves.steps[at];
    let narrow = null;
    const flush = () => {
      if (narrow) nodes.push(svg("rect", { class: "many", x: narrow[0], y: y + 4, width: Math.max(1, narrow[1] - narrow[0]), height: BAR - 8 }, svg("title", {}, "several locations")));
      narrow = null;
    };
    for (;;) {
      const next = (at < 0 ? moves.first[process] : at + 1);
      const isLast = next >= moves.first[process + 1];
      const to = isLast ? run.end + (this.axis.bySteps ? 1 : 0) : moves.steps[next];
      const left = clamp(this.x(this.axis.value(from)), NAMES, this.width), right = clamp(this.x(this.axis.bySteps ? to : this.axis.value(Math.min(to, run.end))), NAMES, this.width);
      if (right - left < NARROW) {
        if (narrow && left - narrow[1] < NARROW) narrow[1] = right;
        else {
          flush();
          narrow = [left, right];
        }
      } else {
        flush();
        nodes.push(...this.bar(process, from, to, left, right, y));
      }
      if (isLast || to > lastPosition) break;
      at = next;
      from = to;
    }
    flush();
    return nodes;
  }

  bar(process, from, to, left, right, y) {
    const { run } = this.app;
    const location = run.location(process, from);
    const name = run.locationName(process, location);
    const isLast = run.moves.last(process, run.end) === run.moves.last(process, from);
    const times = `${run.readable(run.time(from))} to ${run.readable(run.time(Math.min(to, run.end)))}`;
    const nodes = [svg("rect", {
      class: `bar hue${location % HUES}`, x: left, y: y + 3, width: right - left, height: BAR - 6, rx: 3,
      "data-location": name, "data-from": from, "data-to": to, "data-last": isLast ? "yes" : null,
    }, svg("title", {}, `${run.model.processes[process].name} in ${name}, time ${times}`))];
    if (right - left > name.length * 6.4 + 8) nodes.push(svg("text", { class: "bar-name", x: left + 5, y: y + 16 }, name));
    return nodes;
  }

  /** A row of the model's own chart. */
  bars(row, y) {
    const { run } = this.app;
    const [from, to] = this.axis.range();
    const nodes = [];
    for (const [start, end, color] of row.bars) {
      const [a, b] = [run.seconds(run.number(start)), run.seconds(run.number(end))];
      if (b < from || a > to) continue;
      const left = clamp(this.x(a), NAMES, this.width), right = clamp(this.x(b), NAMES, this.width);
      const text = `${row.name}, time ${run.readable(run.number(start))} to ${run.readable(run.number(end))}, colour ${color}`;
      nodes.push(svg("rect", { class: `bar hue${((color % HUES) + HUES) % HUES}`, x: left, y: y + 3, width: Math.max(1, right - left), height: BAR - 6, rx: 3, "data-color": color },
        svg("title", {}, text)));
    }
    return nodes;
  }
}

class PlotView extends Timeline {
  constructor(host, app, axis) {
    super(host, app, axis, "plots", PLOT);
    this.names = el("datalist", { id: "plot-names" });
    this.input = el("input", { type: "text", list: "plot-names", id: "plot-add", placeholder: "variable or clock", "aria-label": "variable or clock to plot", autocomplete: "off", change: () => this.add() });
    this.chips = el("span", { class: "chips" });
    this.controls.append(el("label", { for: "plot-add" }, "plot "), this.input, this.names, this.chips);
  }

  reset() {
    super.reset();
    const { run } = this.app;
    const all = [...run.model.variables.map((name, id) => ({ name, id })), ...run.model.clocks.map((name, id) => ({ name, id, isClock: true }))];
    this.all = new Map(all.map((series) => [series.name, series]));
    this.names.replaceChildren(...all.slice(0, 2000).map((series) => el("option", { value: series.name })));
    this.isOwn = false;
    this.suggest();
  }

  /** The first variables that change and the first clocks, until the reader has chosen. */
  suggest() {
    const { run } = this.app;
    const all = [...this.all.values()];
    const changing = all.filter((series) => !series.isClock && run.writes.count(series.id) > 0).slice(0, 4);
    const clocks = all.filter((series) => series.isClock).slice(0, changing.length ? 2 : 4);
    this.series = [...changing, ...clocks];
    this.showChips();
  }

  renew() {
    super.renew();
    if (!this.isOwn) this.suggest();
  }

  add() {
    const found = this.all.get(this.input.value.trim());
    if (!found) return;
    if (!this.series.includes(found)) this.series.push(found);
    this.isOwn = true;
    this.input.value = "";
    this.showChips();
    this.draw();
  }

  showChips() {
    this.chips.replaceChildren(...this.series.map((series) => el("button", {
      type: "button", class: "chip", "aria-label": `remove the plot of ${series.name}`,
      click: () => {
        this.series = this.series.filter((other) => other !== series);
        this.isOwn = true;
        this.showChips();
        this.draw();
      },
    }, `${series.name} ×`)));
  }

  rows() {
    return this.series;
  }

  rowsKey(rows) {
    return rows.map((series) => series.name).join("\n");
  }

  /** The values at the position. */
  mark() {
    const { run, position, lap } = this.app;
    for (const group of this.body.querySelectorAll("[data-series]")) {
      const series = this.all.get(group.dataset.series);
      const now = series.isClock ? run.readable(run.clock(series.id, position, lap)) : String(run.variable(series.id, position));
      group.dataset.value = now;
      group.querySelector(".now-value").textContent = `= ${cut(now, 18)}`;
    }
  }

  /** A variable holds its value until the next step; a clock grows along a line. */
  row(series, top) {
    const [first, last] = this.axis.positions();
    const points = series.isClock ? this.clockPoints(series.id, first, last) : this.variablePoints(series.id, first, last);
    let low = Infinity, high = -Infinity;
    for (const [, value] of points) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    if (low === high) [low, high] = [low - 1, high + 1];
    const y = (value) => top + PLOT - 14 - ((value - low) / (high - low)) * (PLOT - 30);
    let path = "", lastX = null, column = [];
    const flush = () => {
      if (!column.length) return;
      // At most four points in a column of pixels.
      const values = column.map((point) => point[1]);
      const kept = column.length <= 4 ? column : [column[0], [column[0][0], Math.min(...values)], [column[0][0], Math.max(...values)], column[column.length - 1]];
      for (const [x, value] of kept) path += `${path ? "L" : "M"}${x.toFixed(1)} ${y(value).toFixed(1)}`;
      column = [];
    };
    for (const [at, value] of points) {
      const x = clamp(this.x(at), NAMES, this.width);
      if (lastX !== null && Math.round(x) !== lastX) flush();
      lastX = Math.round(x);
      column.push([x, value]);
    }
    flush();
    return svg("g", { "data-series": series.name },
      this.name(series.name, top + 24),
      svg("text", { x: 8, y: top + 42, class: "muted now-value" }),
      svg("text", { x: NAMES - 6, y: y(high) + 4, class: "muted", "text-anchor": "end" }, String(Number(high.toPrecision(6)))),
      svg("text", { x: NAMES - 6, y: y(low) + 4, class: "muted", "text-anchor": "end" }, String(Number(low.toPrecision(6)))),
      svg("line", { class: "grid", x1: NAMES, x2: this.width, y1: top + PLOT - 1, y2: top + PLOT - 1 }),
      svg("path", { class: series.isClock ? "curve clock" : "curve", d: path }));
  }

  variablePoints(id, first, last) {
    const { run } = this.app;
    const { writes } = run;
    let value = run.variable(id, first);
    const points = [[this.axis.value(first), value]];
    for (let at = writes.last(id, first) + 1 || writes.first[id]; at < writes.first[id + 1] && writes.steps[at] <= last; at += 1) {
      const when = this.axis.value(writes.steps[at]);
      points.push([when, value]);
      value = run.data.variables.value[writes.places[at]];
      points.push([when, value]);
    }
    points.push([this.axis.bySteps ? last + 1 : this.axis.value(last), value]);
    return points;
  }

  clockPoints(id, first, last) {
    const { run } = this.app;
    const points = [];
    for (let position = first; position <= last; position += 1) {
      if (position > first) {
        const before = run.clock(id, position - 1) + run.number(run.rate(id, position - 1)) * run.delay(position);
        points.push([this.axis.value(position), run.seconds(before)]);
      }
      points.push([this.axis.value(position), run.seconds(run.clock(id, position))]);
    }
    return points;
  }
}
