/* The owner's page of a task: what changes is fetched again every few seconds; links are copied; files are sent. */
(() => {
  const EVERY = 3000;
  const data = JSON.parse(document.getElementById("data").textContent);
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const told = document.getElementById("told");

  const wire = () => {
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.onclick = () => copy(button);
    }
    for (const each of document.querySelectorAll("[data-live] [data-submit]")) {
      each.onchange = () => each.form.requestSubmit();
    }
  };

  const copy = async (button) => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      told.textContent = "Copied. Whoever has this link answers as this person.";
    } catch {
      told.textContent = button.dataset.copy; /* not allowed here: show it, to be copied by hand */
    }
  };

  /* Where the keyboard is, so that it stays there when the part around it is replaced. */
  const spot = (part) => {
    const all = [...part.querySelectorAll("a, button, select, input, [tabindex]")];
    return all.indexOf(document.activeElement);
  };

  const refresh = async () => {
    if (document.hidden) return;
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const fresh = page.querySelector(`[data-live="${part.dataset.live}"]`);
      if (!fresh || fresh.innerHTML === part.dataset.was) continue;
      if (document.activeElement?.tagName === "SELECT" && part.contains(document.activeElement)) continue;
      const where = spot(part);
      part.dataset.was = fresh.innerHTML;
      part.replaceChildren(...fresh.childNodes);
      wire();
      window.dispatchEvent(new Event("resize")); // new tables may be wider than their boxes
      if (where >= 0) part.querySelectorAll("a, button, select, input, [tabindex]")[where]?.focus();
    }
  };

  document.getElementById("upload").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    const where = data.task.split("/").map(encodeURIComponent).join("/");
    const answer = await fetch(`/api/annotate/file/${where}?name=${encodeURIComponent(file.name)}`, {
      method: "POST",
      headers: { "x-csrf": csrf, "content-type": "application/octet-stream" },
      body: file,
    });
    const found = await answer.json();
    told.textContent = answer.ok ? found.told : `${found.error} ${found.hint}`;
    event.target.value = "";
    refresh();
  });

  for (const part of document.querySelectorAll("[data-live]")) part.dataset.was = part.innerHTML;
  wire();
  setInterval(() => refresh().catch(() => {}), EVERY);
})();
