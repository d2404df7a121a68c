// The waiting requests, what is still to do, the last day's requests, the apps and the state of the relays.

import { fill, h } from "../dom.js";
import { t, tn } from "../language.js";
import { known } from "../store.js";
import { activityRoute, chart, lastDay, lastDecisions, sparkline, total } from "../parts/chart.js";
import { appRow } from "../parts/approw.js";
import { nothing, when } from "../parts/common.js";
import { drawChecklist } from "../parts/custody.js";
import { heading, waitingFor } from "../parts/heading.js";
import { icon, kindIcon } from "../parts/icons.js";
import { identityRows } from "../parts/identity.js";
import { risk, waitingWords } from "../parts/card.js";
import { passkeySlots } from "../parts/passkeys.js";
import { drawRelays } from "../parts/relays.js";
import { isOver, overWords } from "../parts/trial.js";
import { askToUnlock, lockedButtons } from "../parts/unlock.js";

/** The most apps shown before "all apps", and the most requests before "see and answer". */
const FEW = 5, FEW_REQUESTS = 3;

/** @param {import("../view.js").View} view */
export function home(view) {
  const card = () => h("section", { class: "card" }, waitingFor());
  const state = h("div", {}), waiting = card(), checklist = h("section", { class: "card", hidden: true });
  const day = card(), connected = card(), people = card(), relays = card();
  view.root.className = "spacious";
  view.draw(t("Home"), state, h("div", { class: "columns" }, h("div", {}, waiting, checklist, day), h("div", {}, connected, people, relays)));
  /** The last day's decisions, the apps, and whether a lockdown stops them. @type {{entries: any[], clients: any[] | null, halted: string}} */
  const seen = { entries: [], clients: null, halted: "" };
  view.watch("requests", (requests) => {
    showWaiting(waiting, requests);
    if (seen.entries.length) showDay(day, seen.entries);
  });
  view.watch("custody", (custody) => drawChecklist(checklist, custody));
  view.watch("clients", (clients) => {
    seen.clients = clients;
    showClients(connected, clients, seen.entries);
    // They name the apps that use a relay.
    if (known("status")) drawRelays(relays, known("status"));
  });
  view.watch("identities", (identities) => showIdentities(people, identities));
  view.watch("status", (status) => {
    showState(state, status);
    if (!known("requests")?.length) showWaiting(waiting, []);
    drawRelays(relays, status);
    const halted = `${status.suspended} ${status.locked}`;
    if (seen.clients && halted !== seen.halted) showClients(connected, seen.clients, seen.entries);
    seen.halted = halted;
  });
  view.keepWithLog(["lock", "status"], async () => {
    try {
      seen.entries = await lastDecisions();
    } catch (failure) {
      if (view.isOpen && /** @type {any} */ (failure).status) showNoDay(day, /** @type {Error} */ (failure).message);
      return;
    }
    if (!view.isOpen) return;
    showDay(day, seen.entries);
    if (seen.clients) showClients(connected, seen.clients, seen.entries);
  });
}

/** @param {Element} box @param {any} status */
function showState(box, status) {
  if (isOver(status)) return fill(box, h("section", { class: "card alarm" }, heading("paused", t("The trial is over")), h("p", {}, overWords())));
  if (status.suspended) {
    const words = status.locked
      ? t("Your keys are wiped from memory. No app is served until you resume.")
      : t("The signer is unlocked, but every use of a key asks you until you resume.");
    fill(
      box,
      h(
        "section",
        { class: "card alarm" },
        heading("paused", t("The signer is locked down")),
        h("p", {}, words),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "primary", onclick: () => askToUnlock("resume") }, t("Resume…")),
          h("a", { href: "#/security" }, t("What happened")),
        ),
      ),
    );
  } else if (status.locked) {
    const unlocking = h("div", {}, lockedButtons(false));
    const words = t("Apps wait until you unlock it. Their requests are kept.");
    fill(box, h("section", { class: "card careful" }, heading("locked", t("The signer is locked")), h("p", {}, words), unlocking));
    passkeySlots().then((slots) => {
      if (slots.length) unlocking.replaceChildren(lockedButtons(true));
    });
  } else fill(box);
}

