// One app: its name, how to pause and revoke it, its trust and permissions; then its history, its limits and its keys, which are folded.
// Where there is room, what it did stands open beside what it may do. On a phone its trust is folded, too.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { go } from "../router.js";
import { spokenClient } from "../signer.js";
import { known, refresh } from "../store.js";
import { nameTab } from "../view.js";
import { TRUST } from "../words.js";
import { toldApart } from "../parts/alike.js";
import { avatar, button, nothing, when } from "../parts/common.js";
import { change } from "../parts/change.js";
import { dialog } from "../parts/dialog.js";
import { fillFold, fold, isShort } from "../parts/fold.js";
import { haltOf } from "../parts/halt.js";
import { icon } from "../parts/icons.js";
import { history } from "../parts/history.js";
import { keyText } from "../parts/keytext.js";
import { stillWaiting } from "../parts/likewise.js";
import { rename } from "../parts/rename.js";
import { resume } from "../parts/resume.js";
import { backupWith, offerAfterRevoking } from "../parts/revokedfile.js";
import { limits } from "../parts/limits.js";
import { isLocal, letIn, machineTag, programFacts, programWords, scriptWarning, unmetTag } from "../parts/program.js";
import { switches } from "../parts/switches.js";
import { trustSwitch } from "../parts/trust.js";
import { askToUnlock, lockedButtons } from "../parts/unlock.js";

/** @param {import("../view.js").View} view */
export async function app(view) {
  const [signer] = view.route.parts;
  const boxes = {
    head: section(),
    stopped: h("div", {}),
    trust: fold(!isShort()),
    rules: section(),
    past: fold(!isShort()),
    limits: fold(),
    facts: fold(),
  };
  view.root.className = "spacious";
  for (const box of [boxes.rules, boxes.past]) box.classList.add("narrowable");
  view.draw(
    t("App"),
    h("p", { class: "back" }, h("a", { href: "#/apps" }, t("← All apps"))),
    boxes.head,
    boxes.stopped,
    h("div", { class: "columns" }, h("div", {}, boxes.trust, boxes.rules), h("div", {}, boxes.past, boxes.limits, boxes.facts)),
  );
  let shown = "";
  /** @type {[client: any, table: any] | null} */
  let found = null;
  const renew = () => {
    if (!found) return;
    const fresh = JSON.stringify([...found, haltOf(found[0]), waitingOf(found[0])]);
    if (fresh === shown) return;
    shown = fresh;
    draw(view, boxes, ...found);
  };
  /** @type {Promise<void> | null} */
  let past = null;
  view.watch("status", renew);
  view.watch("requests", renew);
  // A decision changes what its table and its budgets say.
  await view.keepWithLog(["clients", "lock", "requests"], async () => {
    let client, table;
    try {
      [client, table] = await Promise.all([named(signer), permissions(signer)]);
    } catch (failure) {
      const { exit, isLocked } = /** @type {any} */ (failure);
      if (exit === 5) return gone(view);
      if (!isLocked) throw failure;
      return showOnly(boxes, boxes.stopped, stoppedCard(lockdown()));
    }
    if (!view.isOpen) return;
    if (boxes.head.hidden) shown = "";
    found = [client, table];
    renew();
    if (table) await (past ??= history(view, boxes.past, client.pubkey));
  });
}

/** The app; `given` is the name that the owner or the app gave it. @param {string} signer */
async function named(signer) {
  const client = await call("client/show", { client: signer }), spoken = spokenClient(client);
  return { ...spoken, given: spoken.name === client.name ? client.name : "" };
}

/** What the app may do and did; null while the signer is locked and cannot read its log. @param {string} signer */
async function permissions(signer) {
  try {
    return await call("client/permissions", { client: signer });
  } catch (failure) {
    if ((/** @type {any} */ (failure)).isLocked) return null;
    throw failure;
  }
}

function section() {
  return h("section", { class: "card" });
}

/** @param {import("../view.js").View} view */
function gone(view) {
  view.draw(
    t("App"),
    nothing(
      t("This app is no longer paired"),
      h("p", {}, t("The activity still shows what it did.")),
      h("a", { class: "button", href: "#/apps" }, t("All apps")),
    ),
  );
}

