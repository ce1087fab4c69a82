"use strict";
// States as pictures. Each scene draws the whole state anew for a given width; which one fits a
// problem is decided by its predicates, where the data is made.

/* The current state by names: `facts(predicate)` lists the argument lists of its true atoms. */
function makeWorld(data) {
  const names = data.objects.map(([name]) => name);
  const index = (atoms) => {
    const found = new Map();
    for (const i of atoms) {
      const [predicate, ...terms] = data.atoms[i];
      if (!found.has(predicate)) found.set(predicate, []);
      found.get(predicate).push(terms.map((t) => names[t]));
    }
    return found;
  };
  const goals = index(data.goal);
  const world = {
    data, names,
    types: new Map(data.objects),
    facts: (predicate) => world.state.get(predicate) || [],
    ones: (predicate) => world.facts(predicate).map(([name]) => name),
    wanted: (predicate) => goals.get(predicate) || [],
    set(state, next, past) {
      world.held = state;
      world.state = index([...state].sort((a, b) => a - b));
      world.active = new Set(next && next.binding ? next.binding.map(([, object]) => object) : []);
      world.past = past;
    },
  };
  return world;
}

const SCENES = { forest: forestScene, miconic: miconicScene, delivery: deliveryScene, places: placesScene, graph: graphScene };

function drawScene(name, world, width) {
  const [height, parts, words] = (SCENES[name] || graphScene)(world, width);
  // A little more on each side, for the lines around what stands at the edge.
  return sv("svg", { viewBox: `-2 -2 ${width + 4} ${height + 4}`, width, height: Math.ceil(height), role: "img", "aria-label": words, class: `picture ${name}` }, parts);
}

// -- pieces ---------------------------------------------------------------------------------------

const label = (x, y, text, kind = "", anchor = "middle") => sv("text", { x, y, class: kind, "text-anchor": anchor, text });
const byName = (a, b) => a.localeCompare(b, "en", { numeric: true });

/* The width of a text in the font of pictures (see page.css), and the text cut to a width. */
const measuring = document.createElement("canvas").getContext("2d");
function textWidth(text) {
  measuring.font = "12px system-ui, sans-serif";
  return measuring.measureText(text).width;
}
function shortened(text, width) {
  if (textWidth(text) <= width) return text;
  // That something is done is not cut off.
  const rest = text.endsWith(" ✓") ? "… ✓" : "…";
  let end = text.length - rest.length;
  while (end > 1 && textWidth(text.slice(0, end) + rest) > width) end -= 1;
  return text.slice(0, end).trimEnd() + rest;
}

/* Small boxes with a name, in rows within a width; gives the parts and the height they take. */
function chips(items, x, y, width) {
  const parts = [];
  let [left, top] = [x, y];
  for (const { name, note = "", kind = "" } of items) {
    const text = note ? `${name} ${note}` : name;
    const wide = Math.min(width, textWidth(text) + 16);
    if (left > x && left + wide > x + width) [left, top] = [x, top + 26];
    parts.push(sv("g", { class: `chip ${kind}` }, sv("title", { text }),
      sv("rect", { x: left, y: top, width: wide, height: 22, rx: 6 }),
      label(left + wide / 2, top + 15.5, shortened(text, width - 14))));
    left += wide + 5;
  }
  return [parts, items.length ? top + 24 - y : 0];
}

/* Boxes for places in rows, as high as their content; `content(place, x, y, width)` gives parts and height. */
function boxes(places, width, wanted, content, kind = () => "") {
  const gap = 10;
  if (places.length > 9) wanted *= 0.75;
  const columns = Math.max(1, Math.min(places.length, Math.floor((width + gap) / (wanted + gap))));
  const wide = (width - gap * (columns - 1)) / columns;
  const parts = [];
  let top = 0;
  for (let start = 0; start < places.length; start += columns) {
    const row = places.slice(start, start + columns).map((place, i) => {
      const x = i * (wide + gap);
      return [place, x, ...content(place, x + 9, top + 28, wide - 18)];
    });
    const high = Math.max(38, ...row.map((entry) => entry[3] + 36));
    for (const [place, x, inner] of row) {
      parts.push(sv("rect", { x, y: top, width: wide, height: high, rx: 10, class: `place ${kind(place)}` }),
        label(x + 10, top + 20, place, "place-name", "start"), inner);
    }
    top += high + gap;
  }
  return [parts, Math.max(1, top - gap)];
}

