"use strict";
{
  const data = JSON.parse(document.getElementById("data").textContent);
  const app = document.getElementById("app");
  app.replaceChildren();
  if (data.kind === "search") searchPage(data, app);
  else if (data.kind === "play") playPage(data, app);
  else app.append(el("p", { class: "whole", text: data.policy.reading }),
    el("div", { class: "rules" }, data.policy.rules.map((rule, i) => ruleElement(rule, i + 1, { reading: rule.reading }))));
  document.documentElement.dataset.ready = "yes";
}
