// Clicking cards writes lines of round notation, and the settlement follows what is typed.
"use strict";

{
  const form = document.getElementById("calculator");
  const text = form.elements.round;
  const places = document.getElementById("places");
  const acts = document.getElementById("acts");
  let place = "dealer";

  const button = (name, label) => {
    const made = document.createElement("button");
    made.type = "button";
    made.dataset.name = name;
    made.textContent = label;
    return made;
  };
  for (const name of ["dealer", "1", "2", "3", "4", "5", "6", "7", "3b"]) {
    places.append(button(name, name === "dealer" ? "dealer" : `box ${name}`));
  }
  for (const [name, label] of [["bet", "bet 25"], ["stand", "stand"], ["hit", "hit"], ["double", "double"], ["split", "split"], ["pay", "paid 25"], ["take", "taken"], ["push", "push"], ["end", "end"]]) {
    acts.append(button(name, label));
  }
  const choose = (name) => {
    place = name;
    for (const each of places.children) each.setAttribute("aria-pressed", String(each.dataset.name === name));
  };
  const write = (line) => {
    text.value = text.value.replace(/\n*$/, text.value.trim() ? "\n" : "") + line + "\n";
    text.scrollTop = text.scrollHeight;
    settle();
  };

  let waiting = null;
  const settle = () => {
    clearTimeout(waiting);
    waiting = setTimeout(async () => {
      const address = `/calculator?${new URLSearchParams(new FormData(form))}`;
      const answer = await fetch(address);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      document.getElementById("result").replaceWith(page.getElementById("result"));
      history.replaceState(null, "", address);
    }, 200);
  };

  places.addEventListener("click", (event) => { if (event.target.dataset.name) choose(event.target.dataset.name); });
  acts.addEventListener("click", (event) => {
    const name = event.target.dataset.name;
    if (!name) return;
    if (name === "end") write("end");
    else if (place !== "dealer") write(name === "bet" || name === "pay" ? `${name} ${place} 25` : `${name} ${place}`);
  });
  document.getElementById("keypad").addEventListener("click", (event) => {
    const card = event.target.closest("[data-card]")?.dataset.card;
    if (card) write(`card ${place} ${card}`);
  });
  form.addEventListener("input", settle);
  choose("dealer");
  document.getElementById("keypad").hidden = false;
}
