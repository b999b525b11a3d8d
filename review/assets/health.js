// Health says how things are now, and stays open on a wall: what it shows must not grow old there unnoticed.
"use strict";

{
  // As often as whoever watches a table says how it is.
  const every = 5000;

  const renew = async () => {
    const main = document.getElementById("main");
    // Nobody looks, or somebody is about to follow a link.
    if (document.hidden || main.contains(document.activeElement)) return;
    try {
      const answer = await fetch("/health");
      if (!answer.ok || answer.redirected) { location.reload(); return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      main.replaceChildren(...page.getElementById("main").childNodes);
    } catch {
      document.getElementById("silent").hidden = false;
    }
  };
  setInterval(renew, every);
}
