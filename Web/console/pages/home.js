// The waiting requests, what is still to do, the last day's requests, the apps and the state of the relays.

import { fill, h } from "../dom.js";
import { t, tn } from "../language.js";
import { known } from "../store.js";
import { activityRoute, chart, lastDay, lastDecisions, sparkline, total } from "../parts/chart.js";
import { allPaused } from "../parts/allpaused.js";
import { appRow } from "../parts/approw.js";
import { nothing, when } from "../parts/common.js";
import { drawChecklist } from "../parts/custody.js";
import { noPairing } from "../parts/halt.js";
import { firstSteps } from "../parts/firststeps.js";
import { heading, waitingFor } from "../parts/heading.js";
import { holding, isHeld } from "../parts/held.js";
import { icon, kindIcon } from "../parts/icons.js";
import { identityRows } from "../parts/identity.js";
import { incidentLine } from "../parts/incidents.js";
import { waitingWords } from "../parts/card.js";
import { lockingStep } from "../parts/locking.js";
import { passkeySlots } from "../parts/passkeys.js";
import { loud } from "../parts/quiet.js";
import { drawRelays } from "../parts/relays.js";
import { risk } from "../parts/risk.js";
import { inTrial, isOver, overWords } from "../parts/trial.js";
import { askToUnlock, lockedButtons } from "../parts/unlock.js";
import { byWeight } from "../parts/weight.js";

/** The most apps shown before "all apps", and the most requests before "see and answer". */
const FEW = 5, FEW_REQUESTS = 3;

/** @param {import("../view.js").View} view */
export function home(view) {
  const card = () => h("section", { class: "card" }, waitingFor());
  const state = h("div", {}), welcome = h("div", {}), stopped = h("div", {}), waiting = card(), checklist = h("section", { class: "card", hidden: true });
  const day = card(), connected = card(), people = card(), relays = card();
  view.root.className = "spacious";
  view.draw(t("Home"), state, welcome, stopped, h("div", { class: "columns" }, h("div", {}, waiting, checklist, day), h("div", {}, connected, people, relays)));
  /** The last day's decisions, the apps, and whether a lockdown stops them. @type {{entries: any[], clients: any[] | null, halted: string}} */
  const seen = { entries: [], clients: null, halted: "" };
  // What opens nothing now leads nowhere.
  const greet = () => {
    const status = known("status");
    const isOpen = status && !status.locked && !status.suspended;
    fill(welcome, isOpen && firstSteps({ clients: seen.clients, identities: known("identities"), custody: known("custody"), isTrial: status.trial === true }));
  };
  view.watch("requests", (requests) => {
    showWaiting(waiting, requests);
    if (seen.entries.length) showDay(day, seen.entries);
  });
  view.watch("custody", async (custody) => {
    greet();
    const steps = (await inTrial()) ? [] : await lockingStep();
    if (view.isOpen) drawChecklist(checklist, { ...custody, steps: [...custody.steps, ...steps] });
  });
  view.watch("clients", (clients) => {
    seen.clients = clients;
    if (known("requests")) showWaiting(waiting, known("requests"));
    showClients(connected, clients, seen.entries);
    greet();
    // A lockdown concerns all apps, and says more.
    fill(stopped, !known("status")?.suspended && allPaused(clients));
    // They name the apps that use a relay.
    if (known("status")) drawRelays(relays, known("status"));
  });
  const answered = () => {
    if (known("requests")) showWaiting(waiting, known("requests"));
    if (seen.entries.length) showDay(day, seen.entries);
  };
  holding.addEventListener("changed", answered);
  view.atEnd(() => holding.removeEventListener("changed", answered));
  view.watch("identities", (identities) => {
    showIdentities(people, identities);
    greet();
  });
  view.watch("status", (status) => {
    showState(state, status);
    greet();
    if (status.locked) day.hidden = true;
    if (!known("requests")?.length) showWaiting(waiting, []);
    drawRelays(relays, status);
    const halted = `${status.suspended} ${status.locked}`;
    if (seen.clients && halted !== seen.halted) {
      showClients(connected, seen.clients, seen.entries);
      fill(stopped, !status.suspended && allPaused(seen.clients));
    }
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
      ? t("Your keys are wiped from memory until you resume with your passphrase.")
      : t("The signer is unlocked. To let your apps go on by your rules, resume.");
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
          h("button", { type: "button", class: "primary resumes", onclick: () => askToUnlock("resume") }, t("Resume…")),
          h("a", { href: "#/security" }, t("What happened")),
        ),
      ),
    );
  } else if (status.locked) {
    const unlocking = h("div", {}, lockedButtons(false));
    const words = t("Your keys are wiped from memory. Once you unlock the signer, your rules answer what was asked meanwhile.");
    fill(box, h("section", { class: "card careful" }, heading("locked", t("The signer is locked")), h("p", {}, words), unlocking));
    passkeySlots().then((slots) => {
      if (slots.length) unlocking.replaceChildren(lockedButtons(true));
    });
  } else {
    const incidents = incidentLine(status);
    fill(box, incidents && h("section", { class: "card careful" }, heading("security", t("Something happened")), incidents));
  }
}

