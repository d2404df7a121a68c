// The waiting requests, live. Keys: j and k move, a approves, d denies, ? shows help.

import { call } from "../api.js";
import { h, keyed, notice } from "../dom.js";
import { known, refresh } from "../store.js";
import { counted, DURATIONS } from "../words.js";
import { grouped, makeCard, renewCard } from "../parts/card.js";
import { nothing } from "../parts/common.js";
import { dialog } from "../parts/dialog.js";
import { hush, hushingWhatMoves, isDeaf } from "../parts/guard.js";
import { presence, wantsPresence } from "../parts/presence.js";
import { askToUnlock } from "../parts/unlock.js";

/** @param {import("../view.js").View} view */
export function approvals(view) {
  const list = h("div", { class: "cards", role: "feed", "aria-label": "Waiting requests" });
  const empty = h(
    "div",
    { hidden: true },
    nothing(
      "Nothing waits for you",
      h(
        "p",
        {},
        "When an app asks for something that your rules do not decide, the request appears here at once. You can leave this page open.",
      ),
    ),
  );
  view.draw(
    "Approvals",
    h(
      "p",
      { class: "hint keys" },
      "Keys: ",
      h("kbd", {}, "j"),
      " ",
      h("kbd", {}, "k"),
      " move, ",
      h("kbd", {}, "a"),
      " approve, ",
      h("kbd", {}, "d"),
      " deny, ",
      h("kbd", {}, "?"),
      " help",
    ),
    list,
    empty,
  );
  view.watch("requests", (requests) => {
    const selected = list.querySelector(":scope > .selected");
    hushingWhatMoves(
      list,
      () =>
        keyed(
          list,
          grouped(requests),
          ({ key }) => key,
          (group) => makeCard(group, answer),
          (card, group) => renewCard(card, group, answer),
        ),
    );
    empty.hidden = requests.length > 0;
    if (selected && !selected.isConnected) select(list, 0, false);
  });
  const keys = (/** @type {KeyboardEvent} */ event) => press(event, list);
  document.addEventListener("keydown", keys);
  view.atEnd(() => document.removeEventListener("keydown", keys));
}

/** @param {HTMLElement} card @param {string[]} ids @param {boolean} approve @param {string} remember */
async function answer(card, ids, approve, remember) {
  if (isDeaf(card)) {
    notice("That request had just appeared, moved or changed, so nothing was done. Check it again, then answer.");
    return;
  }
  const verb = approve ? "approve" : "deny";
  const request = approve && (known("requests") ?? []).find((/** @type {any} */ one) => ids.includes(one.id) && wantsPresence(one));
  if (request) {
    if (ids.length > 1) notice("This key asks for you at each use. Answer the requests one by one.", { bad: true });
    else if (await presence(request)) said(card, 1, true, "once");
    refresh("requests");
    return;
  }
  card.setAttribute("aria-busy", "true");
  try {
    const { answered = ids, missing = [] } = await call(`request/${verb}`, { ids, ...(remember === "once" ? {} : { remember }) });
    if (answered.length) said(card, answered.length, approve, remember);
    if (missing.length) {
      notice(`${counted(missing.length, "request no longer waits", "requests no longer wait")}: ${missing[0].why}`, { bad: true });
    }
  } catch (failure) {
    await failed(/** @type {any} */ (failure));
  } finally {
    card.removeAttribute("aria-busy");
    refresh("requests");
  }
}

/** @param {HTMLElement} card @param {number} count @param {boolean} approve @param {string} remember */
function said(card, count, approve, remember) {
  const what = card.querySelector("h2")?.textContent?.trim() ?? "";
  const kept = remember === "once" ? "" : ` Similar requests get the same answer ${DURATIONS[remember]}.`;
  notice(`${approve ? "Approved" : "Denied"}${count > 1 ? ` ${count}` : ""}: ${what}.${kept}`, {
    link: ["See activity", "#/activity"],
  });
}

/** @param {any} failure */
async function failed(failure) {
  if (failure.isLocked) {
    if (await askToUnlock()) notice("Unlocked. Requests that waited only for the key continue. Answer the rest here.");
  } else notice([failure.message, failure.hint].filter(Boolean).join(" "), { bad: true });
}

/** @param {KeyboardEvent} event @param {HTMLElement} list */
function press(event, list) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || target.closest("input, textarea, select, dialog")) return;
  const cards = [...list.children];
  const at = cards.findIndex((card) => card.classList.contains("selected"));
  const selected = at < 0 ? null : /** @type {HTMLElement} */ (cards[at]);
  if (event.key === "j") select(list, at + 1, true);
  else if (event.key === "k") select(list, Math.max(at - 1, 0), true);
  else if (event.key === "?") help();
  else if (event.key === "a" || event.key === "d") {
    const verb = event.key === "a" ? "approve" : "deny";
    if (selected) /** @type {HTMLElement | null} */ (selected.querySelector(`[data-answer="${verb}"]`))?.click();
    else notice("Choose a request first: press j.");
  } else return;
  event.preventDefault();
}

/** Selects a card. @param {HTMLElement} list @param {number} index @param {boolean} asked  by the person, not because another went away */
function select(list, index, asked) {
  const card = /** @type {HTMLElement | undefined} */ (list.children[Math.min(index, list.children.length - 1)]);
  for (const other of list.children) other.classList.toggle("selected", other === card);
  if (!card) return;
  if (!asked) hush(card);
  card.focus({ preventScroll: true });
  card.scrollIntoView({ block: "nearest" });
}

function help() {
  /** @type {[string, string][]} */
  const rows = [["j", "the next request"], ["k", "the previous request"], ["a", "approve the chosen request"], ["d", "deny it"], [
    "Tab",
    "move between the buttons of a request",
  ], ["?", "this help"]];
  dialog("Keys on this page", [
    h("dl", { class: "help-keys" }, rows.map(([key, words]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, words)])),
    h(
      "p",
      { class: "help" },
      "A request that has just appeared or moved takes no answer for a moment, so you cannot answer the wrong one by accident.",
    ),
  ], { confirm: "Close", act: () => {}, cancel: "Back" });
}
