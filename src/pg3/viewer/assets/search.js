"use strict";
// A search over policies: every candidate by its score, the way to the best, what each step changed.

const TICKS = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000, 100000];

function searchPage(data, app) {
  const result = data.result;
  const total = data.searches.reduce((sum, search) => sum + search.number.length, 0);
  const facts = result
    ? `${plural(result.candidates || total, "candidate")} (${result.expansions} expanded) in ${plural(data.searches.length, "search").replace("searchs", "searches")}, ${duration(result.seconds)}; ${result.status}: ${result.reason}`
    : `${plural(total, "candidate")} so far; the run was cut off`;
  const place = el("div");
  const chosen = data.winner ? data.winner[0] : 0;
  const select = el("select", { id: "search", onchange: () => open(Number(select.value)) },
    data.searches.map((search, i) => el("option", { value: i, selected: i === chosen },
      `${search.method} (${search.number.length})${data.winner && i === chosen ? " – the result" : ""}`)));
  app.append(el("p", { class: "facts", text: facts }));
  if (data.searches.length > 1) app.append(el("p", {}, el("label", { for: "search", text: "Search: " }), select));
  app.append(place);
  let current = null;

  function open(index) {
    if (current) current.stop();
    place.replaceChildren();
    current = data.searches.length && data.searches[index].number.length ? oneSearch(data, index, place) : null;
    if (!current) place.append(el("p", { text: "No candidates in this search." }));
  }
  open(chosen);
}

// What the first candidate is: a user may have given a policy to start from, and goal regression has no empty one.
function beginning(search) {
  return search.policy[0].length ? "the first policy" : "the empty policy";
}

