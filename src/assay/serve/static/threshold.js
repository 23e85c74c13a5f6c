/* The slider: numbers follow at once; the claims that flip, when it rests. */
(() => {
  const slider = document.querySelector("#at");
  if (!slider) return;
  const { points } = JSON.parse(document.querySelector("#data").textContent);
  const percent = (value) => (value * 100).toFixed(1);
  const name = String;
  const nearest = (value) => points.reduce((best, point) => (Math.abs(point[0] - value) < Math.abs(best[0] - value) ? point : best));
  const show = ([threshold, numbers]) => {
    document.querySelector("#chosen").textContent = name(threshold);
    for (const end of ["x1", "x2"]) document.querySelector("#cursor").setAttribute(end, threshold * 100);
    for (const box of document.querySelectorAll("[data-number]")) {
      const [value, low, high] = numbers[box.dataset.number] ?? [null, null, null];
      box.querySelector("b").textContent = value === null ? "–" : `${percent(value)}%`;
      box.querySelector(".ends").textContent = low === null || high === null ? "" : `${percent(low)}-${percent(high)}`;
    }
    slider.setAttribute("aria-valuetext", name(threshold));
    for (const link of document.querySelectorAll(".promises [data-at]")) link.classList.toggle("on", Number(link.dataset.at) === threshold);
  };
  slider.addEventListener("input", () => show(nearest(Number(slider.value))));
  slider.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const place = points.indexOf(nearest(Number(slider.value))) + step;
    slider.value = points[Math.min(points.length - 1, Math.max(0, place))][0];
    slider.dispatchEvent(new Event("input"));
    clearTimeout(slider.waiting);
    slider.waiting = setTimeout(() => settle(), 700);
  });
  /* The address follows, so that it can be shared, and the list of claims comes from the server. */
  const settle = async () => {
    const [threshold] = nearest(Number(slider.value));
    slider.value = threshold;
    const address = new URL(location.href);
    address.searchParams.set("at", name(threshold));
    history.replaceState(null, "", address);
    if (!document.querySelector("#use[data-live]")) return;
    const answer = await fetch(address);
    if (!answer.ok || name(nearest(Number(slider.value))[0]) !== name(threshold)) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of ["#flips", "#use"]) {
      const fresh = page.querySelector(part);
      if (fresh) document.querySelector(part)?.replaceWith(fresh);
    }
  };
  slider.addEventListener("change", settle);
  document.querySelector(".promises")?.addEventListener("click", (event) => {
    const link = event.target.closest("[data-at]");
    if (!link) return;
    event.preventDefault();
    slider.value = link.dataset.at;
    show(nearest(Number(slider.value)));
    settle();
  });
})();
