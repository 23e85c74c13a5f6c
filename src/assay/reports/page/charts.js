/* Charts. The interpreter of Vega stands in for code made of text, which the page's policy forbids. */
(() => {
  const { shown } = assay;
  const specs = assay.data.charts;
  const boxes = [...document.querySelectorAll("[data-chart]")];
  const views = new Map();
  const FACET = 230; // the widest that the bars of one model become
  const WIDEST = 780;

  /* Vega-Lite warns of every chart whose height follows from its rows, which is what is wanted. */
  const silent = () => logger;
  const logger = { level: silent, error: (...said) => console.error(...said), warn: silent, info: silent, debug: silent };

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
    if (!spec.data.values.length) {
      box.textContent = "No model is chosen.";
      return Promise.resolve();
    }
    const runtime = vega.parse(vega.compile(spec, { logger }).spec, null, { ast: true });
    const view = new vega.View(runtime, { expr: vega.expressionInterpreter, container: box, renderer: "svg", hover: true, tooltip });
    views.set(box, view);
    view.addEventListener("click", (_, item) => assay.pick?.(item?.datum)); // a server leads to the cases
    return view.runAsync().then(() => {
      box.querySelector("svg").setAttribute("aria-hidden", "true"); // its box is labelled
      box.style.minHeight = "";
    });
  }

  function tooltip(handler, event, item, value) {
    if (!value) return assay.noTip();
    const lines = Object.entries(value).map(([name, each]) => `${name}: ${each}`);
    assay.tip(lines.length ? lines : [String(value)], event.clientX, event.clientY);
  }

  /* The room beside the names of rows is the chart's: Vega would lay it out twice to find that out. No name is cut. */
  function fit(spec, width) {
    const { axis, legend } = spec.config;
    axis.labelLimit = 0;
    legend.labelLimit = 0;
    legend.columns = Math.max(1, Math.floor((Math.min(width, WIDEST) - 20) / (widest(spec, entries(spec), 400) + 40)));
    const room = Math.min(WIDEST, width - longest(spec) - 28);
    if (spec.facet) {
      const names = spec.facet.column.sort.filter((name) => shown(models.get(name)));
      spec.facet.column.sort = names;
      const least = Math.max(90, widest(spec, names, 600) - 12);
      spec.spec.width = Math.max(least, Math.min(FACET, room / names.length - 20)); // the box scrolls where that is too much
      spec.facet.column.header.labelLimit = 0;
    } else {
      spec.width = Math.max(150, room);
    }
  }

  const layered = (spec) => [spec, spec.spec, ...(spec.layer ?? []), ...(spec.spec?.layer ?? [])];

  /* How wide the longest name of a row is. */
  function longest(spec) {
    const places = layered(spec).map((each) => each?.encoding?.y?.scale?.domain ?? []);
    return Math.max(30, widest(spec, places.flat(), 400));
  }

  /* The words in the legend. */
  function entries(spec) {
    const coded = layered(spec).map((each) => each?.encoding?.color?.scale?.domain ?? []);
    return coded.flat().map(String);
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
      const kept = domain.map((name) => shown(models.get(name)));
      thing.scale.domain = domain.filter((_, i) => kept[i]);
      if (range) thing.scale.range = range.filter((_, i) => kept[i]);
    }
    Object.values(thing).forEach(trim);
  }

  const models = new Map();
  for (const spec of Object.values(specs)) {
    for (const row of spec.data.values) if (row.model !== undefined) models.set(row.name, row.model);
  }

  /* A chart is drawn when it comes near the screen, or goes to paper; its place is kept until then. */
  const owed = new Set();
  async function drawThese(some) {
    const mine = some.filter((box) => owed.has(box) && box.checkVisibility());
    mine.forEach((box) => owed.delete(box));
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
    if (!watch || !boxes.length) drawThese(boxes);
  }
  assay.drawAll = () => drawThese(boxes);
  assay.drawAnew = drawAnew;
  assay.when("models", drawAnew);
  for (const part of assay.parts) part.addEventListener("toggle", () => watch ?? drawThese(boxes));
  for (const box of boxes) box.style.minHeight = `${specs[box.dataset.chart].usermeta.height}px`;

  let waiting = 0;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) return;
    width = window.innerWidth;
    clearTimeout(waiting);
    waiting = setTimeout(drawAnew, 150);
  });
})();
