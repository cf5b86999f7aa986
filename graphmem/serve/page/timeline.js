// The versions of a memory: what is believed now as bars over the time in which it held; every belief as a table.

import { draw, make, short } from "./make.js";

const WIDTH = 440, LEFT = 8, RIGHT = 432, ROW = 34;

export function timeline(versions, words) {
  const sorted = [...versions].sort((a, b) => (a.valid_from || a.recorded_at).localeCompare(b.valid_from || b.recorded_at));
  const believed = sorted.filter((one) => !one.superseded_at);
  return [picture(believed.length ? believed : sorted, words), make("div", { class: "wide", tabindex: 0, role: "group", "aria-label": words.say("versions") }, table(sorted, words))];
}

function picture(versions, words) {
  const now = Date.now();
  const starts = versions.map((one) => Date.parse(one.valid_from || one.recorded_at));
  const ends = versions.map((one) => (one.valid_to ? Date.parse(one.valid_to) : now));
  const first = Math.min(...starts, now), last = Math.max(...ends, now, first + 86_400_000);
  const x = (moment) => LEFT + ((RIGHT - LEFT) * (moment - first)) / (last - first);
  const height = versions.length * ROW + 26;
  const bars = versions.map((one, index) => {
    const from = x(starts[index]), to = Math.max(from + 4, x(Math.max(ends[index], starts[index])));
    const label = `${one.memory.text}: ${words.when(one.valid_from)} – ${words.when(one.valid_to)}, ${words.state(one.memory.state)}`;
    const anchored = from > WIDTH / 2 ? { x: RIGHT, "text-anchor": "end" } : { x: from };
    return draw(
      "g", { role: "listitem", "aria-label": label },
      draw("title", {}, label),
      draw("text", { class: "name", y: index * ROW + 14, ...anchored }, short(one.memory.text, 56)),
      draw("rect", { class: `span ${one.memory.state}`, x: from, y: index * ROW + 18, width: to - from, height: 9, rx: 3 }),
    );
  });
  const ticks = [first, (first + last) / 2, last].map((moment, index) =>
    draw("text", { class: "tick", x: [40, WIDTH / 2, WIDTH - 40][index], y: height - 6 }, words.when(new Date(moment).toISOString())));
  const attributes = { class: "picture", viewBox: `0 0 ${WIDTH} ${height}`, role: "list", "aria-label": words.say("timeline") };
  return draw("svg", attributes, bars, draw("g", { "aria-hidden": "true" }, ticks));
}

function table(versions, words) {
  const heads = ["value", "state", "from", "to", "recorded", "until"].map((name) => make("th", { scope: "col" }, words.say(name)));
  const rows = versions.map((one) =>
    make(
      "tr", {},
      make("td", {}, short(one.memory.text, 80)),
      make("td", {}, words.state(one.memory.state)),
      ...[one.valid_from, one.valid_to, one.recorded_at, one.superseded_at].map((when) => make("td", {}, words.when(when))),
    ));
  return make("table", {}, make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows));
}
