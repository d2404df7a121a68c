// Entries of the log in words. A request's intent and outcome share one line; each can be proved.

import { h } from "../dom.js";
import { fromSigner, rich, t } from "../language.js";
import { appName } from "../signer.js";
import { durationWords, fullTime, PERIODS, permissionWords } from "../words.js";
import { hourLabel } from "./chart.js";
import { classTitle } from "./classes.js";
import { codeWords } from "./codes.js";
import { avatar, when } from "./common.js";
import { icon, requestIcon } from "./icons.js";
import { keyText } from "./keytext.js";
import { noteId } from "./note.js";
import { originWords } from "./origin.js";
import { proofOf } from "./proof.js";
import { risk } from "./risk.js";
import { saidBy } from "./said.js";

/** @typedef {{sequence: number, time: number, entry: string, text: string, client?: string, identity?: string, method?: string, kind?: number,
 *   decision?: string, rule?: string, reason?: string, request?: string, signed?: string, error?: any, failure?: string, amount?: number,
 *   outcome?: Entry, asked?: Entry, [more: string]: any}} Entry */

/** Newest first. A request is one entry: when the owner was asked, the answer and the outcome are shown together. @param {Entry[]} entries @returns {Entry[]} */
export function merged(entries) {
  const newest = [...entries].sort((a, b) => b.sequence - a.sequence);
  /** @type {Map<string, Entry>} */
  const outcomes = new Map(), answers = new Map();
  /** @type {Entry[]} */
  const kept = [];
  for (const entry of newest) {
    const key = entry.request && `${entry.client} ${entry.request}`;
    if (entry.entry === "requestDone" && key && !outcomes.has(key)) {
      outcomes.set(key, entry);
      kept.push(entry);
    } else if (entry.entry === "requestDecided" && key && outcomes.has(key) && entry.decision !== "ask") {
      const outcome = /** @type {Entry} */ (outcomes.get(key)), whole = { ...entry, outcome };
      outcomes.delete(key);
      kept[kept.indexOf(outcome)] = whole;
      answers.set(key, whole);
    } else if (entry.entry === "requestDecided" && key && answers.has(key) && entry.decision === "ask") {
      /** @type {Entry} */ (answers.get(key)).asked = entry;
      answers.delete(key);
    } else {
      const whole = { ...entry };
      kept.push(whole);
      if (entry.entry === "requestDecided" && key && entry.decision !== "ask") answers.set(key, whole);
    }
  }
  return kept;
}

/** The tag for each decision. @type {Record<string, [string, string]>} */
const TAGS = { allow: [t("allowed"), "good"], ask: [t("asked you"), "fair"], deny: [t("denied"), "bad"] };

/** How the owner gave an answer or a command. @type {Record<string, string>} */
const CHANNELS = {
  command: t("you, on the command line"),
  console: t("you, in the console"),
  desktop: t("you, in a notification on the desktop"),
};

/** The reason, and behind it how the owner answered: "you approved this request (console)". @param {Entry} entry */
function given(entry) {
  const text = entry.reason ?? entry.rule ?? "";
  const [, why = text, channel = ""] = /^(.+) \((command|console|desktop)\)$/.exec(text) ?? [];
  return { why, channel };
}

/** @param {Entry} entry */
export function reason(entry) {
  const { why } = given(entry);
  if (entry.entry === "identityChanged" && why.startsWith("class ")) return t("now: {class}", { class: classTitle(why.slice(6)) });
  const origin = originWords(why);
  if (origin) return origin;
  const [, verdict, time, permission] = /^(allow|ask|deny) (always|for \w+): (.+)$/.exec(why) ?? [];
  if (permission) return ruleWords(verdict, time.replace("for ", ""), permission);
  const [, none, budgeted, count, period] = /^(no )?budget for (.+?)(?:: (\d+))? in (1[hdw])$/.exec(why) ?? [];
  if (budgeted) return budgetWords(budgeted, none ? null : Number(count), PERIODS[period]);
  const [, forgotten] = /^no rule for (.+)$/.exec(why) ?? [];
  if (forgotten) return t("no rule any more: {what}", { what: permissionWords(forgotten) });
  return codeWords(why, entry.entry) ?? fromSigner(why);
}

