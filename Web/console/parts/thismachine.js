// The signer's own relay for phones in the person's network: another program adds TLS, and what to type is shown with the real names.

import { call } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { choice, copyButton, field } from "./common.js";
import { dialog } from "./dialog.js";
import { FieldFault } from "./faults.js";

/** Where the signer listens if it is not told otherwise. */
const USUAL_PORT = ":24133";
/** A machine's whole name. */
export const MACHINE = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$/i;

/** What is seen once Tailscale has been told. */
export function afterTailscale() {
  return t("Type this in a terminal. Tailscale then shows the machine’s name, which ends in .ts.net: type it above.");
}

/** What is seen once Caddy has been told. */
export function afterCaddy() {
  return t("Put this into the Caddyfile and reload Caddy: it starts without an error.");
}

/** What is seen once the signer is started anew. */
export function afterStart() {
  return t("Stop the signer where it runs (Ctrl-C), and type this there. It says “Holdfast is running.”, and this page asks you to sign in again.");
}

/** One thing to do, with what is seen after it. @param {string} title @param {import("../dom.js").Child} body @param {import("../dom.js").Child} [after] */
export function stepToDo(title, body, after) {
  return h("li", {}, h("div", { class: "fields-box" }, h("p", { class: "label" }, title), body, after && h("p", { class: "help" }, after)));
}

/** The programs that add TLS. Each gets a machine's name and the place of the relay here, and gives what to type. */
const WAYS = {
  tailscale: {
    title: "Tailscale",
    example: "machine.tailnet.ts.net",
    words: t("Works wherever Tailscale is on, also away from home. Every app knows its certificate."),
    command: (/** @type {string} */ _, /** @type {string} */ host) => `tailscale serve --bg --set-path /relay http://${host}/relay`,
    after: afterTailscale(),
  },
  caddy: {
    title: "Caddy",
    example: "signer.home.arpa",
    words: t("Works in your network. Caddy makes its own certificates, which the phone must be told to trust. Many apps trust public authorities only."),
    command: (/** @type {string} */ name, /** @type {string} */ host) =>
      `${name} {\n\ttls internal\n\thandle /relay* {\n\t\treverse_proxy ${host}\n\t}\n\trespond 404\n}`,
    after: afterCaddy(),
  },
};

/**
 * Shows how phones reach this machine.
 * @param {(url: string) => void} found  gets the relay's address
 */
export async function thisMachine(found) {
  const [{ trial = false, start: now }, host] = await Promise.all([call("status"), placeHere()]);
  const way = choice(t("With"), Object.entries(WAYS).map(([id, { title }]) => [id, title]), "tailscale");
  const name = field(t("Name of this machine there"), { required: true, maxlength: "253", inputmode: "url", autofocus: true });
  const words = h("p", { class: "help" }), first = h("div", {}), after = h("span", {}), second = h("div", {});
  const chosen = () => WAYS[/** @type {keyof WAYS} */ (way.select.value)];
  const machine = () => name.input.value.trim().toLowerCase() || chosen().example;
  const show = () => {
    name.input.placeholder = chosen().example;
    words.textContent = chosen().words;
    after.textContent = chosen().after;
    const isNamed = MACHINE.test(name.input.value.trim()), typed = chosen().command(machine(), host);
    first.replaceChildren(command(typed, isNamed || !typed.includes(machine())));
    const place = host.endsWith(USUAL_PORT) ? [] : ["--listen", host];
    second.replaceChildren(command(startWith(now, [...place, "--relay", address(machine()), "--trusted-proxy", "127.0.0.1"]), isNamed));
  };
  way.select.addEventListener("change", show);
  name.input.addEventListener("input", show);
  show();
  await dialog(t("This machine in your network"), [
    h("p", {}, t("With this, apps on your phone reach your signer without a public relay in between. A program on this machine adds TLS. Only the relay becomes reachable, never this console.")),
    trial && h("p", { class: "warning" }, t("This is a trial: its key ends with it. Keep it first, because step 2 starts your own vault.")),
    way.box,
    words,
    name.box,
    h(
      "ol",
      { class: "what-to-do" },
      stepToDo(t("Set it up on this machine"), first, after),
      stepToDo(now ? t("Stop the signer, and start it with this") : t("Start the signer with this, beside the options that it has now"), second, afterStart()),
      stepToDo(t("Come back here, and press “Use it”"), null, t("The address goes into the list of relays and is tried at once. The list says whether it works.")),
    ),
  ], {
    confirm: t("Use it"),
    act: () => {
      if (!MACHINE.test(machine())) throw new FieldFault(t("That is not a machine’s name. An example: {name}", { name: chosen().example }), name.input);
      found(address(machine()));
    },
  });
}

/** @param {string} machine */
function address(machine) {
  return `wss${"://"}${machine}/relay`;
}

/** Where the signer listens on this machine: host and port. */
export async function placeHere() {
  const { relays = [] } = await call("status");
  return new URL(relays.find((/** @type {any} */ one) => one.state === "embedded")?.url ?? "ws" + "://127.0.0.1:24133").host;
}

/** What to type, with a button that copies it. @param {string} text @param {boolean} [isReady]  not while a made-up name is in it */
export function command(text, isReady = true) {
  return h("div", { class: "proof" }, h("pre", { class: "command", tabindex: "0" }, text), isReady ? copyButton(text) : h("p", { class: "help" }, t("Once the name above is typed, you can copy this.")));
}

/** Options that another way to listen takes the place of. */
const REPLACED = new Set(["--listen", "--tls-cert", "--tls-key"]);

/**
 * The whole command that starts the signer with other options besides its own.
 * @param {string | null | undefined} now  the one that starts it as it is @param {string[]} options  an option of `REPLACED` takes the place of the present one
 */
export function startWith(now, options) {
  const words = now?.match(/'(?:[^']|'\\'')*'|\S+/g) ?? ["holdfast", "up"];
  const taken = new Set(options.filter((one) => REPLACED.has(one)));
  const kept = words.filter((word, index) => !taken.has(word) && !taken.has(words[index - 1]));
  /** @type {string[]} */
  const added = [];
  for (let at = 0; at < options.length; at += 2) {
    const isThere = kept.some((word, index) => word === options[at] && kept[index + 1] === options[at + 1]);
    if (!isThere) added.push(options[at], options[at + 1]);
  }
  return [...kept, ...added].join(" ");
}
