// Stepping through a round: the drawing and the picture move together, by step or by frame, by hand or by themselves.
"use strict";

{
  const round = document.getElementById("round");
  const base = round.dataset.path;
  const marks = [...document.querySelectorAll(".timeline [data-step]")];
  const felt = document.getElementById("felt");
  // On a telephone the table is wider than the screen: what the step is about comes into its middle.
  const centre = () => {
    const [what, whole] = [felt.querySelector(".focus") || felt.firstElementChild, felt].map((part) => part.getBoundingClientRect());
    felt.scrollLeft += what.left + what.width / 2 - whole.left - whole.width / 2;
  };
  centre();
  // The same for the line of steps.
  const follow = () => {
    const [mark, line] = [document.querySelector(".timeline .now"), document.getElementById("timeline")];
    if (mark) line.scrollLeft += mark.getBoundingClientRect().left - line.getBoundingClientRect().left - line.clientWidth / 2;
  };
  follow();
  const still = document.getElementById("still");
  const told = document.getElementById("told");
  const clock = document.getElementById("clock");
  const drawings = new Map();
  let step = Number(round.dataset.step);
  let at = null;
  let frames = [];
  let player = null;

  const steps = [...document.querySelectorAll(".steps li")].map((line) => ({
    what: line.textContent.trim(),
    at: line.dataset.at ? Number(line.dataset.at) : null,
  }));
  const count = steps.length;

  const drawing = (number) => {
    if (number < 0 || number > count) return Promise.reject();
    if (!drawings.has(number)) {
      drawings.set(number, fetch(`${base}/felt?step=${number}`).then((answer) => answer.ok ? answer.text() : Promise.reject(answer.status)));
    }
    return drawings.get(number);
  };

  const picture = (micros) => {
    if (!still || micros === null || micros === undefined) return;
    at = micros;
    still.src = `${base}/still?at=${micros}`;
    const seconds = (micros - Number(round.dataset.began)) / 1e6;
    if (clock) clock.textContent = `${seconds.toFixed(2)} s`;
    history.replaceState(null, "", `#t=${micros}`);
  };

  // The last step that had been done at an instant.
  const done = (instant) => steps.reduce((best, one, index) => one.at !== null && one.at <= instant ? index + 1 : best, 1);

  // A step, with the picture of its own instant or of another.
  const go = async (number, instant = null) => {
    step = Math.min(Math.max(number, 1), count);
    if (instant === null) frames = [];
    marks.forEach((mark) => mark.classList.toggle("now", Number(mark.dataset.step) === step));
    document.querySelectorAll(".steps li").forEach((line, index) => line.classList.toggle("now", index + 1 === step));
    follow();
    const { what, at: micros } = steps[step - 1];
    told.textContent = `${step} / ${count}  ${what}`;
    if (still && (instant ?? micros) !== null) picture(instant ?? micros); else history.replaceState(null, "", `?step=${step}`);
    try {
      const wanted = step;
      const svg = await drawing(wanted);
      if (wanted === step) { felt.innerHTML = svg; centre(); }
    } catch { /* the drawing stays as it was */ }
    drawing(step + 1).catch(() => {});
    drawing(step - 1).catch(() => {});
  };

  // Frames are stills from the recording: browsers cannot step through video reliably.
  const frame = async (by) => {
    if (!still) return;
    const from = at ?? steps[step - 1].at ?? Number(round.dataset.began);
    let place = frames.indexOf(from);
    if (place < 0 || !(place + by in frames)) {
      const answer = await fetch(`${base}/frames?at=${from}`);
      if (!answer.ok) return;
      frames = await answer.json();
      place = frames.findIndex((instant) => instant >= from);
      if (place < 0) place = frames.length - 1;
    }
    const to = frames[place + by];
    if (to === undefined) return;
    // The drawing keeps up with the picture.
    if (done(to) === step) picture(to); else go(done(to), to);
  };

  const play = (button) => {
    if (player) { clearTimeout(player); player = null; button?.setAttribute("aria-pressed", "false"); return; }
    button?.setAttribute("aria-pressed", "true");
    if (step >= count) go(1);
    const speed = () => Number(document.getElementById("speed").value) || 1;
    const next = () => {
      if (step >= count) { play(button); return; }
      const [here, there] = [steps[step - 1].at, steps[step].at];
      const wait = here !== null && there !== null ? Math.min(Math.max((there - here) / 1000, 80), 4000) : 600;
      player = setTimeout(() => { go(step + 1); next(); }, wait / speed());
    };
    next();
  };

  const toggle = (id, what) => {
    const button = document.getElementById(id);
    if (!button || !still) return;
    button.setAttribute("aria-pressed", String(what(still.parentElement)));
  };
  const zoom = () => toggle("zoom", (box) => box.classList.toggle("zoomed"));
  const outlines = () => toggle("outlines", (box) => {
    const overlay = box.querySelector(".overlay");
    if (!overlay) return false;
    overlay.classList.toggle("hidden");
    return !overlay.classList.contains("hidden");
  });

  // A flag is decided here as in the queue. The keys are for the first that nobody has decided.
  const cards = [...document.querySelectorAll(".flagged-card")].filter((card) => card.querySelector("form.decision"));
  const flagged = () => cards.find((card) => card.querySelector(".state-new")) || cards[0];
  const ask = (card, action) => {
    cards.forEach((other) => fairdeal.ask(other.querySelector("form.decision"), other === card ? action : ""));
    if (action) card.scrollIntoView({ block: "nearest" });
  };
  const reasons = () => document.querySelector(".flagged-card .reasons:not([hidden])");
  const states = { confirm: "confirmed", dismiss: "dismissed", escalate: "escalated" };
  let last = null;
  const stands = (card, state) => {
    const label = card.querySelector(".chip-label");
    label.textContent = state;
    label.className = `chip-label state-${state}`;
  };
  const undo = async () => {
    if (!last) return;
    const { card, decision, before } = last;
    last = null;
    try {
      await fairdeal.post(`/api/decisions/${decision}/undo`, {});
      stands(card, before);
      document.querySelector(".toast")?.remove();
    } catch (error) { fairdeal.toast(error.message); }
  };
  const decide = async (card, action, reason) => {
    ask(card, "");
    const before = card.querySelector(".chip-label").textContent;
    const assignee = action === "assign" ? round.dataset.me : null;
    try {
      const flags = [card.id.slice("flag-".length)];
      const { decisions } = await fairdeal.post("/api/flags/decide", { flags, action, reason, assignee });
      const made = last = { card, decision: decisions[0], before };
      setTimeout(() => { if (last === made) last = null; }, 10000);
      if (states[action]) stands(card, states[action]);
      fairdeal.toast(`${fairdeal.done[action]}: ${card.querySelector("h3").textContent.trim()}.`, "Undo (u)", undo);
    } catch (error) { fairdeal.toast(error.message); }
  };
  const chosen = (card, action) => { action === "assign" ? decide(card, action, "") : ask(card, action); };

  document.addEventListener("click", (event) => {
    const mark = event.target.closest("[data-step]");
    if (mark && mark !== round) { event.preventDefault(); go(Number(mark.dataset.step)); }
    const button = event.target.closest("button");
    const card = button?.closest(".flagged-card");
    if (card && button.dataset.action) { event.preventDefault(); chosen(card, button.dataset.action); }
    if (card && button.dataset.reason !== undefined) decide(card, button.closest(".reasons").dataset.for, button.dataset.reason);
    switch (button?.id) {
      case "back": go(step - 1); break;
      case "forth": go(step + 1); break;
      case "frame-back": frame(-1); break;
      case "frame-forth": frame(1); break;
      case "play": play(button); break;
      case "zoom": zoom(); break;
      case "outlines": outlines(); break;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (fairdeal.typing(event) || document.getElementById("keys").open) return;
    if (reasons() && /^[1-9]$/.test(event.key)) {
      event.preventDefault();
      reasons().querySelectorAll("button[data-reason]")[Number(event.key) - 1]?.click();
      return;
    }
    switch (event.key) {
      case "c": if (flagged()) chosen(flagged(), "confirm"); break;
      case "d": if (flagged()) chosen(flagged(), "dismiss"); break;
      case "e": if (flagged()) chosen(flagged(), "escalate"); break;
      case "a": if (flagged()) chosen(flagged(), "assign"); break;
      case "u": undo(); break;
      case "Escape": if (reasons()) ask(flagged(), ""); break;
      case "ArrowLeft": event.preventDefault(); event.shiftKey ? frame(-1) : go(step - 1); break;
      case "ArrowRight": event.preventDefault(); event.shiftKey ? frame(1) : go(step + 1); break;
      case "Home": event.preventDefault(); go(1); break;
      case "End": event.preventDefault(); go(count); break;
      case " ": if (!event.target.closest("button, a")) { event.preventDefault(); play(document.getElementById("play")); } break;
      case "z": zoom(); break;
      case "o": outlines(); break;
      case "[": document.getElementById("earlier")?.click(); break;
      case "]": document.getElementById("later")?.click(); break;
      case "n": { const note = document.querySelector("#notes textarea"); if (note) { event.preventDefault(); note.focus(); } break; }
    }
  });

  // "What should have been paid" follows the correction while it is being made.
  const correction = document.getElementById("correction");
  const ledger = document.getElementById("ledger");
  const recompute = async () => {
    const fields = new URLSearchParams(new FormData(correction));
    const answer = await fetch(`${base}/ledger?step=${fields.get("step")}&card=${encodeURIComponent(fields.get("card"))}`);
    if (answer.ok) ledger.innerHTML = await answer.text();
  };
  correction?.addEventListener("input", (event) => { if (event.target.name !== "reason") recompute(); });

  const asked = /^#t=(\d+)$/.exec(location.hash);
  if (asked) go(done(Number(asked[1])), Number(asked[1]));
  still?.addEventListener("error", () => still.parentElement.classList.add("missing"));
  still?.addEventListener("load", () => still.parentElement.classList.remove("missing"));
  document.querySelectorAll(".controls [hidden]").forEach((control) => { control.hidden = false; });
}
