/* The bar with its buttons, printing, and the first view. */
(() => {
  const { chosen, parts } = assay;
  const bar = document.querySelector(".bar");
  bar.hidden = false;
  const inputs = [...bar.querySelectorAll("input")];
  const count = bar.querySelector(".picker .count");

  function showPicked() {
    for (const each of inputs) each.checked = assay.shown(each.value);
    const left = inputs.filter((each) => each.checked).length;
    if (count) count.textContent = left === inputs.length ? `all ${left}` : `${left} of ${inputs.length}`;
  }
  function pick() {
    const on = inputs.filter((each) => each.checked).map((each) => each.value);
    chosen.models = on.length === inputs.length ? null : new Set(on);
    assay.changed("models");
  }
  bar.addEventListener("change", pick);
  bar.addEventListener("click", ({ target }) => {
    if (target.dataset.pick) {
      inputs.forEach((each) => (each.checked = target.dataset.pick === "all"));
      pick();
    }
    if (target.dataset.open) parts.forEach((each) => (each.open = target.dataset.open === "all"));
  });
  const picker = bar.querySelector(".picker");
  document.addEventListener("click", ({ target }) => picker?.open && !picker.contains(target) && (picker.open = false));
  document.addEventListener("keydown", ({ key }) => key === "Escape" && picker?.open && (picker.open = false));
  const link = bar.querySelector("[data-copy]");
  if (location.protocol === "file:") link.remove(); // the path of a file is no link for anybody else
  else assay.copier(link, () => location.href);
  assay.when("models", showPicked);

  for (const part of parts) {
    part.addEventListener("toggle", () => {
      assay.keep();
      assay.hints();
    });
  }

  /* On paper, parts are open with their charts. Tables behind them, and what few readers need, stay as they are. */
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = parts.filter((each) => !each.open && each.dataset.rare === undefined);
    closed.forEach((each) => (each.open = true));
    assay.drawAll();
  });
  window.addEventListener("afterprint", () => closed.forEach((each) => (each.open = false)));

  function settle() {
    assay.read();
    assay.refreshCases?.();
    if (chosen.models !== null) assay.changed("models");
  }
  window.addEventListener("hashchange", settle);
  window.addEventListener("resize", assay.hints);
  settle();
  assay.drawAnew();
  assay.hints();
})();
