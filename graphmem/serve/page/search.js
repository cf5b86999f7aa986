// Results with every part of their score.

import { make, meta, short } from "./make.js";

export function results(found, words, open) {
  return found.recollections.map((one) =>
    make(
      "li", { class: "card", "data-id": one.memory.id },
      make("button", { type: "button", class: "text", onclick: () => open(one.memory) }, one.memory.text),
      meta(one.memory, words),
      quotes(one, words),
      ...one.outdated_by.slice(0, 1).map((other) => make("p", { class: "note" }, words.say("outdated", { text: short(other.text, 100) }))),
      ...one.disputed_with.slice(0, 1).map((other) => make("p", { class: "note" }, words.say("disputed", { text: short(other.text, 100) }))),
      why(one, words),
    ));
}

function quotes(one, words) {
  if (one.memory.type === "Episode") return null;
  const said = one.citations.find((citation) => citation.quote);
  if (!said) return null;
  const who = words.say("saidBy", { who: said.speaker || "–", when: said.said_at ? words.when(said.said_at, true) : "–" });
  return make("blockquote", {}, `“${short(said.quote, 200)}” — ${who}`);
}

function why(one, words) {
  const parts = Object.entries(one.reasons).filter(([, points]) => Math.abs(points) >= 0.005).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(0.01, ...parts.map(([, points]) => Math.abs(points)));
  const rows = parts.map(([name, points]) =>
    make(
      "tr", {},
      make("th", { scope: "row" }, name),
      make("td", { class: "number" }, `${points > 0 ? "+" : "−"}${Math.abs(points).toFixed(2)}`),
      make("td", { "aria-hidden": "true" }, make("span", { class: points < 0 ? "part minus" : "part", "width%": Math.round((100 * Math.abs(points)) / most) })),
    ));
  const path = one.path.map((step) => step.type.toLowerCase().replaceAll("_", " ")).join(" → ");
  return make(
    "details", {},
    make("summary", {}, words.say("why", { score: one.score.toFixed(2) })),
    path ? make("p", {}, words.say("via", { path })) : null,
    make(
      "table", {},
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, words.say("part")), make("th", { scope: "col" }, words.say("points")), make("td"))),
      make("tbody", {}, rows),
    ),
  );
}

export function understood(plan, words) {
  return plan.reasons.length ? words.say("understood", { text: plan.reasons.join("; ") }) : "";
}