/** A new rule of the owner: "allowed until you change it: post notes". @param {string} verdict @param {string} time @param {string} permission */
function ruleWords(verdict, time, permission) {
  const rule = { what: permissionWords(permission), time: time === "always" ? t("until you change it") : durationWords(time) };
  if (verdict === "allow") return t("allowed, {time}: {what}", rule);
  return verdict === "deny" ? t("denied, {time}: {what}", rule) : t("asks you, {time}: {what}", rule);
}

/** A new budget: "budget: 5 in a day: sign notes". @param {string} permission @param {number | null} count  null for the end of one @param {string} period */
function budgetWords(permission, count, period) {
  const what = permissionWords(permission);
  if (count === null) return t("no budget any more, in {period}: {what}", { period, what });
  return t("budget of {count} in {period}: {what}", { count, period, what });
}

/** Entries that say that something was tried in vain. */
const IN_VAIN = new Set(["vaultOpenFailed", "signInFailed"]);

/** Whether it was tried in vain. What a rule or the owner denied has not failed. @param {Entry} entry */
export function hasFailed({ entry, decision, error, outcome }) {
  return IN_VAIN.has(entry) || ((outcome?.error ?? error ?? null) !== null && decision !== "deny");
}

/** What became of it, in a word, and how that looks. @param {Entry} entry  @returns {[string, string] | undefined} */
export function tag(entry) {
  if (hasFailed(entry)) return [t("failed"), "bad"];
  if (entry.entry === "requestDone") return [t("done"), "good"];
  return entry.decision ? TAGS[entry.decision] : undefined;
}

/** Concerns that the rule of a question names, while the answer may lack them. */
const OF_RULES = ["payee", "dated-ahead", "pays-others"];

/**
 * The entry that says what the request is: the question, where its rule says more than the answer. The answer is called by what differs from
 * the last profile that was signed here, while the rule also asks about a profile that apps may read in different ways.
 * @param {Entry} entry
 */
function told(entry) {
  return entry.asked && OF_RULES.includes(entry.asked.concern) ? entry.asked : entry;
}

/** What it is, as its card called it. @param {Entry} entry */
export function titleOf(entry) {
  return fromSigner(told(entry).text);
}

/** How closely the request was to be looked at, where the log says so. @param {Entry} entry */
export function mark(entry) {
  const { risk: level, risk_reason: why } = told(entry);
  const shown = risk({ risk: level, risk_reason: why && fromSigner(why) });
  return shown ? [" ", shown] : null;
}

/** The icon of what is no request. @type {Record<string, string>} */
const SIGNS = {
  paired: "pair",
  firstAsked: "pair",
  unpaired: "logout",
  linkMade: "pair",
  locked: "locked",
  unlocked: "unlocked",
  backupMade: "backup",
  backupVerified: "backup",
  backupRestored: "backup",
  recoveryCreated: "kit",
  recoveryTested: "kit",
  recoveryRestored: "kit",
  signedIn: "login",
  sessionEnded: "logout",
  incidentMinor: "warning",
  incidentCritical: "warning",
  passkeyAdded: "passkey",
  passkeyRemoved: "passkey",
};

/** What stands before an entry: the app on its page's list, else what it is about. @param {Entry} entry @param {string | null} name */
export function sign(entry, name) {
  if (name && entry.client) return avatar(name, entry.client);
  const isRequest = entry.entry.startsWith("request") && entry.method;
  // The owner's own lockdown warns of nothing.
  const own = entry.entry === "incidentCritical" && given(entry).channel ? "paused" : undefined;
  return h("span", { class: "symbol" }, icon(isRequest ? requestIcon(entry.method ?? "", entry.kind) : own ?? SIGNS[entry.entry] ?? "log"));
}

/** The owner's name for an entry's app. @param {Entry} entry @param {any[]} clients */
export function nameOf(entry, clients) {
  if (!entry.client) return "";
  const named = clients.find((one) => one.pubkey === entry.client)?.name ?? entry.client_name;
  return named === undefined || named === null ? t("An app that is gone") : appName(named, entry.client);
}

