// The history of one app: a chart of its requests, and the latest of them.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { nothing } from "./common.js";
import { activityRoute, buckets, chart, DAY, dayLabel, HOUR, hourLabel } from "./chart.js";
import { merged } from "./entries.js";
import { isShort } from "./fold.js";
import { runRow, runs } from "./runs.js";

const MOST = 5000;
const SHAPES = /** @type {Record<string, {title: string, said: string, length: number, count: number, label: (start: Date) => string}>} */ ({
  day: { title: t("The last 24 hours"), said: t("Requests in the last 24 hours"), length: HOUR, count: 24, label: hourLabel },
  month: { title: t("The last 30 days"), said: t("Requests in the last 30 days"), length: DAY, count: 30, label: dayLabel },
});

/** @param {import("../view.js").View} view @param {Element} box @param {string} pubkey */
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
    fill(
      box,
      h(
        "div",
        { class: "head" },
        h("h2", {}, t("What it did")),
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
      ),
      wasAsked
        ? chart(buckets(entries, { ...shape, now }), shape.said, (bucket) => `${activityRoute(bucket)}&client=${pubkey}`)
        : nothing(t("Nothing in this time")),
      h("ul", { class: "rows" }, runs(merged(entries)).slice(0, isShort() ? 4 : 8).map((run) => runRow(run, null))),
      h("div", { class: "buttons" }, h("a", { href: `#/activity?client=${pubkey}` }, t("All of its activity"))),
    );
  };
  await view.keepWithLog([], load);
}