/** Those of paused apps are counted in one line. @param {Element} box @param {any[]} all */
function showWaiting(box, all) {
  // What is denied and held back waits no more, as the badge has it.
  const open = all.filter(({ id }) => !isHeld(id)), requests = loud(open), quiet = open.length - requests.length;
  const hushed = quiet > 0 && h("p", { class: "help" }, h("a", { href: "#/approvals" }, tn(quiet, "{count} request of paused apps", "{count} requests of paused apps")));
  box.classList.toggle("lively", requests.length > 0);
  if (!requests.length) {
    // What becomes of requests while it is locked or locked down is said above.
    const isOpen = !known("status")?.locked && !known("status")?.suspended;
    fill(box, heading("approvals", waitingWords(0)), isOpen && h("p", { class: "help" }, t("Your rules answer everything else.")), hushed);
    return;
  }
  // In the order of Approvals.
  const inOrder = byWeight(requests), shown = inOrder.slice(0, FEW_REQUESTS), more = inOrder.slice(FEW_REQUESTS);
  fill(
    box,
    heading("approvals", waitingWords(requests.length)),
    h("ul", { class: "rows" }, shown.map(requestRow)),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button primary", href: "#/approvals" }, t("See and answer")),
      more.length > 0 && h("span", { class: "help" }, moreWords(more)),
    ),
    hushed,
  );
}

/** How many are not shown, and whether serious ones are among them. @param {any[]} requests */
function moreWords(requests) {
  const serious = requests.filter(({ risk: mark }) => mark === "grave").length;
  return serious ? t("and {count} more, {serious} of them serious", { count: requests.length, serious }) : t("and {count} more", { count: requests.length });
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
  box.removeAttribute("hidden");
  fill(
    box,
    heading("activity", t("The last 24 hours"), h("a", { href: "#/activity" }, t("All activity"))),
    all ? chart(hours, t("Requests in the last 24 hours"), activityRoute) : nothing(t("No app has asked for anything")),
  );
}

/** Says why there is no picture. That the signer is locked, which closes the log, is said above. @param {Element} box @param {string} why */
function showNoDay(box, why) {
  box.toggleAttribute("hidden", Boolean(known("status")?.locked));
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
        known("status")?.suspended
          ? h("p", {}, noPairing())
          : h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/pair" }, t("Pair your first app")), h("a", { class: "button", href: "#/phone" }, t("Use it on your phone"))),
      ),
    );
    return;
  }
  const latest = [...clients].sort((a, b) => b.last_seen - a.last_seen);
  fill(
    box,
    heading("apps", tn(clients.length, "{count} app paired", "{count} apps paired"), h("a", { href: "#/apps" }, t("All apps"))),
    h("ul", { class: "rows" }, latest.slice(0, FEW).map((client) => appRow(client, busy(client, entries)))),
    !known("status")?.suspended && h("div", { class: "buttons" }, h("a", { class: "button", href: "#/pair" }, icon("plus"), t("Pair another")), h("a", { class: "button quiet", href: "#/phone" }, t("Use it on your phone"))),
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
