/* Heatmaps: a cell says its figure, interval and number of cases, and leads to its cases. Arrow keys move between cells. */
(() => {
  const { make, shown } = assay;
  const grids = [...document.querySelectorAll("table.grid")];
  const names = new Map(assay.data.examples.models.map((each) => [each.id, each.name]));

  function lines(cell) {
    const row = cell.parentElement.cells[0].textContent;
    const label = cell.dataset.label ? `, ${cell.dataset.label}` : "";
    return [`${names.get(cell.dataset.model) ?? cell.dataset.model}: ${row}${label}`, cell.dataset.tip, "Click to see cases"];
  }

  function say(button) {
    const { left, bottom } = button.getBoundingClientRect();
    assay.tip(lines(button.parentElement), left, bottom - 8);
  }

  for (const grid of grids) {
    const rows = [];
    for (const row of grid.tBodies[0].rows) {
      const buttons = [...row.cells].filter((cell) => cell.dataset.tip).map((cell) => {
        const button = make("button", { type: "button", tabIndex: -1, textContent: cell.textContent, className: cell.firstChild.className });
        button.setAttribute("aria-label", `${cell.textContent}. ${lines(cell).join(". ")}`);
        cell.replaceChildren(button);
        return button;
      });
      rows.push(buttons);
    }
    const first = rows.find((row) => row.length)?.[0];
    if (first) first.tabIndex = 0;

    grid.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-tip]");
      if (cell) assay.showCases({ model: cell.dataset.model, family: cell.dataset.family ?? "", label: cell.dataset.label ?? "", group: cell.dataset.group ?? "" });
    });
    grid.addEventListener("mouseover", (event) => {
      const cell = event.target.closest("td[data-tip]");
      if (cell) say(cell.firstChild);
      else if (!event.target.closest("[data-about]")) assay.noTip();
    });
    grid.addEventListener("mouseleave", assay.noTip);
    grid.addEventListener("focusin", (event) => event.target.matches("td button:focus-visible") && say(event.target));
    grid.addEventListener("focusout", assay.noTip);
    grid.addEventListener("keydown", (event) => {
      const y = rows.findIndex((row) => row.includes(event.target));
      const way = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
      if (y < 0 || !way) return;
      event.preventDefault();
      const there = (row) => row.filter((each) => each.checkVisibility());
      const line = rows[y + way[0]];
      if (!line) return;
      const x = there(rows[y]).indexOf(event.target) + way[1];
      const next = there(line)[way[0] ? Math.min(x, there(line).length - 1) : x];
      if (!next) return;
      event.target.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  /* Moving by keyboard scrolls, and scrolling hides what is shown: show it again where the cell is now. */
  document.addEventListener("scroll", () => {
    const cell = document.activeElement;
    if (cell?.matches("table.grid td button:focus-visible")) say(cell);
  }, { passive: true, capture: true });

  assay.when("models", () => {
    for (const each of document.querySelectorAll(".grid [data-model], .model[data-model], .card[data-model], .headline[data-model]")) {
      each.hidden = !shown(each.dataset.model);
    }
  });

  /* Where something is wider than its box, the box says so. */
  assay.hints = () => {
    for (const box of document.querySelectorAll(".scroll")) box.classList.toggle("more", box.scrollWidth > box.clientWidth + 2);
  };
})();
