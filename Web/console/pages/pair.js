// Pairing: a link to give to an app, or a link that an app shows.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { refresh } from "../store.js";
import { clock, TRUST } from "../words.js";
import { avatar, button, choice, copyButton, field, when } from "../parts/common.js";
import { dialog } from "../parts/dialog.js";
import { attempt } from "../parts/faults.js";
import { noPairing } from "../parts/halt.js";
import { heading } from "../parts/heading.js";
import { openSheet } from "../parts/link.js";
import { qrCode } from "../parts/qr.js";
import { ruled } from "../parts/rules.js";
import { otherRelays } from "../parts/otherrelays.js";
import { readPasted, scanButton } from "../parts/scan.js";
import { trustChoice } from "../parts/trust.js";
import { askToUnlock } from "../parts/unlock.js";
import { whileLocked } from "../parts/whilelocked.js";

/** @param {import("../view.js").View} view */
export function pair(view) {
  const give = h("section", { class: "card" }), take = h("section", { class: "card" });
  const unused = h("section", { class: "card", hidden: true }), stopped = h("section", { class: "card careful", hidden: true }, lockedDown());
  const locked = whileLocked(view, t("To give an app access, unlock the signer. Pausing and revoking apps works while it is locked."));
  view.draw(
    t("Pair an app"),
    h(
      "p",
      { class: "lead" },
      t("A paired app asks this signer for signatures. It never gets your key, and you can revoke it at any time."),
    ),
    locked,
    stopped,
    give,
    take,
    unused,
  );
  view.watch("status", ({ suspended }) => {
    stopped.hidden = suspended !== true;
    locked.hidden = give.hidden = take.hidden = suspended === true;
  });
  drawTake(view, take);
  view.watch("clients", () => drawUnused(unused));
  view.watch("identities", once((identities) => drawGive(view, give, identities)));
}

/** In the place of the ways to pair, during a lockdown. */
export function lockedDown() {
  return [
    heading("paused", t("The signer is locked down")),
    h("p", {}, noPairing()),
    h("div", { class: "buttons" }, button(t("Resume…"), () => askToUnlock("resume"), { class: "primary resumes" })),
  ];
}

/** Links that no app has used yet. @param {HTMLElement} box */
async function drawUnused(box) {
  const { links } = await call("pair/list");
  box.hidden = !links.length;
  fill(
    box,
    h("h2", {}, t("Links that no app has used yet")),
    h("p", { class: "help" }, t("Whoever gets such a link can pair one app with it. Cancel those that you do not need.")),
    h("ul", { class: "rows" }, links.map((/** @type {any} */ link) => unusedRow(link, box))),
  );
}

/** @param {any} link @param {HTMLElement} box */
function unusedRow(link, box) {
  return h(
    "li",
    { class: "row wraps" },
    h(
      "span",
      { class: "row-words" },
      h("strong", {}, link.name ? [h("bdi", {}, link.name), " · "] : "", rich("made {when}", { when: when(link.made) })),
      h("span", {}, rich("for {identity}, {trust} trust, works until {time}", {
        identity: h("span", { dir: "auto" }, link.identity),
        trust: TRUST[link.trust]?.[0] ?? link.trust,
        time: clock(link.expires),
      })),
    ),
    button(t("Cancel the link"), async () => {
      await call("pair/cancel", { link: link.pubkey });
      notice(t("No app can use that link any more."));
      await drawUnused(box);
    }, { class: "quiet", "aria-label": t("Cancel the link {digits}", { digits: link.pubkey.slice(0, 8) }) }),
  );
}

/** @param {(value: any) => void} hear */
function once(hear) {
  let heard = false;
  return (/** @type {any} */ value) => {
    if (!heard) {
      heard = true;
      hear(value);
    }
  };
}

/** @param {any[]} identities */
function identityChoice(identities) {
  return choice(
    t("For which identity?"),
    identities.map(({ name }) => [name, name]),
    identities.find((one) => one.default)?.name ?? "",
  );
}

