// Approvals of serious requests that are remembered: from then on an app may do the like without a question. The owner is asked a second
// time, and what such a rule does not reach is said wherever the rule is.

import { h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { known } from "../store.js";
import { DURATIONS, permissionWords } from "../words.js";
import { changes, deleted, warnings } from "./account.js";
import { dialog } from "./dialog.js";
import { isFinal, isSerious, losesEntries } from "./final.js";
import { wantsPresence } from "./presence.js";
import { objects, ruleWords } from "./remembered.js";

/** @typedef {import("./account.js").Account} Account */

/** What is asked whatever is allowed, by permission: the signer's policy decides it after the rule. @type {Record<string, string>} */
const STILL_ASKED = {
  "sign_event:0": t("A profile that changes where payments to you go still asks you each time."),
  "sign_event:3": t("A follow list that drops many people still asks you each time."),
  "sign_event:24242": t("A login that is good for more than a day still asks you each time."),
};

/** Without what it is for, such as a server. @param {string} permission */
function broad(permission) {
  return permission.split("@")[0];
}

/** What a rule that allows this does not reach; "" for nothing. @param {string} permission */
export function stillAsked(permission) {
  return Object.hasOwn(STILL_ASKED, broad(permission)) ? STILL_ASKED[broad(permission)] : "";
}

/** The same, before anybody has approved it. @type {Record<string, string>} */
const STILL_ASKED_THEN = {
  "sign_event:0": t("Even if you approve, a profile that changes where payments to you go asks you each time."),
  "sign_event:3": t("Even if you approve, a follow list that drops many people asks you each time."),
  "sign_event:24242": t("Even if you approve, a login that is good for more than a day asks you each time."),
};

/** What an answer that lasts would not reach; "" for nothing. @param {Account} request @param {string} remember */
export function stillAskedThen({ remember: rule }, remember) {
  return remember !== "once" && rule && Object.hasOwn(STILL_ASKED_THEN, broad(rule.permission)) ? STILL_ASKED_THEN[broad(rule.permission)] : "";
}

/** Whether a rule that allows this without asking reaches something serious. @param {string} permission */
function allowsSerious(permission) {
  const kind = /^sign_event:(\d+)/.exec(permission)?.[1];
  return stillAsked(permission) !== "" || (kind !== undefined && isFinal({ kind: Number(kind), deletes: false }));
}

/** Times that an allowance may last, the shortest first. */
const TIMES = ["once", "5m", "1h", "1d", "1w", "always"];

/** The longest time up to the one that was chosen for which something may be allowed. @param {string} wanted @param {string} [longest]  what the signer says */
export function fitting(wanted, longest = "always") {
  return TIMES.indexOf(wanted) > TIMES.indexOf(longest) ? longest : wanted;
}

/** Why an allowance lasts no longer. @type {Record<string, string>} */
const AT_MOST = {
  once: t("This asks you each time, so no rule can allow it."),
  "1d": t("Money can be allowed for a day at most."),
  "1w": t("This can be allowed for a week at most."),
};

/** Why it cannot be allowed for as long as was chosen; "" if it can. @param {string} wanted @param {string} longest */
export function shortened(wanted, longest) {
  return fitting(wanted, longest) === wanted ? "" : AT_MOST[longest] ?? "";
}

/**
 * Asks before an app's page allows something serious, or for a shorter time than was chosen. Cancel has the focus.
 * @param {any} client
 * @param {string} permission
 * @param {string} time  how long, in words
 * @param {string} [why]  it is not longer
 * @returns {Promise<boolean>} whether to go on
 */
export async function confirmAllowing(client, permission, time, why = "") {
  if (!allowsSerious(permission) && !why) return true;
  return dialog(t("Allow this without asking?"), [
    h("p", {}, rich("Then {app} may, as {identity} and without asking you: {what}, {time}.", {
      app: h("strong", { dir: "auto" }, client.name),
      identity: h("strong", { dir: "auto" }, client.identity),
      what: permissionWords(permission),
      time,
    })),
    why && h("p", { class: "help" }, why),
    stillAsked(permission) && h("p", {}, stillAsked(permission)),
  ], { confirm: t("Allow"), dangerous: true, isCareful: true, act: () => {} });
}

/** Whether an answer makes a rule about something serious, also where this one request changes nothing. @param {Account} request @param {string} remember */
export function isLastingRisk({ risk, remember: rule }, remember) {
  return remember !== "once" && Boolean(rule) && (risk === "grave" || allowsSerious(rule?.permission ?? ""));
}

/** Whether an approval is asked about once more, or for a proof, before it is sent. @param {Account} request @param {string} remember */
export function isAskedAgain(request, remember) {
  return wantsPresence(request) || isLastingRisk(request, remember) || isFinal(request) || losesEntries(request) || request.pays_elsewhere === true || isSerious(request);
}

/** How many other requests that wait the rule would decide, too. @param {Account} request @param {string} permission */
function alikeNow({ id, client, identity }, permission) {
  return (known("requests") ?? []).filter((/** @type {Account} */ one) =>
    one.id !== id && one.client.pubkey === client.pubkey && one.identity.npub === identity.npub && one.remember?.permission === permission
  ).length;
}

/**
 * Asks once more. Cancel has the focus.
 * @param {Account} request @param {string} remember @returns {Promise<string>} for how long to approve it, which may be just this once; "" for not at all
 */
export async function confirmLasting(request, remember) {
  let answered = remember;
  const permission = request.remember?.permission ?? "";
  const time = DURATIONS[remember];
  const also = alikeNow(request, permission);
  const isSure = await dialog(t("Approve this, and more like it without asking?"), [
    h("p", { class: "said" }, h("strong", { dir: "auto" }, request.client.name), ": ", request.title),
    changes(request),
    deleted(request),
    warnings(request),
    isFinal(request) && h("p", { class: "warning" }, t("This cannot be undone.")),
    objects(request),
    h("p", {}, rich("Then {app} may also, as {identity} and without asking you: {what}, {time}.", {
      app: h("strong", { dir: "auto" }, request.client.name),
      identity: h("strong", { dir: "auto" }, request.identity.name),
      what: ruleWords(request),
      time: remember === "always" ? t("until you change it") : time,
    })),
    also > 0 && h("p", { class: "warning" }, tn(also, "{count} more such request that waits now is approved, too.", "{count} more such requests that wait now are approved, too.")),
    stillAsked(permission) && h("p", {}, stillAsked(permission)),
  ], {
    confirm: t("Approve {time}", { time }),
    dangerous: true,
    isCareful: true,
    act: () => {},
    other: { label: t("Approve just this once"), act: () => { answered = "once"; } },
  });
  return isSure ? answered : "";
}