/** @param {import("../view.js").View} view @param {Record<string, HTMLElement>} boxes @param {any} client @param {any} table */
function draw(view, boxes, client, table) {
  for (const box of Object.values(boxes)) box.hidden = false;
  const title = view.root.querySelector("h1");
  if (title) title.textContent = client.name;
  nameTab(client.name);
  stopped(boxes.stopped, client);
  head(boxes.head, client);
  facts(boxes.facts, client);
  trust(boxes.trust, client);
  if (table) switches(boxes.rules, client, table);
  else unread(boxes.rules);
  boxes.past.hidden = !table;
  // What somebody types there is not taken away because the app asked for something meanwhile.
  if (!(document.activeElement instanceof HTMLInputElement && boxes.limits.contains(document.activeElement))) limits(boxes.limits, client);
}

/** @param {Element} box */
function unread(box) {
  fill(
    box,
    h("h2", {}, t("What it may do")),
    h("p", {}, t("What it may do is shown with what it did, which is in the log. Unlock the signer to read it.")),
    lockedButtons(false),
  );
}

/** Says that the app is paused. It stands below the buttons, which stay where they are. @param {Element} box @param {any} client */
function stopped(box, client) {
  const halt = haltOf(client);
  fill(box, halt && stoppedCard(halt.isLockdown ? lockdown() : paused(client)), letIn(client));
}

/** @param {import("../dom.js").Child} content */
function stoppedCard(content) {
  return h("section", { class: "card alarm paused-card" }, icon("paused"), content);
}

/** Where a lockdown closes the vault, nothing else of the app can be read. @param {Record<string, HTMLElement>} boxes @param {HTMLElement} box @param {HTMLElement} content */
function showOnly(boxes, box, content) {
  for (const other of Object.values(boxes)) other.hidden = other !== box;
  fill(box, content);
}

/** @param {any} client */
function pausedWords(client) {
  if (client.program) return t("This program is paused.");
  return client.site ? t("This site is paused.") : t("This app is paused.");
}

/** The button that ends it is above. @param {any} client */
function paused(client) {
  return h("p", {}, h("strong", {}, pausedWords(client)), " ", t("What its rules do not deny waits at the end of Approvals, without a badge or a notification."), " ", quietCount(client));
}

/** How many of its requests wait meanwhile. @param {any} client */
function quietCount(client) {
  const count = waitingOf(client);
  return count > 0 && h("a", { href: "#/approvals" }, tn(count, "{count} request waits", "{count} requests wait"));
}

/** @param {any} client */
function waitingOf(client) {
  return stillWaiting((one) => one.client.signer === client.signer).length;
}

function lockdown() {
  const words = known("status")?.locked ? t("No app gets an answer until you resume.") : t("Everything that its rules do not deny asks you.");
  return [
    h("p", {}, h("strong", {}, t("The signer is locked down.")), " ", words),
    button(t("Resume…"), () => askToUnlock("resume"), { class: "primary resumes", data: { focus: "resume" } }),
  ];
}

/** @param {Element} box @param {any} client */
function head(box, client) {
  const halt = haltOf(client);
  fill(
    box,
    h(
      "div",
      { class: "request-head" },
      avatar(client.name, client.pubkey),
      h(
        "div",
        { class: "request-words" },
        h(
          "p",
          {},
          rich("Signs as {identity}", { identity: h("strong", { dir: "auto" }, client.identity) }),
          halt && [" ", h("span", { class: "tag bad" }, halt.tag)],
          " ",
          machineTag(client),
          " ",
          unmetTag(client),
        ),
        toldApart(client),
        programWords(client),
        client.url && h("p", { class: "claim" }, t("It says it is {address}. Nobody has checked this.", { address: client.url })),
        h(
          "p",
          { class: "help" },
          rich("Paired {time}.", { time: when(client.paired) }),
          " ",
          client.last_seen ? [rich("Last seen {time}.", { time: when(client.last_seen) }), " "] : "",
          tn(client.requests, "{count} request.", "{count} requests."),
        ),
        client.long_answer &&
          h(
            "p",
            { class: "help" },
            rich(
              "It got an answer of {count} bytes {time}. Apps made with rust-nostr 0.45.1 or older cannot read an answer over 65535 bytes, and wait until they give up.",
              { count: client.long_answer.bytes, time: when(client.long_answer.at) },
            ),
          ),
      ),
      acts(client),
    ),
  );
}

