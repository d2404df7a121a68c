// The first run: an identity, a copy of its key, the first app, and a passkey. Each step can be done later.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { goInstead } from "../router.js";
import { refresh } from "../store.js";
import { button, field } from "../parts/common.js";
import { attempt } from "../parts/faults.js";
import { importFields } from "../parts/import.js";
import { FIRST_RUN_STEP } from "../parts/keep.js";
import { copyForm } from "../parts/keycopy.js";
import { keyText } from "../parts/keytext.js";
import { languageChoice } from "../parts/languages.js";
import { recall, remember } from "../parts/ofvault.js";
import { otherRelays } from "../parts/otherrelays.js";
import { lockStep } from "../parts/lockstep.js";
import { lacksPasskey, passkeyStep } from "../parts/passkeystep.js";
import { beginStep, steps } from "../parts/steps.js";
import { trustChoice } from "../parts/trust.js";
import { confirmDead, connected, showLink } from "./pair.js";

/** @typedef {"identity" | "backup" | "app" | "lock" | "passkey"} Step */
/** @type {Record<Step, string>} */
const STEPS = { identity: t("Your identity"), backup: t("A copy of the key"), app: t("Your first app"), lock: t("Locking"), passkey: t("A passkey") };

/** Says that this browser has shown this page. */
export const WELCOMED = "welcomed";

/** The address of the step to bring a key, so that the browser's own Back leads out of it. */
const IMPORT = "#/welcome/import";

/** @param {import("../view.js").View} view */
export async function welcome(view) {
  const progress = h("div", {}), box = h("section", { class: "card" });
  view.draw(
    t("Welcome to Holdfast"),
    h("p", { class: "lead" }, t("Holdfast keeps your Nostr key and signs for your apps, so no app ever has it. Setting it up takes a few minutes.")),
    progress,
    box,
    h("section", { class: "card" }, languageChoice()),
  );
  const { trial } = await call("status");
  // Nobody knows the passphrase of a trial, and nothing of it is kept.
  const order = /** @type {Step[]} */ (trial ? ["identity", "app"] : ["identity", "backup", "app", "lock"]);
  if (!trial && await lacksPasskey()) order.push("passkey");
  /** @param {Step} step */
  const at = (step) => {
    remember(FIRST_RUN_STEP, step);
    fill(progress, steps(order.map((one) => STEPS[one]), order.indexOf(step)));
  };
  const home = () => {
    remember(FIRST_RUN_STEP, null);
    goInstead("/");
  };
  const last = () => {
    if (!order.includes("passkey")) return home();
    at("passkey");
    passkeyStep(box, home);
  };
  // What comes next belongs to no address of its own.
  const imported = (/** @type {any} */ identity) => {
    history.replaceState(null, "", "#/welcome");
    return second(identity);
  };
  let hasApps = false;
  const third = (/** @type {any} */ identity) => {
    if (hasApps && !trial) return fourth();
    at("app");
    first(view, box, identity, trial ? home : fourth);
    beginStep(box);
  };
  const fourth = () => {
    at("lock");
    lockStep(box, last);
  };
  const second = (/** @type {any} */ identity) => {
    if (trial) return third(identity);
    at("backup");
    backup(box, identity, () => third(identity));
    beginStep(box);
  };
  const open = localStorage.getItem(FIRST_RUN_STEP) ?? await recall(FIRST_RUN_STEP);
  localStorage.removeItem(FIRST_RUN_STEP);
  await remember(WELCOMED, "yes");
  const [{ identities }, { clients }, { keys = [] }] = await Promise.all([call("identity/list"), call("client/list"), call("custody/overview").catch(() => ({}))]);
  if (!view.isOpen) return;
  const identity = identities.find((/** @type {any} */ one) => one.default);
  hasApps = clients.length > 0;
  const isCopied = keys.some((/** @type {any} */ key) => key.pubkey === identity?.pubkey && key.exported);
  // The first step that is open: what is there was done, here or in another browser.
  if (identity && open === "passkey") return last();
  if (identity && !trial && open === "backup" && !isCopied) return second(identity);
  if (identity && !trial && (open === "lock" || hasApps)) return fourth();
  if (identity && (open === "app" || isCopied)) return third(identity);
  if (identity && open === "backup") return second(identity);
  at("identity");
  if (view.route.parts[0] === "import") bring(box, identity, imported);
  else choose(box, identity, second);
}

/**
 * The first identity: the one that the signer made at its first start, a new one, or an imported one.
 * @param {Element} box
 * @param {any} existing
 * @param {(identity: any) => void} next
 */
