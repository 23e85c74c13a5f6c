/* Where a report is served, the cells of its heatmaps lead to their cases, all of them. */
(() => {
  const { cases } = document.querySelector("[data-cases]")?.dataset ?? {};
  if (!cases) return;
  document.addEventListener(
    "click",
    (event) => {
      const cell = event.target.closest?.(".grid td[data-tip]");
      if (!cell) return;
      event.stopPropagation();
      const { model, suite, family, label, group, facet } = cell.dataset;
      const query = new URLSearchParams(Object.entries({ model, suite, family, label, show: "wrong" }).filter(([, value]) => value));
      if (group && facet) query.set(`group.${facet}`, group);
      location.assign(`${cases}?${query}`);
    },
    true,
  );
})();
