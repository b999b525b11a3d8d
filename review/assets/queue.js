// The queue by keyboard: j and k move, a decision is two strokes, and everything that leaves can come back for a while.
"use strict";

{
  const queue = document.querySelector(".queue");
  const list = queue.querySelector(".list ol");
  const preview = queue.querySelector(".preview");
  const bulk = document.getElementById("bulk");
  const pages = new Map();

  const items = () => [...list.querySelectorAll(".item")];
  const now = () => list.querySelector(".item.now");
  const path = (item) => `/flags/${encodeURIComponent(item.dataset.flag)}`;

  // A preview is fetched once, and the two that come next before anybody asks for them.
  const fetched = (item) => {
    const from = `${path(item)}/preview`;
    if (!pages.has(from)) {
      pages.set(from, fetch(from).then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status)));
      pages.get(from).catch(() => pages.delete(from));
    }
    return pages.get(from);
  };

  // Something that is not a flag, where the flag would be.
  const say = (heading, text) => {
    preview.innerHTML = '<div class="state"><h2></h2><p></p></div>';
    preview.querySelector("h2").textContent = heading;
    preview.querySelector("p").textContent = text;
  };

  let dwelling = null;
  // The flag that is on its way, and what was asked about it meanwhile: nobody decides about what is not on the screen.
  let coming = null;
  let waiting = "";
  const select = async (item, open) => {
    if (!item) return;
    clearTimeout(dwelling);
    coming = item;
    waiting = "";
    // What is only passed on the way to another flag has not been seen.
    if (item !== now()) dwelling = setTimeout(() => fetch(`/api${path(item)}`).catch(() => {}), 400);
    now()?.classList.remove("now");
    now()?.removeAttribute("aria-current");
    item.classList.add("now");
    item.setAttribute("aria-current", "true");
    item.classList.remove("unread");
    item.scrollIntoView({ block: "nearest" });
    if (open) queue.classList.add("open");
    const address = new URL(item.querySelector("a.flag").href);
    history.replaceState(null, "", address);
    const slow = setTimeout(() => { if (item === now()) say("Loading …", item.dataset.what); }, 200);
    try {
      const page = await fetched(item);
      if (item === now()) {
        preview.innerHTML = page;
        coming = null;
        if (waiting) ask(waiting);
      }
    } catch (status) {
      const why = Number.isInteger(status) ? `The server said ${status}.` : "The server does not answer.";
      if (item === now()) say("This flag could not be loaded", `${why} Choose it again to try again.`);
    }
    clearTimeout(slow);
    const all = items();
    const at = all.indexOf(item);
    for (const next of all.slice(at + 1, at + 3)) fetched(next).catch(() => {});
  };

  const move = (by) => {
    const all = items();
    const at = all.indexOf(now());
    select(all[Math.min(Math.max(at + by, 0), all.length - 1)], queue.classList.contains("open"));
  };

  const count = (by) => {
    const shown = document.querySelector(".filters [aria-current] .n");
    if (shown && /^\d+$/.test(shown.textContent)) shown.textContent = Math.max(0, Number(shown.textContent) + by);
  };

  // Flags that were decided here are no news to us.
  const ours = new Set();
  let last = null;
  const undo = async () => {
    if (!last) return;
    const { decisions, places } = last;
    last = null;
    try {
      for (const decision of decisions) await fairdeal.post(`/api/decisions/${decision}/undo`, {});
      for (const { item, before } of places.reverse()) { list.insertBefore(item, before?.isConnected ? before : null); }
      count(places.length);
      pages.clear();
      document.querySelector(".toast")?.remove();
      select(places[0].item);
    } catch (error) { fairdeal.toast(error.message); }
  };

  const decide = async (chosen, action, reason) => {
    // The question is answered: another stroke must not answer it for the next flag.
    ask("");
    const leaves = queue.dataset.leaves === "yes" && action !== "assign";
    const all = items();
    const after = all.slice(all.indexOf(chosen.at(-1)) + 1).find((item) => !chosen.includes(item))
      || all.filter((item) => !chosen.includes(item)).at(-1);
    let decisions;
    try {
      const flags = chosen.map((item) => item.dataset.flag);
      flags.forEach((flag) => ours.add(flag));
      const assignee = action === "assign" ? queue.dataset.me : null;
      decisions = (await fairdeal.post("/api/flags/decide", { flags, action, reason, assignee })).decisions;
    } catch (error) { fairdeal.toast(error.message); return; }
    const places = chosen.map((item) => ({ item, before: item.nextElementSibling }));
    last = { decisions, places };
    for (const item of chosen) {
      pages.delete(`${path(item)}/preview`);
      const box = item.querySelector("input[type=checkbox]");
      if (box) box.checked = false;
      if (leaves) item.remove();
    }
    if (leaves) count(-chosen.length);
    picked();
    const what = chosen.length > 1 ? `${fairdeal.done[action]} ${chosen.length} flags.` : `${fairdeal.done[action]}: ${chosen[0].dataset.what}.`;
    fairdeal.toast(what, "Undo (u)", undo);
    const expired = last;
    setTimeout(() => { if (last === expired) last = null; }, 10000);
    if (leaves && after) select(after, queue.classList.contains("open"));
    else if (leaves) finished();
    else select(chosen[0], queue.classList.contains("open"));
  };

  // The last one can be taken back like any other; what has come meanwhile is fetched after that.
  const finished = () => {
    queue.classList.remove("open");
    say("All done", "Every flag of this list has been decided.");
    const address = new URL(location.href);
    address.searchParams.delete("flag");
    history.replaceState(null, "", address);
    setTimeout(() => { if (!items().length) location.reload(); }, 10000);
  };

  // Enter is the usual reason, a digit another.
  const ask = (action) => {
    if (coming) { waiting = action; return; }
    const form = preview.querySelector("form.decision");
    if (form) fairdeal.ask(form, action);
  };
  const asking = () => preview.querySelector("form.decision .reasons:not([hidden])");

  const chosen = () => {
    const many = items().filter((item) => item.querySelector("input[type=checkbox]")?.checked);
    return many.length ? many : [now()].filter(Boolean);
  };
  const picked = () => {
    const many = items().filter((item) => item.querySelector("input[type=checkbox]")?.checked).length;
    bulk?.classList.toggle("on", many > 0);
    if (bulk) bulk.querySelector("output").textContent = `${many} selected`;
  };

  list.addEventListener("change", picked);
  list.addEventListener("click", (event) => {
    const link = event.target.closest("a.flag");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    select(link.closest(".item"), true);
  });
  bulk?.addEventListener("click", (event) => {
    const action = event.target.closest("button")?.dataset.action;
    if (action) { event.preventDefault(); decide(chosen(), action, "several at once"); }
  });
  preview.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.close !== undefined) queue.classList.remove("open");
    if (button.dataset.action) { event.preventDefault(); button.dataset.action === "assign" ? decide(chosen(), "assign", "") : ask(button.dataset.action); }
    if (button.dataset.reason !== undefined) { event.preventDefault(); decide(chosen(), button.closest(".reasons").dataset.for, button.dataset.reason); }
  });

  document.addEventListener("keydown", (event) => {
    if (fairdeal.typing(event) || document.getElementById("keys").open) return;
    const reasons = asking();
    if (reasons && /^[1-9]$/.test(event.key)) {
      event.preventDefault();
      reasons.querySelectorAll("button[data-reason]")[Number(event.key) - 1]?.click();
      return;
    }
    if (reasons && event.key === "Enter") {
      event.preventDefault();
      (reasons.contains(document.activeElement) ? document.activeElement : reasons.querySelector("button")).click();
      return;
    }
    if (coming && waiting && event.key === "Enter") { event.preventDefault(); return; }
    switch (event.key) {
      case "j": case "ArrowDown": event.preventDefault(); move(1); break;
      case "k": case "ArrowUp": event.preventDefault(); move(-1); break;
      case "Enter": if (now() && !event.target.closest("a, button")) { event.preventDefault(); location.assign(now().dataset.round); } break;
      case "c": ask("confirm"); break;
      case "d": ask("dismiss"); break;
      case "e": ask("escalate"); break;
      case "a": if (!coming && preview.querySelector("form.decision")) decide(chosen(), "assign", ""); break;
      case "u": undo(); break;
      case "x": {
        const box = now()?.querySelector("input[type=checkbox]");
        if (box) { box.checked = !box.checked; picked(); }
        break;
      }
      case "n": {
        const note = preview.querySelector("textarea[name=text]");
        if (note) { event.preventDefault(); note.closest("details").open = true; note.focus(); }
        break;
      }
      case "Escape": if (reasons) ask(""); else queue.classList.remove("open"); break;
    }
  });

  // What arrives is announced, not pushed under the officer's hands.
  const fresh = document.getElementById("fresh");
  let arrived = 0;
  document.addEventListener("fairdeal:flag", (event) => {
    if (event.detail.state !== "new" || ours.has(event.detail.id) || list.querySelector(`[data-flag="${CSS.escape(event.detail.id)}"]`)) return;
    arrived += 1;
    fresh.hidden = false;
    fresh.textContent = arrived === 1 ? "1 new flag" : `${arrived} new flags`;
  });

  if (now()) select(now());
}
