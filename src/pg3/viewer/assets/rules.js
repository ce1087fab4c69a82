"use strict";
// Rules on the page, and what changed between two of them.

const differing = (these, those) => new Set(these.filter((item) => !those.includes(item)));

function conditions(keyword, now, before, kind) {
  const added = before ? differing(now, before) : new Set();
  const all = before ? [...now, ...before.filter((item) => !now.includes(item))] : now;
  if (!all.length) return null;
  const items = all.map((text) => {
    const gone = !now.includes(text);
    const mark = gone ? "gone" : added.has(text) ? "new" : null;
    const spoken = mark && el("span", { class: "spoken", text: gone ? " removed: " : " added: " });
    return el(gone ? "del" : mark ? "ins" : "span", { class: "condition" }, spoken, text);
  });
  return el("div", { class: `part ${kind}` }, el("span", { class: "keyword", text: keyword }), el("span", { class: "list" }, items));
}

/* `before` is the rule as it was, for a diff; `mark` is "new" or "gone" for a whole rule. */
function ruleElement(rule, number, { before = null, mark = null, acting = false, reading = null } = {}) {
  const state = mark === "new" ? " is new" : mark === "gone" ? " is gone" : before ? " is changed" : acting ? " acts" : "";
  return el("section", { class: `rule ${mark || ""} ${acting ? "acting" : ""}`, "aria-label": `Rule ${number}: ${rule.name}${state}` },
    el("h4", {}, el("span", { class: "number", text: number }), rule.name,
      state && el("span", { class: "badge", text: state.replace(" is ", "").trim() })),
    reading && el("p", { class: "reading", text: reading }),
    el("div", { class: "code" },
      conditions("if", rule.preconditions, before && before.preconditions, "pre"),
      conditions("goal", rule.goals, before && before.goals, "wanted"),
      el("div", { class: "part" }, el("span", { class: "keyword", text: "do" }), el("span", { class: "list" }, el("b", { text: rule.action })))));
}

/* The rules of a policy next to those of its parent, both as lists of rule numbers. */
function policyDiff(parent, child, rules, readings) {
  const made = [];
  const element = (key, number, options) =>
    made.push(ruleElement(rules[key], number, { reading: readings[key] || null, ...options }));
  if (!parent) {
    child.forEach((key, i) => element(key, i + 1, {}));
    return made;
  }
  let place = 0;
  while (place < parent.length && place < child.length && parent[place] === child[place]) place += 1;
  if (child.length < parent.length) {
    parent.forEach((key, i) => element(key, i + 1, { mark: i === place ? "gone" : null }));
  } else {
    child.forEach((key, i) => {
      const changed = child.length === parent.length && parent[i] !== key;
      element(key, i + 1, { mark: child.length > parent.length && i === place ? "new" : null, before: changed ? rules[parent[i]] : null });
    });
  }
  return made;
}