/** @param {HTMLElement} box @param {any} client */
function facts(box, client) {
  const relays = client.relays ?? [];
  fillFold(
    box,
    t("Keys and relays"),
    isLocal(client) ? t("no relay") : tn(relays.length, "{count} relay", "{count} relays"),
    h(
      "dl",
      { class: "facts" },
      h("dt", {}, t("Its key")),
      h("dd", {}, keyText(client.pubkey)),
      h("dt", {}, t("The signer's key for it")),
      h("dd", {}, keyText(client.signer)),
      h("dt", {}, t("Relays")),
      h("dd", { class: "whole" }, relays.join(", ") || t("none"), relays.length > 0 && [" · ", h("a", { href: "#/relays" }, t("State of the relays"))]),
      programFacts(client),
    ),
  );
}

/** @param {HTMLElement} box @param {any} client */
function trust(box, client) {
  const give = (/** @type {string} */ level) =>
    change("client/trust", { client: client.signer, trust: level }, t("Trust is {trust} now.", { trust: TRUST[level][0].toLowerCase() }));
  const draw = () => fillFold(box, t("Trust"), TRUST[client.trust]?.[0] ?? client.trust, trustSwitch("trust", client.trust, choose));
  const choose = async (/** @type {string} */ level) => {
    if (!isMore(level, client.trust)) return give(level);
    const [title, words] = TRUST[level];
    const act = () => give(level);
    if (await dialog(t("Trust {name} more?", { name: client.name }), [h("p", {}, h("strong", {}, title)), h("p", {}, words), scriptWarning(client)], { confirm: t("Trust it more"), act })) return;
    draw();
    /** @type {HTMLElement | null} */ (box.querySelector("input:checked"))?.focus();
  };
  draw();
}

/** @param {string} level @param {string} present */
function isMore(level, present) {
  const levels = ["low", "medium", "full"];
  return levels.indexOf(level) > levels.indexOf(present);
}

/** How it is stopped, for a time or for good, and renamed. What each does is said when it is done. @param {any} client */
function acts(client) {
  return h(
    "div",
    { class: "buttons acts" },
    // In one place, so that nothing else moves under the pointer.
    haltOf(client)?.isLockdown === false
      ? button(t("Resume"), () => resume(client), { class: "primary", data: { focus: "pause" } })
      : button(t("Pause"), () => change("client/suspend", { client: client.signer }, t("Paused: what it asks for waits at the end of Approvals, without a badge.")), { data: { focus: "pause" } }),
    button(t("Revoke…"), () => revoke(client), { class: "plain-danger" }),
    button(t("Rename…"), () => rename(client, client.given, isLocal(client) ? t("Rename") : t("Rename this app")), { class: "quiet", data: { focus: "rename" } }),
  );
}

/** @param {any} client */
async function revoke(client) {
  const last = isLocal(client) ? 0 : await backupWith(client);
  const done = await dialog(t("Revoke {app}?", { app: client.name }), [
    h("p", {}, isLocal(client)
      ? t("It may do nothing any more. If it asks again, you are asked as at its first use.")
      : t("It can ask for nothing any more, and its waiting requests are dropped. To use it again, you pair it again."), " ", t("What it signed stays signed.")),
    last > 0 && h("p", { class: "help" }, t("Your last backup still has this app. Afterwards you can make a new one, or keep the list of revoked apps beside it.")),
  ], {
    confirm: t("Revoke"),
    dangerous: true,
    act: () => call(isLocal(client) ? "local/revoke" : "client/revoke", { client: client.signer }),
  });
  if (!done) return;
  if (!last) notice(t("{app} is revoked.", { app: client.name }));
  refresh("clients");
  refresh("requests");
  // The next page closes the dialogs of this one.
  if (last) addEventListener("hashchange", () => offerAfterRevoking(client.name, last), { once: true });
  go("/apps");
}
