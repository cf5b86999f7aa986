// The REST routes as functions; a problem document becomes an error with its sentence.

export class Problem extends Error {
  constructor(status, document) {
    super(document.detail || `HTTP ${status}`);
    this.status = status;
    this.document = document;
  }
}

export class Api {
  constructor(user, key) {
    this.user = user;
    this.key = key;
  }

  async call(method, path, { body, query } = {}) {
    const url = new URL(`/v1/users/${encodeURIComponent(this.user)}${path}`, location.origin);
    for (const [name, value] of Object.entries(query || {})) if (value !== undefined && value !== "") url.searchParams.set(name, value);
    const headers = { Accept: "application/json" };
    if (this.key) headers.Authorization = `Bearer ${this.key}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    const answer = await fetch(url, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    if (answer.status === 204) return null;
    const found = await answer.json().catch(() => ({}));
    if (!answer.ok) throw new Problem(answer.status, found);
    return found;
  }

  recall(query, at, include_archived) {
    return this.call("POST", "/recall", { body: { query, explain: true, include_archived, ...(at ? { at } : {}) } });
  }
  list(filter, limit, cursor) {
    return this.call("GET", "/memories", { query: { filter: filter && JSON.stringify(filter), limit, cursor: cursor || undefined } });
  }
  memory(id) {
    return this.call("GET", this.#at(id));
  }
  chain(id) {
    return this.call("GET", this.#at(id, "/chain"));
  }
  versions(memory) {
    const { subject, relation } = memory.properties;
    if (memory.type === "Fact" && subject && relation) return this.call("GET", "/history", { query: { subject, relation } });
    return this.call("GET", this.#at(memory.id, "/history"));
  }
  conflicts() {
    return this.call("GET", "/conflicts");
  }
  resolve(id, keep) {
    return this.call("POST", `/conflicts/${encodeURIComponent(id)}/resolve`, { body: { keep } });
  }
  restore(id) {
    return this.call("POST", this.#at(id, "/restore"));
  }
  pin(id, pinned) {
    return this.call("PATCH", this.#at(id), { body: { pinned } });
  }
  forget(id, with_sources) {
    return this.call("DELETE", this.#at(id), { query: { with_sources } });
  }
  working(session) {
    return this.call("GET", this.#in(session));
  }
  observe(session, text) {
    return this.call("POST", this.#in(session, "/observe"), { body: { text } });
  }
  hold(session, memory_id) {
    return this.call("POST", this.#in(session, "/pins"), { body: { memory_id } });
  }
  letGo(session, id) {
    return this.call("DELETE", this.#in(session, `/pins/${encodeURIComponent(id)}`));
  }
  clear(session) {
    return this.call("DELETE", this.#in(session));
  }
  stats() {
    return this.call("GET", "/stats");
  }
  #in(session, more = "") {
    return `/sessions/${encodeURIComponent(session)}/working${more}`;
  }
  #at(id, more = "") {
    return `/memories/${encodeURIComponent(id)}${more}`;
  }
}
