// The waiting requests, the paired apps, and the state of the relays.

import { fill, h } from "../dom.js";
import { counted, stretch } from "../words.js";
import { avatar, nothing, when } from "../parts/common.js";
import { appRow } from "../parts/approw.js";
import { identityRows } from "../parts/identity.js";
import { waitingWords } from "../parts/card.js";
import { askToUnlock, lockedButtons } from "../parts/unlock.js";
import { passkeySlots } from "../parts/passkeys.js";

/** The most apps shown before "all apps". */
const FEW = 5;

/** @param {import("../view.js").View} view */
export function home(view) {
  const state = h("div", {}),
    waiting = h("section", { class: "card" }),
    connected = h("section", { class: "card" }),
    people = h("section", { class: "card" }),
    relays = h("section", { class: "card" });
  view.draw("Home", state, waiting, connected, people, relays);
  view.watch("requests", (requests) => showWaiting(waiting, requests));
  view.watch("clients", (clients) => showClients(connected, clients));
  view.watch("identities", (identities) => showIdentities(people, identities));
  view.watch("status", (status) => {
    showState(state, status);
    showRelays(relays, status);
  });
}

/** @param {Element} box @param {any} status */
function showState(box, status) {
  if (status.suspended) {
    fill(
      box,
      h(
        "section",
        { class: "card alarm" },
        h("h2", {}, "The signer is locked down"),
        h(
          "p",
          {},
          status.locked
            ? "Your keys are wiped from memory. No app is served until you resume."
            : "The signer is unlocked, but every use of a key asks you until you resume.",
        ),
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "primary", onclick: () => askToUnlock("resume") }, "Resume…"),
          h("a", { href: "#/security" }, "What happened"),
        ),
      ),
    );
  } else if (status.locked) {
    const unlocking = h("div", {}, lockedButtons(false));
    fill(
      box,
      h(
        "section",
        { class: "card alarm" },
        h("h2", {}, "The signer is locked"),
        h("p", {}, "Apps wait until you unlock it. Their requests are kept."),
        unlocking,
      ),
    );
    passkeySlots().then((slots) => {
      if (slots.length) unlocking.replaceChildren(lockedButtons(true));
    });
  } else fill(box);
}

/** @param {Element} box @param {any[]} requests */
function showWaiting(box, requests) {
  box.classList.toggle("lively", requests.length > 0);
  fill(
    box,
    h("h2", {}, waitingWords(requests.length)),
    requests.length
      ? h(
        "ul",
        { class: "rows" },
        requests.slice(0, 3).map((request) =>
          h(
            "li",
            {},
            h(
              "a",
              { class: "row", href: "#/approvals" },
              avatar(request.client.name, request.client.pubkey),
              h("span", { class: "row-words" }, h("strong", { dir: "auto" }, request.client.name), h("span", {}, request.title)),
              when(request.received),
            ),
          )
        ),
        requests.length > 3 && h("li", { class: "help" }, `and ${requests.length - 3} more`),
      )
      : h("p", { class: "help" }, "Your rules answer everything else."),
    requests.length > 0 &&
      h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/approvals" }, "See and answer")),
  );
}

/** @param {Element} box @param {any[]} clients */
function showClients(box, clients) {
  if (!clients.length) {
    fill(
      box,
      h("h2", {}, "Apps"),
      nothing(
        "No app is paired yet",
        h("p", {}, "A paired app can ask this signer for signatures. It never gets your key."),
        h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/pair" }, "Pair your first app")),
      ),
    );
    return;
  }
  const latest = [...clients].sort((a, b) => b.last_seen - a.last_seen);
  fill(
    box,
    h("h2", {}, counted(clients.length, "app"), " paired"),
    h("ul", { class: "rows" }, latest.slice(0, FEW).map(appRow)),
    h(
      "div",
      { class: "buttons" },
      clients.length > FEW && h("a", { href: "#/apps" }, "All apps"),
      h("a", { class: "button", href: "#/pair" }, "Pair another"),
    ),
  );
}

/** @param {Element} box @param {any[]} identities */
function showIdentities(box, identities) {
  if (!identities.length) {
    fill(
      box,
      h("h2", {}, "Identities"),
      nothing(
        "There is no identity here yet",
        h("p", {}, "An identity is a Nostr key: who you are on Nostr. Create one, or import the one that you have."),
        h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/welcome" }, "Begin")),
      ),
    );
    return;
  }
  fill(
    box,
    h("h2", {}, counted(identities.length, "identity", "identities")),
    identityRows(identities),
  );
}

/** @type {Record<string, [string, string]>} */
const STATES = {
  embedded: ["good", "built into the signer"],
  connected: ["good", "connected"],
  connecting: ["fair", "connecting"],
  waiting: ["poor", "not reachable, trying again"],
  disconnected: ["poor", "not connected"],
};

/** @param {Element} box @param {any} status */
function showRelays(box, status) {
  const relays = status.relays ?? [];
  fill(
    box,
    h("h2", {}, "Relays"),
    h(
      "ul",
      { class: "rows" },
      relays.map((/** @type {any} */ relay) => {
        const [look, words] = STATES[relay.state] ?? ["fair", relay.state];
        return h(
          "li",
          { class: "row" },
          h("span", { class: `dot ${look}`, "aria-hidden": "true" }),
          h(
            "span",
            { class: "row-words" },
            h("strong", { class: "whole" }, relay.url),
            h(
              "span",
              {},
              words,
              relay.state === "embedded" && ` · ${counted(relay.connections ?? 0, "connection")}`,
              relay.last_error && look !== "good" && [" · ", h("span", { dir: "auto" }, relay.last_error)],
            ),
          ),
        );
      }),
    ),
    h(
      "p",
      { class: "help" },
      `Holdfast ${status.version}`,
      typeof status.uptime === "number" && `, running for ${stretch(status.uptime)}`,
      typeof status.answered === "number" && `, ${counted(status.answered, "request")} answered`,
    ),
  );
}