const spoken = (entries) => entries.filter(Boolean).slice(0, 40).join("; ");
const state = (world, name, done) => `${world.active.has(name) ? "active" : ""} ${done ? "done" : ""}`;

// -- the scenes -----------------------------------------------------------------------------------

function forestScene(world, width) {
  const { data, names } = world;
  const rows = data.grid.map(([row]) => row);
  const columns = data.grid.map(([, column]) => column);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [high, wide] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  const unit = Math.min(width / wide, 56, 460 / Math.min(high, 12));
  const shift = (width - unit * wide) / 2;
  const place = new Map(names.map((name, i) => [name, [shift + (columns[i] - left) * unit, (rows[i] - top) * unit]]));
  const kind = new Map();
  for (const pair of world.facts("ontrail")) for (const name of pair) kind.set(name, "trail");
  const trail = new Set(kind.keys());
  for (const name of world.ones("ishill")) kind.set(name, "rock");
  for (const name of world.ones("iswater")) kind.set(name, "water");
  const goals = world.wanted("at").map(([name]) => name);
  const here = world.ones("at");
  const center = (name) => place.get(name).map((value) => value + unit / 2);
  const parts = names.map((name) => {
    const [x, y] = place.get(name);
    return sv("g", {}, sv("title", { text: `${name}: ${kind.get(name) || "dirt"}${trail.has(name) ? ", on the trail" : ""}` }),
      sv("rect", { x, y, width: unit, height: unit, class: `cell ${kind.get(name) || "dirt"} ${world.active.has(name) ? "active" : ""}` }),
      kind.get(name) === "rock" && sv("path", { class: "boulder", d: `M${x + unit * 0.2} ${y + unit * 0.78} l${unit * 0.18} ${-unit * 0.42} l${unit * 0.22} ${-unit * 0.12} l${unit * 0.2} ${unit * 0.3} l${unit * 0.06} ${unit * 0.24} z` }),
      kind.get(name) === "water" && sv("path", { class: "wave", d: `M${x + unit * 0.2} ${y + unit * 0.5} q${unit * 0.15} ${-unit * 0.18} ${unit * 0.3} 0 t${unit * 0.3} 0` }));
  });
  for (const [from, to] of world.facts("ontrail")) {
    if (place.has(from) && place.has(to)) parts.push(sv("line", { x1: center(from)[0], y1: center(from)[1], x2: center(to)[0], y2: center(to)[1], class: "trail-line" }));
  }
  for (const name of goals) {
    const [x, y] = place.get(name);
    parts.push(sv("path", { class: "flag", d: `M${x + unit * 0.35} ${y + unit * 0.88} V${y + unit * 0.14} L${x + unit * 0.82} ${y + unit * 0.34} L${x + unit * 0.38} ${y + unit * 0.54}` }));
  }
  const walked = world.past.map((step) => step.action.slice(1, -1).split(" ")).filter((words) => place.has(words[1]) && place.has(words[2]));
  if (walked.length) parts.push(sv("polyline", { class: "walked", points: [walked[0][1], ...walked.map((words) => words[2])].map((name) => center(name).join(",")).join(" ") }));
  for (const name of here) {
    const [cx, cy] = center(name);
    parts.push(sv("circle", { cx, cy, r: unit * 0.27, class: "agent" }), sv("circle", { cx, cy: cy - unit * 0.06, r: unit * 0.09, class: "face" }));
  }
  return [unit * high, parts, `Grid of ${high} by ${wide}: the agent is at ${here.join(", ")}, the goal is ${goals.join(", ")}`];
}