/**
 * The form that makes a link.
 * @param {import("../view.js").View} view @param {Element} box @param {any[]} identities
 * @param {{title?: Node, help?: string, isForPhone?: boolean}} [how]  for a phone, the link names a relay that is not on this machine only
 */
export function drawGive(view, box, identities, how = {}) {
  if (!identities.length) {
    fill(
      box,
      h("h2", {}, t("First, an identity")),
      h("p", {}, t("An app signs as one of your identities, but there is none yet.")),
      h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/welcome" }, t("Begin"))),
    );
    return;
  }
  const trust = trustChoice("give-trust"), who = identityChoice(identities), faults = h("div", {}), relays = otherRelays(how);
  fill(
    box,
    how.title ?? h("h2", {}, t("The app asks for a “bunker” link")),
    h("p", { class: "help" }, how.help ?? t("In the app, choose to log in with a remote signer or “bunker”. Give it the link that you make here.")),
    identities.length > 1 && who.box,
    how.isForPhone ? [relays.box, trust.box] : [trust.box, relays.box],
    faults,
    h(
      "div",
      { class: "buttons" },
      button(how.isForPhone ? t("Show the code") : t("Make a link"), () =>
        attempt(box, faults, async () => {
          await relays.check();
          if (relays.isDead() && !(await confirmDead(relays.value()))) return;
          const wanted = { identity: who.select.value, trust: trust.value(), relays: relays.value() };
          await showLink(view, box, wanted, () => drawGive(view, box, identities, how));
        }), { class: "primary" }),
    ),
  );
}

/** Asks before a link is made that leads nowhere. @param {string[]} relays @returns {Promise<boolean>} whether to make it all the same */
export function confirmDead(relays) {
  return dialog(t("None of these relays works"), [
    h("p", {}, t("The signer tried them, and none passed its message on. An app that gets this link cannot reach the signer until one of them works:")),
    h("ul", {}, relays.map((relay) => h("li", {}, h("code", { class: "whole" }, relay)))),
  ], { confirm: t("Make the link all the same"), dangerous: true, isCareful: true, act: () => {} });
}

/** Which relays of a link have not answered: some, or all, which makes it useless for now. @param {any} link */
function unreached({ unreached: away = [], relays }) {
  if (!away.length) return null;
  const list = away.join(", ");
  return away.length < relays.length
    ? h("p", { class: "help" }, t("Not connected to {relays} yet: until then, apps get no answer there.", { relays: list }))
    : h("p", { class: "warning" }, t("No app can use this link now: the signer reaches none of its relays ({relays}). It keeps trying.", { relays: list }));
}

/**
 * Makes a link, and waits until an app uses it.
 * @param {import("../view.js").View} view
 * @param {Element} box
 * @param {object} wanted  identity and trust
 * @param {() => void} [again]
 * @param {(client: any) => void} [paired]
 */
export async function showLink(view, box, wanted, again, paired) {
  const before = new Set((await call("client/list")).clients.map((/** @type {any} */ client) => client.signer));
  const link = await call("pair/new", wanted);
  const waiting = h(
    "p",
    { class: "pairing", role: "status" },
    h("span", { class: "pulse", "aria-hidden": "true" }),
    t("Waiting for the app…"),
  );
  const title = h("h2", { tabindex: "-1" }, t("Give this to the app"));
  fill(
    box,
    title,
    h(
      "div",
      { class: link.this_machine_only ? "link-words" : "link-box" },
      !link.this_machine_only && await qrCode(link.bunker, t("QR code of the link")),
      h(
        "div",
        { class: "link-words" },
        h(
          "p",
          {},
          link.this_machine_only
            ? t("Copy the link into the app. It works for apps on this machine only: no phone reaches its relay.")
            : t("Scan the code with the app, or copy the link into it."),
        ),
        h("code", { class: "link", tabindex: "0" }, link.bunker),
        h("div", { class: "buttons" }, copyButton(link.bunker, t("Copy the link"))),
        h(
          "p",
          { class: "help" },
          t("One app can use it, once, until {time}.", { time: clock(link.expires) }),
        ),
        unreached(link),
      ),
    ),
    waiting,
    again && h("div", { class: "buttons" }, button(t("Make another"), again, { class: "quiet" })),
  );
  // The form above may have been longer than the window.
  title.focus({ preventScroll: true });
  box.scrollIntoView({ block: "start" });
  let found = false;
  view.watch("clients", (clients) => {
    const client = clients.find((/** @type {any} */ one) => one.signer === link.pubkey && !before.has(one.signer));
    if (!client || found) return;
    found = true;
    if (paired) paired(client);
    else fill(box, connected(client), again && h("div", { class: "buttons" }, button(t("Pair another"), again, { class: "quiet" })));
  });
}

