"use strict";
// A policy on a problem: the scene, the rule that acts, what changes and why.

function playPage(data, app) {
  const steps = data.steps;
  const last = data.done;
  const names = data.objects.map(([name]) => name);
  const atomText = (i) => {
    const [predicate, ...terms] = data.atoms[i];
    if (predicate.startsWith("(")) return predicate;
    const [name, value] = predicate.split(" = ");
    const text = `(${[name, ...terms.map((t) => names[t])].join(" ")})`;
    return value === undefined ? text : `(= ${text} ${value})`;
  };
  const fluent = new Set(data.fluents);

  // States as sets of atom numbers; every 50th is kept, the others follow from it.
  const kept = [new Set(data.init)];
  function after(count) {
    const from = Math.min(Math.floor(count / 50), kept.length - 1);
    let state = new Set(kept[from]);
    for (let i = from * 50; i < count; i += 1) {
      for (const atom of steps[i].del) state.delete(atom);
      for (const atom of steps[i].add) state.add(atom);
      if ((i + 1) % 50 === 0 && kept.length === (i + 1) / 50) kept.push(new Set(state));
    }
    return state;
  }

  const scene = el("div", { class: "scene" });
  const live = el("p", { class: "now", "aria-live": "polite" });
  const why = el("div", { class: "why" });
  const rulesBox = el("div", { class: "rules" });
  const goalsBox = el("ul", { class: "goals" });
  const changes = el("div", { class: "changes" });
  const stateBox = el("p", { class: "atoms" });
  const bar = playbar({
    last, label: "Steps of the plan", show,
    tick: last > 60 ? 250 : 800,
    describe: (k) => (k === 0 ? "start" : `step ${k} of ${last}: ${steps[k - 1].words}`),
  });
  const failed = !["solved", "horizon"].includes(data.status);
  app.append(
    el("p", { class: "facts" }, `${plural(last, "step")}; ${failed ? "not solved: " : ""}${data.ending}`,
      data.cut && " · the problem is large: only some of its atoms are shown"),
    el("details", { class: "whole" }, el("summary", { text: "The policy in words" }), el("p", { text: data.policy.reading })),
    el("div", { class: "columns play" },
      el("div", {},
        el("section", { "aria-label": "State" }, el("div", { class: "pinned" }, bar.element, live), scene),
        el("section", { class: "later" }, el("h2", { text: "What changed" }), changes),
        el("section", { class: "later" }, el("h2", { text: "Goals" }), goalsBox),
        el("details", { class: "state later" }, el("summary", { text: "All that is true now and can change" }), stateBox)),
      el("div", {}, el("section", {}, el("h2", { text: "What comes next, and why" }), why), el("section", { class: "last" }, el("h2", { text: "Rules" }), rulesBox))));

  let width = 0;
  let at = 0;
  const world = makeWorld(data);
  const paint = () => width && scene.replaceChildren(drawScene(data.scene, world, width));
  whenResized(scene, (now) => { width = now; paint(); });

  // At k the state after k steps is shown, with the step that comes next.
  function show(k) {
    at = k;
    const state = after(k);
    const next = steps[k] || null;
    const before = k > 0 ? steps[k - 1] : null;
    world.set(state, next, steps.slice(0, k));
    paint();
    live.textContent = sentence(k, before);
    const undoable = next && (next.rule === null || next.missing);
    why.replaceChildren(...reasons(next, k, undoable));
    rulesBox.replaceChildren(...data.policy.rules.map((rule, i) =>
      ruleElement(rule, i + 1, { acting: Boolean(next) && next.rule === i, reading: rule.reading })));
    changes.replaceChildren(...(before ? changed(before) : [el("p", { class: "facts", text: "Nothing yet: this is the initial state." })]));
    goalsBox.replaceChildren(
      ...data.goal.map((atom) => goalItem(atomText(atom), state.has(atom))),
      ...data.unwanted.map((atom) => goalItem(`(not ${atomText(atom)})`, !state.has(atom))));
    stateBox.textContent = [...state].filter((atom) => fluent.has(data.atoms[atom][0])).map(atomText).sort().slice(0, 3000).join(" ");
  }

  function sentence(k, before) {
    const where = `Step ${k} of ${last}`;
    if (k === last && k > 0) return `${where}: ${before.words}. ${data.ending[0].toUpperCase()}${data.ending.slice(1)}.`;
    return k === 0 ? `Start; ${plural(last, "step")} to come.` : `${where}: ${before.words}.`;
  }

  function goalItem(text, holds) {
    return el("li", { class: holds ? "holds" : "open" }, el("span", { class: "mark", "aria-hidden": "true", text: holds ? "✓" : "○" }),
      el("span", { class: "spoken", text: holds ? "reached: " : "open: " }), text);
  }

  function changed(step) {
    const line = (atoms, kind, spoken) => atoms.length ? el("p", {}, atoms.map((atom) =>
      el(kind, { class: "condition" }, el("span", { class: "spoken", text: spoken }), atomText(atom)))) : null;
    return [line(step.add, "ins", "now true: "), line(step.del, "del", "no longer true: ")].filter(Boolean);
  }

  function reasons(next, k, undoable) {
    if (!next) return [el("p", {}, `Nothing: ${data.ending}.`)];
    const parts = [];
    if (next.rule === null) {
      parts.push(el("p", { class: "alarm", text: "No rule applies here, so the policy stops." }));
    } else {
      const rule = data.policy.rules[next.rule];
      parts.push(el("p", {}, undoable ? "The next step would be " : "Next: ", el("b", { text: next.words }), ` – rule ${next.rule + 1}, ${rule.name}.`));
      if (next.missing) parts.push(el("p", { class: "alarm", text: `It cannot be done: it needs ${next.missing}.` }));
      if (next.binding.length) parts.push(el("dl", { class: "binding" }, next.binding.map(([variable, object]) =>
        el("div", {}, el("dt", { text: variable }), el("dd", { text: object })))));
      if (next.serves.length) parts.push(el("p", {}, "For the goal ", el("b", { text: next.serves.join(" ") }), next.achieves.length ? ", which this step reaches." : "."));
      else if (next.next) parts.push(el("p", {}, "The rule names no goal; the next one reached is ", el("b", { text: next.next[0] }), ` in step ${next.next[1]}.`));
      if (next.measure) parts.push(el("p", { text: `It brings the end nearer: ${next.measure}.` }));
      if (next.undoes.length) parts.push(el("p", { class: "alarm", text: `It undoes ${next.undoes.join(" ")}.` }));
    }
    const few = 4;
    const listed = (some) => el("ul", { class: "not" }, some.map((text) => el("li", { text: text.replace(/\?(?=\w)/g, "?\u2060") })));
    if (next.not.length) parts.push(listed(next.not.slice(0, few)));
    if (next.not.length > few) parts.push(el("details", {}, el("summary", { text: `Why not ${plural(next.not.length - few, "more rule")}` }), listed(next.not.slice(few))));
    if (!data.reasons && next.rule) parts.push(el("p", { class: "facts", text: `Why not an earlier rule: pg3 explain … --step ${k + 1}` }));
    return parts;
  }

  bar.go(0);
}
