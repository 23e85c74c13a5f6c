"use strict";
/* What a reader chose: models, open parts, filters of cases. It is kept in the address, so that a view is a link. */
const assay = (() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const FILTERS = ["family", "label", "group", "model", "show", "with", "q"];
  const chosen = { models: null, filters: {} }; // null means all models
  const heard = [];

  const shown = (model) => chosen.models === null || chosen.models.has(model);
  const parts = [...document.querySelectorAll("details.part")];

  /* Tell everybody what changed: "models" or "filters". */
  function changed(what) {
    heard.filter((each) => each.what === what).forEach((each) => each.then());
    keep();
  }
  const when = (what, then) => heard.push({ what, then });

  function address() {
    const query = new URLSearchParams();
    if (chosen.models !== null) query.set("models", [...chosen.models].join("|"));
    for (const name of FILTERS) if (chosen.filters[name]) query.set(name, chosen.filters[name]);
    const open = parts.filter((each) => each.open).map((each) => each.id);
    if (open.length) query.set("open", open.join("|"));
    return query.toString();
  }
  function keep() {
    history.replaceState(null, "", `#${address()}`);
  }

  /* An address is a part's name, or a whole view. */
  function read() {
    const hash = location.hash.slice(1);
    if (!hash.includes("=")) {
      if (hash) goTo(decodeURIComponent(hash));
      return;
    }
    const query = new URLSearchParams(hash);
    const models = query.get("models");
    chosen.models = models === null ? null : new Set(models.split("|").filter(Boolean));
    chosen.filters = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
    const open = (query.get("open") ?? "").split("|");
    for (const part of parts) part.open = open.includes(part.id);
  }

  function goTo(id) {
    const part = parts.find((each) => each.id === id);
    if (!part) return;
    part.open = true;
    part.scrollIntoView();
    keep();
  }

  const make = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };

  return { data, chosen, shown, parts, changed, when, keep, read, goTo, make };
})();
