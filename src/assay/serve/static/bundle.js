/* The cases of a bundle, chosen, counted and sorted here as a server does it. The page itself shows the first of them. */
(() => {
  const asked = new URLSearchParams(location.search);
  if (![...asked].length) return;
  const ARRAYS = { u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, i4: Int32Array, f4: Float32Array };
  const MOST_SIBLINGS = 60;
  const texts = [];
  let data;

  /* Files are scripts that call these, because a page that was opened as a file may read nothing else. */
  window.ASSAY = {
    columns: (told) => {
      data = told;
      for (const name of ["kind", "pair", "edited", "length"]) data[name] = decoded(data[name]);
      for (const name of ["answer", "flag", "confidence"]) data[name] = data[name].map(decoded);
    },
    shares: (told) => (data.shares = told.map(decoded)),
    texts: ({ number, cases }) => (texts[number] = cases),
    words: (told) => (data.words = { written: told.texts.split("\n"), premise: decoded(told.premise), hypothesis: decoded(told.hypothesis) }),
  };
  const load = (name) =>
    new Promise((done, failed) => {
      const script = Object.assign(document.createElement("script"), { src: name, onload: done, onerror: failed });
      document.head.append(script);
    });
  const needed = (numbers) => Promise.all([...new Set(numbers)].filter((each) => !texts[each]).map((each) => load(`texts-${each}.js`)));
  const textOf = (row) => texts[Math.floor(row / data.chunk)][row % data.chunk];
  const withTexts = (rows) => needed(rows.map((row) => Math.floor(row / data.chunk)));

  const decoded = ({ type, data: written }) => {
    const text = atob(written);
    const bytes = new Uint8Array(text.length);
    for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
    return new ARRAYS[type](bytes.buffer);
  };

  /* What the address asks for, with the models that it needs. */
  const choice = () => {
    const given = (name) => asked.get(name) || "";
    const number = (name) => (given(name) === "" ? null : Number(given(name)));
    const made = { words: given("words"), show: given("show"), answer: given("answer"), order: given("order") || "case", down: given("down") === "1" };
    made.from = number("sure_from");
    made.to = number("sure_to");
    made.scoreFrom = number("score_from");
    made.scoreBelow = number("score_below");
    made.page = Math.max(1, Number(given("page")) || 1);
    made.facets = data.facets.filter(({ name }) => given(name)).map((facet) => ({ facet, value: given(facet.name) }));
    const ids = data.models.map(({ id }) => id);
    made.model = ids.indexOf(given("model"));
    made.other = ids.indexOf(given("other"));
    const pair = ["differ", "beats"].includes(made.show) || made.order === "disagreement";
    const bounds = [made.from, made.to, made.scoreFrom, made.scoreBelow].some((each) => each !== null);
    const asks = made.show || made.answer || bounds || ["worst", "answer", "confidence", "disagreement"].includes(made.order);
    if (made.model < 0 && asks) made.model = ids.findIndex((_, place) => place !== made.other);
    if (pair && (made.other < 0 || made.other === made.model)) made.other = ids.findIndex((_, place) => place !== made.model);
    return made;
  };

  /* Words as the server's index has them: letters and digits, without case and accents. */
  const tokens = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
  const matcher = (typed) => {
    const pieces = [...typed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, phrase, word]) => {
      const begins = Boolean(word) && word.endsWith("*");
      const words = tokens(phrase || word).join(" ");
      return words && (begins ? ` ${words}` : ` ${words} `);
    });
    const { written, premise, hypothesis } = data.words;
    const found = pieces.filter(Boolean).map((piece) => written.map((text) => text.includes(piece)));
    return (row) => found.length > 0 && found.every((has) => has[premise[row]] || has[hypothesis[row]]);
  };

  /* One test for each filter that is about cases and not about kinds of cases. */
  const tests = (chosen) => {
    const { failed, right, held } = data.flags;
    const { model, other } = chosen;
    const has = (row, flag) => (data.flag[model][row] & flag) === flag;
    const shows = {
      wrong: (row) => has(row, failed),
      right: (row) => has(row, right),
      flipped: (row) => has(row, failed | held),
      alone: (row) => has(row, failed) && data.flag.every((flags, place) => place === model || !(flags[row] & failed)),
      differ: (row) => data.answer[model][row] !== data.answer[other][row],
      beats: (row) => has(row, right) && Boolean(data.flag[other][row] & failed),
    };
    const made = [];
    const show = chosen.show ? (shows[chosen.show] ?? (() => false)) : () => true;
    if (chosen.from !== null) made.push((row) => data.confidence[model][row] * 100 >= chosen.from);
    if (chosen.to !== null) made.push((row) => data.confidence[model][row] * 100 <= chosen.to);
    if (chosen.scoreFrom !== null || chosen.scoreBelow !== null) {
      const [low, high] = [Math.fround(chosen.scoreFrom ?? 0), Math.fround(chosen.scoreBelow ?? Infinity)];
      made.push((row) => data.shares[model][4 * row] >= low && data.shares[model][4 * row] < high);
    }
    if (chosen.words) made.push(matcher(chosen.words));
    return { base: (row) => made.every((test) => test(row)), show };
  };

  const select = (chosen) => {
    const kinds = data.facets[0].kinds.length;
    const fits = chosen.facets.map(({ facet, value }) => {
      const code = facet.values.indexOf(value);
      return { facet, has: facet.kinds.map((each) => each === code) };
    });
    const among = (facet) => [...Array(kinds).keys()].map((kind) => fits.every((each) => each.facet === facet || each.has[kind]));
    const all = among(null);
    const of = new Uint32Array(kinds), n = new Uint32Array(kinds);
    const answers = data.answers.values.map(() => ({ of: 0, n: 0 }));
    const code = data.answers.values.indexOf(chosen.answer);
    const { base, show } = tests(chosen);
    const rows = [];
    for (let row = 0; row < data.cases; row += 1) {
      if (!base(row)) continue;
      const kind = data.kind[row];
      const passes = show(row);
      const failed = chosen.model >= 0 && (data.flag[chosen.model][row] & data.flags.failed) > 0;
      const counted = ["", "wrong"].includes(chosen.show) ? failed : passes;
      if (chosen.model >= 0 && all[kind]) {
        answers[data.answer[chosen.model][row]].of += 1;
        answers[data.answer[chosen.model][row]].n += counted;
      }
      if (chosen.answer && data.answer[chosen.model][row] !== code) continue;
      of[kind] += 1;
      n[kind] += counted;
      if (all[kind] && passes) rows.push(row);
    }
    const counts = (facet) => {
      const found = facet.values.map(() => ({ of: 0, n: 0 }));
      among(facet).forEach((ok, kind) => {
        if (!ok) return;
        found[facet.kinds[kind]].of += of[kind];
        found[facet.kinds[kind]].n += n[kind];
      });
      return found;
    };
    return { rows, counts, answers };
  };

  /* Families take turns among rows with equal keys, each with another pair: _spread() in case_filter.py. */
  const spread = (known) => {
    const { kinds } = data.facets.find(({ name }) => name === "family");
    const counter = () => {
      const counts = new Map();
      return (...group) => {
        const name = group.join(" ");
        counts.set(name, (counts.get(name) ?? -1) + 1);
        return counts.get(name);
      };
    };
    const by = (...names) => (one, two) => names.reduce((found, name) => found || one[name] - two[name], 0);
    const [copies, turns] = [counter(), counter()];
    const cases = known.map(({ row, key }) => {
      const [pair, family] = [data.pair[row], kinds[data.kind[row]]];
      const chance = (Math.imul(pair, 0x9e3779b9) + Math.imul(family, 0x7feb352d)) >>> 0;
      return { row, key, family, chance, copy: copies(key, family, pair) };
    });
    cases.sort(by("key", "family", "copy", "chance", "row"));
    for (const each of cases) each.turn = turns(each.key, each.family);
    return cases.sort(by("key", "turn", "family")).map(({ row }) => row);
  };

  const sorted = (chosen, rows) => {
    const { model, other, order } = chosen;
    const facet = data.facets.find(({ name }) => name === order);
    const keys = {
      disagreement: (row) => {
        const [one, two] = [model, other].map((each) => data.shares[each].subarray(4 * row, 4 * row + 4));
        const apart = [0, 1, 2].map((label) => Math.fround(Math.abs(one[label] - two[label])));
        return one[3] > 0 || two[3] > 0 ? apart[0] : Math.fround(Math.fround(apart[0] + apart[1]) + apart[2]) / 2;
      },
      worst: (row) => {
        const flags = data.flag[model][row];
        const sure = Number.isNaN(data.confidence[model][row]) ? 0.5 : data.confidence[model][row];
        const falseSupport = data.binary && data.answer[model][row] === 0;
        const repeats = data.edited[row] && !(flags & data.flags.held);
        return flags & data.flags.failed ? -2 * (1 + 2 * falseSupport + !repeats) - sure : sure;
      },
      confidence: (row) => (Number.isNaN(data.confidence[model][row]) ? -1 : data.confidence[model][row]),
      length: (row) => data.length[row],
      answer: (row) => data.answers.ranks[data.answer[model][row]],
    };
    const key = facet ? (row) => facet.ranks[facet.kinds[data.kind[row]]] : (keys[order] ?? ((row) => row));
    const known = rows.map((row) => ({ row, key: key(row) }));
    const sign = chosen.down ? -1 : 1;
    if (order === "worst") return spread(known.map((each) => ({ ...each, key: sign * each.key })));
    return known.sort((one, two) => sign * (one.key - two.key) || one.row - two.row).map(({ row }) => row);
  };

  /* Parts of the page. Text is only ever text. */
  const el = (tag, traits = {}, ...inside) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(traits)) if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    made.append(...inside.flat().filter((each) => each !== null && each !== undefined && each !== ""));
    return made;
  };
  const number = (value) => value.toLocaleString("en");
  const changed = (changes) => {
    const query = new URLSearchParams(asked);
    for (const name of ["page", "case", "at"]) query.delete(name);
    for (const [name, value] of Object.entries(changes)) value === null ? query.delete(name) : query.set(name, value);
    return `cases.html${[...query].length ? `?${query}` : ""}`;
  };
  const gauge = (n, wrong, most) => {
    const bar = (name, value) => {
      const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      for (const [trait, given] of Object.entries({ class: name, width: ((100 * value) / most).toFixed(1), height: 6 })) rect.setAttribute(trait, given);
      return rect;
    };
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    for (const [trait, given] of Object.entries({ class: "gauge", viewBox: "0 0 100 6", preserveAspectRatio: "none", "aria-hidden": "true" })) svg.setAttribute(trait, given);
    svg.append(bar("all", n), ...(wrong ? [bar("wrong", wrong)] : []));
    return svg;
  };
  const marked = (spans) => spans.map(([text, kind]) => (kind === "same" ? text : el(kind === "new" ? "ins" : "del", {}, text)));
  const fold = ([kind, sentences, spans]) => {
    if (kind === "hidden") return el("details", { class: "fold" }, el("summary", {}, `${sentences} sentence${sentences === 1 ? "" : "s"}`), marked(spans));
    return kind === "deciding" ? el("span", { class: "deciding" }, marked(spans)) : marked(spans);
  };
  const pair = (text) => {
    const evidence = el("div", { class: "premise", dir: "auto" }, text.folds.flatMap(fold));
    const claim = el("p", { class: "claim", dir: "auto" }, marked(text.hypothesis));
    return [...(data.claims ? [claim, evidence] : [evidence, claim]), text.remark && el("p", { class: "quiet" }, text.remark)];
  };
  const claims = (text) => text.expects === "label";
  const right = (text) => [claims(text) ? "Right: " : "Before the swap: ", el("b", {}, text.label), claims(text) ? null : `, which should ${text.expects}; no answer is called right or wrong`];
  const isWrong = (model, row) => Boolean(data.flag[model][row] & data.flags.failed);
  const mark = (model, row, good) => (!claims(textOf(row)) ? "" : isWrong(model, row) ? "bad" : good);
  const sure = (model, row) => data.confidence[model][row];
  const said = (row, chosen) =>
    el("ul", { class: "answers" }, data.models.map(({ name }, model) => {
      const mine = chosen && [chosen.model, chosen.other].includes(model);
      return el("li", { class: `${mark(model, row, "good")}${mine ? " mine" : ""}` },
        el("b", {}, data.answers.shown[data.answer[model][row]]), " ", el("span", { class: "by" }, name),
        Number.isNaN(sure(model, row)) ? null : [" ", el("span", { class: "quiet" }, `${Math.round(sure(model, row) * 100)}%`)],
        isWrong(model, row) && data.flag[model][row] & data.flags.held ? [" ", el("span", { class: "quiet" }, "was right before the edit")] : null);
    }));
  const article = (row, chosen, here, at) => {
    const text = textOf(row);
    const link = changed(at === undefined ? { case: row, at: null } : { case: row, at });
    const name = here ? [el("b", {}, text.family), " (this case)"] : el("a", { href: link, title: data.about[text.of] ?? "" }, text.family);
    return el("li", { "aria-current": here && "true" }, el("article", { class: "case" },
      el("p", { class: "family" }, name, " ", el("span", { class: "quiet" }, text.groups)),
      el("div", { class: "two" }, el("div", {}, pair(text)), el("div", {}, el("p", {}, right(text)), said(row, chosen)))));
  };

  const facetList = (chosen, { title, about, name, values, shown, order }, counts, picked) => {
    const there = (order ?? [...values.keys()].sort((one, two) => counts[two].of - counts[one].of)).filter((code) => values[code] && counts[code].of);
    if (there.length < 2 && !picked) return null;
    const most = Math.max(1, ...there.map((code) => counts[code].of));
    const item = (code) => {
      const { n, of } = counts[code];
      const on = values[code] === picked;
      return el("li", { class: on && "on" }, el("a", { href: changed({ [name]: on ? null : values[code] }), "aria-current": on && "true", title: name === "family" ? data.about[values[code]] : null },
        el("span", { class: "value" }, shown[code]), " ",
        el("span", { class: "n" }, chosen.model >= 0 ? `${number(n)} of ${number(of)}` : number(of)),
        chosen.model >= 0 ? gauge(0, n, of) : gauge(of, 0, most)));
    };
    const more = there.slice(data.few);
    return el("section", { "aria-label": title }, el("h2", {}, title), about && el("p", { class: "quiet" }, about),
      el("ul", {}, there.slice(0, data.few).map(item)),
      more.length ? el("details", { open: more.some((code) => values[code] === picked) }, el("summary", {}, `${more.length} more`), el("ul", {}, more.map(item))) : null);
  };

  /* The part of the list with the worst first that a case is in: section_of() in case_browser.py. */
  const sectionOf = ({ model }, row) => {
    if (!isWrong(model, row)) return "Not wrong, the least confident first";
    const support = data.answers.values[data.answer[model][row]] === "entailment";
    const kind = data.binary ? (support ? "False support" : "Missed support") : "Wrong";
    const repeats = data.edited[row] && !(data.flag[model][row] & data.flags.held);
    return `${kind}${repeats ? ", as before the edit" : ""}, the most confident first`;
  };

  const chips = (chosen) => {
    const name = (place) => data.models[place].name;
    const shown = (facet, value) => facet.shown[facet.values.indexOf(value)] ?? value;
    const made = chosen.facets.map(({ facet, value }) => [`${facet.title}: ${shown(facet, value)}`, { [facet.name]: null }]);
    if (chosen.words) made.push([`with ${chosen.words}`, { words: null }]);
    const other = ["beats", "differ"].includes(chosen.show) ? ` (${name(chosen.other)})` : "";
    if (chosen.show) made.push([`${name(chosen.model)}: ${data.shows[chosen.show]}${other}`, { show: null }]);
    if (chosen.answer) made.push([`${name(chosen.model)} answers ${shown(data.answers, chosen.answer)}`, { answer: null }]);
    if (chosen.scoreFrom !== null || chosen.scoreBelow !== null) {
      const high = chosen.scoreBelow === null ? "" : `, below ${chosen.scoreBelow}`;
      made.push([`score of ${name(chosen.model)} from ${chosen.scoreFrom ?? 0}${high}`, { score_from: null, score_below: null }]);
    }
    if (chosen.from !== null || chosen.to !== null) made.push([`confidence ${chosen.from ?? 0} to ${chosen.to ?? 100}%`, { sure_from: null, sure_to: null }]);
    return made.map(([words, gone]) =>
      el("a", { class: "chip", href: changed(gone), title: "Remove this filter" }, words, " ", el("span", { "aria-hidden": "true" }, "×"), el("span", { class: "unseen" }, ": remove")));
  };

  const fill = (chosen) => {
    const form = document.querySelector("form.filter");
    for (const field of form.elements) {
      if (!field.name) continue;
      if (field.type === "checkbox") field.checked = chosen.down;
      else if (["model", "other"].includes(field.name)) field.value = data.models[chosen[field.name]]?.id ?? "";
      else field.value = asked.get(field.name) ?? (field.name === "order" ? "case" : "");
    }
    const kept = chosen.facets.map(({ facet, value }) => [facet.name, value]);
    if (chosen.answer) kept.push(["answer", chosen.answer]);
    form.append(...kept.map(([name, value]) => el("input", { type: "hidden", name, value })));
  };

  const needsShares = ({ order, scoreFrom, scoreBelow }) => order === "disagreement" || scoreFrom !== null || scoreBelow !== null;
  const showList = async (chosen) => {
    const list = document.querySelector(".list ol");
    const total = document.querySelector(".total");
    fill(chosen);
    if (chosen.words) {
      total.replaceChildren("Searching …");
      await load("words.js");
    }
    if (needsShares(chosen)) await load("shares.js");
    const { rows, counts, answers } = select(chosen);
    const start = (chosen.page - 1) * data.page;
    const here = sorted(chosen, rows).slice(start, start + data.page);
    await withTexts(here);
    total.replaceChildren(el("b", {}, number(rows.length)), ` case${rows.length === 1 ? "" : "s"}`);
    const made = chips(chosen);
    total.after(...made, ...(made.length ? [el("a", { class: "chip all", href: "cases.html" }, "clear")] : []));
    const facets = data.facets.map((facet) => facetList(chosen, facet, counts(facet), asked.get(facet.name)));
    if (chosen.model >= 0) facets.splice(2, 0, facetList(chosen, { ...data.answers, name: "answer" }, answers, chosen.answer));
    const there = facets.filter(Boolean);
    if (chosen.model >= 0) there[0]?.querySelector("h2").append(" ", el("span", { class: "quiet" }, `bars: share ${chosen.show ? data.shows[chosen.show] : "wrong"}, ${data.models[chosen.model].name}`));
    document.querySelector(".facets").replaceChildren(el("summary", {}, "Facets"), ...there);
    list.start = start + 1;
    const sections = chosen.order === "worst" && !chosen.down ? here.map((row) => sectionOf(chosen, row)) : [];
    list.replaceChildren(...here.flatMap((row, place) => [
      sections[place] && sections[place] !== sections[place - 1] ? el("li", { class: "section" }, el("h2", {}, sections[place])) : null,
      article(row, chosen, false, start + place),
    ].filter(Boolean)));
    const [family, suite] = [asked.get("family"), asked.get("suite")];
    const told = (name, words) => words && list.before(el("p", { class: "about-family" }, el("b", {}, name), ` ${words}`));
    told(family, data.about[family]);
    if (data.suites[suite]) told(...data.suites[suite]);
    if (!here.length) list.before(el("section", { class: "empty" }, el("p", {}, "No case is like that. Remove a filter above, or ", el("a", { href: "cases.html" }, "show all cases"), ".")));
    const pages = Math.ceil(rows.length / data.page);
    const to = (page, words, rel) => el("a", { rel, href: changed({ page }) }, words);
    document.querySelector("nav.pages")?.remove();
    if (pages > 1) {
      list.after(el("nav", { class: "pages", "aria-label": "Pages" },
        chosen.page > 1 ? to(chosen.page - 1, "‹ Previous", "prev") : null,
        el("span", {}, `Page ${number(chosen.page)} of ${number(pages)}`),
        chosen.page < pages ? to(chosen.page + 1, "Next ›", "next") : null));
    }
  };

  /* The cases before and after, in the list that a case was opened from. */
  const near = async (chosen, row) => {
    const at = Number(asked.get("at") ?? NaN);
    if (!Number.isInteger(at)) return null;
    if (chosen.words) await load("words.js");
    const rows = sorted(chosen, select(chosen).rows);
    if (rows[at] !== row) return null;
    const to = (place, rel, ...words) => (place in rows ? el("a", { class: "button", rel, href: changed({ case: rows[place], at: place }) }, ...words) : null);
    return el("nav", { class: "near", "aria-label": "Cases before and after" },
      to(at - 1, "prev", "‹ Previous ", el("kbd", {}, "k")), el("span", {}, `${number(at + 1)} of ${number(rows.length)}`), to(at + 1, "next", "Next ", el("kbd", {}, "j"), " ›"));
  };

  const showCase = async (row) => {
    let [first, last] = [row, row];
    while (first > 0 && data.pair[first - 1] === data.pair[row]) first -= 1;
    while (last + 1 < data.cases && data.pair[last + 1] === data.pair[row]) last += 1;
    const siblings = [...Array(last - first + 1).keys()].map((each) => first + each);
    const shown = siblings.slice(0, MOST_SIBLINGS);
    await Promise.all([load("shares.js"), withTexts([row, ...shown])]);
    const text = textOf(row);
    const neighbours = await near(choice(), row);
    const share = (label, value) =>
      el("span", { class: "share" }, el("span", { class: "value" }, label), " ", gauge(value, 0, 1), " ", el("span", { class: "n" }, `${(value * 100).toFixed(1)}%`));
    const lines = data.models.map(({ id, name }, model) => {
      const shares = [...data.shares[model].subarray(4 * row, 4 * row + 4)].map((value, label) => (value > 0 ? share(data.answers.shown[label], value) : null));
      const none = el("span", { class: "quiet" }, "gives none");
      return el("tr", {}, el("th", { scope: "row" }, name),
        el("td", { class: mark(model, row, "fine") }, data.answers.shown[data.answer[model][row]]),
        el("td", {}, Number.isNaN(sure(model, row)) ? none : shares, text.notes[id] && el("span", { class: "quiet" }, text.notes[id])));
    });
    const heads = ["model", "answer", "probabilities"].map((name) => el("th", { scope: "col" }, name));
    const others = siblings.length < 2 ? [] : [
      el("h2", {}, `All ${siblings.length} cases of this source pair`),
      el("div", { class: "list" }, el("ol", {}, shown.map((each) => article(each, null, each === row))),
        shown.length < siblings.length ? el("p", { class: "quiet" }, `and ${siblings.length - shown.length} more.`) : null),
    ];
    const way = document.querySelector("nav.path");
    way.lastChild.replaceWith(" › ", el("a", { href: changed({}) }, "Cases"), ` › ${text.family}`);
    document.querySelector("main").replaceChildren(way, ...(neighbours ? [neighbours] : []),
      el("h1", { class: "headline" }, el("b", {}, text.family), " ", el("span", { class: "quiet" }, text.groups)),
      ...(data.about[text.of] ? [el("p", { class: "lead" }, data.about[text.of])] : []),
      el("div", { class: "detail" },
        el("section", { class: "card", "aria-label": "The case" }, pair(text), el("p", {}, right(text), `. ${text.why}`),
          el("p", { class: "quiet" }, el("ins", {}, "Added text"), " and ", el("del", {}, "removed text"), " are marked.")),
        el("section", { class: "card", "aria-label": "Answers" }, el("h2", {}, "Answers"),
          el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answers of all models" },
            el("table", { class: "said" }, el("thead", {}, el("tr", {}, heads)), el("tbody", {}, lines)))),
        el("section", { class: "card", "aria-label": "Where it comes from" }, el("h2", {}, "Where it comes from"),
          el("dl", { class: "facts" }, text.facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])))),
      ...others);
  };

  const start = async () => {
    await load("columns.js");
    const row = Number(asked.get("case"));
    if (asked.has("case") && Number.isInteger(row) && row >= 0 && row < data.cases) await showCase(row);
    else await showList(choice());
    document.body.dataset.ready = "";
  };
  start().catch((error) => document.querySelector("main").prepend(el("p", { class: "empty", role: "alert" }, `The files of this bundle can't be read: ${error.message ?? "one is missing"}.`)));
})();