function choose(box, existing, next) {
  const name = field(
    t("A name for your identity"),
    { required: true, missing: t("Enter a name for this identity."), maxlength: "64", value: existing?.name ?? "me" },
    t("Only you see this name."),
  );
  const faults = h("div", {});
  /** @param {() => Promise<any>} work */
  const made = (work) =>
    attempt(box, faults, async () => {
      const identity = await work();
      refresh("identities");
      next(identity);
    });
  const keep = async () => {
    const wanted = name.input.value;
    if (!existing) return call("identity/create", { name: wanted });
    return wanted === existing.name ? existing : call("identity/rename", { name: existing.name, to: wanted });
  };
  const keeping = button(existing ? t("Keep this one") : t("Make a new one"), () => made(keep), { class: "primary" });
  name.input.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") keeping.click();
  });
  fill(
    box,
    h("h2", {}, t("Your identity on Nostr")),
    h(
      "p",
      {},
      existing
        ? t("It is a key. This signer made one for you when it started. Keep it, or import the one that you have.")
        : t("It is a key. If you are new to Nostr, create a key. If you use Nostr already, import yours."),
    ),
    existing && h("p", {}, keyText(existing.npub)),
    name.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      keeping,
      h("a", { class: "button", href: IMPORT }, t("I have a key")),
    ),
    h("p", {}, h("a", { href: "#/restore" }, t("I already have a Holdfast: restore a backup"))),
  );
}

/** @param {Element} box @param {any} existing @param {(identity: any) => void} next */
function bring(box, existing, next) {
  const fields = importFields(existing?.name === "main" ? "me" : "main");
  const faults = h("div", {});
  const send = () =>
    attempt(box, faults, async () => {
      const identity = await fields.send();
      await call("identity/default", { name: identity.name });
      refresh("identities");
      if (existing) {
        notice(t("“{name}”, which the signer made, stays too. If you do not want it, delete it under Keys.", { name: existing.name }));
      }
      next(identity);
    });
  fill(
    box,
    h("h2", {}, t("Import your key")),
    h("p", { class: "help" }, t("The key is stored encrypted in this signer’s vault and is not shown again.")),
    fields.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Import it"), send, { class: "primary" }),
      h("a", { class: "button quiet", href: "#/welcome" }, t("Back")),
    ),
  );
}

/** @param {Element} box @param {any} identity @param {() => void} next */
function backup(box, identity, next) {
  // Says whether there is a copy to rely on: one that was shown and not kept is none.
  const going = button(t("Skip for now"), next);
  const onward = (/** @type {string} */ words) => {
    going.textContent = words;
  };
  fill(
    box,
    h("h2", {}, t("Keep a copy of the key")),
    h(
      "p",
      {},
      rich("If this machine is lost, you need this copy to get the key of {name} back. It is one file, useless without its password.", {
        name: h("strong", { dir: "auto" }, identity.name),
      }),
    ),
    copyForm(identity, { made: () => onward(t("Continue without keeping it")), kept: () => onward(t("Next")) }),
    h(
      "div",
      { class: "buttons" },
      going,
      h("span", { class: "help" }, t("Later, you find this under Keys. A backup of the whole vault is made under Security, Backups.")),
    ),
  );
}

/**
 * Warns of links that are for another identity. The signer prints one when it first starts, before the person imports a key.
 * @param {Element} box
 * @param {any} identity  the one that the first app should get
 */
async function nameOtherLinks(box, identity) {
  const { links } = await call("pair/list").catch(() => ({ links: [] }));
  const names = [...new Set(links.map((/** @type {any} */ link) => link.identity).filter((/** @type {string} */ name) => name !== identity.name))];
  if (!names.length) return;
  fill(box, h("p", { class: "warning" }, t("A link that was made earlier, such as the one in the terminal, is for {names}. Do not use it for {identity}.", { names: names.join(", "), identity: identity.name })));
}

/** @param {import("../view.js").View} view @param {Element} box @param {any} identity @param {() => void} next */
function first(view, box, identity, next) {
  const trust = trustChoice("first-trust"), faults = h("div", {}), relays = otherRelays(), others = h("div", {});
  nameOtherLinks(others, identity);
  fill(
    box,
    h("h2", {}, t("Pair your first app")),
    h(
      "p",
      {},
      t("In the app, choose to log in with a remote signer (often called “bunker”). Give it the link that you make here."),
      " ",
      rich("The app then signs as {identity}.", { identity: h("strong", { dir: "auto" }, identity.name) }),
    ),
    others,
    trust.box,
    relays.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Make a link"), () =>
        attempt(box, faults, async () => {
          if (relays.isDead() && !(await confirmDead(relays.value()))) return;
          await showLink(view, box, { identity: identity.name, trust: trust.value(), relays: relays.value() }, undefined, (client) =>
            fill(box, connected(client, next)));
          box.append(
            h(
              "div",
              { class: "buttons" },
              h("a", { href: "#/pair" }, t("The app shows a code instead")),
              button(t("Skip for now"), next, { class: "quiet" }),
            ),
          );
        }), { class: "primary" }),
      button(t("Skip for now"), next, { class: "quiet" }),
    ),
  );
}
