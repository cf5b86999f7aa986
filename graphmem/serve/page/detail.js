// One memory: what it says, its versions, its chain, the graph around it; pin and forget.

import { collect, picture } from "./graph.js";
import { make, meta, shown } from "./make.js";
import { timeline } from "./timeline.js";

const ENTITIES = 4, NEIGHBOURS = 5;
const $ = (id) => document.getElementById(id);

export class Detail {
  constructor(page) {
    this.page = page;
    this.memory = null;
    this.tab = "versions";
    this.opener = null;
    const tabs = [...$("tabs").children];
    tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => this.choose(tab.dataset.tab));
      tab.addEventListener("keydown", (event) => {
        const move = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key];
        if (move === undefined) return;
        event.preventDefault();
        const next = tabs[(index + move + tabs.length) % tabs.length];
        next.focus();
        this.choose(next.dataset.tab);
      });
    });
    $("close").addEventListener("click", () => this.close());
    $("detail").addEventListener("keydown", (event) => { if (event.key === "Escape") this.close(); });
    $("pin").addEventListener("click", () => this.pin());
    $("forget").addEventListener("click", () => this.ask());
    $("sure").addEventListener("close", () => { if ($("sure").returnValue === "erase") this.erase(); else $("forget").focus(); });
  }

  async open(memory, keepFocus = false) {
    if ($("detail").hidden) this.opener = document.activeElement;
    this.memory = memory;
    this.tab = memory.type === "Goal" || memory.type === "Plan" || memory.type === "Step" ? "chain" : "versions";
    $("detail").hidden = false;
    this.dress();
    if (!keepFocus) $("detail-title").focus();
    await this.choose(this.tab);
  }

  close() {
    this.memory = null;
    $("detail").hidden = true;
    this.mark();
    const opener = this.opener?.isConnected ? this.opener : $("main");
    opener.focus();
  }

  mark() {
    for (const card of document.querySelectorAll(".card[data-id]")) {
      if (this.memory && card.dataset.id === this.memory.id) card.setAttribute("aria-current", "true");
      else card.removeAttribute("aria-current");
    }
  }

  /** The parts that depend on the memory and the language only. */
  dress() {
    if (!this.memory) return;
    const { memory, page: { words } } = this;
    this.mark();
    $("detail-title").textContent = memory.text || words.type(memory.type);
    const pairs = Object.entries(memory.properties).filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && !value.length));
    const facts = [
      ...pairs.map(([name, value]) => [name.replaceAll("_", " "), shown(value, words)]),
      [words.say("source"), memory.source], [words.say("confidence"), memory.confidence.toFixed(2)],
      [words.say("recorded"), words.when(memory.recorded_at, true)], [words.say("session"), memory.session_id], [words.say("entities"), memory.entities.join(", ")],
    ].filter(([, value]) => value);
    $("detail-body").replaceChildren(meta(memory, words), make("dl", {}, facts.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])));
    $("pin").textContent = words.say(memory.pinned ? "unpin" : "pin");
  }

  async choose(tab) {
    this.tab = tab;
    for (const one of $("tabs").children) {
      const chosen = one.dataset.tab === tab;
      one.setAttribute("aria-selected", chosen);
      one.tabIndex = chosen ? 0 : -1;
    }
    $("panel").setAttribute("aria-labelledby", `tab-${tab}`);
    $("panel").setAttribute("aria-busy", "true");
    const asked = this.memory;
    await this.page.trying(async () => {
      const content = await { versions: () => this.versions(), chain: () => this.chain(), graph: () => this.graph() }[tab]();
      if (asked === this.memory && tab === this.tab) $("panel").replaceChildren(...content);
    });
    $("panel").setAttribute("aria-busy", "false");
  }

  async versions() {
    return timeline(await this.page.api.versions(this.memory), this.page.words);
  }

  async chain() {
    const { root } = await this.page.api.chain(this.memory.id), { words } = this.page;
    if (!root.children.length) return [make("p", {}, words.say("noChain"))];
    const grow = (node) =>
      make(
        "li", {},
        node.relationship ? make("span", { class: "via" }, `${node.relationship.toLowerCase().replaceAll("_", " ")} `) : null,
        make("button", { type: "button", "aria-current": node.memory.id === this.memory.id ? "true" : undefined, onclick: () => this.open(node.memory) }, node.memory.text),
        meta(node.memory, words),
        node.children.length ? make("ul", {}, node.children.map(grow)) : null,
      );
    return [make("ul", { class: "tree", "aria-label": words.say("chain") }, grow(root))];
  }

  async graph() {
    const { api, words } = this.page, { memory } = this;
    const names = memory.entities.slice(0, ENTITIES);
    const [chain, ...pages] = await Promise.all([api.chain(memory.id), ...names.map((name) => api.list({ entity: name }, NEIGHBOURS))]);
    const about = new Map(names.map((name, index) => [name, pages[index].memories]));
    return picture(collect(memory, chain, about), memory.id, words, (other) => this.open(other));
  }

  async pin() {
    await this.page.trying(async () => {
      this.memory = (await this.page.api.pin(this.memory.id, !this.memory.pinned)).memory;
      this.dress();
      this.page.tell(this.page.words.say(this.memory.pinned ? "pinned" : "unpinned"));
    });
  }

  ask() {
    $("sure-text").textContent = this.memory.text;
    $("with-sources").checked = false;
    $("sure").returnValue = "keep";
    $("sure").showModal();
  }

  async erase() {
    const { page, memory } = this;
    await page.trying(async () => {
      const report = await page.api.forget(memory.id, $("with-sources").checked);
      const n = Object.values(report.counts).reduce((sum, count) => sum + count, 0);
      for (const card of document.querySelectorAll(".card[data-id]")) if (card.dataset.id === memory.id) card.remove();
      this.close();
      page.tell(page.words.say("forgotten", { n, left: report.remaining.length }));
      await page.totals();
    });
  }
}
