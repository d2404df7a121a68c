// The history of one app: a chart of its requests, and the latest of them.

import { call } from "../api.js";
import { h } from "../dom.js";
import { t, tn } from "../language.js";
import { nothing } from "./common.js";
import { activityRoute, buckets, chart, DAY, dayLabel, HOUR, hourLabel, total } from "./chart.js";
import { merged } from "./entries.js";
import { fillFold } from "./fold.js";
import { runRow, runs } from "./runs.js";

const MOST = 5000;
/** How many of the latest are listed. */
const LATEST = 4;
const SHAPES = /** @type {Record<string, {title: string, said: string, sum: (count: number) => string, length: number, count: number, label: (start: Date) => string}>} */ ({
  day: {
    title: t("The last 24 hours"),
    said: t("Requests in the last 24 hours"),
    sum: (count) => tn(count, "{count} request in the last 24 hours", "{count} requests in the last 24 hours"),
    length: HOUR,
    count: 24,
    label: hourLabel,
  },
  month: {
    title: t("The last 30 days"),
    said: t("Requests in the last 30 days"),
    sum: (count) => tn(count, "{count} request in the last 30 days", "{count} requests in the last 30 days"),
    length: DAY,
    count: 30,
    label: dayLabel,
  },
});

/** @param {import("../view.js").View} view @param {HTMLElement} box  a fold @param {string} pubkey */
export async function history(view, box, pubkey) {
  let shape = SHAPES.day;
  const load = async () => {
    const now = Date.now() / 1000;
    const { entries } = await call("log/show", {
      client: pubkey,
      since: Math.floor(now - shape.length * shape.count),
      limit: MOST,
    });
    if (!view.isOpen) return;
    const wasAsked = entries.some((/** @type {any} */ entry) => entry.entry === "requestDecided");
    const list = buckets(entries, { ...shape, now });
    fillFold(
      box,
      t("What it did"),
      shape.sum(list.reduce((sum, { counts }) => sum + total(counts), 0)),
      h(
        "div",
        { class: "buttons small" },
        Object.entries(SHAPES).map(([name, one]) =>
          h("button", {
            type: "button",
            "aria-pressed": String(one === shape),
            data: { focus: `shape-${name}` },
            onclick: () => {
              shape = one;
              load();
            },
          }, one.title)
        ),
      ),
      wasAsked
        ? chart(list, shape.said, (bucket) => `${activityRoute(bucket)}&client=${pubkey}`)
        : nothing(t("Nothing in this time")),
      h("ul", { class: "rows" }, runs(merged(entries)).slice(0, LATEST).map((run) => runRow(run, null))),
      h("div", { class: "buttons" }, h("a", { href: `#/activity?client=${pubkey}` }, t("All of its activity"))),
    );
  };
  await view.keepWithLog([], load);
}