/** @param {any} client @param {() => void} [finish]  what a last button does once the name is saved */
export function connected(client, finish) {
  let given = client.isUnnamed ? "" : client.name;
  const name = field(t("Call it"), { required: true, missing: t("Enter a name for this app."), value: given, maxlength: "64" }), faults = h("div", {});
  const rename = async () => {
    if (name.input.value === given) return;
    await call("client/rename", { client: client.signer, name: name.input.value });
    given = client.name = name.input.value;
    refresh("clients");
  };
  /** @param {() => void} next */
  const save = (next) =>
    attempt(box, faults, async () => {
      await rename();
      next();
    });
  const box = h(
    "div",
    { class: "paired", role: "status" },
    h("h2", {}, t("Connected")),
    h(
      "div",
      { class: "row" },
      avatar(client.name, client.pubkey),
      h("span", { class: "row-words" }, h("strong", { dir: "auto" }, client.name), h("span", {}, rich("is paired, and signs as {identity}", { identity: h("strong", { dir: "auto" }, client.identity) }))),
    ),
    h(
      "p",
      { class: "help" },
      t("This is the app's own name for itself, or its key. Give it a name that you will recognise when it asks."),
    ),
    name.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      finish
        ? button(t("Save the name and go on"), () => save(finish), { class: "primary" })
        : button(t("Save the name"), () => save(() => notice(t("Saved.")))),
      h("a", { class: "button", href: `#/apps/${client.signer}` }, t("See what it may do")),
    ),
  );
  return box;
}

/** @param {import("../view.js").View} view @param {Element} box */
function drawTake(view, box) {
  const uri = h("textarea", {
    rows: "3",
    spellcheck: "false",
    autocapitalize: "none",
    autocomplete: "off",
    placeholder: "nostrconnect://…",
    "aria-label": t("The app's link"),
    required: true,
  });
  ruled(uri, { missing: t("Paste the app’s link here.") });
  const faults = h("div", {}), who = h("div", {});
  /** @type {() => string | undefined} */
  let identity = () => undefined;
  view.watch(
    "identities",
    once((identities) => {
      const chosen = identityChoice(identities);
      identity = () => chosen.select.value;
      if (identities.length > 1) fill(who, chosen.box);
    }),
  );
  const look = () => attempt(box, faults, () => openSheet(uri.value.replace(/\s/g, ""), identity()));
  const read = (/** @type {string} */ text) => {
    uri.value = text;
    look();
  };
  readPasted(uri, read);
  fill(
    box,
    h("h2", {}, t("The app shows a code or link")),
    h(
      "p",
      { class: "help" },
      scanButton.isThere()
        ? t("It begins with nostrconnect://. Paste it here, or scan the code, or paste a picture of it. You see what it brings before anything is stored.")
        : t("It begins with nostrconnect://. Paste it here. You see what it brings before anything is stored."),
    ),
    uri,
    who,
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("See what it brings"), look, { class: "primary" }),
      scanButton(view, read),
    ),
  );
}
