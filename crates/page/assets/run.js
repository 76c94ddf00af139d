// A run: columns of changes in, values at any position out. Every question is a binary search.

/** Who changed when: for each id the steps that touch it, in order, and the place of each change in its column. */
class History {
  constructor(size, counts, ids) {
    this.first = new Int32Array(size + 1);
    for (const id of ids) this.first[id + 1] += 1;
    for (let id = 0; id < size; id += 1) this.first[id + 1] += this.first[id];
    const next = this.first.slice(0, size);
    this.steps = new Int32Array(ids.length);
    this.places = new Int32Array(ids.length);
    let place = 0;
    for (let step = 0; step < counts.length; step += 1) {
      for (let i = 0; i < counts[step]; i += 1, place += 1) {
        const at = next[ids[place]]++;
        this.steps[at] = step + 1;
        this.places[at] = place;
      }
    }
  }

  /** The last change of `id` up to a step, as an index into `steps` and `places`; −1 if there is none. */
  last(id, step) {
    const at = upTo(this.steps, step, this.first[id], this.first[id + 1]) - 1;
    return at < this.first[id] ? -1 : at;
  }

  /** How often `id` changes. */
  count(id) {
    return this.first[id + 1] - this.first[id];
  }
}

class Run {
  constructor(data, pageModel) {
    this.data = data;
    this.model = data.model || pageModel;
    // Integers of one kind: the operators below never mix them.
    this.number = data.big ? BigInt : Number;
    this.zero = this.number(0);
    this.unit = this.number(data.unit);
    this.length = data.steps.length;
    this.times = [this.zero];
    for (const delay of data.delays) this.times.push(this.times[this.times.length - 1] + this.number(delay));
    this.lastDelay = this.number(data.last_delay);
    // Positions are numbers of steps taken; one more where time passes at the end.
    this.end = this.length + (this.lastDelay > this.zero ? 1 : 0);
    this.duration = this.times[this.length] + this.lastDelay;
    this.cycle = data.end.cycle;
    this.parsed = new Map();
    const counts = [], processes = [], edges = [];
    for (const transition of data.steps) {
      const { parts } = this.transition(transition);
      counts.push(parts.length);
      for (const part of parts) {
        processes.push(part.process);
        edges.push(part.edge);
      }
    }
    this.edges = edges;
    this.moves = new History(this.model.processes.length, counts, processes);
    this.writes = new History(this.model.variables.length, data.variables.count, data.variables.id);
    this.sets = new History(this.model.clocks.length, data.clocks.count, data.clocks.id);
    this.firstWrite = prefix(data.variables.count);
    this.firstSet = prefix(data.clocks.count);
    this.clockValues = data.clocks.value.map(this.number);
    this.startClocks = data.start.clocks.map(this.number);
    this.selectNames = new Map(data.selects.map(([template, edge, names]) => [`${template}.${edge}`, names]));
  }

  /** A transition of the table: its channel and its parts. */
  transition(number) {
    let found = this.parsed.get(number);
    if (!found) {
      const list = this.data.transitions[number];
      const parts = [];
      for (let at = 1; at < list.length; ) {
        const [process, edge, count] = list.slice(at, at + 3);
        parts.push({ process, edge, selects: list.slice(at + 3, at + 3 + count) });
        at += 3 + count;
      }
      found = { channel: list[0], parts };
      this.parsed.set(number, found);
    }
    return found;
  }

  /** What happens in a step, counted from 1. */
  step(step) {
    return this.transition(this.data.steps[step - 1]);
  }

  time(position) {
    return position > this.length ? this.duration : this.times[position];
  }

  delay(position) {
    return position > this.length ? this.lastDelay : this.number(this.data.delays[position - 1]);
  }

  /** As a number for drawings: rounded. */
  seconds(time) {
    return Number(time) / Number(this.unit);
  }

  /** Exactly, as an integer or a fraction. */
  exact(value) {
    const negative = value < this.zero;
    const size = negative ? -value : value;
    const common = gcd(size, this.unit);
    const [above, below] = common ? [size / common, this.unit / common] : [size, this.unit];
    const sign = negative ? "−" : "";
    return below === this.number(1) ? `${sign}${above}` : `${sign}${above}/${below}`;
  }

  /** As people read it: a fraction with a large denominator as a decimal, rounded towards zero and never to an integer. */
  readable(value) {
    const exact = this.exact(value);
    const [sign, above, below] = /^(−?)(\d+)\/(\d+)$/.exec(exact)?.slice(1) ?? [];
    if (below === undefined || BigInt(below) <= 1000n) return exact;
    const needed = BigInt(above) < BigInt(below) ? 3 : 1;
    let left = BigInt(above) % BigInt(below), digits = "";
    while (digits.length < 18 && (digits.length < 4 || digits.replace(/^0+/, "").length < needed)) {
      left *= 10n;
      digits += left / BigInt(below);
      left %= BigInt(below);
    }
    return `≈${sign}${BigInt(above) / BigInt(below)}.${digits.replace(/0+$/, "")}`;
  }