/**
 * @param {Entry} entry
 * @param {any[] | null} clients  to name the app, in a list under days; null when the page is about one app
 */
export function rowOf(entry, clients) {
  const name = clients && nameOf(entry, clients);
  const look = tag(entry);
  const why = reason(entry), said = saidBy(entry.request);
  const box = h(
    "details",
    {
      class: "entry",
      ontoggle: () => {
        if (box.open && box.children.length === 1) box.append(details(entry));
      },
    },
    h(
      "summary",
      { class: "row" },
      sign(entry, name),
      h(
        "span",
        { class: "row-words" },
        h("strong", {}, name && [h("span", { dir: "auto" }, name), ": "], titleOf(entry), mark(entry)),
        said && h("span", { class: told(entry).concern === "payee" ? "whole" : "gist", dir: "auto" }, said),
        h("span", {}, entry.identity && [rich("as {identity}", { identity: h("span", { dir: "auto" }, entry.identity) }), why && " · "], why),
      ),
      look && h("span", { class: `tag ${look[1]}` }, look[0]),
      clients ? h("span", { class: "row-time", title: fullTime(entry.time) }, hourLabel(new Date(entry.time * 1000))) : when(entry.time),
    ),
  );
  return h("li", { data: { sequence: String(entry.sequence) } }, box);
}

/** Whether it is a request that has a text, or stands for one. @param {Entry} entry */
function hasText({ entry, method = "" }) {
  return entry.startsWith("request") && (method === "sign_event" || method.endsWith("crypt"));
}

/** Where a login went, by its kind. @type {Record<number, string>} */
const UNKEPT = {
  22242: t("The log does not keep the relay’s address."),
  24242: t("The log does not keep the file server’s name."),
  27235: t("The log does not keep the website’s name."),
};

/** @param {Entry} entry */
function details(entry) {
  const { outcome } = entry;
  const signed = outcome?.signed ?? entry.signed, failed = outcome ?? entry, said = saidBy(entry.request);
  const rows = /** @type {[string, import("../dom.js").Child][]} */ ([
    [t("When"), fullTime(entry.time)],
    [t("What"), [titleOf(entry), typeof entry.kind === "number" && ` (${t("kind {kind}", { kind: entry.kind })})`]],
    [t("What it said"), hasText(entry) && (said ? h("span", { dir: "auto" }, said) : (signed
      ? t("Not kept: a log with texts would be a copy of all that you write. The event is where the app sent it; apps and search pages find it by the number under “Signed event”.")
      : t("Not kept: a log with texts would be a copy of all that you write. Only the app has it.")))],
    [t("Where to"), entry.entry.startsWith("request") && UNKEPT[entry.kind ?? -1]],
    [t("Asked you"), entry.asked && fullTime(entry.asked.time)],
    [t("Why"), reason(entry)],
    [t("Rule"), entry.rule && entry.reason ? entry.rule : ""],
    [
      t("App"),
      entry.client && [keyText(entry.client), " ", h("a", { href: `#/activity?client=${entry.client}` }, t("all of its activity"))],
    ],
    [t("Identity"), entry.identity],
    [entry.decision ? t("Answered by") : t("Done by"), CHANNELS[given(entry).channel]],
    [t("Signed event"), signed && [keyText(noteId(signed), { isEvent: true }), h("code", { class: "key whole block" }, signed)]],
    [t("Request event"), entry.request && h("code", { class: "key whole" }, entry.request)],
    [t("Not done"), fromSigner(failed.failure ?? "") || failed.error],
    [t("How many"), entry.amount],
    [t("Entry"), outcome
        ? t("number {entry}, its outcome number {outcome}", { entry: entry.sequence, outcome: outcome.sequence })
        : t("number {entry}", { entry: entry.sequence })],
  ]);
  return h(
    "div",
    { class: "entry-more" },
    h(
      "dl",
      { class: "facts" },
      rows.filter(([, value]) => value !== undefined && value !== "" && value !== false).map((
        [name, value],
      ) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    proofOf(entry.sequence),
  );
}
