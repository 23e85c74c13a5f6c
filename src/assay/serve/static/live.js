/* Where a report is served, cells of its heatmaps, bars, points and answers lead to their cases, the worst first. */
(() => {
  const families = [...document.querySelectorAll("a[data-family]")]; // of a comparison
  if (typeof assay !== "undefined" && families.length) {
    assay.pick = (datum) => families.find((link) => link.dataset.family === datum?.place)?.click();
    for (const box of document.querySelectorAll("[data-chart]")) box.classList.add("leads");
  }
  const { cases, labels = "{}" } = document.querySelector("[data-cases]")?.dataset ?? {};
  if (!cases) return;
  const own = JSON.parse(labels); // our name of each label that is shown by another
  const address = ({ model, suite, family, label, group, facet, answer }) => {
    const wanted = { model, suite, family, label: own[label] ?? label, answer: own[answer] ?? answer, show: answer ? "" : "wrong", order: "worst" };
    const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value));
    if (group && facet) query.set(`group.${facet}`, group);
    return `${cases}?${query}`;
  };
  document.addEventListener(
    "click",
    (event) => {
      const cell = event.target.closest?.(".grid td[data-tip]");
      if (!cell) return;
      event.stopPropagation();
      location.assign(address(cell.dataset));
    },
    true,
  );
  if (typeof assay !== "undefined") {
    assay.pick = (datum) => {
      if (datum?.model && datum.family) location.assign(address({ model: datum.model, family: datum.family, label: datum.label, answer: datum.answer }));
    };
    for (const box of document.querySelectorAll("[data-chart]")) box.classList.add("leads");
  }
  for (const table of document.querySelectorAll("table[data-sheet=confusion]")) {
    const heads = [...table.tHead.rows].at(-1).cells;
    const names = [...heads].map((head) => head.textContent.trim());
    for (const row of table.tBodies[0].rows) {
      const told = Object.fromEntries([...row.cells].map((cell, place) => [names[place], cell.textContent.trim()]));
      for (const [place, cell] of [...row.cells].entries()) {
        if (!cell.matches(".number") || names[place] === "cases" || !Number(cell.dataset.value)) continue;
        const link = document.createElement("a");
        link.href = address({ model: row.dataset.model, suite: told.suite, family: told.family, label: told.label, answer: names[place] });
        link.textContent = cell.textContent;
        cell.replaceChildren(link);
      }
    }
  }
})();
