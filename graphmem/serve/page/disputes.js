// Disputes with their question; one click settles, another undoes.

import { make, meta } from "./make.js";

export function disputes(conflicts, page) {
  const { words } = page;
  if (!conflicts.length) return [make("li", {}, words.say("noDisputes"))];
  return conflicts.map((conflict) => {
    const card = make("li", { class: "card" });
    const [old, fresh] = conflict.sides;
    const side = (memory, keep) =>
      make(
        "div", {},
        make("div", {}, make("strong", {}, memory.text), meta(memory, words), make("p", { class: "meta" }, `${words.say("source")}: ${memory.source} · ${words.say("confidence")}: ${memory.confidence.toFixed(2)}`)),
        make("button", { type: "button", "aria-label": `${words.say("keepThis")}: ${memory.text}`, onclick: () => settle(keep) }, words.say("keepThis")),
      );
    const settle = (keep) =>
      page.trying(async () => {
        await page.api.resolve(conflict.id, keep);
        const undo = make("button", { type: "button", onclick: () => back() }, words.say("undo"));
        card.replaceChildren(make("p", {}, words.say("settled")), undo);
        undo.focus();
        page.tell(words.say("settled"));
        await page.countDisputes();
      });
    const back = () =>
      page.trying(async () => {
        await page.api.restore(conflict.id);
        page.tell(words.say("undone"));
        await page.showDisputes();
        document.getElementById("disputed").querySelector("button")?.focus();
      });
    card.append(
      make("h3", {}, conflict.question),
      make("div", { class: "sides" }, side(old, "old"), side(fresh, "new")),
      make("div", { class: "row" }, ...["both", "neither"].map((keep) => make("button", { type: "button", onclick: () => settle(keep) }, words.say(keep)))),
    );
    return card;
  });
}
