// The queries of the model, a field for others, and the one that is decided.

class QueryPanel {
  /** `open` is called to show the run of the last answer. */
  constructor(host, open) {
    this.list = el("ol", { id: "queries" });
    this.formula = el("input", { type: "text", id: "formula", placeholder: "E<> P.location and x > 3", autocomplete: "off" });
    const form = el("form", { id: "ask", class: "controls", submit: (event) => {
      event.preventDefault();
      this.check({ formula: this.formula.value });
    } }, el("label", { for: "formula" }, "Formula"), this.formula, el("button", {}, "Check"));
    this.query = el("h3", { id: "job-query" });
    this.badge = el("span", { class: "badge", id: "job-verdict" });
    this.state = el("span", { id: "job-state" });
    this.text = el("pre", { id: "job-text" });
    this.cancel = el("button", { type: "button", id: "cancel", click: guarded(async () => this.show(await ask("cancel", {}))) }, "Cancel");
    this.open = el("button", { type: "button", id: "open", click: guarded(open) }, "Open its run");
    this.job = el("article", { id: "job", class: "result", hidden: true, "aria-label": "answer" },
      el("p", { class: "verdict", role: "status" }, this.badge, this.state), this.query,
      el("p", { class: "show" }, this.cancel, " ", this.open), this.text);
    host.append(this.list, form, this.job);
  }

  /** The queries of a model. */
  use(queries) {
    this.list.replaceChildren(...queries.map((query) => el("li", { value: query.number },
      el("button", { type: "button", "data-query": query.number, "aria-label": `check query ${query.number}`, click: () => this.check({ query: query.number }) }, "Check"),
      " ", el("code", {}, query.text), query.comment ? el("span", { class: "hint" }, ` ${query.comment}`) : null,
      query.error ? el("pre", { class: "error" }, query.error) : null)));
  }

  check(what) {
    guarded(async () => {
      tell("");
      this.show(await ask("check", what));
    })();
  }

  show(job) {
    this.job.hidden = !job;
    if (!job) return;
    this.query.textContent = job.query;
    const seconds = `${job.elapsed_s.toFixed(1)} s`;
    const verdict = job.running ? "" : job.error ? "cannot be checked" : job.result?.verdict ?? "";
    this.badge.textContent = verdict;
    this.badge.hidden = !verdict;
    const finding = { satisfied: "passed", "not satisfied": "failed" }[verdict] || (job.running ? "" : job.error ? "error" : "undecided");
    this.job.className = `result ${finding}`;
    this.state.textContent = job.running
      ? `${job.cancelled ? "is being cancelled" : "is being decided"}, ${seconds}`
      : `${job.cancelled ? "cancelled, " : ""}${seconds}`;
    this.text.textContent = job.running ? job.progress.join("\n") : job.error ?? job.text;
    this.cancel.disabled = !job.running || job.cancelled;
    this.open.disabled = !job.has_run;
  }
}
