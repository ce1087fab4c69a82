"use strict";
// What both pages use: elements from text (never from markup), and a slider that plays.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "text") made.textContent = value;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const el = (name, attributes, ...children) => fill(document.createElement(name), attributes, children);
const sv = (name, attributes, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

const plural = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

const figure = (value) => (Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toFixed(5))));

function duration(seconds) {
  return seconds < 1 ? `${Number((seconds * 1000).toPrecision(2))} ms` : `${Number(seconds.toPrecision(3))} s`;
}

// The same picture for every width would have unreadable text on a phone: pictures are made anew.
function whenResized(element, draw) {
  let width = 0;
  new ResizeObserver(() => {
    const now = Math.round(element.clientWidth);
    if (now && now !== width) {
      width = now;
      draw(now);
    }
  }).observe(element);
}

/* A slider from 0 to `last` with buttons and keys. `show(value)` is called on each change; `stride`
   is how far one tick of the replay goes, `tick` the milliseconds between two. */
function playbar({ last, label, show, stride = 1, tick = 700, describe }) {
  let value = 0;
  let timer = null;
  const slider = el("input", { type: "range", min: 0, max: last, step: 1, value: 0, "aria-label": label });
  const button = (text, name, action) =>
    el("button", { type: "button", "aria-label": name, title: name, onclick: action }, text);

  function go(wanted) {
    value = Math.min(last, Math.max(0, wanted));
    slider.value = value;
    slider.setAttribute("aria-valuetext", describe(value));
    back.disabled = first.disabled = value === 0;
    next.disabled = end.disabled = value === last;
    show(value);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
    play.setAttribute("aria-label", "Play");
    play.title = "Play (space)";
  }

  function toggle() {
    if (timer !== null) return stop();
    if (value === last) go(0);
    play.textContent = "Pause";
    play.setAttribute("aria-label", "Pause");
    play.title = "Pause (space)";
    timer = setInterval(() => {
      go(value + stride);
      if (value === last) stop();
    }, tick);
  }

  const by = (change) => () => { stop(); go(value + change); };
  const first = button("|◀", "First (Home)", by(-Infinity));
  const back = button("◀", "Back (left arrow)", by(-1));
  const play = button("Play", "Play", toggle);
  const next = button("▶", "Forward (right arrow)", by(1));
  const end = button("▶|", "Last (End)", by(Infinity));
  play.className = "play";
  play.title = "Play (space)";
  slider.addEventListener("input", () => { stop(); go(Number(slider.value)); });

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("select, textarea")) return;
    const onButton = event.target.matches("button, summary, a");
    const change = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }[event.key];
    const scrolls = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (change !== undefined && !(scrolls && event.target !== slider)) {
      event.preventDefault();
      stop();
      // Up makes a slider larger; the other keys go their way.
      go(value + (scrolls ? -change : change));
    } else if (event.key === " " && !onButton) {
      event.preventDefault();
      toggle();
    }
  });

  const element = el("div", { class: "playbar", role: "group", "aria-label": label },
    el("div", { class: "buttons" }, first, back, play, next, end), slider);
  return { element, go, stop, get value() { return value; } };
}
