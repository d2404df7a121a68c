// The log, newest first: what was decided and why.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, t, tn } from "../language.js";
import { go } from "../router.js";
import { known } from "../store.js";
import { fullTime, kindName } from "../words.js";
import { activityRoute, chart, lastDay, lastDecisions, total } from "../parts/chart.js";
import { button, choice, field, nothing } from "../parts/common.js";
import { csv, jsonLines } from "../parts/csv.js";
import { drawDays } from "../parts/days.js";
import { merged, nameOf, reason, rowOf } from "../parts/entries.js";
import { waitingFor } from "../parts/heading.js";
import { icon } from "../parts/icons.js";
import { save } from "../parts/save.js";

const PAGE = 60;
/** The most entries that a filter searches at once. */
const MOST = 20_000;
/** @type {[string, string][]} */
const SORTS = [
  ["", t("Everything")],
  ["allow", t("Allowed")],
  ["ask", t("Asked you")],
  ["deny", t("Denied")],
  ["failed", t("Failed")],
  ["security", t("Security and settings")],
];

/** @param {import("../view.js").View} view */
export function activity(view) {
  const { query } = view.route;
  const asked = controls(query);
  const { search, app, sort, kind } = asked;
  const [since, until] = ["since", "until"].map((name) => wholeNumber(query.get(name)));
  const count = h("p", { class: "help", role: "status" }), list = h("div", {}, waitingFor(6)), more = h("div", { class: "buttons" });
  const empty = h("div", { hidden: true }, nothing(t("Nothing here matches"), h("p", {}, t("Change the filters, or take the time away."))));
  const day = h("section", { class: "card", hidden: true });
  /** What the list shows, newest first. @type {import("../parts/entries.js").Entry[]} */
  let found = [];
  const exporting = h(
    "div",
    { class: "buttons small" },
    button(t("Save as CSV"), () => save(csv(found), "holdfast-activity.csv", "text/csv"), { title: t("For a spreadsheet") }),
    button(t("Save as JSON"), () => save(jsonLines(found), "holdfast-activity.jsonl", "application/jsonl"), { title: t("A line for each entry, for programs") }),
  );
  view.draw(
    t("Activity"),
    h("p", { class: "lead" }, t("Every decision and every change, in a log that nobody can alter unnoticed.")),
    day,
    asked.form,
    since !== undefined && until !== undefined && timeLine(since, until, query),
    h("div", { class: "head spaced" }, count, exporting),
    h("section", { class: "card" }, list, empty, more),
  );
  const wanted = query.get("client") ?? "";
  let limit = PAGE;
  let entries = /** @type {any[]} */ ([]);
  const clients = () => known("clients") ?? [];
  const kindOf = () => (/^\d{1,5}$/.test(kind.input.value) ? Number(kind.input.value) : undefined);
  const isFiltered = () => Boolean(search.input.value || sort.select.value);
  // A request's intent and outcome share one line, so twice as many entries are fetched. A filter needs more entries to search.
  const fetched = () => (isFiltered() ? Math.min(MOST, Math.max(2000, limit * 20)) : limit * 2);
  const show = () => {
    const matching = merged(entries).filter((entry) => matches(entry, { text: search.input.value, sort: sort.select.value }, clients()));
    found = matching.slice(0, limit);
    if (list.querySelector(".skeleton")) fill(list);
    drawDays(
      list,
      found,
      (entry) => `${entry.sequence} ${entry.outcome?.sequence ?? ""} ${nameOf(entry, clients())}`,
      (entry) => rowOf(entry, clients()),
    );
    empty.hidden = found.length > 0;
    exporting.hidden = found.length === 0;
    const hasMore = matching.length > limit || entries.length >= fetched();
    fill(
      count,
      tn(found.length, "{count} entry", "{count} entries"),
      hasMore && `, ${t("newest first")}`,
      kindOf() !== undefined && ` · ${kindName(/** @type {number} */ (kindOf()))}`,
    );
    fill(
      more,
      hasMore && button(t("Show more"), async () => {
        limit += PAGE;
        await load();
      }),
    );
  };
  const load = async () => {
    ({ entries } = await call("log/show", {
      limit: fetched(),
      ...(app.select.value ? { client: app.select.value } : {}),
      ...(kindOf() === undefined ? {} : { kind: kindOf() }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    }));
    if (!view.isOpen) return;
    show();
    await drawDay(view, day, since);
  };
  const loadOrClear = () =>
    load().catch((failure) => {
      if (list.querySelector(".skeleton")) fill(list);
      throw failure;
    });
  const quietly = () => loadOrClear().catch((failure) => view.failed(failure));
  view.watch("clients", (all) => {
    const chosen = app.select.value || wanted;
    const options = all.map((/** @type {any} */ client) => [client.pubkey, client.name]);
    if (chosen && !options.some((/** @type {string[]} */ [key]) => key === chosen)) options.push([chosen, t("An app that is gone")]);
    fill(app.select, [["", t("All apps")], ...options].map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
    quietly();
  });
  for (const control of [search.input, kind.input]) control.addEventListener("input", later(quietly));
  for (const control of [app.select, sort.select]) {
    control.addEventListener("change", () => {
      limit = PAGE;
      quietly();
    });
  }
  view.keepWithLog(["requests", "clients", "lock"], loadOrClear);
}

/** The form of filters. @param {URLSearchParams} query */
function controls(query) {
  const search = field(t("Search"), { type: "search", placeholder: t("app, identity, reason…"), value: query.get("text") ?? "" });
  const app = choice(t("App"), [["", t("All apps")]], "");
  const sort = choice(t("Decision"), SORTS, query.get("decision") ?? "");
  const kind = field(t("Kind"), {
    inputmode: "numeric",
    maxlength: "5",
    placeholder: t("any"),
    value: query.get("kind") ?? "",
    title: t("The number of an event kind"),
  });
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  const form = h("form", { class: "inline filters", role: "search", onsubmit: stay }, search.box, app.box, sort.box, kind.box);
  return { form, search, app, sort, kind };
}

/** @param {string | null} text */
function wholeNumber(text) {
  return /^\d{1,12}$/.test(text ?? "") ? Number(text) : undefined;
}

/** The time that the list is limited to, and how to see all again. @param {number} since @param {number} until @param {URLSearchParams} query */
function timeLine(since, until, query) {
  const client = query.get("client");
  const all = client ? `/activity?client=${encodeURIComponent(client)}` : "/activity";
  return h(
    "p",
    { class: "time-line" },
    icon("clock"),
    h("span", {}, t("From {start} to {end}", { start: fullTime(since), end: fullTime(until) })),
    h("button", { type: "button", class: "quiet", onclick: () => go(all) }, t("Show all times")),
  );
}

/** The last day by hour; not while the list shows one hour. @param {import("../view.js").View} view @param {HTMLElement} box @param {number | undefined} since */
async function drawDay(view, box, since) {
  if (since !== undefined) return;
  const entries = await lastDecisions();
  if (!view.isOpen) return;
  const hours = lastDay(entries);
  box.hidden = !hours.some(({ counts }) => total(counts));
  fill(box, h("h2", { class: "unseen" }, t("The last 24 hours")), chart(hours, t("Requests in the last 24 hours"), activityRoute));
}

/** Limits how often the work runs. @param {() => unknown} work */
function later(work) {
  /** @type {number | undefined} */
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, 150);
  };
}

/** @param {any} entry @param {{text: string, sort: string}} filter @param {any[]} clients */
function matches(entry, { text, sort }, clients) {
  const isRequest = entry.entry.startsWith("request");
  const error = entry.outcome?.error ?? entry.error;
  if (sort === "failed" && error === undefined) return false;
  if (sort === "security" && isRequest) return false;
  if (["allow", "ask", "deny"].includes(sort) && entry.decision !== sort) return false;
  if (!text) return true;
  const whole = [
    nameOf(entry, clients),
    entry.identity,
    fromSigner(entry.text),
    reason(entry),
    entry.rule,
    entry.client,
    entry.request,
    entry.signed,
    entry.outcome?.signed,
    entry.method,
  ].join(" ").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => whole.includes(word));
}