function oneSearch(data, place, root) {
  const search = data.searches[place];
  const count = search.number.length;
  const indexOf = new Map(search.number.map((number, i) => [number, i]));
  const path = search.path.map((number) => indexOf.get(number));
  const onPath = new Set(path);
  const bestSoFar = [];
  search.score.reduce((best, score, i) => (bestSoFar[i] = Math.min(best, score)), Infinity);
  const result = data.result;
  const isWinner = data.winner && data.winner[0] === place;

  const canvas = el("canvas", { role: "img", "aria-label": `${plural(count, "candidate")} by score; the best has ${figure(bestSoFar[count - 1])}` });
  const box = el("div", { class: "chart" }, canvas);
  const details = el("div", { class: "details" });
  const live = el("p", { class: "spoken", "aria-live": "polite" });
  const legend = el("ul", { class: "legend" },
    search.operators.map((name, i) => el("li", {}, el("span", { class: `dot c${i % 6}` }), name)),
    el("li", {}, el("span", { class: "dash way" }), "way to the best"),
    el("li", {}, el("span", { class: "dash best" }), "best so far"));
  const list = el("ol", { class: "path", start: 0 }, path.map((i) =>
    el("li", {}, el("button", { type: "button", onclick: () => { bar.stop(); bar.go(i); } },
      el("b", { text: figure(search.score[i]) }), el("span", { text: search.change[i] < 0 ? beginning(search) : search.changes[search.change[i]] })))));
  const bar = playbar({
    last: count - 1, label: "Candidates in the order of the search", show, stride: Math.max(1, Math.round(count / 150)), tick: 80,
    describe: (i) => `candidate ${search.number[i]}, score ${figure(search.score[i])}`,
  });
  root.append(...[
    el("section", { "aria-label": "Candidates" },
      el("p", { class: "hint", text: "Each dot is a candidate policy: left to right as they came, the lower the better. Click one, or use the slider and the arrow keys." }),
      box, bar.element, legend),
    isWinner && result && !result.same && el("p", { class: "hint", text: "The result is the last policy on the way: what the search found, generalised as far as the tests allow. It was not scored; its dot is beside that of the policy before." }),
    el("div", { class: "columns" },
      el("section", {}, el("h2", { text: isWinner ? "The way to the result" : "The way to the best" }), list),
      el("section", {}, details)),
    live].filter(Boolean));

  // -- the picture --------------------------------------------------------------------------------

  const height = 280;
  const margin = { left: 46, right: 14, top: 14, bottom: 34 };
  let width = 0;
  let current = -1;
  const most = Math.max(1, ...search.score.filter(Number.isFinite));
  const up = (score) => Math.log1p(Math.max(0, score)) / Math.log1p(most);
  const x = (i) => margin.left + (count > 1 ? i / (count - 1) : 0.5) * (width - margin.left - margin.right);
  const y = (score) => height - margin.bottom - up(Math.min(score, most)) * (height - margin.top - margin.bottom);
  const layer = document.createElement("canvas");

  function pens() {
    const style = getComputedStyle(document.documentElement);
    return (name) => style.getPropertyValue(`--${name}`).trim();
  }

  function size(target) {
    const scale = window.devicePixelRatio || 1;
    target.width = Math.round(width * scale);
    target.height = Math.round(height * scale);
    const pen = target.getContext("2d");
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    return pen;
  }

  // All that does not move is drawn once; the replay only draws over it.
  function drawLayer() {
    const pen = size(layer);
    const color = pens();
    pen.font = "12px system-ui, sans-serif";
    pen.textBaseline = "middle";
    pen.textAlign = "right";
    let lastTick = Infinity;
    for (const tick of TICKS.filter((value) => value <= most)) {
      if (lastTick - y(tick) < 16) continue;
      lastTick = y(tick);
      pen.strokeStyle = color("line");
      pen.beginPath();
      pen.moveTo(margin.left, y(tick));
      pen.lineTo(width - margin.right, y(tick));
      pen.stroke();
      pen.fillStyle = color("soft");
      pen.fillText(String(tick), margin.left - 8, y(tick));
    }
    pen.textBaseline = "alphabetic";
    pen.fillText(`candidate ${search.number[count - 1].toLocaleString("en")}`, width - margin.right, height - 8);
    pen.textAlign = "left";
    pen.fillText("0", margin.left, height - 8);
    pen.globalAlpha = count > 300 ? 0.06 : 0.25;
    pen.strokeStyle = color("soft");
    pen.beginPath();
    search.parent.forEach((parent, i) => {
      const from = indexOf.get(parent);
      if (from === undefined) return;
      pen.moveTo(x(from), y(search.score[from]));
      pen.lineTo(x(i), y(search.score[i]));
    });
    pen.stroke();
    const radius = count > 300 ? 2 : 3.5;
    search.operators.concat(["start"]).forEach((_, kind) => {
      pen.globalAlpha = 0.7;
      pen.fillStyle = color(`c${kind % 6}`);
      pen.beginPath();
      search.operator.forEach((operator, i) => {
        if (operator !== kind) return;
        pen.moveTo(x(i) + radius, y(search.score[i]));
        pen.arc(x(i), y(search.score[i]), radius, 0, 7);
      });
      pen.fill();
    });
  }

  function draw() {
    if (!width) return;
    const pen = size(canvas);
    const color = pens();
    pen.drawImage(layer, 0, 0, width, height);
    if (current < count - 1) {
      pen.globalAlpha = 0.8;
      pen.fillStyle = color("paper");
      pen.fillRect(x(current) + 4, 0, width, height - margin.bottom + 6);
    }
    pen.globalAlpha = 1;
    pen.strokeStyle = color("good");
    pen.lineWidth = 1.5;
    pen.setLineDash([5, 4]);
    pen.beginPath();
    for (let i = 0; i <= current; i += 1) {
      if (i && bestSoFar[i] !== bestSoFar[i - 1]) pen.lineTo(x(i), y(bestSoFar[i - 1]));
      pen.lineTo(x(i), y(bestSoFar[i]));
    }
    pen.stroke();
    pen.setLineDash([]);
    pen.strokeStyle = pen.fillStyle = color("accent");
    pen.lineWidth = 2.5;
    pen.beginPath();
    path.filter((i) => i <= current).forEach((i) => pen.lineTo(x(i), y(search.score[i])));
    pen.stroke();
    for (const i of path) {
      if (i > current) continue;
      pen.beginPath();
      pen.arc(x(i), y(search.score[i]), 5, 0, 7);
      pen.fill();
    }
    pen.strokeStyle = color("ink");
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(x(current), y(search.score[current]), 8, 0, 7);
    pen.stroke();
  }

  whenResized(box, (now) => { width = now; drawLayer(); draw(); });
  canvas.style.height = `${height}px`;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { drawLayer(); draw(); });
  canvas.addEventListener("click", (event) => {
    const area = canvas.getBoundingClientRect();
    const at = [event.clientX - area.left, event.clientY - area.top];
    let nearest = 0;
    let least = Infinity;
    for (let i = 0; i < count; i += 1) {
      const distance = Math.hypot(x(i) - at[0], y(search.score[i]) - at[1]) - (onPath.has(i) ? 4 : 0);
      if (distance < least) [nearest, least] = [i, distance];
    }
    bar.stop();
    bar.go(nearest);
  });

  // -- one candidate ------------------------------------------------------------------------------

  function show(i) {
    current = i;
    draw();
    const number = search.number[i];
    const parent = indexOf.get(search.parent[i]);
    const change = search.change[i] < 0 ? `${beginning(search)}, where the search begins` : search.changes[search.change[i]];
    const operator = search.operator[i] < 0 ? null : search.operators[search.operator[i]];
    list.querySelectorAll("button").forEach((button, k) => {
      if (path[k] === i) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    const rules = policyDiff(parent === undefined ? null : search.policy[parent], search.policy[i], data.rules, data.readings);
    details.replaceChildren(
      el("h2", { text: `Candidate ${number}${onPath.has(i) ? ", on the way" : ""}` }),
      el("p", { class: "facts" }, el("b", { text: `score ${figure(search.score[i])}` }),
        ` · ${operator ? `${operator} on ${search.parent[i]} · ` : ""}${plural(search.policy[i].length, "rule")}, ${plural(search.size[i], "condition")} · after ${duration(search.seconds[i])}`),
      el("p", { class: "change" }, change),
      plansElement(data, search, number, i),
      rules.length ? el("div", { class: "rules" }, rules) : el("p", { class: "facts", text: "No rules." }));
    live.textContent = `Candidate ${number}, score ${figure(search.score[i])}, ${change}`;
  }

  bar.go(path.length ? path[path.length - 1] : count - 1);
  return bar;
}

// -- plans: squares where the policy does what the plan does, circles where it does not -----------

function plansElement(data, search, number, i) {
  const plans = data.plans[number];
  const scores = search.by_problem[i];
  const nameOf = (n) => (n < data.files.length ? data.files[n].split("/").pop() : `grown problem ${n - data.files.length + 1}`);
  const names = search.problems.map(nameOf);
  if (!plans || data.winner === null || data.searches[data.winner[0]] !== search) {
    if (!scores.length) return null;
    return el("p", { class: "facts", text: `By problem: ${scores.map((score, k) => `${names[k] || k} ${figure(score)}`).join(", ")}` });
  }
  return el("div", { class: "plans" },
    el("p", { class: "hint" }, data.guided ? "Plans found with this policy’s guidance: " : "The planner’s own plans: ", symbol(true), " the policy does the same, ", symbol(false), " it does not."),
    plans.map((entry, k) => el("figure", { class: data.maps[k] ? "with-map" : "" },
      el("figcaption", { text: `${nameOf(data.plan_problems[k])}: ${entry ? `${entry.agrees.filter((a) => !a).length} of ${plural(entry.agrees.length, "step")} differ` : "no plan found"}` }),
      entry && (data.maps[k] ? mapOf(data.maps[k], entry) : stripOf(entry)))));
}

function symbol(agrees) {
  const shape = agrees ? sv("rect", { x: 2, y: 2, width: 10, height: 10, class: "agree" }) : sv("circle", { cx: 7, cy: 7, r: 5, class: "differ" });
  return sv("svg", { width: 14, height: 14, viewBox: "0 0 14 14", class: "symbol", "aria-hidden": "true" }, shape);
}

function stripOf(entry) {
  return el("ol", { class: "strip", role: "list" }, entry.plan.map((action, k) =>
    el("li", { title: `${k + 1}: ${action}` }, symbol(Boolean(entry.agrees[k])),
      el("span", { class: "spoken", text: `${action}: ${entry.agrees[k] ? "agrees" : "differs"}` }))));
}

function mapOf(map, entry) {
  const place = new Map(map.cells.map(([name, row, column]) => [name, [row, column]]));
  const rows = map.cells.map((cell) => cell[1]);
  const columns = map.cells.map((cell) => cell[2]);
  const [top, left] = [Math.min(...rows), Math.min(...columns)];
  const [high, wide] = [Math.max(...rows) - top + 1, Math.max(...columns) - left + 1];
  const steps = entry.plan.map((action, k) => {
    const target = action.slice(1, -1).split(" ").pop();
    const at = place.get(target);
    if (!at) return null;
    const [cx, cy] = [at[1] - left + 0.5, at[0] - top + 0.5];
    const title = sv("title", { text: `${k + 1}: ${action}, ${entry.agrees[k] ? "agrees" : "differs"}` });
    return entry.agrees[k]
      ? sv("rect", { x: cx - 0.24, y: cy - 0.24, width: 0.48, height: 0.48, class: "agree" }, title)
      : sv("circle", { cx, cy, r: 0.28, class: "differ" }, title);
  });
  const differ = entry.agrees.filter((a) => !a).length;
  return sv("svg", { viewBox: `0 0 ${wide} ${high}`, class: "map", role: "img", "aria-label": `Map with the plan: ${plural(entry.plan.length, "step")}, ${differ} differ` },
    map.cells.map(([, row, column, kind]) => sv("rect", { x: column - left, y: row - top, width: 1, height: 1, class: `cell ${kind}` })),
    map.goal.filter((name) => place.has(name)).map((name) => sv("rect", { x: place.get(name)[1] - left + 0.06, y: place.get(name)[0] - top + 0.06, width: 0.88, height: 0.88, class: "goal-cell" })),
    steps);
}
