// The OpenAPI document as a page, without anything from elsewhere.

import { make } from "./make.js";

const dark = localStorage.getItem("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
document.documentElement.dataset.theme = dark;
const api = await (await fetch("/openapi.json")).json();

function schemaOf(reference) {
  return api.components.schemas[(reference || "").split("/").pop()];
}

function body(route) {
  const schema = schemaOf(route.requestBody?.content?.["application/json"]?.schema?.$ref);
  return (schema?.examples || []).map((one) => make("pre", {}, JSON.stringify(one, null, 2)));
}

function parameters(route) {
  const rows = (route.parameters || []).filter((one) => one.in === "query").map((one) =>
    make("tr", {}, make("th", { scope: "row" }, one.name), make("td", {}, one.required ? "required" : ""), make("td", {}, one.description || "")));
  return rows.length ? make("table", {}, make("tbody", {}, rows)) : null;
}

const cards = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, route]) =>
    make(
      "section", { class: "card" },
      make("h2", {}, make("span", { class: "method" }, method.toUpperCase()), make("code", {}, path)),
      make("p", {}, route.description || route.summary || ""),
      parameters(route), body(route),
    )));
document.getElementById("routes").replaceChildren(make("div", { class: "cards" }, cards));
document.documentElement.dataset.ready = "yes";
