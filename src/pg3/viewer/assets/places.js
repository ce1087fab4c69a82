"use strict";
// The picture of a domain that nobody has drawn: what is where.

/* Any domain with places: things inside them, wanted ones as ghosts, ways between places as lines. */
function placesScene(world, width) {
  const { inside, here, carried, places: numbers, links, marks } = world.data.places;
  const all = numbers.map((i) => world.names[i]);
  const parent = new Map();
  for (const predicate of inside) for (const [thing, place] of world.facts(predicate)) if (!parent.has(thing)) parent.set(thing, place);
  // An unnamed agent is called after the predicate that says where it is (at-robby); no object has parentheses.
  const agents = here.flatMap((predicate) => world.ones(predicate).map((place) => [`(${predicate})`, place]));
  for (const [agent, place] of agents) parent.set(agent, place);
  const isAgent = (name) => name.startsWith("(");
  const bare = (predicate) => predicate.replace(/^(at|in)-|-(at|in)$/, "");
  const called = (name) => (isAgent(name) ? bare(name.slice(1, -1)).replace(/^at$/, "agent") : name);
  for (const { predicate, thing, holder, agent } of carried) {
    for (const terms of world.facts(predicate)) {
      const by = agent ? `(${agent})` : terms[holder];
      if (parent.has(by) && !parent.has(terms[thing])) parent.set(terms[thing], by);
    }
  }
  const children = new Map();
  for (const [thing, place] of parent) children.set(place, [...(children.get(place) || []), thing]);
  const target = new Map(inside.flatMap((predicate) => world.wanted(predicate)));
  const about = new Map();
  for (const predicate of [...world.data.fluents, ...marks]) {
    if (here.includes(predicate) || carried.some((one) => one.predicate === predicate)) continue;
    for (const terms of world.facts(predicate)) if (terms.length === 1) about.set(terms[0], [...(about.get(terms[0]) || []), predicate]);
  }
  // What is where it belongs, but not yet as it should be, is not done.
  const about1 = world.data.goal.filter((i) => world.data.atoms[i].length === 2);
  const named = (goals) => new Set(goals.map((i) => world.names[world.data.atoms[i][1]]));
  const [asked, unmet] = [named(about1), named(about1.filter((i) => !world.held.has(i)))];
  const plain = world.data.fluents.filter((predicate) => world.facts(predicate).some((terms) => !terms.length));
  const root = (name, left = 20) => (left && parent.has(name) ? root(parent.get(name), left - 1) : name);
  // Many places: those of this step, and of the goals that are open.
  const most = 60;
  let shown = all;
  if (all.length > most) {
    const wanted = new Set([...world.active].flatMap((name) => [name, root(name), target.get(name)]).concat(agents.map(([, place]) => place)));
    const busy = (name) => wanted.has(name) * 4 + (children.has(name) ? 1 : 0) + ([...target.values()].includes(name) ? 1 : 0);
    shown = [...all].sort((a, b) => busy(b) - busy(a)).slice(0, 12).sort((a, b) => all.indexOf(a) - all.indexOf(b));
  }
  const order = layout(world, shown, links, width);
  const isDone = (name, place) => !unmet.has(name) && (target.has(name) ? target.get(name) === place : asked.has(name));
  const chip = (name, place) => {
    if (isAgent(name)) return { name: called(name), kind: "agent-chip" };
    const done = isDone(name, place);
    const notes = [children.has(name) ? `+${children.get(name).length}` : "", ...(about.get(name) || []).slice(0, 2), done ? "✓" : ""].filter(Boolean);
    return { name, note: notes.join(" "), kind: state(world, name, done) };
  };
  const few = (names, place) => {
    const sorted = [...names].sort((a, b) => isAgent(b) - isAgent(a) || world.active.has(b) - world.active.has(a) || byName(a, b));
    const cut = sorted.length > 14 ? sorted.slice(0, 12) : sorted;
    const items = cut.map((name) => chip(name, place));
    if (cut.length < sorted.length) items.push({ name: `and ${sorted.length - cut.length} more`, kind: "note" });
    return items;
  };
  // Of many things that hold others, those of this step and agents are open; the rest are told by how many they hold.
  const crowded = parent.size > 40;
  const concerned = (name) => isAgent(name) || world.active.has(name) || children.get(name).some((one) => world.active.has(one));
  function content(place, x, y, wide, depth = 0) {
    const mine = children.get(place) || [];
    const vessels = depth < 3 ? mine.filter((name) => children.has(name) && (!crowded || concerned(name))) : [];
    const items = [
      ...few(mine.filter((name) => !vessels.includes(name)), place),
      ...[...target].filter(([name, where]) => where === place && parent.get(name) !== place).slice(0, 8).map(([name]) => ({ name, kind: `ghost ${state(world, name)}` })),
      ...(about.get(place) || []).slice(0, 3).map((name) => ({ name: bare(name), kind: "note" })),
    ];
    const [parts, high] = chips(items, x, y, wide);
    const made = [parts];
    let deep = high;
    for (const vessel of vessels) {
      const top = y + deep + 4;
      const [within, tall] = content(vessel, x + 7, top + 24, wide - 14, depth + 1);
      made.push(sv("rect", { x, y: top, width: wide, height: tall + 30, rx: 8, class: `vessel ${state(world, vessel, isDone(vessel, place))}` }), label(x + 8, top + 16, cutTo(called(vessel), wide), "man-name", "start"), within);
      deep += tall + 36;
    }
    return [made, deep];
  }
  const gap = links.length ? 26 : 10;
  const columns = Math.max(1, Math.min(order.columns, Math.floor((width + gap) / (140 + gap))));
  const wide = (width - gap * (columns - 1)) / columns;
  const parts = [];
  const boxes = new Map();
  let top = 0;
  for (const line of order.rows(columns)) {
    const made = line.map((place, i) => (place === null ? null : [place, i * (wide + gap), ...content(place, i * (wide + gap) + 9, top + 28, wide - 18)]));
    const high = Math.max(38, ...made.filter(Boolean).map((entry) => entry[3] + 36));
    for (const [place, x, inner] of made.filter(Boolean)) {
      boxes.set(place, { x, y: top, wide, high });
      parts.push(sv("rect", { x, y: top, width: wide, height: high, rx: 10, class: `place room ${world.active.has(place) ? "active" : ""}` }),
        label(x + 10, top + 19, cutTo(place, wide), "place-name", "start"), inner);
    }
    top += high + gap;
  }
  const ways = links.map((pair) => pair.map((i) => boxes.get(world.names[i]))).filter(([a, b]) => a && b)
    .map(([a, b], i) => sv("path", { d: wayBetween(a, b, [...boxes.values()], gap, i % 2 ? 3 : -3), class: "way-line" }));
  const listed = new Set([...all, ...parent.keys()]);
  const rest = world.names.filter((name) => !listed.has(name));
  const loose = rest.filter((name) => world.active.has(name) || about.has(name)).slice(0, 24);
  if (loose.length) {
    parts.push(label(2, top + 12, "elsewhere", "small", "start"));
    const [chipped, high] = chips(loose.map((name) => chip(name, null)), 0, top + 20, width);
    parts.push(chipped);
    top += high + 26;
  }
  const said = plain.length ? [`true now: ${plain.join(", ")}`] : [];
  if (shown.length < all.length) {
    const counts = new Map();
    for (const name of world.names) counts.set(world.types.get(name), (counts.get(world.types.get(name)) || 0) + 1);
    said.push(`${shown.length} of ${all.length} places are shown`, `objects by type: ${[...counts].map(([kind, n]) => `${kind} ${n}`).join(", ")}`);
  }
  if (loose.length < rest.length) said.push(`not shown: ${rest.filter((name) => !loose.includes(name)).join(", ")}`);
  for (const text of said) { parts.push(label(2, top + 12, cutTo(text, width), "small", "start")); top += 18; }
  return [Math.max(1, top), [ways, parts], spoken([...parent].map(([thing, place]) => `${called(thing)} in ${called(place)}`))];
}

