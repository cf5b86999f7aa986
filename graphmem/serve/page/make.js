// Elements without a framework: text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "tint") made.style.setProperty("--tint", `var(--node-${value}, var(--node-other))`);
    else if (name === "width%") made.style.width = `${value}%`;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((one) => one !== null && one !== undefined && one !== ""));
  return made;
}

export const make = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
export const draw = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);
export const short = (text, width = 60) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** A stored value as people write it. */
export function shown(value, words) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((one) => shown(one, words)).join(", ");
  if (typeof value === "object") {
    if ("number" in value && "unit" in value) return `${value.number} ${value.unit}`.trim();
    if ("start" in value && "end" in value) return `${words.when(value.start)} – ${words.when(value.end)}`;
    return Object.entries(value).map(([key, one]) => `${key}: ${shown(one, words)}`).join(", ");
  }
  return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? words.when(value) : String(value);
}

/** Kind, state and times of a memory in one line. */
export function meta(memory, words) {
  const spoken = memory.type === "Episode" ? memory.properties : null;
  return make(
    "p", { class: "meta" },
    make("span", { class: "kind", tint: memory.type }, words.type(memory.type)),
    memory.state === "current" ? null : make("span", { class: `state ${memory.state}` }, words.state(memory.state)),
    spoken ? make("span", {}, words.say("saidBy", { who: spoken.speaker || spoken.role, when: words.when(spoken.said_at, true) })) : null,
    !spoken && memory.valid_from ? make("span", {}, `${words.when(memory.valid_from)} – ${words.when(memory.valid_to)}`) : null,
    memory.properties.status ? make("span", {}, memory.properties.status) : null,
    memory.pinned ? make("span", { "aria-label": words.say("pinned") }, "📌") : null,
  );
}
