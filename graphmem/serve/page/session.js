// What an agent holds in one session: shown, taken in, held and let go.

import { make, meta, short } from "./make.js";

const $ = (id) => document.getElementById(id);

export class Session {
  constructor(page) {
    this.page = page;
    this.id = "";
    this.held = null;
    $("hold").addEventListener("submit", (event) => { event.preventDefault(); this.open($("session-id").value); });
    $("observe").addEventListener("submit", (event) => { event.preventDefault(); this.observe(); });
    $("clear").addEventListener("click", () => this.clear());
  }

  open(id) {
    this.id = id;
    return this.page.trying(async () => this.show(await this.page.api.working(id)));
  }

  observe() {
    return this.page.trying(async () => {
      this.show(await this.page.api.observe(this.id, $("observed").value));
      $("observed").value = "";
      this.page.tell($("metrics").textContent);
    });
  }

  clear() {
    return this.page.trying(async () => {
      await this.page.api.clear(this.id);
      this.show(await this.page.api.working(this.id));
      this.page.tell(this.page.words.say("cleared"));
    });
  }

  /** Another user's session is not shown under a new name. */
  leave() {
    this.id = "";
    this.held = null;
    $("observe").hidden = true;
    $("metrics").textContent = "";
    $("held").replaceChildren();
  }

  dress() {
    if (this.held) this.show(this.held);
  }

  show(held) {
    const { words, api, detail } = this.page;
    this.held = held;
    $("observe").hidden = false;
    $("metrics").textContent = words.say("measures", { ...held.metrics, redundancy: held.metrics.redundancy.toFixed(2) });
    $("held").replaceChildren(...held.items.map((memory) => {
      const pinned = held.pinned.includes(memory.id), text = short(memory.text, 80);
      const change = () =>
        this.page.trying(async () => {
          this.show(await (pinned ? api.letGo(this.id, memory.id) : api.hold(this.id, memory.id)));
          $("held").querySelector(`[data-id="${CSS.escape(memory.id)}"] button.change`)?.focus();
        });
      return make(
        "li", { class: "card", "data-id": memory.id },
        make("button", { type: "button", class: "text", onclick: () => detail.open(memory) }, memory.text),
        meta(memory, words),
        make(
          "button", { type: "button", class: "change", "aria-label": words.say(pinned ? "letGo" : "hold", { text }), onclick: change },
          words.say(pinned ? "letGoShort" : "holdShort"),
        ),
      );
    }));
    detail.mark();
  }
}
