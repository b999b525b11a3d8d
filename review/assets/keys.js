// Keys that work on every page, the overlay that lists them, and the mark that says whether the page is live.
"use strict";

window.fairdeal = {
  // Whether a key belongs to a field somebody is typing in.
  typing(event) {
    const at = event.target;
    return event.ctrlKey || event.metaKey || event.altKey ||
      (at instanceof HTMLElement && (at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName) && at.type !== "checkbox"));
  },

  // Asks the API to do something. Resolves to its answer, or says why not.
  async post(path, body) {
    const csrf = document.querySelector('meta[name="csrf"]').content;
    const headers = { "content-type": "application/json", "x-csrf-token": csrf };
    const answer = await fetch(path, { method: "POST", body: JSON.stringify(body), headers });
    if (answer.status === 401) location.assign("/login");
    const told = await answer.json();
    if (!answer.ok) throw new Error(told.error || `The server said ${answer.status}.`);
    return told;
  },

  // What was done with a flag, in a word.
  done: { confirm: "Confirmed", dismiss: "Dismissed", escalate: "Escalated", assign: "Taken on" },

  // Under a flag's buttons, the reasons for an action: the first stroke chooses what, the second why. "" closes them.
  ask(form, action) {
    form.querySelectorAll("button[data-action]").forEach((button) => button.setAttribute("aria-pressed", button.dataset.action === action));
    form.querySelectorAll(".reasons").forEach((row) => { row.hidden = row.dataset.for !== action; });
    form.querySelector(`.reasons[data-for="${action}"] button`)?.focus();
  },

  // A line at the foot of the screen, with one thing that can be done about it.
  toast(text, action, act, seconds = 10) {
    document.querySelector(".toast")?.remove();
    const toast = document.createElement("div");
    toast.className = "toast";
    toast.setAttribute("role", "status");
    toast.append(text);
    if (action) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = action;
      button.addEventListener("click", () => { toast.remove(); act(); });
      toast.append(button);
    }
    document.body.append(toast);
    setTimeout(() => toast.remove(), seconds * 1000);
    return toast;
  },
};

{
  const keys = document.getElementById("keys");
  const help = () => keys.open ? keys.close() : keys.showModal();
  document.getElementById("help")?.addEventListener("click", help);
  // On a telephone the bar is wider than the screen.
  const here = document.querySelector(".bar nav [aria-current]");
  if (here) {
    const [link, bar] = [here, here.parentElement].map((part) => part.getBoundingClientRect());
    here.parentElement.scrollLeft += link.left + link.width / 2 - bar.left - bar.width / 2;
  }
  let waiting = false;
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !fairdeal.typing(event)) { event.preventDefault(); help(); return; }
    if (fairdeal.typing(event)) { if (event.key === "Escape") event.target.blur(); return; }
    if (event.key === "/") { event.preventDefault(); document.querySelector(".bar input[type=search]").focus(); }
    if (waiting) {
      waiting = false;
      const to = { q: "/", c: "/cases", t: "/tables", d: "/dealers", r: "/rules", h: "/health", k: "/calculator" }[event.key];
      if (to) { event.stopImmediatePropagation(); location.assign(to); }
    } else if (event.key === "g") {
      waiting = true;
      setTimeout(() => { waiting = false; }, 1500);
    }
  });

  const live = document.getElementById("live");
  if (live && window.EventSource) {
    const source = new EventSource("/api/live");
    source.addEventListener("open", () => live.classList.add("on"));
    source.addEventListener("error", () => live.classList.remove("on"));
    source.addEventListener("behind", () => location.reload());
    source.addEventListener("flag", (event) => {
      document.dispatchEvent(new CustomEvent("fairdeal:flag", { detail: JSON.parse(event.data) }));
    });
    addEventListener("pagehide", () => source.close());
  }
}