/* From the middle of a box to that of another. Where a straight line would run behind a third box, the
   way goes round by a gap beside or below; `shift` keeps ways that share a gap apart. */
function wayBetween(a, b, boxes, gap, shift) {
  const middle = (box) => [box.x + box.wide / 2, box.y + box.high / 2];
  const [[x1, y1], [x2, y2]] = [middle(a), middle(b)];
  const hidden = (box) => box !== a && box !== b && Array.from({ length: 19 }, (_, i) => (i + 1) / 20)
    .some((t) => { const [x, y] = [x1 + t * (x2 - x1), y1 + t * (y2 - y1)]; return x > box.x && x < box.x + box.wide && y > box.y && y < box.y + box.high; });
  const step = a.wide + gap;
  const apart = Math.abs(a.x - b.x);
  if (!boxes.some(hidden) || (apart > step * 1.5 && a.y !== b.y)) return `M${x1} ${y1}L${x2} ${y2}`;
  // Of a gap between columns, ways of the left column have the left third, ways of the right one the right third.
  const [middleLane, ownLane] = [gap / 2 + shift, gap * 0.3 + shift];
  if (a.y === b.y) { const y = a.y + Math.max(a.high, b.high) + middleLane; return `M${x1} ${y1}V${y}H${x2}V${y2}`; }
  const left = Math.min(a.x, b.x);
  const isLast = left >= Math.max(...boxes.map((box) => box.x));
  const x = apart > 1 ? left + a.wide + middleLane : isLast ? left - ownLane : left + a.wide + ownLane;
  return `M${x1} ${y1}H${x}V${y2}H${x2}`;
}

