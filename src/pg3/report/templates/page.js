"use strict";
// The page is complete without this script: it adds values under the pointer, a choice of methods
// in the plots, and one button for all policies.

// -- values under the pointer or the arrow keys ---------------------------------------------------

const fraction = (value) => {
  const text = value.toFixed(2);
  if (text === "1.00" && value < 1) return (Math.floor(value * 1000) / 1000).toFixed(3);
  if (text === "0.00" && value > 0) return (Math.ceil(value * 1000) / 1000).toFixed(3);
  return text;
};

const seconds = (value) => {
  if (value < 1) return `${Number((value * 1000).toPrecision(2))} ms`;
  return `${Number(value.toPrecision(3)).toLocaleString("en")} s`;
};

function successAt(points, flat, time) {
  let value = flat;
  for (const [since, mean] of points) {
    if (since > time) break;
    value = mean;
  }
  return value;
}

function element(name, text, kind) {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function addValues(plot) {
  // `left` and `right` are the ends of the time axis, in parts of the plot's width.
  const { low, high, left, right, curves } = JSON.parse(plot.dataset.curves);
  const cross = element("div", "", "cross");
  cross.hidden = true;
  const tip = element("div", "", "tip");
  tip.setAttribute("role", "status");
  tip.hidden = true;
  plot.append(cross, tip);
  plot.tabIndex = 0;
  plot.setAttribute("role", "group");
  plot.setAttribute("aria-label", "Values: left and right arrow keys move along the time axis");
  let part = 1;

  function show() {
    const time = 10 ** (low + part * (high - low));
    const rows = curves
      .map(([label, style, flat, points]) => [label, style, successAt(points, flat, time)])
      .sort((a, b) => b[2] - a[2]);
    tip.replaceChildren(element("b", `after ${seconds(time)}`));
    for (const [label, style, value] of rows) {
      const line = element("div", "", style);
      line.append(element("span", label), element("span", fraction(value)));
      tip.append(line);
    }
    tip.hidden = false;
    const x = (left + part * (right - left)) * plot.clientWidth;
    cross.style.left = `${x}px`;
    cross.hidden = false;
    // On the side that has more room, so that it never covers the place it is about.
    const leftOf = x - tip.offsetWidth - 10;
    tip.style.left = `${Math.max(0, x > plot.clientWidth / 2 ? leftOf : Math.min(x + 10, plot.clientWidth - tip.offsetWidth))}px`;
  }

  function hide() {
    tip.hidden = true;
    cross.hidden = true;
  }

  function follow(event) {
    const box = plot.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width;
    part = Math.min(1, Math.max(0, (x - left) / (right - left)));
    show();
  }

  plot.addEventListener("pointermove", follow);
  plot.addEventListener("pointerdown", follow);
  plot.addEventListener("pointerleave", hide);
  plot.addEventListener("focus", () => { if (plot.matches(":focus-visible")) show(); });
  plot.addEventListener("blur", hide);
  plot.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
    if (event.key === "Escape") hide();
    if (!step) return;
    event.preventDefault();
    part = Math.min(1, Math.max(0, part + step));
    show();
  });
}

// -- a choice of methods --------------------------------------------------------------------------

function addChoice(legend) {
  const panels = legend.nextElementSibling;
  const chosen = new Set();
  for (const item of legend.children) {
    const button = element("button");
    button.type = "button";
    button.setAttribute("aria-pressed", "false");
    button.append(...item.childNodes);
    item.append(button);
    button.addEventListener("click", () => {
      const style = item.dataset.style;
      if (!chosen.delete(style)) chosen.add(style);
      button.setAttribute("aria-pressed", String(chosen.has(style)));
      panels.classList.toggle("chosen", chosen.size > 0);
      for (const line of panels.querySelectorAll(`.line.${style}`)) line.classList.toggle("shown", chosen.has(style));
    });
  }
}

// -- all policies at once -------------------------------------------------------------------------

function addOpenAll(policies) {
  const all = [...policies.querySelectorAll("details")];
  const button = element("button", "Open all policies");
  button.type = "button";
  const tools = element("p", "", "tools");
  tools.append(button);
  policies.before(tools);
  button.addEventListener("click", () => {
    const open = all.some((details) => !details.open);
    for (const details of all) details.open = open;
    button.textContent = open ? "Close all policies" : "Open all policies";
  });
}

for (const plot of document.querySelectorAll(".plot[data-curves]")) addValues(plot);
for (const legend of document.querySelectorAll(".legend")) addChoice(legend);
for (const policies of document.querySelectorAll(".policies")) addOpenAll(policies);
