// Dragging the corners of the outlines on a camera's picture. What is sent is the text of the field below it.
"use strict";

{
  const picture = document.querySelector(".calibrate svg");
  const field = document.querySelector("textarea[name=areas]");
  const NS = "http://www.w3.org/2000/svg";
  const read = () => field.value.split("\n").map((line) => {
    const [name, ...points] = line.trim().split(/\s+/);
    const corners = points.map((point) => point.split(",").map(Number));
    return name && corners.length > 2 && corners.every(([x, y]) => Number.isFinite(x) && Number.isFinite(y)) ? { name, corners } : null;
  }).filter(Boolean);
  let areas = read();

  const write = () => { field.value = areas.map(({ name, corners }) => `${name} ${corners.map((c) => c.map(Math.round).join(",")).join(" ")}`).join("\n"); };
  const make = (what, attributes) => {
    const made = document.createElementNS(NS, what);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const draw = () => {
    picture.replaceChildren();
    areas.forEach(({ name, corners }, area) => {
      picture.append(make("polygon", { points: corners.map((c) => c.join(",")).join(" ") }));
      const middle = corners.reduce(([x, y], c) => [x + c[0] / corners.length, y + c[1] / corners.length], [0, 0]);
      const label = make("text", { x: middle[0], y: middle[1] });
      label.textContent = name;
      picture.append(label);
      corners.forEach(([x, y], corner) => picture.append(make("circle", { cx: x, cy: y, r: 9, "data-area": area, "data-corner": corner })));
    });
  };
  let held = null;
  const place = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
    const { width, height } = picture.viewBox.baseVal;
    return [Math.min(Math.max(point.x, 0), width - 1), Math.min(Math.max(point.y, 0), height - 1)];
  };
  picture.addEventListener("pointerdown", (event) => {
    if (event.target.tagName !== "circle") return;
    held = [Number(event.target.dataset.area), Number(event.target.dataset.corner)];
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    if (!held) return;
    areas[held[0]].corners[held[1]] = place(event);
    draw();
  });
  picture.addEventListener("pointerup", () => { if (held) { held = null; write(); } });
  field.addEventListener("input", () => { areas = read(); draw(); });
  draw();
}
