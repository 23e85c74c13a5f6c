/* Answering cases: one at a time, by keyboard, every answer sent at once and again until it is acknowledged. */
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const csrf = document.querySelector('meta[name="csrf"]').content;
  const at = (id) => document.getElementById(id);
  const sheets = new Map(); /* what is known about cases, by name */
  const jobs = []; /* changes that are not acknowledged yet, in order */
  let place = 0;
  let marked = 0; /* the question that keys answer */
  let undoable = data.undo;
  let sending = false;

  /* Talking to the server */

  const name = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const tell = (text, bad = false) => {
    at("status").textContent = text;
    at("status").classList.toggle("bad", bad);
  };
  const wait = (time) => new Promise((done) => setTimeout(done, time));

  const load = async (shown, again = false) => {
    if (!sheets.has(shown) || again) {
      const answer = await fetch(`${data.api}/case/${encodeURIComponent(shown)}${data.query}`);
      const found = await answer.json();
      if (!answer.ok) throw new Error(`${found.error} ${found.hint}`);
      sheets.set(shown, found);
    }
    return sheets.get(shown);
  };

  const post = (what, body) =>
    fetch(`${data.api}/${what}${data.query}`, {
      method: "POST",
      headers: { "x-csrf": csrf, "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  /* One change after the other; a change that gets no answer is sent again under the same name. */
  const work = async () => {
    if (sending) return;
    sending = true;
    while (jobs.length) {
      const job = jobs[0];
      tell("Saving…");
      const answer = await deliver(job);
      jobs.shift();
      const found = await answer.json();
      if (answer.ok) acknowledged(job, found);
      else if (answer.status === 409) await conflict(job, found);
      else await refused(job, found);
    }
    sending = false;
  };

  const deliver = async (job) => {
    if (job.what === "answer") job.body.base = sheets.get(job.body.case).version;
    if (job.what === "undo") Object.assign(job.body, undoable ?? { case: data.cases[place].case, version: 0 });
    for (let pause = 500; ; pause = Math.min(2 * pause, 5000)) {
      try {
        const answer = await post(job.what, job.body);
        if (answer.status < 500 && answer.status !== 429) return answer;
      } catch {
        /* the server can't be reached */
      }
      tell("Not saved yet: the server does not answer. Trying again; keep this page open.", true);
      await wait(pause);
    }
  };

  const learn = (found) => {
    const sheet = sheets.get(found.case);
    if (sheet) Object.assign(sheet, { version: found.version, done: found.done });
    const entry = data.cases.find((each) => each.case === found.case);
    if (entry) entry.done = found.done;
  };

  const acknowledged = (job, found) => {
    undoable = found.undo;
    learn(found);
    tell(job.what === "undo" ? "Undone." : "Saved.");
    if (job.what === "undo") {
      const where = data.cases.findIndex((each) => each.case === found.case);
      if (sheets.has(found.case)) sheets.get(found.case).said = found.said;
      if (where < 0) tell("Undone, in a case that is not on this page.");
      else go(where);
    }
    count();
    if (job.what === "answer" && job.body.case === data.cases[place].case) mark();
  };

  const refused = async (job, found) => {
    tell(`Not saved: ${found.error} ${found.hint ?? ""}`, true);
    if (job.what === "answer") await load(job.body.case, true).catch(() => {});
    show();
  };

  const conflict = async (job, found) => {
    undoable = found.undo;
    if (job.what === "undo" || !found.now) {
      tell(found.error, true);
      if (found.now?.case) await load(found.now.case, true).catch(() => {});
      show();
      return;
    }
    const use = await choose(job, found);
    const sheet = await load(job.body.case, true);
    learn(sheet);
    if (use) {
      sheet.said = job.body.said;
      jobs.unshift({ what: "answer", body: { case: job.body.case, said: job.body.said, request: name() } });
    } else {
      tell("Kept what was answered elsewhere.");
    }
    count();
    show();
  };

  const choose = (job, found) =>
    new Promise((done) => {
      const words = (said) => Object.entries(said).map(([column, value]) => `${column}: ${value}`).join("; ") || "nothing";
      at("conflict-why").textContent = `Case ${job.body.case}. ${found.error}`;
      at("theirs").textContent = words(found.now.said);
      at("mine").textContent = words(job.body.said);
      const end = (use) => {
        at("conflict").close();
        done(use);
      };
      at("keep").onclick = () => end(false);
      at("use").onclick = () => end(true);
      at("conflict").oncancel = () => done(false);
      at("conflict").showModal();
    });

  /* What is needed */

  const needed = (said) => {
    const needless = new Set(data.pointless.filter((each) => said[each.column] === each.value).flatMap((each) => each.columns));
    return data.questions.filter((each) => !needless.has(each.column));
  };
  const isDone = (said) => needed(said).every((each) => said[each.column]);

  const save = (said) => {
    const sheet = sheets.get(data.cases[place].case);
    const kept = new Set(needed(said).map((each) => each.column));
    sheet.said = Object.fromEntries(Object.entries(said).filter(([column, value]) => kept.has(column) && value));
    jobs.push({ what: "answer", body: { case: sheet.case, said: sheet.said, request: name() } });
    work();
    return sheet.said;
  };

  const answer = (question, value) => {
    const said = save({ ...sheets.get(data.cases[place].case).said, [question.column]: value });
    const open = needed(said).find((each) => !said[each.column]);
    marked = data.questions.indexOf(open ?? question);
    mark();
    if (!open && at("moves-on").checked) setTimeout(() => next(true), 150);
  };

  /* A text is saved when it is left. */
  const leave = () => {
    const sheet = sheets.get(data.cases[place]?.case);
    for (const area of at("questions").querySelectorAll("textarea")) {
      const text = area.value.replace(/\r\n?/g, "\n");
      if (sheet && text.trim() !== (sheet.said[area.name] ?? "").trim()) save({ ...sheet.said, [area.name]: text });
    }
  };

  /* Moving */

  const go = (where) => {
    place = Math.max(0, Math.min(data.cases.length - 1, where));
    marked = 0;
    return show(true);
  };
  const next = (open = false) => {
    leave();
    if (!open) return go(place + 1);
    const all = data.cases.map((_, step) => (place + 1 + step) % data.cases.length);
    const known = (each) => (sheets.has(data.cases[each].case) ? isDone(sheets.get(data.cases[each].case).said) : data.cases[each].done);
    const found = all.find((each) => !known(each));
    return found === undefined ? finish() : go(found);
  };
  const finish = () => {
    at("finished").hidden = false;
    at("finished").textContent = "All cases are answered. Thank you! You can still look at them and change answers.";
    mark();
  };

  /* Showing */

  const element = (tag, text, more = {}) => Object.assign(document.createElement(tag), { textContent: text, ...more });

  const choice = (question, each, number) => {
    const button = element("button", "", { type: "button", className: "choice" });
    const yesNo = question.choices.length === 2 && ["yes", "no"].includes(each.value);
    button.append(element("kbd", yesNo ? each.value[0] : String(number + 1)), element("span", each.name));
    button.dataset.value = each.value;
    button.onclick = () => answer(question, each.value);
    return button;
  };

  const ask = (question, number) => {
    const group = element("div", "", { className: "question" });
    const head = element("p", question.text, { id: `question-${number}`, className: "asked" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-labelledby", head.id);
    group.append(head);
    if (question.free) {
      const area = element("textarea", "", { name: question.column, rows: 4, maxLength: 10000 });
      area.setAttribute("aria-labelledby", head.id);
      const button = element("button", "Save and go on ", { type: "button", className: "main" });
      button.append(element("kbd", "Ctrl Enter"));
      button.onclick = () => next(true);
      group.append(area, button);
    } else {
      const some = element("div", "", { className: question.choices.length === 2 ? "choices two" : "choices" });
      some.append(...question.choices.map((each, step) => choice(question, each, step)));
      group.append(some);
    }
    group.addEventListener("focusin", () => {
      if (marked !== number) {
        marked = number;
        mark();
      }
    });
    return group;
  };

  const mark = () => {
    const said = sheets.get(data.cases[place].case)?.said ?? {};
    const wanted = new Set(needed(said));
    [...at("questions").children].forEach((group, number) => {
      const question = data.questions[number];
      group.classList.toggle("marked", number === marked);
      group.classList.toggle("needless", !wanted.has(question));
      for (const button of group.querySelectorAll(".choice")) {
        button.setAttribute("aria-pressed", String(button.dataset.value === said[question.column]));
      }
    });
    at("undo").disabled = undoable === null && !jobs.length;
    at("previous").disabled = place === 0;
    at("next").disabled = place === data.cases.length - 1;
  };

  const count = () => {
    const done = data.cases.filter((each) => each.done).length;
    at("count").textContent = `${done} of ${data.cases.length} answered`;
    at("progress").max = data.cases.length;
    at("progress").value = done;
    document.title = `${done}/${data.cases.length} · Assay`;
    if (done < data.cases.length) at("finished").hidden = true;
  };

  const others = (sheet) => {
    at("others").hidden = !sheet.others;
    if (!sheet.others) return;
    const rows = sheet.others.map((each) => {
      const row = element("tr", "");
      const head = element("th", each.name, { scope: "row" });
      const words = Object.entries(each.said).map(([column, value]) => `${column}: ${value}`).join("; ") || "nothing yet";
      const cell = element("td", words);
      cell.append(element("code", each.shown, { className: "quiet" }));
      row.append(head, cell);
      return row;
    });
    at("others").querySelector("tbody").replaceChildren(...rows);
  };

  const show = async (moved = false) => {
    const entry = data.cases[place];
    let sheet;
    try {
      sheet = await load(entry.case);
    } catch (error) {
      tell(error instanceof TypeError ? "The server does not answer. Start it again, then reload this page." : error.message, true);
      return;
    }
    if (entry !== data.cases[place]) return; /* somebody was faster */
    at("name").replaceChildren(`Case ${place + 1} of ${data.cases.length} `, element("code", sheet.case, { className: "quiet" }));
    at("premise").textContent = sheet.premise;
    at("hypothesis").textContent = sheet.hypothesis;
    for (const each of document.querySelectorAll(".labels")) each.hidden = !sheet.labels.length;
    [at("right").textContent, at("wrong").textContent] = [sheet.labels[0] ?? "", sheet.labels[1] ?? ""];
    for (const area of at("questions").querySelectorAll("textarea")) area.value = sheet.said[area.name] ?? "";
    others(sheet);
    if (moved) {
      const open = needed(sheet.said).find((each) => !sheet.said[each.column]);
      marked = open ? data.questions.indexOf(open) : 0;
      (at("questions").querySelector("textarea") ?? at("name")).focus();
    }
    mark();
    const after = data.cases[place + 1];
    if (after) load(after.case).catch(() => {}); /* so that the next one is there at once */
  };

  /* Keys */

  const undo = () => {
    if (undoable === null && !jobs.length) return tell("There is nothing to undo.");
    jobs.push({ what: "undo", body: { request: name() } });
    work();
  };
  const pick = (key) => {
    const question = data.questions[marked];
    if (question.free) return false;
    const byNumber = /^[1-9]$/.test(key) ? question.choices[Number(key) - 1] : undefined;
    const yesNo = question.choices.find((each) => ["yes", "no"].includes(each.value) && each.value[0] === key);
    const chosen = byNumber ?? yesNo;
    if (chosen) answer(question, chosen.value);
    return Boolean(chosen);
  };
  const step = (by) => {
    marked = Math.max(0, Math.min(data.questions.length - 1, marked + by));
    mark();
  };
  const MOVES = {
    ArrowLeft: () => { leave(); go(place - 1); },
    ArrowRight: () => next(),
    ArrowUp: () => step(-1),
    ArrowDown: () => step(1),
    o: () => next(true),
    u: undo,
    g: () => at("guide").focus(),
  };

  document.addEventListener("keydown", (event) => {
    if (at("conflict").open) {
      if (event.key === "1") at("keep").click();
      if (event.key === "2") at("use").click();
      return;
    }
    if (event.target.matches("textarea") && event.ctrlKey && event.key === "Enter") {
      event.preventDefault();
      next(true);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("textarea, input, select")) return;
    if (event.key.length === 1 && !at("single").checked) return;
    const move = MOVES[event.key];
    if (move) move();
    if (move || pick(event.key.toLowerCase())) event.preventDefault();
  });

  at("previous").onclick = MOVES.ArrowLeft;
  at("next").onclick = MOVES.ArrowRight;
  at("open").onclick = MOVES.o;
  at("undo").onclick = undo;
  window.addEventListener("beforeunload", (event) => {
    leave();
    if (jobs.length) event.preventDefault();
  });
  document.addEventListener("visibilitychange", async () => {
    if (document.hidden || jobs.length || at("questions").querySelector("textarea")) return;
    learn(await load(data.cases[place].case, true));
    count();
    show();
  });

  at("questions").replaceChildren(...data.questions.map(ask));
  count();
  const first = data.cases.findIndex((each) => !each.done);
  go(first < 0 ? 0 : first);
  if (first < 0) finish();
})();