function miconicScene(world, width) {
  const above = world.facts("above");
  const origin = new Map(world.facts("origin"));
  const destin = new Map(world.facts("destin"));
  const [boarded, served, lifts] = ["boarded", "served", "lift-at"].map((name) => new Set(world.ones(name)));
  const floors = world.names.filter((n) => above.some((pair) => pair.includes(n)) || lifts.has(n) || [...origin.values(), ...destin.values()].includes(n));
  // The second floor of (above a b) is the higher one; floors without such a pair are apart.
  const below = new Map(floors.map((n) => [n, 0]));
  const group = new Map(floors.map((n) => [n, n]));
  const root = (n) => (group.get(n) === n ? n : root(group.get(n)));
  for (const [low, high] of above) {
    below.set(high, below.get(high) + 1);
    if (root(low) !== root(high)) group.set(root(high), root(low));
  }
  const buildings = [...new Set(floors.map(root))].map((r) => floors.filter((n) => root(n) === r).sort((a, b) => below.get(b) - below.get(a)));
  const names = Math.max(42, ...floors.map((name) => Math.min(12, name.length) * 7.5 + 14));
  const columns = Math.max(1, Math.min(buildings.length, Math.floor(width / (names + 190))));
  const wide = (width - 14 * (columns - 1)) / columns;
  const parts = [];
  const frames = [];
  const person = (name) => ({ name, note: served.has(name) ? "✓" : `→ ${destin.get(name)}`, kind: `person ${state(world, name, served.has(name))}` });
  let top = 0;
  for (let start = 0; start < buildings.length; start += columns) {
    let lowest = top;
    buildings.slice(start, start + columns).forEach((building, i) => {
      const x = i * (wide + 14);
      let y = top;
      for (const floor of building) {
        const lift = lifts.has(floor);
        const inside = lift ? [...boarded].filter((p) => building.includes(destin.get(p))) : [];
        const waiting = [...origin].filter(([p, f]) => f === floor && !boarded.has(p) && !served.has(p)).map(([p]) => p);
        const arrived = [...served].filter((p) => destin.get(p) === floor);
        const cabin = Math.min(130, (wide - names) * 0.5);
        const [inner, high] = chips([...waiting, ...arrived].map(person), x + cabin + names + 12, y + 6, wide - cabin - names - 18);
        const [riders, ridersHigh] = chips(inside.map(person), x + names + 8, y + 7, cabin - 10);
        const tall = Math.max(36, high + 10, ridersHigh + 14);
        if (world.active.has(floor)) frames.push(sv("rect", { x, y, width: wide, height: tall, class: "frame" }));
        parts.push(sv("rect", { x, y, width: wide, height: tall, class: "floor" }),
          label(x + 8, y + 22, floor.length > 12 ? `${floor.slice(0, 11)}…` : floor, "place-name", "start"),
          sv("rect", { x: x + names, y, width: cabin + 6, height: tall, class: "shaft" }),
          lift && sv("rect", { x: x + names + 3, y: y + 3, width: cabin, height: tall - 6, rx: 4, class: "lift" }),
          lift && !inside.length && label(x + names + 3 + cabin / 2, y + 22, "lift", "hull-name"), inner, riders);
        y += tall;
      }
      lowest = Math.max(lowest, y);
    });
    top = lowest + 14;
  }
  return [Math.max(1, top - 14), [parts, frames], spoken([`The lift is at ${[...lifts].join(", ")}`, boarded.size && `in it: ${[...boarded].join(", ")}`, served.size && `served: ${[...served].join(", ")}`])];
}

function deliveryScene(world, width) {
  const [home, safe, hungry, satisfied, packed, carried] = ["ishomebase", "safe", "wantspaper", "satisfied", "unpacked", "carrying"].map((name) => new Set(world.ones(name)));
  const [agent] = world.ones("at");
  const wanted = new Set(world.wanted("satisfied").map(([name]) => name));
  const papers = new Set(world.names.filter((n) => packed.has(n) || carried.has(n) || world.types.get(n) === "paper"));
  const places = world.names.filter((n) => !papers.has(n)).sort((a, b) => home.has(b) - home.has(a) || byName(a, b));
  const few = (set, kind) => [...set].sort(byName).map((name) => ({ name, kind: `paper ${kind} ${state(world, name)}` }));
  const [parts, height] = boxes(places, width, 150, (place, x, y, wide) => {
    const notes = [];
    if (home.has(place)) notes.push({ name: "home base", kind: "note" });
    if (satisfied.has(place)) notes.push({ name: "paper ✓", kind: "done" });
    else if (wanted.has(place) || hungry.has(place)) notes.push({ name: "wants a paper", kind: "want" });
    if (!safe.has(place)) notes.push({ name: "trap", kind: "danger" });
    if (home.has(place)) notes.push(...few(packed, ""));
    const [inner, high] = chips(notes, x, y, wide);
    if (place !== agent) return [inner, high];
    const top = y + high + 6;
    const [load, loadHigh] = chips(few(carried, ""), x + 8, top + 26, wide - 16);
    return [[inner, sv("rect", { x, y: top, width: wide, height: loadHigh + 32, rx: 10, class: "robot" }), label(x + 10, top + 18, "carrier", "man-name", "start"), load], high + loadHigh + 44];
  }, (place) => `room ${world.active.has(place) ? "active" : ""} ${safe.has(place) ? "" : "unsafe"}`);
  return [height, parts, spoken([`The carrier is at ${agent}`, carried.size && `carries ${[...carried].join(", ")}`, satisfied.size && `satisfied: ${[...satisfied].join(", ")}`])];
}

