// The log, newest first: what was decided and why.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { language, t, tn } from "../language.js";
import { go } from "../router.js";
import { appName } from "../signer.js";
import { known } from "../store.js";
import { capital, fullTime, kindName, kindNames, NAMED_KINDS } from "../words.js";
import { activityRoute, chart, lastDay, lastDecisions, total } from "../parts/chart.js";
import { button, choice, field, nothing } from "../parts/common.js";
import { closedLog } from "../parts/closedlog.js";
import { csv, jsonLines } from "../parts/csv.js";
import { drawDays } from "../parts/days.js";
import { hasFailed, merged, nameOf, reason, titleOf } from "../parts/entries.js";
import { waitingFor } from "../parts/heading.js";
import { holding } from "../parts/held.js";
import { icon } from "../parts/icons.js";
import { learnBrowsers } from "../parts/origin.js";
import { renewRun, runKey, runRow, runs } from "../parts/runs.js";
import { save } from "../parts/save.js";

const PAGE = 60;
/** Alike entries share a row. With fewer rows than this, further entries are shown at once, but not more than this many. */
const FEW_ROWS = 12, MOST_AT_ONCE = 1000;
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
  ["incidents", t("Incidents")],
];

/** @param {import("../view.js").View} view */
export function activity(view) {
  const { query } = view.route;
  const asked = controls(query), list = new Listed(view, asked, query);
  const day = h("section", { class: "card", hidden: true });
  const { since, until } = list;
  view.draw(
    t("Activity"),
    h("p", { class: "lead" }, t("Every decision and every change, in a log that nobody can alter unnoticed.")),
    h("p", { class: "hint" }, t("The log keeps no texts. What a request said stands here while this tab stays open and the signer unlocked, if the tab showed it.")),
    day,
    asked.form,
    since !== undefined && until !== undefined && timeLine(since, until, query),
    h("div", { class: "head spaced" }, list.count, list.exporting),
    h("section", { class: "card" }, list.closed, list.rows, list.empty, list.more),
  );
  /** Apps that entries are about, also those that are not paired any more. @type {Map<string, string>} */
  const named = new Map();
  const load = async () => {
    await learnBrowsers();
    await list.load();
    if (!list.closed.hidden) return;
    for (const { client, client_name: name } of list.entries) if (client && name) named.set(client, appName(name, client));
    fillApps(asked.app.select, known("clients") ?? [], named, query.get("client") ?? "");
    if (view.isOpen) await drawDay(view, day, since);
  };
  const quietly = () => load().catch((failure) => view.failed(failure));
  view.watch("clients", (all) => {
    fillApps(asked.app.select, all, named, query.get("client") ?? "");
    quietly();
  });
  asked.search.input.addEventListener("input", later(quietly));
  for (const control of [asked.app.select, asked.sort.select, asked.kind.select]) {
    control.addEventListener("change", () => {
      list.limit = PAGE;
      quietly();
    });
  }
  // A denial that is held back counts as one.
  holding.addEventListener("changed", quietly);
  view.atEnd(() => holding.removeEventListener("changed", quietly));
  view.keepWithLog(["requests", "clients", "lock"], load);
}

/** The entries that the filters let through, with what stands around them. */
class Listed {
  count = h("p", { class: "help", role: "status" });
  rows = h("div", {}, waitingFor(6));
  more = h("div", { class: "buttons" });
  /** In the place of the list while the log cannot be read. */
  closed = h("div", { hidden: true });
  unmatched = h("p", {});
  empty = h("div", { hidden: true }, nothing(t("Nothing here matches"), this.unmatched));
  exporting = h(
    "div",
    { class: "buttons small" },
    button(t("Save as CSV"), () => save(csv(this.found), "holdfast-activity.csv", "text/csv"), { title: t("For a spreadsheet") }),
    button(t("Save as JSON lines"), () => save(jsonLines(this.found), "holdfast-activity.jsonl", "application/jsonl"), { title: t("A line for each entry, for programs") }),
  );
  limit = PAGE;
  /** What is shown, newest first. @type {import("../parts/entries.js").Entry[]} */
  found = [];
  /** What the signer sent. @type {any[]} */
  entries = [];

  /** @param {import("../view.js").View} view @param {ReturnType<typeof controls>} asked @param {URLSearchParams} query */
  constructor(view, asked, query) {
    [this.view, this.asked] = [view, asked];
    [this.since, this.until] = ["since", "until"].map((name) => wholeNumber(query.get(name)));
    fill(this.unmatched, this.since === undefined && this.until === undefined ? t("Change the search or the filters.") : t("Change the filters, or take the time away."));
  }

  async load() {
    const { app } = this.asked, { kind, since, until } = this;
    try {
      ({ entries: this.entries } = await call("log/show", {
        limit: this.fetched,
        ...(app.select.value ? { client: app.select.value } : {}),
        ...(kind === undefined ? {} : { kind }),
        ...(since === undefined ? {} : { since }),
        ...(until === undefined ? {} : { until }),
      }));
    } catch (failure) {
      this.endWaiting();
      if (!(/** @type {any} */ (failure).isLocked)) throw failure;
      return this.close();
    }
    this.closed.hidden = true;
    if (!this.view.isOpen || !this.show()) return;
    this.limit *= 2;
    await this.load();
  }