const cutTo = (text, wide) => (text.length * 7.4 + 16 > wide ? `${text.slice(0, Math.max(1, Math.floor((wide - 16) / 7.4) - 1))}…` : text);

/* Rows for boxes. With ways between places: a map, from springs along the ways; boxes go where their
   place is nearest to, one to a cell, so that nothing overlaps. Worked out once for each set of places. */
function layout(world, shown, links, width) {
  const inOrder = (columns) => { const rows = []; for (let i = 0; i < shown.length; i += columns) rows.push(shown.slice(i, i + columns)); return rows; };
  const number = new Map(shown.map((name, i) => [name, i]));
  const pairs = links.map((pair) => pair.map((i) => number.get(world.names[i]))).filter(([a, b]) => a !== undefined && b !== undefined);
  if (!pairs.length) return { columns: shown.length, rows: inOrder };
  // What no way leads to is on no map: below it.
  const reached = new Set(pairs.flat());
  if (reached.size < shown.length) {
    const map = layout(world, shown.filter((_, i) => reached.has(i)), links, width);
    const apart = layout(world, shown.filter((_, i) => !reached.has(i)), [], width);
    return { columns: map.columns, rows: (columns) => [...map.rows(columns), ...apart.rows(columns)] };
  }
  const columns = Math.ceil(Math.sqrt(shown.length * 1.4));
  world.maps = world.maps || new Map();
  const key = shown.join(" ");
  if (!world.maps.has(key)) {
    // Begins on a circle: the same picture each time.
    const at = shown.map((_, i) => [Math.cos((i / shown.length) * 2 * Math.PI), Math.sin((i / shown.length) * 2 * Math.PI)]);
    for (let turn = 0; turn < 300; turn += 1) {
      const force = at.map(() => [0, 0]);
      for (let i = 0; i < at.length; i += 1) for (let j = 0; j < i; j += 1) {
        const [dx, dy] = [at[i][0] - at[j][0], at[i][1] - at[j][1]];
        const push = 0.02 / (dx * dx + dy * dy + 0.001);
        force[i][0] += dx * push; force[i][1] += dy * push; force[j][0] -= dx * push; force[j][1] -= dy * push;
      }
      for (const [i, j] of pairs) {
        const [dx, dy] = [at[i][0] - at[j][0], at[i][1] - at[j][1]];
        force[i][0] -= dx * 0.1; force[i][1] -= dy * 0.1; force[j][0] += dx * 0.1; force[j][1] += dy * 0.1;
      }
      const most = 0.1 * (1 - turn / 300);
      at.forEach((place, i) => { const size = Math.hypot(...force[i]) || 1; const step = Math.min(size, most) / size; place[0] += force[i][0] * step; place[1] += force[i][1] * step; });
    }
    world.maps.set(key, at);
  }
  const at = world.maps.get(key);
  return { columns, rows: (wanted) => {
    const high = Math.ceil(shown.length / wanted) + (wanted > 2 ? 1 : 0);
    const span = (k) => [Math.min(...at.map((p) => p[k])), Math.max(...at.map((p) => p[k]))];
    const [[left, right], [upper, lower]] = [span(0), span(1)];
    const cells = Array.from({ length: high }, () => Array(wanted).fill(null));
    const byRow = shown.map((name, i) => [name, ((at[i][1] - upper) / (lower - upper || 1)) * (high - 1), ((at[i][0] - left) / (right - left || 1)) * (wanted - 1)]).sort((a, b) => a[1] - b[1] || a[2] - b[2]);
    for (const [name, row, column] of byRow) {
      let best = null;
      for (let r = 0; r < high; r += 1) for (let c = 0; c < wanted; c += 1) {
        const far = (r - row) ** 2 + (c - column) ** 2;
        if (cells[r][c] === null && (best === null || far < best[0])) best = [far, r, c];
      }
      cells[best[1]][best[2]] = name;
    }
    return cells.filter((line) => line.some((name) => name !== null));
  } };
}
