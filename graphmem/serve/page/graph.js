// The graph around one memory: links of its chain, its entities, and what else speaks of them. Laid out at once, so nothing moves.

import { draw, make, short } from "./make.js";

const WIDTH = 460, HEIGHT = 380, ROUNDS = 260;

/** Nodes and edges from a chain and, for each entity, the memories that speak of it. */
export function collect(memory, chain, about) {
  const nodes = new Map(), edges = new Map();
  const put = (one) => nodes.set(one.id, nodes.get(one.id) || { id: one.id, label: one.text, type: one.type, memory: one });
  const join = (from, to, label) => edges.set(`${from}|${to}|${label}`, { from, to, label });
  const walk = (node) => {
    put(node.memory);
    for (const child of node.children) {
      walk(child);
      join(child.memory.id, node.memory.id, (child.relationship || "").toLowerCase().replaceAll("_", " "));
    }
  };
  put(memory);
  if (chain) walk(chain.root);
  const name = (one) => {
    for (const ref of one.refs) {
      if (!about.has(ref.name)) continue;
      const id = `entity ${ref.name}`;
      nodes.set(id, nodes.get(id) || { id, label: ref.name, type: "Entity" });
      join(one.id, id, ref.role);
    }
  };
  name(memory);
  for (const others of about.values()) for (const other of others) { put(other); name(other); }
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** Springs along edges, repulsion between all, from a fixed start: the same graph always looks the same. */
export function layout(nodes, edges, here) {
  const at = new Map(nodes.map((node, index) => {
    const angle = 2.399963 * index, radius = node.id === here ? 0 : 40 + 16 * Math.sqrt(index);
    return [node.id, { x: WIDTH / 2 + radius * Math.cos(angle), y: HEIGHT / 2 + radius * Math.sin(angle) }];
  }));
  const ideal = Math.min(120, Math.sqrt((WIDTH * HEIGHT) / (nodes.length + 1)) * 0.8);
  for (let round = 0; round < ROUNDS; round++) {
    const step = 12 * (1 - round / ROUNDS), force = new Map(nodes.map((node) => [node.id, { x: 0, y: 0 }]));
    const push = (a, b, strength) => {
      const p = at.get(a), q = at.get(b), dx = p.x - q.x || 0.01, dy = p.y - q.y || 0.01, far = Math.hypot(dx, dy);
      const size = strength(far) / far;
      force.get(a).x += dx * size; force.get(a).y += dy * size;
      force.get(b).x -= dx * size; force.get(b).y -= dy * size;
    };
    nodes.forEach((node, index) => nodes.slice(index + 1).forEach((other) => push(node.id, other.id, (far) => (ideal * ideal) / far)));
    for (const edge of edges) push(edge.from, edge.to, (far) => -(far * far) / ideal);
    for (const [id, place] of at) {
      const pull = force.get(id);
      pull.x += (WIDTH / 2 - place.x) * 0.6; pull.y += (HEIGHT / 2 - place.y) * 0.9;
      const size = Math.hypot(pull.x, pull.y) || 1, far = Math.min(size, step);
      place.x += (pull.x / size) * far;
      place.y += (pull.y / size) * far;
    }
  }
  fit(at);
  return at;
}

/** Stretches the drawing to the frame, as far as names still fit beside it. */
function fit(at) {
  const places = [...at.values()];
  for (const [axis, room, before, after] of [["x", WIDTH, 60, 60], ["y", HEIGHT, 24, 36]]) {
    const low = Math.min(...places.map((one) => one[axis])), high = Math.max(...places.map((one) => one[axis]));
    const scale = high > low ? Math.min(2.2, (room - before - after) / (high - low)) : 0, middle = (before + room - after) / 2;
    for (const one of places) one[axis] = middle + (one[axis] - (low + high) / 2) * scale;
  }
}

export function picture({ nodes, edges }, here, words, open) {
  const at = layout(nodes, edges, here), names = new Map(nodes.map((node) => [node.id, node.label]));
  const lines = edges.map(({ from, to, label }) => {
    const a = at.get(from), b = at.get(to);
    return draw(
      "g", {},
      draw("line", { class: "edge", x1: a.x, y1: a.y, x2: b.x, y2: b.y }),
      draw("text", { class: "edge-label", x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 - 2 }, label),
    );
  });
  const dots = nodes.map((node) => {
    const go = node.memory && node.id !== here ? () => open(node.memory) : null;
    const key = go && ((event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); go(); } });
    const place = at.get(node.id), kind = words.type(node.type);
    return draw(
      "g",
      {
        class: `node ${node.memory ? "memory" : "entity"}${node.id === here ? " here" : ""}`, tint: node.type, transform: `translate(${place.x} ${place.y})`,
        tabindex: go ? 0 : undefined, role: go ? "button" : "img", "aria-label": `${kind}: ${node.label}`, onclick: go || undefined, onkeydown: key || undefined,
      },
      draw("title", {}, `${kind}: ${node.label}`),
      draw("circle", { r: node.id === here ? 12 : node.memory ? 9 : 6 }),
      draw("text", { y: 23 }, short(node.label, 22)),
    );
  });
  const list = edges.map(({ from, to, label }) => make("li", {}, `${short(names.get(from), 70)} — ${label} → ${short(names.get(to), 70)}`));
  return [
    draw("svg", { class: "picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": words.say("picture") }, draw("g", { "aria-hidden": "true" }, lines), dots),
    make("details", {}, make("summary", {}, `${words.say("connections")} (${edges.length})`), make("ul", {}, list)),
  ];
}
