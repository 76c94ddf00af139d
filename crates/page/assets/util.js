// Small helpers. Nothing here knows of models or runs.

/** An element: attributes that are functions are listeners, `null` ones are left out; children are nodes or text. */
function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  // Text is appended as text: nothing that a model says is ever read as HTML.
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

/** The number of elements of a sorted list that are at most `limit`, between two places. */
function upTo(list, limit, from, to) {
  while (from < to) {
    const middle = (from + to) >> 1;
    if (list[middle] <= limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

function clamp(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

/** Calls at most once in a frame. */
function oncePerFrame(action) {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      action();
    });
  };
}

/** `12,345` */
function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
