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

  /* Who can open a copied link; files say nothing about it. */
  const who = document.querySelector("nav.top")?.dataset.copied;
  document.addEventListener("click", ({ target }) => {
    if (!who || !target.matches("[data-copy=link], [data-copy-link]") || target.nextElementSibling?.matches(".who")) return;
    target.after(Object.assign(document.createElement("span"), { className: "quiet who", role: "status", textContent: who }));
  });

  for (const button of document.querySelectorAll("[data-copy-link]")) {
    const words = button.textContent;
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(location.href);
      } catch {
        return void prompt("The browser does not allow copying. This is the link:", location.href);
      }
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = words), 1500);
    });
  }

  /* A whole card or row leads to its case, unless its text is being selected. */
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".case, table.dense tbody tr")?.querySelector(".family a");
    if (!link || event.target.closest("a, summary") || getSelection().type === "Range") return;
    if (event.ctrlKey || event.metaKey) open(link.href);
    else link.click();
  });

  /* Keys: j and k go through cases, on a list and from page to page. */
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
    const step = { j: 1, k: -1 }[event.key];
    if (!step) return;
    const page = document.querySelector(step > 0 ? ".near [rel=next], .pages [rel=next]" : ".near [rel=prev], .pages [rel=prev]");
    const links = [...document.querySelectorAll("[data-keys=list] .family > a")];
    const here = links.findIndex((link) => link === document.activeElement);
    const next = links[here < 0 && step < 0 ? links.length - 1 : here + step];
    if (next && (here >= 0 || step > 0)) {
      next.focus();
      next.closest("li, tr").scrollIntoView({ block: "nearest" });
    } else page?.click();
  });

  const waiting = document.querySelector("[data-reload]");
  if (waiting) setTimeout(() => location.reload(), Number(waiting.dataset.reload) * 1000);
})();
