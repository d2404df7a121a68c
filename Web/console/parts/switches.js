// An app's permissions in one table: what it may ask for, what the rules decide about it and who says so, and what that did in the
// last 30 days.

import { call, Failure } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, region, rich, t, tn } from "../language.js";
import { capital, DURATIONS, permissionWords, relativeTime, TRUST, VERDICTS } from "../words.js";
import { change, changeBy } from "./change.js";
import { button, field } from "./common.js";
import { attempt, FieldFault } from "./faults.js";
import { confirmAllowing, fitting, shortened, stillAsked } from "./lasting.js";
import { kindMeaning } from "./meanings.js";
import { KIND } from "./rules.js";

/**
 * @typedef {{permission: string, verdict: string, rule: string, reason: string, own_rule: boolean, from_trust: boolean,
 *   expires: number | null, requested: boolean, longest?: string, needs_place?: boolean, allowed: number, asked: number, approved: number, refused: number,
 *   denied: number}} Row
 */

/** @type {[string, string][]} */
const TIMES = [
  ["always", t("until you change it")],
  .../** @type {[string, string][]} */ (["1h", "1d", "1w", "5m"].map((one) => [one, DURATIONS[one]])),
];
/** @type {Record<string, string>} */
const NOW = { allow: t("Allowed"), ask: t("Asks you"), deny: t("Denied") };

let lasting = "always";
let all = false;
/** Whether the rules of another kind are open. */
let isOtherOpen = false;

/**
 * @param {Element} box
 * @param {any} client
 * @param {{days: number, cut: boolean, permissions: Row[]}} table
 */
export function switches(box, client, table) {
  const used = table.permissions.filter(isOfThisApp);
  const rows = all || !used.length ? table.permissions : used;
  const hidden = table.permissions.length - rows.length;
  fill(
    box,
    h("h2", {}, t("What it may do")),
    h(
      "table",
      { class: "permissions" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("th", { scope: "col" }, t("What")),
          h("th", { scope: "col" }, t("Now")),
          h("th", { scope: "col" }, tn(table.days, "The last day", "The last {count} days")),
        ),
      ),
      h("tbody", {}, rows.map((row) => oneRow(client, row))),
    ),
    table.cut && h("p", { class: "help" }, t("This app asked for more than is counted here. The oldest requests are left out.")),
    hidden > 0 &&
      button(tn(hidden, "Show {count} more", "Show {count} more"), () => {
        all = true;
        switches(box, client, table);
      }, { class: "quiet", data: { focus: "more-permissions" } }),
    otherKind(client),
    duration(),
    h("p", { class: "help" }, t("Trust decides what you do not. Spending asks you each time, unless you allow one kind of it for a day at most. A zap request spends nothing: it asks for an invoice, which your wallet pays or not.")),
  );
}

/** Whether the app requested it, used it, or has a rule for it. @param {Row} row */
function isOfThisApp({ own_rule, requested, allowed, asked, denied }) {
  return own_rule || requested || allowed + asked + denied > 0;
}

/** What a kind is that a newcomer has no word for. @param {Row} row */
function meaning({ permission }) {
  return kindMeaning(Number(/^sign_event:(\d+)/.exec(permission)?.[1] ?? -1));
}

/** @param {any} client @param {Row} row */
function oneRow(client, row) {
  const words = capital(permissionWords(row.permission));
  const trust = TRUST[client.trust]?.[0] ?? client.trust;
  const chosen = stored(client, row)?.verdict ?? "trust";
  /** @type {[string, string][]} */
  const options = [["trust", t("As trust says")], ...Object.entries(VERDICTS)];
  return h(
    "tr",
    {},
    h("th", { scope: "row", class: "whole" }, words, meaning(row) && h("span", { class: "help" }, meaning(row)), row.requested && h("span", { class: "help" }, t("asked for when it paired"))),
    h(
      "td",
      { class: "now" },
      h(
        "select",
        {
          class: row.verdict,
          "aria-label": words,
          data: { focus: `permission ${row.permission}` },
          onchange: async (/** @type {any} */ event) => {
            const { target } = event, done = await setHere(client, row, target.value);
            if (!done) target.value = chosen;
          },
        },
        options.map(([value, title]) => h("option", { value, selected: value === chosen }, title)),
      ),
      h("span", { class: "help" }, rich("{verdict} ({source})", { verdict: h("strong", { class: row.verdict }, NOW[row.verdict] ?? row.verdict), source: source(row, trust) }), row.verdict === "allow" && [" ", stillAsked(row.permission)]),
    ),
    h("td", { class: "did" }, did(row)),
  );
}

/** The owner's own rule, also while a pause or a lockdown decides in its place. @param {any} client @param {Row} row @returns {{verdict: string, expires: number | null} | undefined} */
function stored({ rules = [] }, row) {
  if (!["suspended", "locked-down"].includes(row.rule)) return row.own_rule ? row : undefined;
  return rules.find((/** @type {any} */ one) => one.permission === row.permission);
}