  location(process, position) {
    const at = this.moves.last(process, position);
    if (at < 0) return this.data.start.locations[process];
    return this.template(process).targets[this.edges[this.moves.places[at]]];
  }

  template(process) {
    return this.model.templates[this.model.processes[process].template];
  }

  locationName(process, location) {
    return this.template(process).locations[location];
  }

  variable(variable, position) {
    const at = this.writes.last(variable, position);
    return at < 0 ? this.data.start.variables[variable] : this.data.variables.value[this.writes.places[at]];
  }

  /** A clock at a position, in units. In later rounds of a cycle, time and resets go on as in the recorded round. */
  clock(clock, position, lap = 0) {
    let at = this.sets.last(clock, position);
    let extra = this.zero;
    const first = this.cycle ? this.cycle[0] : 0;
    if (lap > 0 && (at < 0 || this.sets.steps[at] <= first)) {
      const last = this.sets.last(clock, this.cycle[0] + this.cycle[1]);
      const inside = last >= 0 && this.sets.steps[last] > first;
      // Set in the round before, or never in a round.
      if (inside) at = last;
      extra = this.period() * this.number(inside ? 1 : lap);
    }
    const step = at < 0 ? 0 : this.sets.steps[at];
    const value = at < 0 ? this.startClocks[clock] : this.clockValues[this.sets.places[at]];
    const rate = at < 0 ? this.data.start.rates[clock] : this.data.rates[this.sets.places[at]];
    return value + this.number(rate) * (this.time(position) + extra - this.times[step]);
  }

  rate(clock, position) {
    const at = this.sets.last(clock, position);
    return at < 0 ? this.data.start.rates[clock] : this.data.rates[this.sets.places[at]];
  }

  /** How long a round of the cycle takes. */
  period() {
    const [first, length] = this.cycle;
    return this.times[first + length] - this.times[first];
  }

  /** The position after this one, and the round; a cycle has no end. */
  after(position, lap) {
    if (this.cycle && position >= this.cycle[0] + this.cycle[1]) return [this.cycle[0] + 1, lap + 1];
    return [Math.min(position + 1, this.end), lap];
  }

  before(position, lap) {
    if (lap > 0 && position <= this.cycle[0] + 1) return [this.cycle[0] + this.cycle[1], lap - 1];
    return [Math.max(position - 1, 0), lap];
  }

  isInCycle(position) {
    return Boolean(this.cycle) && position > this.cycle[0] && position <= this.cycle[0] + this.cycle[1];
  }

  /** Variables that a step changes: name, old and new value. */
  changes(step) {
    const found = [];
    for (let at = this.firstWrite[step - 1]; at < this.firstWrite[step]; at += 1) {
      const id = this.data.variables.id[at];
      found.push({
        id,
        name: this.model.variables[id],
        old: String(this.variable(id, step - 1)),
        new: String(this.data.variables.value[at]),
      });
    }
    return found;
  }

  /** Clocks that a step sets to another value. */
  resets(step) {
    const found = [];
    for (let at = this.firstSet[step - 1]; at < this.firstSet[step]; at += 1) {
      const id = this.data.clocks.id[at];
      const before = this.clock(id, step - 1) + this.number(this.rate(id, step - 1)) * this.delay(step);
      if (before !== this.clockValues[at]) {
        found.push({ id, name: this.model.clocks[id], old: this.readable(before), new: this.readable(this.clockValues[at]) });
      }
    }
    return found;
  }

  /** `approach[1]` or nothing. */
  channelName(transition) {
    return transition.channel < 0 ? "" : this.model.channels[transition.channel].name;
  }

  /** `Train(1) Away → Near (t = 1)` */
  partText(part, position) {
    const process = this.model.processes[part.process];
    const source = this.locationName(part.process, this.location(part.process, position));
    const target = this.locationName(part.process, this.template(part.process).targets[part.edge]);
    const names = this.selectNames.get(`${process.template}.${part.edge}`) || [];
    const selects = part.selects.map((value, i) => `${names[i] || "?"} = ${value}`).join(", ");
    return `${process.name} ${source} → ${target}${selects ? ` (${selects})` : ""}`;
  }

  transitionText(transition, position) {
    const parts = transition.parts.map((part) => this.partText(part, position)).join(", ");
    const channel = this.channelName(transition);
    return channel ? `${channel}: ${parts}` : parts;
  }

  /** What a step does, in one line. */
  text(position) {
    if (position === 0) return "initial state";
    if (position > this.length) return "time passes";
    const changes = [...this.changes(position), ...this.resets(position)];
    const text = this.transitionText(this.step(position), position - 1);
    return changes.length ? `${text}; ${changes.map((c) => `${c.name}: ${c.old} → ${c.new}`).join(", ")}` : text;
  }
}

function prefix(counts) {
  const sums = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => {
    sums[i + 1] = sums[i] + count;
  });
  return sums;
}
