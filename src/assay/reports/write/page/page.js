"use strict";
/* The page's own script: draws the charts, sorts and filters tables, picks models. Text is only ever set as text. */
(() => {
  const specs = JSON.parse(document.getElementById("charts").textContent);
  const boxes = [...document.querySelectorAll("[data-chart]")];
  const views = new Map();
  let picked = null; // the models to show; null means all

  const shown = (model) => picked === null || picked.has(model);

  /* Vega-Lite warns of every chart whose height follows from its rows, which is what is wanted. */
  const silent = () => logger;
  const logger = { level: silent, error: (...said) => console.error(...said), warn: silent, info: silent, debug: silent };

  /* Charts. The interpreter of Vega stands in for code made of text, which the page's policy forbids. */
  function draw(box, width) {
    const spec = structuredClone(specs[box.dataset.chart]);
    const layers = [spec, ...(spec.layer ?? [])];
    for (const { data } of layers) {
      if (data) data.values = data.values.filter((row) => row.model === undefined || shown(row.model));
    }
    trim(spec);
    fit(spec, width);
    views.get(box)?.finalize();
    box.replaceChildren();
    const runtime = vega.parse(vega.compile(spec, { logger }).spec, null, { ast: true });
    const view = new vega.View(runtime, { expr: vega.expressionInterpreter, container: box, renderer: "svg", hover: true });
    views.set(box, view);
    return view.runAsync().then(() => {
      box.querySelector("svg").setAttribute("aria-hidden", "true"); // its box is labelled
      box.style.minHeight = "";
    });
  }

  /* The room beside the names of rows is the chart's: Vega would lay it out twice to find that out. */
  function fit(spec, width) {
    const { axis, legend } = spec.config;
    axis.labelLimit = Math.min(260, Math.max(110, width * 0.36));
    legend.columns = Math.max(1, Math.floor((width - 130) / 120));
    const room = width - Math.min(axis.labelLimit, longest(spec)) - 28;
    const top = spec.encoding?.x?.axis?.orient === "top" ? spec.encoding.x : null;
    if (spec.facet) {
      const count = new Set(spec.data.values.map((row) => row.model)).size;
      spec.spec.width = Math.max(90, room / count - 20); // the box scrolls where that is too much
      spec.facet.column.header.labelLimit = spec.spec.width + 15;
    } else if (top) {
      const count = top.scale.domain.length;
      spec.width = Math.max(room, 64 * count); // the intervals stay legible
      if (widest(spec, top.scale.domain, 600) > spec.width / count) {
        Object.assign(top.axis, { labelAngle: -35, labelAlign: "left", labelLimit: 180 });
      }
    } else {
      spec.width = Math.max(150, room);
    }
  }

  /* How wide the longest name of a row is. */
  function longest(spec) {
    const places = [spec, spec.spec, ...(spec.layer ?? [])].map((each) => each?.encoding?.y?.scale?.domain ?? []);
    return Math.max(30, widest(spec, places.flat(), 400));
  }

  const pen = document.createElement("canvas").getContext("2d");
  function widest(spec, words, weight) {
    pen.font = `${weight} 12px ${spec.config.font}`;
    return Math.max(0, ...[...words].map((word) => pen.measureText(word).width));
  }

  /* Names and colours of models that are not shown leave the scales, and the others keep theirs. */
  function trim(thing) {
    if (thing === null || typeof thing !== "object") return;
    if (thing.field === "name" && thing.scale?.domain) {
      const { domain, range } = thing.scale;
      const kept = domain.map((name) => shown(names.get(name)));
      thing.scale.domain = domain.filter((_, i) => kept[i]);
      if (range) thing.scale.range = range.filter((_, i) => kept[i]);
    }
    Object.values(thing).forEach(trim);
  }

  const names = new Map();
  for (const spec of Object.values(specs)) {
    for (const row of spec.data.values) if (row.model !== undefined) names.set(row.name, row.model);
  }

  /* A chart is drawn when it comes near the screen, or goes to paper; its place is kept until then. */
  const owed = new Set();
  async function drawThese(some) {
    const mine = some.filter((box) => owed.delete(box));
    const widths = mine.map((box) => box.clientWidth); // read at once: each chart moves all below it
    for (const [i, box] of mine.entries()) await draw(box, widths[i]);
    document.documentElement.dataset.drawn = owed.size ? "near" : "all";
  }

  const near = (entries) => drawThese(entries.filter((each) => each.isIntersecting).map((each) => each.target));
  const watch = window.IntersectionObserver ? new IntersectionObserver(near, { rootMargin: "50% 0px" }) : null;
  function drawAnew() {
    for (const box of boxes) {
      owed.add(box);
      watch?.unobserve(box);
      watch?.observe(box);
    }
    if (!watch) drawThese(boxes);
  }

  for (const box of boxes) box.style.minHeight = `${specs[box.dataset.chart].usermeta.height}px`;

  /* Tables. */
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const body = table.tBodies[0];
        const rows = [...body.rows].map((row) => [key(row.cells[column]), row]);
        rows.sort(([a], [b]) => order(a, b) * (down ? -1 : 1));
        body.append(...rows.map(([, row]) => row));
      });
    });
  }

  function key(cell) {
    return cell.dataset.value === undefined ? cell.textContent.trim() : Number(cell.dataset.value);
  }

  /* Numbers by size, text by letter; what is empty or no number comes last. */
  function order(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a.localeCompare(b, "en", { numeric: true });
  }

  function filterable(table) {
    const tools = document.createElement("div");
    tools.className = "tools";
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    input.type = "search";
    input.setAttribute("aria-label", `Filter the table: ${table.caption.textContent}`);
    input.placeholder = "Filter rows";
    count.setAttribute("role", "status");
    label.append(input);
    tools.append(label, count);
    table.parentElement.before(tools);
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

  /* Models. */
  const pick = document.querySelector(".pick");
  if (pick) {
    pick.hidden = false;
    const inputs = [...pick.querySelectorAll("input")];
    pick.addEventListener("change", () => {
      picked = inputs.every((each) => each.checked) ? null : new Set(inputs.filter((each) => each.checked).map((each) => each.value));
      tables.forEach(refresh);
      document.querySelectorAll(".answers").forEach(refresh);
      document.querySelectorAll(".card[data-model]").forEach((each) => {
        each.hidden = !shown(each.dataset.model);
      });
      showExamples();
      drawAnew();
    });
  }

  /* A title that a link leads to stands below what sticks to the top of the page. */
  function clearTitles() {
    const stuck = [document.querySelector("nav"), pick].filter((each) => each && getComputedStyle(each).position === "sticky");
    const height = stuck.reduce((sum, each) => sum + each.offsetHeight, 0);
    document.documentElement.style.scrollPaddingTop = `${height}px`;
  }

  /* Examples. */
  const examples = [...document.querySelectorAll(".example")];
  const families = [...new Set(examples.map((each) => each.dataset.family))];
  const FEW = 2; // of each family at first
  const family = document.createElement("select");
  const everything = document.createElement("button");
  let all = false;
  function showExamples() {
    const there = new Map();
    let more = false;
    for (const each of examples) {
      const failing = [...each.querySelectorAll("[data-failed]")].map((row) => row.dataset.model);
      const asked = failing.some(shown) && (family.value === "" || each.dataset.family === family.value);
      const left = family.value === "" && !all ? FEW - (there.get(each.dataset.family) ?? 0) : Infinity;
      each.hidden = !asked || left <= 0;
      if (!each.hidden) there.set(each.dataset.family, (there.get(each.dataset.family) ?? 0) + 1);
      more ||= asked && each.hidden;
    }
    everything.hidden = !more;
  }
  if (families.length > 1) {
    const label = document.createElement("label");
    everything.type = "button";
    everything.textContent = `Show all ${examples.length}`;
    everything.addEventListener("click", () => {
      all = true;
      showExamples();
    });
    family.append(new Option("all families", ""), ...families.map((each) => new Option(each, each)));
    family.addEventListener("change", showExamples);
    label.append("Show ", family);
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.append(label, everything);
    document.querySelector(".examples").before(tools);
    showExamples();
  }

  /* Paper can't be opened or scrolled: what is folded away, or not drawn yet, is printed too. */
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    folded.forEach((each) => (each.open = true));
    drawThese(boxes);
  });
  window.addEventListener("afterprint", () => folded.forEach((each) => (each.open = false)));

  let waiting = 0;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAnew, 150);
    clearTitles();
  });
  clearTitles();
  drawAnew();
})();
