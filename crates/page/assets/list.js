// A list that has elements for visible rows alone.

class VirtualList {
  /** `render(index, row)` fills a row; `options.role` is `listbox` where a row can be chosen. */
  constructor(host, rowHeight, render, options) {
    this.host = host;
    this.rowHeight = rowHeight;
    this.render = render;
    this.isListbox = options.role === "listbox";
    this.count = 0;
    this.chosen = -1;
    this.all = false;
    this.rows = new Map();
    this.inner = el("div", { class: "rows", role: "presentation" });
    host.append(this.inner);
    host.tabIndex = 0;
    host.setAttribute("role", options.role);
    host.setAttribute("aria-label", options.label);
    const draw = oncePerFrame(() => this.draw());
    host.addEventListener("scroll", draw);
    new ResizeObserver(draw).observe(host);
    if (options.choose) {
      this.inner.addEventListener("click", (event) => {
        const row = event.target.closest("[data-row]");
        if (row) options.choose(Number(row.dataset.row));
      });
    }
  }

  setCount(count) {
    this.count = count;
    this.inner.style.height = `${count * this.rowHeight}px`;
    this.refresh();
  }

  choose(index) {
    if (index === this.chosen) return;
    this.chosen = index;
    this.refresh();
  }

  /** Draws all visible rows again. */
  refresh() {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.draw();
  }

  draw() {
    const height = this.host.clientHeight || 400;
    const first = this.all ? 0 : Math.max(0, Math.floor(this.host.scrollTop / this.rowHeight) - 4);
    const last = this.all ? this.count : Math.min(this.count, Math.ceil((this.host.scrollTop + height) / this.rowHeight) + 4);
    for (const [index, row] of this.rows) {
      if (index < first || index >= last) {
        row.remove();
        this.rows.delete(index);
      }
    }
    for (let index = first; index < last; index += 1) {
      if (this.rows.has(index)) continue;
      const row = el("div", {
        class: "row",
        role: this.isListbox ? "option" : "listitem",
        id: `${this.host.id}-${index}`,
        "data-row": index,
        "aria-posinset": index + 1,
        "aria-setsize": this.count,
      });
      if (this.isListbox) row.setAttribute("aria-selected", String(index === this.chosen));
      row.style.top = `${index * this.rowHeight}px`;
      row.style.height = `${this.rowHeight}px`;
      this.render(index, row);
      this.inner.append(row);
      this.rows.set(index, row);
    }
    if (this.isListbox) {
      const id = `${this.host.id}-${this.chosen}`;
      if (this.rows.has(this.chosen)) this.host.setAttribute("aria-activedescendant", id);
      else this.host.removeAttribute("aria-activedescendant");
    }
  }

  /** Scrolls as little as needed. */
  reveal(index) {
    const top = index * this.rowHeight;
    const { scrollTop, clientHeight } = this.host;
    if (top < scrollTop + this.rowHeight) this.host.scrollTop = Math.max(0, top - this.rowHeight);
    else if (top + 2 * this.rowHeight > scrollTop + clientHeight) this.host.scrollTop = top + 2 * this.rowHeight - clientHeight;
  }
}