/** @param {Element} box @param {any[]} requests */
function showWaiting(box, requests) {
  box.classList.toggle("lively", requests.length > 0);
  if (!requests.length) {
    const words = known("status")?.locked
      ? t("While the signer is locked, requests that need a key wait here.")
      : t("Your rules answer everything else.");
    fill(box, heading("approvals", waitingWords(0)), h("p", { class: "help" }, words));
    return;
  }
  fill(
    box,
    heading("approvals", waitingWords(requests.length)),
    h("ul", { class: "rows" }, seriousFirst(requests).slice(0, FEW_REQUESTS).map(requestRow)),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button primary", href: "#/approvals" }, t("See and answer")),
      requests.length > FEW_REQUESTS && h("span", { class: "help" }, t("and {count} more", { count: requests.length - FEW_REQUESTS })),
    ),
  );
}

/** The oldest of the serious ones first: what is not shown here is less urgent. @param {any[]} requests */
function seriousFirst(requests) {
  const isSerious = (/** @type {any} */ one) => Number(one.risk === "grave");
  return [...requests].sort((a, b) => isSerious(b) - isSerious(a) || a.received - b.received);
}

/** @param {any} request */
function requestRow(request) {
  return h(
    "li",
    {},
    h(
      "a",
      { class: "row", href: `#/approvals?open=${request.id}` },
      h("span", { class: "symbol" }, kindIcon(request.method, request.kind)),
      h("span", { class: "row-words" }, h("strong", { dir: "auto" }, request.client.name), h("span", {}, request.title)),
      h("span", { class: "row-end" }, risk(request), h("span", { class: "row-time" }, when(request.received))),
    ),
  );
}

/** @param {Element} box @param {any[]} entries */
function showDay(box, entries) {
  const hours = lastDay(entries);
  const all = hours.reduce((sum, { counts }) => sum + total(counts), 0);
  fill(
    box,
    heading("activity", t("The last 24 hours"), h("a", { href: "#/activity" }, t("All activity"))),
    all ? chart(hours, t("Requests in the last 24 hours"), activityRoute) : nothing(t("No app has asked for anything")),
  );
}

/** Says why there is no picture, such as a lockdown, which closes the log. @param {Element} box @param {string} why */
function showNoDay(box, why) {
  fill(box, heading("activity", t("The last 24 hours")), h("p", { class: "help" }, why));
}

/** @param {Element} box @param {any[]} clients @param {any[]} entries  the last day's decisions */
function showClients(box, clients, entries) {
  if (!clients.length) {
    fill(
      box,
      heading("apps", t("Apps")),
      nothing(
        t("No app is paired yet"),
        h("p", {}, t("A paired app can ask this signer for signatures. It never gets your key.")),
        h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/pair" }, t("Pair your first app"))),
      ),
    );
    return;
  }
  const latest = [...clients].sort((a, b) => b.last_seen - a.last_seen);
  fill(
    box,
    heading("apps", tn(clients.length, "{count} app paired", "{count} apps paired"), h("a", { href: "#/apps" }, t("All apps"))),
    h("ul", { class: "rows" }, latest.slice(0, FEW).map((client) => appRow(client, busy(client, entries)))),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "#/pair" }, icon("plus"), t("Pair another"))),
  );
}

/** How busy an app was. @param {any} client @param {any[]} entries  the last day's decisions of all apps */
function busy(client, entries) {
  const own = entries.filter((one) => one.client === client.pubkey);
  return own.length > 0 && sparkline(lastDay(own));
}

/** @param {Element} box @param {any[]} identities */
function showIdentities(box, identities) {
  if (!identities.length) {
    fill(
      box,
      heading("keys", t("Identities")),
      nothing(
        t("There is no identity here yet"),
        h("p", {}, t("An identity is a Nostr key: who you are on Nostr. Create one, or import the one that you have.")),
        h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/welcome" }, t("Begin"))),
      ),
    );
    return;
  }
  fill(box, heading("keys", tn(identities.length, "{count} identity", "{count} identities"), h("a", { href: "#/keys" }, t("All keys"))), identityRows(identities));
}
