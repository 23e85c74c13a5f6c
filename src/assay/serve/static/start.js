/* Starting a run: a dropped file, the size of what was chosen, and how far runs are. */
(() => {
  const drop = document.querySelector("[data-drop]");
  const problem = document.querySelector("#problem");
  const csrf = document.querySelector("meta[name=csrf]").content;
  const send = async (file) => {
    problem.hidden = true;
    drop.classList.add("busy");
    const headers = { "x-csrf": csrf, "x-file-name": encodeURIComponent(file.name) };
    try {
      const answer = await fetch("/api/corpora", { method: "POST", headers, body: file });
      const told = await answer.json();
      if (answer.ok) return location.assign(`/start?${new URLSearchParams({ source: told.source })}`);
      problem.textContent = `${told.error} ${told.hint}`;
    } catch {
      problem.textContent = "The server did not answer. Is it still running?";
    }
    problem.hidden = false;
    drop.classList.remove("busy");
  };
  drop.querySelector("input").addEventListener("change", ({ target }) => target.files[0] && send(target.files[0]));
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) send(event.dataTransfer.files[0]);
    });
  }

  /* About as many cases as earlier runs made of a pair, and as long as their models took. */
  const form = document.querySelector("[data-forecast]");
  const { pairs, families, paces } = JSON.parse(document.querySelector("#data").textContent);
  const round = (value) => Number(value.toPrecision(2)).toLocaleString("en");
  const time = (seconds) => (seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`);
  const tell = () => {
    const names = (kind) => [...form.querySelectorAll(`[name^="${kind}:"]:checked`)].map(({ name }) => name.slice(kind.length + 1));
    const some = names("family");
    const used = Math.min(pairs, Number(form.elements.sample?.value) || pairs);
    const cases = (some.length ? some : Object.keys(families)).reduce((sum, name) => sum + families[name][0] * used + families[name][1], used);
    const known = names("model").map((name) => paces[name]);
    const took = known.length && known.every((pace) => pace !== null) ? `, about ${time(cases * known.reduce((sum, pace) => sum + pace, 0) + 5)}` : ", time not measured yet";
    if (pairs && !form.elements.source.value.startsWith("suite:")) document.querySelector("#forecast").textContent = `About ${round(cases)} cases${took}.`;
  };
  const kept = () => {
    const given = new URLSearchParams(new FormData(form));
    for (const name of ["csrf", "name"]) given.delete(name);
    return given;
  };
  const boxes = [...form.querySelectorAll('[name^="model:"]')];
  const choose = () => boxes[0]?.setCustomValidity(boxes.some(({ checked }) => checked) ? "" : "Choose one or more models.");
  form.addEventListener("change", choose);
  choose();
  form.addEventListener("change", tell);
  form.addEventListener("input", tell);
  tell();

  for (const card of document.querySelectorAll("[data-job]")) {
    card.querySelector("form").addEventListener("submit", ({ target }) => (target.elements.kept.value = kept()));
    if (!["waiting", "running"].includes(card.dataset.state)) continue;
    const find = (name) => card.querySelector(name);
    const source = new EventSource(`/start/${card.dataset.job}/events`);
    source.onmessage = ({ data }) => {
      const told = JSON.parse(data);
      find(".state").textContent = told.state;
      const step = told.total ? `${told.stage}: ${told.done.toLocaleString("en")} of ${told.total.toLocaleString("en")}` : told.stage;
      find(".stage").textContent = told.left ? `about ${time(told.left)} left. ${step}` : step;
      find(".lines").textContent = told.lines.join("\n");
      const bar = find("progress");
      if (told.whole !== null) Object.assign(bar, { max: 1, value: told.whole });
      else if (told.state === "running") bar.removeAttribute("value");
      if (["waiting", "running"].includes(told.state)) return;
      source.close();
      history.replaceState(null, "", `/start?${kept()}#jobs`);
      location.reload();
    };
  }
})();
