// Requests over time as stacked bars, with the same numbers as a table for people who cannot see them.

import { h, svg } from "../dom.js";
import { counted } from "../words.js";

const WIDTH = 640, HEIGHT = 140, FOOT = 20, GAP = 3;
export const SERIES = /** @type {[string, string][]} */ ([["allow", "allowed"], ["ask", "asked you"], ["deny", "denied"]]);

/** @typedef {{label: string, counts: Record<string, number>}} Bucket */

/**
 * Counts times in buckets, the last of which ends now.
 * @param {{time: number, decision?: string}[]} entries  times in seconds
 * @param {{length: number, count: number, now: number, label: (start: Date) => string}} shape  length of a bucket in seconds
 * @returns {Bucket[]}
 */
export function buckets(entries, { length, count, now, label }) {
  const start = Math.floor(now / length) * length - (count - 1) * length;
  const found = Array.from(
    { length: count },
    (_, index) => ({
      label: label(new Date((start + index * length) * 1000)),
      counts: /** @type {Record<string, number>} */ ({}),
    }),
  );
  for (const { time, decision } of entries) {
    const bucket = found[Math.floor((time - start) / length)];
    if (bucket && decision) bucket.counts[decision] = (bucket.counts[decision] ?? 0) + 1;
  }
  return found;
}

/** @param {Bucket[]} list @param {string} title */
export function chart(list, title) {
  const most = Math.max(1, ...list.map(({ counts }) => total(counts)));
  const step = WIDTH / list.length;
  const drawing = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT + FOOT}`, class: "chart", role: "img", "aria-label": title },
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT + 0.5, y2: HEIGHT + 0.5, class: "axis" }),
  );
  list.forEach(({ label, counts }, index) => {
    let top = HEIGHT;
    const bars = SERIES.filter(([name]) => counts[name]).map(([name]) => {
      const tall = (counts[name] / most) * (HEIGHT - 14);
      top -= tall;
      return svg("rect", { x: index * step + GAP / 2, y: top, width: step - GAP, height: tall, rx: 2, class: `bar ${name}` });
    });
    const said = SERIES.filter(([name]) => counts[name]).map(([name, words]) => `${counts[name]} ${words}`).join(", ") ||
      "nothing";
    drawing.append(
      svg(
        "g",
        {},
        svg("title", {}, `${label}: ${said}`),
        svg("rect", { x: index * step, y: 0, width: step, height: HEIGHT, class: "hover" }),
        ...bars,
      ),
    );
    if (index % Math.ceil(list.length / 7) === 0) {
      drawing.append(svg("text", { x: index * step + GAP / 2, y: HEIGHT + 15, class: "tick" }, label));
    }
  });
  return h("figure", {}, drawing, legend(list, most), table(list, title));
}

/** @param {Record<string, number>} counts */
function total(counts) {
  return SERIES.reduce((sum, [name]) => sum + (counts[name] ?? 0), 0);
}

/** @param {Bucket[]} list @param {number} most */
function legend(list, most) {
  const sums = SERIES.map(([name, words]) => ({
    name,
    words,
    count: list.reduce((sum, { counts }) => sum + (counts[name] ?? 0), 0),
  }));
  return h(
    "figcaption",
    { class: "legend" },
    sums.filter(({ count }) => count > 0).map(({ name, words, count }) =>
      h("span", {}, h("span", { class: `swatch ${name}`, "aria-hidden": "true" }), `${count.toLocaleString()} ${words}`)
    ),
    h("span", {}, `at most ${counted(most, "request")} at a time`),
  );
}

/** @param {Bucket[]} list @param {string} title */
function table(list, title) {
  return h(
    "table",
    { class: "unseen" },
    h("caption", {}, title),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "When"), SERIES.map(([, words]) => h("th", { scope: "col" }, words)))),
    h(
      "tbody",
      {},
      list.filter(({ counts }) => total(counts)).map(({ label, counts }) =>
        h("tr", {}, h("th", { scope: "row" }, label), SERIES.map(([name]) => h("td", {}, counts[name] ?? 0)))
      ),
    ),
  );
}