  /** Shows why there is no list. What was read before is not left standing. */
  close() {
    this.entries = this.found = [];
    fill(this.closed, closedLog());
    fill(this.rows);
    fill(this.more);
    fill(this.count);
    this.closed.hidden = false;
    this.empty.hidden = this.exporting.hidden = true;
  }

  /** @returns {boolean} whether so many are alike that there is room for more */
  show() {
    const { search, sort } = this.asked, clients = known("clients") ?? [];
    const matching = merged(this.entries).filter((entry) => matches(entry, { text: search.input.value, sort: sort.select.value }, clients));
    this.found = matching.slice(0, this.limit);
    this.endWaiting();
    const rows = runs(this.found), hasMore = matching.length > this.limit || this.entries.length >= this.fetched;
    drawDays(this.rows, rows, (run) => runKey(run, clients), (run) => runRow(run, clients), (row, run) => renewRun(row, run, clients));
    this.empty.hidden = this.found.length > 0;
    this.exporting.hidden = this.found.length === 0;
    this.showHowMany(hasMore);
    return hasMore && rows.length < FEW_ROWS && this.limit < MOST_AT_ONCE;
  }

  /** @param {boolean} hasMore */
  showHowMany(hasMore) {
    fill(
      this.count,
      tn(this.found.length, "{count} entry", "{count} entries"),
      hasMore && `, ${t("newest first")}`,
      !hasMore && this.entries.length > this.found.length && !this.isFiltered && ` · ${tn(this.entries.length, "made of {count} entry of the log", "made of {count} entries of the log: a request and what became of it are one here")}`,
      this.kind !== undefined && ` · ${kindName(this.kind)}`,
    );
    const more = async () => {
      this.limit += PAGE;
      await this.load();
    };
    fill(this.more, hasMore && button(t("Show more"), more));
  }

  endWaiting() {
    if (this.rows.querySelector(".skeleton")) fill(this.rows);
  }

  get kind() {
    const { value } = this.asked.kind.select;
    return /^\d{1,5}$/.test(value) ? Number(value) : undefined;
  }

  /** Whether the list leaves some of what was fetched out. */
  get isFiltered() {
    return Boolean(this.asked.search.input.value || this.asked.sort.select.value);
  }

  /** How many entries are fetched. A request's intent and outcome share one line, so they are twice as many as lines. A filter needs more to search. */
  get fetched() {
    return this.isFiltered ? Math.min(MOST, Math.max(2000, this.limit * 20)) : this.limit * 2;
  }
}

/** @param {HTMLSelectElement} select @param {any[]} clients @param {string} wanted the app that the address names */
function fillApps(select, clients, named, wanted) {
  const chosen = select.value || wanted;
  const options = clients.map((client) => [client.pubkey, client.name]);
  for (const [key, name] of named) if (!clients.some(({ pubkey }) => pubkey === key)) options.push([key, t("{name} (no longer paired)", { name })]);
  if (chosen && !options.some(([key]) => key === chosen)) options.push([chosen, t("An app that is gone")]);
  fill(select, [["", t("All apps")], ...options].map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
}

/** The form of filters. @param {URLSearchParams} query */
function controls(query) {
  const search = field(t("Search"), { type: "search", placeholder: t("app, identity, reason…"), value: query.get("text") ?? "" });
  const app = choice(t("App"), [["", t("All apps")]], "");
  const sort = choice(t("Decision"), SORTS, query.get("decision") ?? "");
  const kind = choice(t("Kind"), kindChoices(query.get("kind") ?? ""), query.get("kind") ?? "");
  const stay = (/** @type {Event} */ event) => event.preventDefault();
  const form = h("form", { class: "inline filters", role: "search", onsubmit: stay }, search.box, app.box, sort.box, kind.box);
  return { form, search, app, sort, kind };
}

/** The kinds that have a name, by it, and the one that the address names. @param {string} named @returns {[string, string][]} */
function kindChoices(named) {
  const other = /^\d{1,5}$/.test(named) && !NAMED_KINDS.includes(Number(named)) ? [Number(named)] : [];
  const kinds = [...NAMED_KINDS, ...other].map((kind) => /** @type {[string, string]} */ ([String(kind), capital(kindNames(kind))]));
  return [["", t("All kinds")], ...kinds.sort(([, one], [, two]) => one.localeCompare(two, language()))];
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
  if (sort === "failed" && !hasFailed(entry)) return false;
  if (sort === "security" && isRequest) return false;
  if (sort === "incidents" && !entry.entry.startsWith("incident")) return false;
  if (sort === "ask" ? entry.decision !== "ask" && !entry.asked : ["allow", "deny"].includes(sort) && entry.decision !== sort) return false;
  if (!text) return true;
  const whole = [
    nameOf(entry, clients),
    entry.identity,
    titleOf(entry),
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
