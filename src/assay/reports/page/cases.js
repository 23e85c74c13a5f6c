/* The examples: searched, filtered, and shown a few at a time. Text is only ever set as text. */
(() => {
  const { make, shown, chosen } = assay;
  const place = document.querySelector(".examples");
  if (!place) {
    assay.showCases = () => {};
    return;
  }
  const { models, cases, worst } = assay.data.examples;
  const tools = document.querySelector(".cases-tools");
  const PAGE = 6;
  const LONG = 260; // characters of a text before it is folded
  const KINDS = { 1: "ins", 2: "del" };
  let most = PAGE;

  const text = (pieces) => pieces.map((each) => (typeof each === "string" ? each : each[1])).join("");
  for (const each of cases) each.words = `${text(each.premise)} ${text(each.hypothesis)} ${Object.values(each.groups).join(" ")}`.toLowerCase();

  /* The filters: selects, and words to search for. */
  const unique = (all) => [...new Set(all)];
  const labels = new Map(cases.map((each) => [each.label, each.right]));
  const selects = {};
  function select(name, title, options) {
    if (options.length < 2) return;
    const made = make("select", { name }, ...options.map(([value, shownAs]) => new Option(shownAs, value)));
    made.addEventListener("change", () => ask({ [name]: made.value }));
    selects[name] = made;
    tools.append(make("label", {}, `${title} `, made));
  }
  const search = make("input", { type: "search", placeholder: "Search the texts" });
  search.setAttribute("aria-label", "Search the texts of the examples");
  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => ask({ q: search.value }), 120);
  });
  tools.append(make("label", {}, search));
  const pairs = (all, first) => [["", first], ...all];
  select("family", "Family", pairs(unique(cases.map((each) => each.family)).map((each) => [each, each]), "any"));
  select("label", "Label", pairs([...labels], "any"));
  select("model", "Wrong for", pairs(models.map((each) => [each.id, each.name]), "any model"));
  const kinds = [["flipped", "source right, copy wrong"]];
  if (models.length > 1) kinds.push(["alone", "only this model is wrong"], ["disagree", "disagrees with ..."]);
  select("show", "Show", pairs(kinds, "all failures"));
  select("with", "with", pairs(models.map((each) => [each.id, each.name]), "another model"));
  const clear = make("button", { type: "button", textContent: "Clear" });
  clear.addEventListener("click", () => ask({ family: "", label: "", model: "", show: "", with: "", q: "", group: "" }));
  const count = make("span", { className: "count" });
  count.setAttribute("role", "status");
  tools.append(clear, count);

  function ask(filters) {
    Object.assign(chosen.filters, filters);
    most = PAGE;
    assay.changed("filters");
  }

  assay.showCases = (filters) => {
    ask({ q: "", show: "", with: "", ...filters });
    assay.goTo("examples");
  };

  /* Whether a case passes the filters; answers are [model, answer, failed, sure, before, was right]. */
  function passes(each) {
    const { family, label, group, model, show, with: other, q } = chosen.filters;
    if (family && each.family !== family) return false;
    if (label && each.label !== label) return false;
    if (group && !Object.values(each.groups).includes(group)) return false;
    if (q && !q.toLowerCase().split(/\s+/).every((word) => each.words.includes(word))) return false;
    const there = each.answers.filter(([index]) => shown(models[index].id));
    const mine = there.filter(([index]) => !model || models[index].id === model);
    const wrong = mine.filter(([, , failed]) => failed);
    if (show === "disagree") {
      const others = there.filter(([index]) => (other ? models[index].id === other : models[index].id !== model));
      return mine.some(([, one]) => others.some(([, two]) => one !== two));
    }
    if (show === "flipped") return wrong.some((answer) => answer[5]);
    if (show === "alone") return wrong.length > 0 && there.filter(([, , failed]) => failed).length === 1;
    return wrong.length > 0;
  }

  function refresh() {
    for (const [name, each] of Object.entries(selects)) each.value = chosen.filters[name] ?? "";
    if (selects.with) selects.with.parentElement.hidden = chosen.filters.show !== "disagree";
    if (document.activeElement !== search) search.value = chosen.filters.q ?? "";
    const { model, show } = chosen.filters;
    const asked = show ? undefined : worst[model]; // the worst of one model, in its own order
    const found = (asked?.map((place) => cases[place]) ?? cases).filter(passes);
    clear.hidden = !Object.values(chosen.filters).some(Boolean);
    count.textContent = `${found.length} of ${cases.length} examples`;
    place.replaceChildren(...found.slice(0, most).map(article));
    if (found.length > most) {
      const more = make("button", { type: "button", className: "further", textContent: `Show ${Math.min(12, found.length - most)} more` });
      more.addEventListener("click", () => {
        most += 12;
        refresh();
      });
      place.append(more);
    }
    place.append(rest(found.length));
  }

  /* How to see the rest: the page has a sample, the run has all. */
  function rest(found) {
    if (assay.data.examples.shared) return "";
    const { family, model } = chosen.filters;
    const words = ["assay show RUN --failures 20"];
    if (family) words.push(`--family ${family}`);
    if (model) words.push(`--model ${model}`);
    const command = make("div", { className: "command" }, make("pre", {}, make("code", { textContent: words.join(" ") })));
    assay.withCopy(command);
    const said = found ? "The page holds a sample. More of these, in a terminal:" : "No example here. This looks for more in the whole run:";
    return make("div", { className: "rest" }, make("p", { textContent: said }), command);
  }

  function article(each) {
    const groups = Object.values(each.groups).join(", ");
    const head = make("h3", {}, each.family, " ", make("span", { className: "quiet", textContent: groups }));
    const texts = make("dl", { className: "texts" });
    texts.append(...side("Premise", each.premise), ...side("Hypothesis", each.hypothesis));
    return make("article", { className: "example" }, head, texts, right(each), answers(each), why(each));
  }

  function side(name, pieces) {
    const body = make("dd", { dir: "auto" });
    const inner = make("div");
    inner.append(...pieces.map((each) => (typeof each === "string" ? each : make(KINDS[each[0]], { textContent: each[1] }))));
    body.append(inner);
    if (text(pieces).length > LONG) {
      inner.className = "clamp";
      const more = make("button", { type: "button", className: "unfold", textContent: "Show all of it" });
      more.addEventListener("click", () => {
        const folded = inner.classList.toggle("clamp");
        more.textContent = folded ? "Show all of it" : "Show less";
      });
      body.append(more);
    }
    return [make("dt", { textContent: name }), body];
  }

  function right(each) {
    const label = make("b", { textContent: each.right });
    if (each.expects === "label") return make("p", {}, "Right answer: ", label);
    return make("p", {}, "Label of the pair: ", label, `. After the swap, it ${each.expects === "drop" ? "may no longer be right" : "should stay"}.`);
  }

  /* Models with the same answer are in one line; those that were right before the edit are bold. */
  function answers(each) {
    const lines = new Map();
    for (const answer of each.answers.filter(([index]) => shown(models[index].id))) {
      const key = `${answer[2]} ${answer[1]}`;
      lines.set(key, [...(lines.get(key) ?? []), answer]);
    }
    const list = make("ul", { className: "said" });
    for (const own of [...lines.values()].sort((a, b) => b[0][2] - a[0][2])) {
      const [, answer, failed] = own[0];
      const line = make("li", { className: failed ? "bad" : "good" }, make("b", { textContent: answer }), " ");
      own.forEach(([index, , , sure, before, held], i) => {
        const name = make(failed && held ? "strong" : "span", { className: "by", textContent: models[index].name });
        if (before !== null) name.title = `before the edit: ${before}`;
        line.append(i ? ", " : "", name, sure === null ? "" : make("span", { className: "quiet", textContent: ` ${sure}\u00a0%` }));
      });
      list.append(line);
    }
    return list;
  }

  function why(each) {
    const facts = make("dl", { className: "facts" });
    for (const [name, fact] of Object.entries(each.facts)) facts.append(make("dt", { textContent: name }), make("dd", { textContent: fact }));
    const said = each.why.map((line) => make("p", { textContent: line }));
    return make("details", { className: "why" }, make("summary", { textContent: "Why this label" }), ...said, facts);
  }

  assay.when("filters", refresh);
  assay.when("models", refresh);
  assay.refreshCases = refresh;
})();
