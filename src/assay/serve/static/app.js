/* What all views share. Every view works without it; it saves clicks. */
(() => {
  document.documentElement.classList.add("js");

  /* A choice takes effect at once; empty fields stay out of the address. */
  document.addEventListener("change", ({ target }) => target.matches("[data-submit]") && target.form.requestSubmit());
  document.addEventListener("submit", ({ target }) => {
    if (target.method !== "get") return;
    for (const field of target.elements) if (field.name && field.value === "") field.disabled = true;
  });
  window.addEventListener("pageshow", () => {
    for (const field of document.querySelectorAll("form[method=get] :disabled")) field.disabled = false;
  });

  /* Facets are open where there is room beside the cases. */
  const wide = window.matchMedia("(min-width: 56rem)");
  for (const each of document.querySelectorAll("[data-wide-open]")) {
    each.open = wide.matches;
    wide.addEventListener("change", () => (each.open = wide.matches));
  }

  /* Where a table is wider than its box, the box says so, as in the report. */
  const hint = () => {
    for (const box of document.querySelectorAll(".scroll")) box.classList.toggle("more", box.scrollWidth > box.clientWidth + 2);
  };
  window.addEventListener("resize", hint);
  hint();

  for (const button of document.querySelectorAll("[data-copy-link]")) {
    const words = button.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(location.href);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = words), 1500);
    });
  }

  const waiting = document.querySelector("[data-reload]");
  if (waiting) setTimeout(() => location.reload(), Number(waiting.dataset.reload) * 1000);
})();

/* How far runs are, as the server tells it. */
for (const card of document.querySelectorAll("[data-job]")) {
  if (!["waiting", "running"].includes(card.dataset.state)) continue;
  const find = (name) => card.querySelector(name);
  const source = new EventSource(`/start/${card.dataset.job}/events`);
  source.onmessage = ({ data }) => {
    const told = JSON.parse(data);
    find(".state").textContent = told.state;
    find(".stage").textContent = told.total ? `${told.stage}: ${told.done.toLocaleString("en")} of ${told.total.toLocaleString("en")}` : told.stage;
    find(".lines").textContent = told.lines.join("\n");
    const bar = find("progress");
    if (told.total) Object.assign(bar, { max: told.total, value: told.done });
    else if (told.state === "running") bar.removeAttribute("value");
    if (["waiting", "running"].includes(told.state)) return;
    source.close();
    location.reload();
  };
}