/* Any domain: objects on a circle, in groups by type; an arrow for each atom on two of them. */
function graphScene(world, width) {
  const most = 48;
  const named = new Set(world.past.flatMap((step) => step.add).concat(world.data.goal, world.data.steps.flatMap((step) => step.add)).flatMap((i) => world.data.atoms[i].slice(1).map((t) => world.names[t])));
  let shown = world.names;
  if (shown.length > most) shown = shown.filter((name) => named.has(name)).slice(0, most);
  const kinds = [...new Set(shown.map((name) => world.types.get(name)))].sort();
  shown = [...shown].sort((a, b) => kinds.indexOf(world.types.get(a)) - kinds.indexOf(world.types.get(b)));
  const size = Math.min(width, 560);
  const radius = size / 2 - 42;
  const place = new Map(shown.map((name, i) => {
    const angle = (i / shown.length) * 2 * Math.PI - Math.PI / 2;
    return [name, [width / 2 + radius * Math.cos(angle), size / 2 + radius * Math.sin(angle)]];
  }));
  const predicates = [...world.state.keys()].sort();
  const edges = [];
  const said = new Map(shown.map((name) => [name, []]));
  for (const predicate of predicates) {
    for (const terms of world.facts(predicate)) {
      if (terms.length === 1 && said.has(terms[0])) said.get(terms[0]).push(predicate);
      if (terms.length !== 2 || !place.has(terms[0]) || !place.has(terms[1])) continue;
      edges.push([predicate, terms[0], terms[1]]);
    }
  }
  // What changes first: it must not be left out where there is too much.
  const moving = new Set(world.data.fluents);
  edges.sort((a, b) => moving.has(b[0]) - moving.has(a[0]));
  const binary = [...new Set(edges.map(([predicate]) => predicate))].sort();
  const color = (predicate) => `c${binary.indexOf(predicate) % 6}`;
  const parts = edges.slice(0, 300).reverse().map(([predicate, from, to]) => {
    const [[x1, y1], [x2, y2]] = [place.get(from), place.get(to)];
    const [mx, my] = [(x1 + x2) / 2 + (width / 2 - (x1 + x2) / 2) * 0.3, (y1 + y2) / 2 + (size / 2 - (y1 + y2) / 2) * 0.3];
    const length = Math.hypot(x2 - mx, y2 - my) || 1;
    const [ex, ey] = [x2 - ((x2 - mx) / length) * 16, y2 - ((y2 - my) / length) * 16];
    const [ux, uy] = [(x2 - mx) / length, (y2 - my) / length];
    return sv("g", { class: `edge ${color(predicate)} ${moving.has(predicate) ? "moving" : ""}` }, sv("title", { text: `(${predicate} ${from} ${to})` }),
      sv("path", { d: `M${x1} ${y1} Q${mx} ${my} ${ex} ${ey}` }),
      sv("path", { class: "head", d: `M${ex} ${ey} l${-8 * ux - 4 * uy} ${-8 * uy + 4 * ux} l${8 * uy} ${-8 * ux} z` }));
  });
  for (const name of shown) {
    const [x, y] = place.get(name);
    const words = said.get(name);
    parts.push(sv("g", { class: `node ${world.active.has(name) ? "active" : ""}` }, sv("title", { text: `${name} (${world.types.get(name)})${words.length ? `: ${words.join(", ")}` : ""}` }),
      sv("circle", { cx: x, cy: y, r: 13, class: `k${kinds.indexOf(world.types.get(name)) % 6}` }),
      label(x, y + 28, name.length > 14 ? `${name.slice(0, 13)}…` : name),
      words.some((word) => moving.has(word)) && label(x, y + 41, words.filter((word) => moving.has(word)).join(", ").slice(0, 24), "small")));
  }
  let row = size + 22;
  let left = 4;
  for (const predicate of binary) {
    const wide = predicate.length * 7 + 30;
    if (left > 4 && left + wide > width) [left, row] = [4, row + 18];
    parts.push(sv("g", { class: `edge ${color(predicate)} moving` }, sv("path", { d: `M${left} ${row - 4} h16` })), label(left + 21, row, predicate, "small", "start"));
    left += wide;
  }
  if (shown.length < world.names.length) parts.push(label(width / 2, 14, `${shown.length} of ${world.names.length} objects`, "small"));
  return [row + 10, parts, spoken([`${shown.length} objects`, ...edges.filter(([p]) => moving.has(p)).map((edge) => `(${edge.join(" ")})`)])];
}
