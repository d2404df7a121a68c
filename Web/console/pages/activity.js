// The log, newest first: what was decided and why.

import { call } from "../api.js";
import { fill, h, keyed } from "../dom.js";
import { known } from "../store.js";
import { counted, kindName } from "../words.js";
import { button, choice, field, nothing } from "../parts/common.js";
import { merged, nameOf, reason, rowOf } from "../parts/entries.js";

const PAGE = 60;
/** The most entries that a filter searches at once. */
const MOST = 20_000;
/** @type {[string, string][]} */
const SORTS = [["", "Everything"], ["allow", "Allowed"], ["ask", "Asked you"], ["deny", "Denied"], ["failed", "Failed"], [
  "security",
  "Security and settings",
]];

/** @param {import("../view.js").View} view */
export function activity(view) {
  const { query } = view.route;
  const search = field("Search", { type: "search", placeholder: "app, identity, reason…", value: query.get("text") ?? "" });
  const app = choice("App", [["", "All apps"]], "");
  const sort = choice("Decision", SORTS, query.get("decision") ?? "");
  const kind = field("Kind", {
    inputmode: "numeric",
    maxlength: "5",
    placeholder: "any",
    value: query.get("kind") ?? "",
    title: "The number of an event kind",
  });
  const count = h("p", { class: "help", role: "status" }),
    list = h("ul", { class: "rows" }),
    more = h("div", { class: "buttons" });
  const empty = h("div", { hidden: true }, nothing("Nothing here matches"));
  view.draw(
    "Activity",
    h("p", { class: "lead" }, "Every decision and every change, in a log that nobody can alter unnoticed."),
    h(
      "form",
      {
        class: "inline filters",
        role: "search",
        onsubmit: (/** @type {Event} */ event) => event.preventDefault(),
      },
      search.box,
      app.box,
      sort.box,
      kind.box,
    ),
    count,
    h("section", { class: "card" }, list, empty, more),
  );
  const wanted = query.get("client") ?? "";
  let limit = PAGE;
  let entries = /** @type {any[]} */ ([]);
  const clients = () => known("clients") ?? [];
  const show = () => {
    const found = merged(entries).filter((entry) =>
      matches(entry, { text: search.input.value, sort: sort.select.value }, clients())
    );
    const shown = found.slice(0, limit);
    keyed(
      list,
      shown,
      (entry) => `${entry.sequence} ${entry.outcome?.sequence ?? ""} ${nameOf(entry, clients())}`,
      (entry) => rowOf(entry, clients()),
    );
    empty.hidden = shown.length > 0;
    const hasMore = found.length > limit || entries.length >= fetched();
    fill(
      count,
      `${counted(shown.length, "entry", "entries")}${hasMore ? ", newest first" : ""}${
        typeof kindOf() === "number" ? ` about ${kindName(/** @type {number} */ (kindOf()))}` : ""
      }`,
    );
    fill(
      more,
      hasMore && button("Show more", async () => {
        limit += PAGE;
        await load();
      }),
    );
  };
  const isFiltered = () => Boolean(search.input.value || sort.select.value);
  const kindOf = () => (/^\d{1,5}$/.test(kind.input.value) ? Number(kind.input.value) : undefined);
  // A request's intent and outcome share one line, so twice as many entries are fetched. A filter needs more entries to search.
  const fetched = () => (isFiltered() ? Math.min(MOST, Math.max(2000, limit * 20)) : limit * 2);
  const load = async () => {
    ({ entries } = await call("log/show", {
      limit: fetched(),
      ...(app.select.value ? { client: app.select.value } : {}),
      ...(kindOf() === undefined ? {} : { kind: kindOf() }),
    }));
    if (view.isOpen) show();
  };
  const quietly = () => load().catch((failure) => view.failed(failure));
  view.watch("clients", (all) => {
    const chosen = app.select.value || wanted;
    const options = all.map((/** @type {any} */ client) => [client.pubkey, client.name]);
    if (chosen && !options.some((/** @type {string[]} */ [key]) => key === chosen)) options.push([chosen, "An app that is gone"]);
    fill(
      app.select,
      [["", "All apps"], ...options].map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
    );
    quietly();
  });
  for (const control of [search.input, kind.input]) control.addEventListener("input", later(quietly));
  for (const control of [app.select, sort.select]) {
    control.addEventListener("change", () => {
      limit = PAGE;
      quietly();
    });
  }
  view.keepWithLog(["requests", "clients"], later(quietly));
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
    entry.text,
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