/** Who decided it. @param {Row} row @param {string} trust */
function source(row, trust) {
  if (row.rule === "locked-down") return t("locked down");
  if (row.rule === "suspended") return t("paused");
  if (!row.own_rule) return row.from_trust ? t("from {trust} trust", { trust }) : fromSigner(row.reason);
  if (!row.expires) return t("your rule");
  return t("your rule, holds until {time}, {distance}", {
    time: new Date(row.expires * 1000).toLocaleString(region(), { dateStyle: "medium", timeStyle: "short" }),
    distance: relativeTime(row.expires),
  });
}

/** What became of the requests. @param {Row} row */
function did({ allowed, asked, approved, refused, denied }) {
  const said = [
    allowed && tn(allowed, "{count} allowed", "{count} allowed"),
    asked && tn(asked, "{count} asked you", "{count} asked you"),
    approved && tn(approved, "{count} approved by you", "{count} approved by you"),
    refused && tn(refused, "{count} denied by you", "{count} denied by you"),
    denied && tn(denied, "{count} denied", "{count} denied"),
  ].filter(Boolean);
  return said.length ? said.map((words) => h("span", {}, words)) : h("span", { class: "help" }, t("not used"));
}

/** Changes a row of the table; what failed is said in a notice. @param {any} client @param {Row} row @param {string} value @returns {Promise<boolean>} whether it is changed */
async function setHere(client, row, value) {
  try {
    return await set(client, row, value, undoing(client, row));
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
    return false;
  }
}

/** @typedef {{says: string, act: () => unknown}} Undo  what holds then */

/** Sets a rule as it was before; null where it cannot be, because it would have ended by itself. @param {any} client @param {Row} row @returns {Undo | null} */
function undoing(client, row) {
  const before = stored(client, row);
  return before?.expires ? null : undoTo(client, row.permission, before?.verdict);
}

/** Gives a permission the rule that it had. @param {any} client @param {string} permission @param {string} [verdict]  nothing: it had none @returns {Undo} */
function undoTo(client, permission, verdict) {
  const says = {
    allow: t("After “Undo” it may do so again."),
    ask: t("After “Undo” it asks you again."),
    deny: t("After “Undo” it may not do so again."),
  }[verdict ?? ""] ?? t("After “Undo” its trust decides again.");
  return { says, act: () => change(verdict ? `client/${verdict}` : "client/forget", { client: client.signer, permission }, t("Taken back.")) };
}

/**
 * @param {any} client
 * @param {Row} row
 * @param {string} value
 * @param {Undo | null} undo
 * @returns {Promise<boolean>} false if the person thought better of it
 */
async function set(client, { permission, longest = "always", needs_place: needsPlace }, value, undo) {
  const what = permissionWords(permission), isAllowing = value === "allow";
  const to = { client: client.signer, permission };
  if (value === "trust") {
    await changeBy("client/forget", to, t("Its trust now decides: {what}.", { what }), { undo });
    return true;
  }
  if (isAllowing && needsPlace) throw new Error(t("A login can be allowed for one place only. Allow it when the app asks for it."));
  if (isAllowing && longest === "once") throw new Error(shortened(lasting, longest));
  const lasts = isAllowing ? fitting(lasting, longest) : lasting;
  const time = TIMES.find(([one]) => one === lasts)?.[1] ?? "";
  const said = {
    allow: t("It may {what}, {time}.", { what, time }),
    ask: t("It asks before it may {what}, {time}.", { what, time }),
    deny: t("It may not {what}, {time}.", { what, time }),
  }[value];
  if (isAllowing && !await confirmAllowing(client, permission, time, shortened(lasting, longest))) return false;
  await changeBy(`client/${value}`, { ...to, ...(lasts === "always" ? {} : { for: lasts }) }, said ?? "", { undo });
  return true;
}

function duration() {
  return h(
    "label",
    { class: "lasting" },
    h("span", {}, t("A new setting lasts")),
    h("select", {
      data: { focus: "lasting" },
      onchange: (/** @type {any} */ event) => {
        lasting = event.target.value;
      },
    }, TIMES.map(([value, words]) => h("option", { value, selected: value === lasting }, words))),
  );
}

/** @param {any} client */
function otherKind(client) {
  const kind = field(t("Another kind of event, by its number"), {
    inputmode: "numeric",
    required: true,
    missing: t("Type the number of a kind."),
    rule: KIND,
    maxlength: "5",
    data: { focus: "other-kind" },
  });
  const go = async (/** @type {string} */ value) => {
    const permission = `sign_event:${Number(kind.input.value)}`;
    const { permissions } = await call("client/permissions", { client: client.signer, permission });
    const row = permissions.find((/** @type {Row} */ one) => one.permission === permission) ?? null;
    try {
      await set(client, row ?? { permission }, value, row ? undoing(client, row) : undoTo(client, permission));
    } catch (failure) {
      throw failure instanceof Failure ? failure : new FieldFault(/** @type {Error} */ (failure).message, kind.input);
    }
  };
  const faults = h("div", {}), verdicts = Object.entries(VERDICTS);
  const row = h(
    "div",
    { class: "inline" },
    kind.box,
    h("div", { class: "buttons small" }, verdicts.map(([verdict, words]) => button(words, () => attempt(row, faults, () => go(verdict))))),
  );
  const box = h("details", { class: "more", open: isOtherOpen, ontoggle: () => {
    isOtherOpen = box.open;
  } }, h("summary", { data: { focus: "another-kind" } }, t("A rule for another kind of event")), row, faults);
  return box;
}
