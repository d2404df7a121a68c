// The picture of custody: ways in, the protection classes that they open, and the keys in these. A red line is one that a single loss
// ends; a dashed one belongs to a way that was never tried. Each box leads to the page that mends it.

import { h, svg } from "../dom.js";
import { t } from "../language.js";
import { classTitle, isHereOnly } from "./classes.js";
import { needsCopy } from "./custody.js";
import { icon, slotIcon } from "./icons.js";
import { keyRoute } from "./identity.js";
import { wayName } from "./slots.js";
import { unseenTable } from "./unseen.js";

/** @typedef {{id: string, type: string, label: string, slot?: number, kit?: string, identity?: string, last_worked?: number, opens: string[]}} Way */
/** @typedef {{name: string, pubkey: string, class: string, ways: string[], exported?: number | null, ends_with_one_loss: boolean}} Key */
/** A line between two boxes. @typedef {{from: Element, to: Element, risk: boolean, untried: boolean}} Line */

/** @param {{ways: Way[], keys: Key[]}} custody  what `custody/overview` says */
export function custodyMap({ ways, keys }) {
  const classes = [...new Set(keys.map((key) => key.class))];
  const isAlone = (/** @type {string} */ name) => keys.some((key) => key.class === name && key.ends_with_one_loss);
  const used = ways.filter((way) => keys.some((key) => key.ways.includes(way.id)));
  const wayBoxes = new Map(used.map((way) => [way.id, wayBox(way)]));
  const classBoxes = new Map(classes.map((name) => [name, classBox(name, isAlone(name))]));
  const keyBoxes = new Map(keys.map((key) => [key.name, keyBox(key)]));
  /** @type {Line[]} */
  const lines = [];
  const line = (/** @type {any} */ from, /** @type {any} */ to, /** @type {boolean} */ risk, /** @type {boolean} */ untried) => from && to && lines.push({ from, to, risk, untried });
  for (const way of used) {
    for (const name of classes) if (way.opens.includes(name)) line(wayBoxes.get(way.id), classBoxes.get(name), isAlone(name), !way.last_worked);
    if (way.identity) line(wayBoxes.get(way.id), keyBoxes.get(way.identity), false, !way.last_worked);
  }
  for (const key of keys) line(classBoxes.get(key.class), keyBoxes.get(key.name), key.ends_with_one_loss, false);
  const column = (/** @type {string} */ title, /** @type {Iterable<Element>} */ boxes) => h("div", { class: "map-column" }, h("p", { class: "map-title" }, title), ...boxes);
  const drawing = svg("svg", { class: "map-lines", "aria-hidden": "true" });
  const figure = h(
    "figure",
    { class: "map" },
    drawing,
    column(t("Ways in"), wayBoxes.values()),
    column(t("Protection"), classBoxes.values()),
    column(t("Keys"), keyBoxes.values()),
  );
  new ResizeObserver(() => drawLines(figure, drawing, lines)).observe(figure);
  return [figure, explained(keys, used), table(used, keys)];
}

/** @param {Way} way */
function wayBox(way) {
  const tried = way.last_worked ? t("tried") : t("never tried");
  return box(way.kit ? "#/recovery" : "#/security/vault", slotIcon(way.type), wayName(way), tried, way.last_worked ? "" : "untried");
}

/** @param {string} name @param {boolean} isAlone */
function classBox(name, isAlone) {
  return box("#/security/vault", "security", classTitle(name), isAlone ? t("one way in") : isHereOnly(name) ? t("this device only") : "", isAlone ? "risk" : "");
}

/** @param {Key} key */
function keyBox(key) {
  return box(keyRoute(key, "/receipt"), "keys", key.name, key.ends_with_one_loss ? t("one way in") : needsCopy(key) ? t("exported copy") : "", key.ends_with_one_loss ? "risk" : "");
}

/** @param {string} href @param {string} sign @param {string} words @param {string} more @param {string} look */
function box(href, sign, words, more, look) {
  return h("a", { href, class: `map-box ${look}`.trim() }, icon(sign), h("span", { class: "map-words" }, h("strong", { dir: "auto" }, words), more && h("span", {}, more)));
}

/** Draws the lines between the boxes as they are laid out now. @param {Element} figure @param {Element} drawing @param {Line[]} lines */
function drawLines(figure, drawing, lines) {
  const frame = figure.getBoundingClientRect();
  const isMirrored = getComputedStyle(figure).direction === "rtl";
  drawing.setAttribute("viewBox", `0 0 ${frame.width} ${frame.height}`);
  drawing.replaceChildren(...lines.map(({ from, to, risk, untried }) => {
    const [a, b] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
    const [x1, x2] = (isMirrored ? [a.left, b.right] : [a.right, b.left]).map((x) => x - frame.left);
    const [y1, y2] = [a, b].map((rect) => rect.top + rect.height / 2 - frame.top);
    const middle = (x1 + x2) / 2;
    return svg("path", { d: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`, class: `link-line${risk ? " risk" : ""}${untried ? " untried" : ""}` });
  }));
}

/** What red and dashed mean, for those that are in the picture. @param {Key[]} keys @param {Way[]} ways */
function explained(keys, ways) {
  const sample = (/** @type {string} */ look) => svg("svg", { class: "sample", viewBox: "0 0 24 8", "aria-hidden": "true" }, svg("path", { d: "M0 4H24", class: `link-line ${look}` }));
  return h(
    "p",
    { class: "legend" },
    keys.some((key) => key.ends_with_one_loss) && h("span", {}, sample("risk"), t("Red: only one way opens this key. If you lose that way, nobody can open the key again.")),
    ways.some((way) => !way.last_worked) && h("span", {}, sample("untried"), t("never tried")),
  );
}

/** The same for people who cannot see it. @param {Way[]} ways @param {Key[]} keys */
function table(ways, keys) {
  const named = new Map(ways.map((way) => [way.id, `${wayName(way)} (${way.last_worked ? t("tried") : t("never tried")})`]));
  return unseenTable(
    t("What opens each key"),
    [t("Key"), t("Protection"), t("What opens it"), t("If one is lost")],
    keys.map((key) => [
      key.name,
      classTitle(key.class),
      key.ways.map((id) => named.get(id)).join(", ") || t("nothing"),
      key.ends_with_one_loss ? t("the key is lost") : needsCopy(key) ? t("an exported copy restores it, as long as you still have that copy") : t("another still opens it"),
    ]),
  );
}
