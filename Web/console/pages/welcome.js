// The first run: an identity, a backup of it, the first app, and a passkey. Each step can be done later.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { go } from "../router.js";
import { refresh } from "../store.js";
import { backupForm } from "../parts/backup.js";
import { button, fault, field } from "../parts/common.js";
import { importFields } from "../parts/import.js";
import { languageChoice } from "../parts/languages.js";
import { lacksPasskey, passkeyStep } from "../parts/passkeystep.js";
import { trustChoice } from "../parts/trust.js";
import { connected, showLink } from "./pair.js";

/** @typedef {"identity" | "backup" | "app" | "passkey"} Step */
/** @type {Record<Step, string>} */
const STEPS = { identity: t("Your identity"), backup: t("A copy of the key"), app: t("Your first app"), passkey: t("A passkey") };

/** @param {import("../view.js").View} view */
export async function welcome(view) {
  const steps = h("ol", { class: "steps", "aria-label": t("Steps") }), box = h("section", { class: "card" });
  view.draw(
    t("Welcome to Holdfast"),
    h("p", { class: "lead" }, t("This takes a few minutes. Your key stays here and is never in an app.")),
    steps,
    box,
    h("section", { class: "card" }, languageChoice()),
  );
  const { trial } = await call("status");
  // Nobody knows the passphrase of a trial, and nothing of it is kept.
  const order = /** @type {Step[]} */ (trial ? ["identity", "app"] : ["identity", "backup", "app"]);
  if (!trial && await lacksPasskey()) order.push("passkey");
  /** @param {Step} step */
  const at = (step) =>
    fill(
      steps,
      order.map((one, index) =>
        h(
          "li",
          { class: index < order.indexOf(step) ? "done" : "", "aria-current": one === step ? "step" : null },
          h("span", { class: "step-number", "aria-hidden": "true" }, index + 1),
          STEPS[one],
        )
      ),
    );
  const home = () => go("/");
  const last = () => {
    if (!order.includes("passkey")) return home();
    at("passkey");
    passkeyStep(box, home);
  };
  const third = (/** @type {any} */ identity) => {
    at("app");
    first(view, box, identity, last);
  };
  const second = (/** @type {any} */ identity) => {
    if (trial) return third(identity);
    at("backup");
    return backup(box, identity, () => third(identity));
  };
  at("identity");
  localStorage.setItem("welcomed", "yes");
  const { identities } = await call("identity/list");
  if (view.isOpen) choose(box, identities.find((/** @type {any} */ one) => one.default), second);
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
    { required: true, maxlength: "64", value: existing?.name ?? "me" },
    t("Only you see this name."),
  );
  const faults = h("div", {});
  /** @param {() => Promise<any>} work */
  const made = async (work) => {
    fill(faults);
    try {
      const identity = await work();
      refresh("identities");
      next(identity);
    } catch (failure) {
      fill(faults, fault(failure));
    }
  };
  const keep = async () => {
    const wanted = name.input.value || "me";
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
    existing && h("code", { class: "key whole" }, existing.npub),
    name.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      keeping,
      button(t("I have a key"), () => bring(box, existing, next)),
    ),
  );
}

/** @param {Element} box @param {any} existing @param {(identity: any) => void} next */
function bring(box, existing, next) {
  const fields = importFields();
  const faults = h("div", {});
  const send = async () => {
    fill(faults);
    try {
      const identity = await fields.send();
      await call("identity/default", { name: identity.name });
      refresh("identities");
      if (existing) {
        notice(t("“{name}”, which the signer made, stays too. If you do not want it, delete it under Keys.", { name: existing.name }));
      }
      next(identity);
    } catch (failure) {
      fill(faults, fault(failure));
    }
  };
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
      button(t("Back"), () => choose(box, existing, next), { class: "quiet" }),
    ),
  );
}

/** @param {Element} box @param {any} identity @param {() => void} next */
function backup(box, identity, next) {
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
    backupForm(identity),
    h(
      "div",
      { class: "buttons" },
      button(t("Go on"), next),
      h("span", { class: "help" }, t("Later, you find this under Keys. A backup of the whole vault is made under Backup.")),
    ),
  );
}

/** @param {import("../view.js").View} view @param {Element} box @param {any} identity @param {() => void} next */
function first(view, box, identity, next) {
  const trust = trustChoice("first-trust"), faults = h("div", {});
  fill(
    box,
    h("h2", {}, t("Pair your first app")),
    h(
      "p",
      {},
      t("In the app, choose to log in with a remote signer (often called “bunker”). Give it the link that you make here."),
    ),
    trust.box,
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Make a link"), async () => {
        try {
          await showLink(view, box, { identity: identity.name, trust: trust.value() }, undefined, (client) =>
            fill(box, connected(client, next)));
          box.append(
            h(
              "div",
              { class: "buttons" },
              h("a", { href: "#/pair" }, t("The app shows a code instead")),
              button(t("Later"), next, { class: "quiet" }),
            ),
          );
        } catch (failure) {
          fill(faults, fault(failure));
        }
      }, { class: "primary" }),
      button(t("Later"), next, { class: "quiet" }),
    ),
  );
}
