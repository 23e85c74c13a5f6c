/* What hovering shows, and buttons that copy. */
(() => {
  const { make } = assay;
  const box = make("div", { className: "tip", hidden: true });
  box.setAttribute("role", "tooltip");
  document.body.append(box);

  /* Lines of text beside a point of the screen. */
  assay.tip = (lines, x, y) => {
    box.replaceChildren(...lines.map((line, i) => make(i ? "div" : "b", { textContent: line })));
    box.hidden = false;
    const { width, height } = box.getBoundingClientRect();
    box.style.left = `${Math.max(8, Math.min(x + 14, innerWidth - width - 8))}px`;
    box.style.top = `${y + height + 24 > innerHeight ? y - height - 12 : y + 18}px`;
  };
  assay.noTip = () => (box.hidden = true);
  document.addEventListener("keydown", (event) => event.key === "Escape" && assay.noTip());
  document.addEventListener("scroll", assay.noTip, { passive: true, capture: true });

  /* What a family tests, where its name stands; grids show the tips of their own cells after that. */
  let named = null;
  for (const name of ["mouseover", "click"]) {
    document.addEventListener(name, ({ target, clientX, clientY }) => {
      const was = named;
      named = target.closest("[data-about]");
      if (named) assay.tip([named.textContent, named.dataset.about], clientX, clientY);
      else if (was) assay.noTip();
    }, true);
  }

  /* The clipboard, or where a browser keeps it from files, the selection. */
  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make("textarea", { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  }
  assay.copier = (button, text) => {
    const name = button.textContent;
    button.addEventListener("click", async () => {
      await copy(text());
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = name), 1500);
    });
    return button;
  };
  assay.withCopy = (command) => {
    const button = make("button", { type: "button", className: "copy", textContent: "Copy" });
    const code = command.querySelector("code");
    button.setAttribute("aria-label", "Copy the command");
    command.append(assay.copier(button, () => code.textContent));
  };
  document.querySelectorAll(".command").forEach(assay.withCopy);
})();
