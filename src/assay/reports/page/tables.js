/* Tables are sorted by their heads and filtered by words; models that are not shown leave them. */
(() => {
  const { make, shown } = assay;

  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return; // a button needs a name
      const button = make("button", { type: "button", textContent: head.textContent });
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const value = (row) => {
          const cell = row.cells[column];
          return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
        };
        const rows = [...body.rows].map((row) => [value(row), row]);
        rows.sort(([a], [b]) => (down ? -order(a, b) : order(a, b)));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  /* Numbers before text; what is empty or no number comes last. */
  function order(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a.localeCompare(b, "en", { numeric: true });
  }

  function filterable(table) {
    const input = make("input", { type: "search", placeholder: "Filter rows" });
    const count = make("span");
    input.setAttribute("aria-label", `Filter the table: ${table.caption.textContent}`);
    count.setAttribute("role", "status");
    table.parentElement.before(make("div", { className: "tools" }, make("label", {}, input), count));
    input.addEventListener("input", () => refresh(table));
    table.filter = { input, count };
  }

  function refresh(table) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (head.dataset.model === undefined) return;
      for (const row of table.rows) row.cells[column].hidden = !shown(head.dataset.model);
    });
    const words = (table.filter?.input.value ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    let left = 0;
    for (const row of table.tBodies[0].rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !(row.dataset.model === undefined || shown(row.dataset.model)) || !words.every((word) => text.includes(word));
      left += !row.hidden;
    }
    if (table.filter) {
      const all = table.tBodies[0].rows.length;
      table.filter.count.textContent = left === all ? "" : `${left} of ${all} rows`;
    }
  }

  const tables = [...document.querySelectorAll("table[data-sheet]")];
  tables.forEach((table) => {
    sortable(table);
    if (table.tBodies[0].rows.length > 8) filterable(table);
  });
  assay.when("models", () => tables.forEach(refresh));
})();
