// The page: who is asked about, which view is shown, in which language and light.

import { Api, Problem } from "./api.js";
import { Detail } from "./detail.js";
import { disputes } from "./disputes.js";
import { make, meta } from "./make.js";
import { results, understood } from "./search.js";
import { Session } from "./session.js";
import { TYPES, Words } from "./words.js";

const $ = (id) => document.getElementById(id);
const VIEWS = ["search", "browse", "disputes", "session"];
const PAGE = 50;

class Page {
  constructor() {
    this.words = new Words(localStorage.getItem("language") || navigator.language.slice(0, 2));
    this.api = new Api(localStorage.getItem("user") || "default", sessionStorage.getItem("key") || "");
    this.last = null;
    this.cursor = null;
    this.detail = new Detail(this);
    this.session = new Session(this);
    $("user").value = this.api.user;
    $("key").value = this.api.key;
    this.light(localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
    this.listen();
  }

  listen() {
    $("who").addEventListener("submit", (event) => { event.preventDefault(); this.enter(); });
    $("ask").addEventListener("submit", (event) => { event.preventDefault(); this.find(); });
    $("narrow").addEventListener("submit", (event) => { event.preventDefault(); this.browse(); });
    $("more").addEventListener("click", () => this.browse(this.cursor));
    $("language").addEventListener("click", () => this.speak(this.words.language === "en" ? "zh" : "en"));
    $("theme").addEventListener("click", () => this.light(document.documentElement.dataset.theme === "dark" ? "light" : "dark", true));
    addEventListener("hashchange", () => this.view(true));
  }

  light(theme, chosen = false) {
    document.documentElement.dataset.theme = theme;
    $("theme").setAttribute("aria-pressed", theme === "dark");
    if (chosen) localStorage.setItem("theme", theme);
  }

  async speak(language) {
    localStorage.setItem("language", language);
    this.words = new Words(language);
    this.dress();
    if (this.last) this.show(this.last);
    this.session.dress();
    this.detail.dress();
    if (this.detail.memory) await this.detail.choose(this.detail.tab);
    await this.view();
    await this.totals();
  }

  dress() {
    this.words.dress(document);
    $("language").textContent = this.words.language === "en" ? "中文" : "English";
    $("language").lang = this.words.language === "en" ? "zh-CN" : "en";
    const chosen = $("type").value;
    $("type").replaceChildren(make("option", { value: "" }, this.words.say("any")), ...TYPES.map((one) => make("option", { value: one }, this.words.type(one))));
    $("type").value = chosen;
  }

  tell(text) {
    $("status").textContent = text;
  }

  /** Runs what talks to the server; a failure is told, and the page stays usable. */
  async trying(work) {
    $("alarm").textContent = "";
    try {
      await work();
    } catch (error) {
      if (error instanceof Problem) $("alarm").textContent = error.status === 401 ? this.words.say("needKey") : error.message;
      else if (error instanceof TypeError) $("alarm").textContent = this.words.say("unreachable");
      else throw error;
      if (error.status === 401) $("key").focus();
    }
  }

  async enter() {
    this.api = new Api($("user").value, $("key").value);
    localStorage.setItem("user", this.api.user);
    if (this.api.key) sessionStorage.setItem("key", this.api.key);
    else sessionStorage.removeItem("key");
    this.last = null;
    $("found").replaceChildren();
    $("understood").textContent = "";
    this.session.leave();
    if (this.detail.memory) this.detail.close();
    await this.start();
    if (!$("alarm").textContent) this.tell(this.words.say("opened", { user: this.api.user }));
  }

  async start() {
    await this.totals();
    if (!$("alarm").textContent) {
      await this.trying(() => this.countDisputes());
      await this.view();
    }
  }

  totals() {
    return this.trying(async () => {
      const stats = await this.api.stats(), memories = Object.values(stats.memories).reduce((sum, count) => sum + count, 0);
      $("totals").textContent = this.words.say("totals", { memories, entities: stats.entities });
    });
  }

  async countDisputes() {
    const conflicts = (await this.api.conflicts()).filter((one) => !one.decided);
    $("dispute-count").textContent = conflicts.length;
    $("dispute-count").hidden = conflicts.length === 0;
    return conflicts;
  }

  async view(moved = false) {
    const view = VIEWS.includes(location.hash.slice(1)) ? location.hash.slice(1) : "search";
    for (const one of VIEWS) {
      $(`view-${one}`).hidden = one !== view;
      const link = document.querySelector(`nav a[href="#${one}"]`);
      if (one === view) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    if (moved) $("main").focus();
    if (view === "browse") await this.browse();
    if (view === "disputes") await this.trying(() => this.showDisputes());
  }

  async showDisputes() {
    $("disputed").replaceChildren(...disputes(await this.countDisputes(), this));
  }

  find() {
    return this.trying(async () => {
      $("found").setAttribute("aria-busy", "true");
      this.last = await this.api.recall($("query").value, $("at").value, $("archived").checked);
      this.show(this.last);
      $("found").setAttribute("aria-busy", "false");
      const n = this.last.recollections.length;
      this.tell(n ? this.words.say("results", { n }) : this.words.say("nothing"));
    });
  }

  show(found) {
    $("understood").textContent = understood(found.plan, this.words);
    $("found").replaceChildren(...results(found, this.words, (memory) => this.detail.open(memory)));
    this.detail.mark();
  }

  browse(cursor) {
    return this.trying(async () => {
      const page = await this.api.list($("type").value ? { type: $("type").value } : undefined, PAGE, cursor);
      const cards = page.memories.map((memory) =>
        make(
          "li", { class: "card", "data-id": memory.id },
          make("button", { type: "button", class: "text", onclick: () => this.detail.open(memory) }, memory.text || this.words.type(memory.type)),
          meta(memory, this.words),
        ));
      if (cursor) $("listed").append(...cards);
      else $("listed").replaceChildren(...cards);
      this.cursor = page.cursor;
      $("more").hidden = !page.cursor;
      if (!cursor && !cards.length) this.tell(this.words.say("empty"));
      this.detail.mark();
    });
  }
}

const page = new Page();
page.dress();
await page.start();
document.documentElement.dataset.ready = "yes";
