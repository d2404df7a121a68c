// The console on a phone: another program adds TLS, or a certificate of the owner's, and what to type is shown with the real names.
// docs/HOME-SERVER.md has the same steps.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { choice, field } from "./common.js";
import { heading } from "./heading.js";
import { consoleCommand } from "./prove.js";
import { qrCode } from "./qr.js";
import { afterCaddy, afterStart, afterTailscale, command, MACHINE, placeHere, startWith, stepToDo } from "./thismachine.js";
import { isTrial } from "./trial.js";

/** Written in two parts: the check of these files finds addresses that a page would load. */
const SECURE = "https" + "://";

/**
 * A way to reach it with TLS: what to type beside the signer, nothing for none, and what its address and options are.
 * @typedef {{title: string, example: string, words: string, after?: string, beside?: (name: string, host: string) => string,
 *   address: (name: string, host: string) => string, options: (name: string, host: string) => string[]}} Way
 */

/** Where the signer listens if it is not told otherwise. @param {string} host */
const listening = (host) => host.endsWith(":24133") ? [] : ["--listen", host];
const proxied = {
  address: (/** @type {string} */ name) => SECURE + name,
  options: (/** @type {string} */ name, /** @type {string} */ host) => [...listening(host), "--console-host", SECURE + name, "--trusted-proxy", "127.0.0.1"],
};

/** @type {Record<string, Way>} */
const WAYS = {
  tailscale: {
    title: "Tailscale",
    example: "machine.tailnet.ts.net",
    words: t("Reached from devices in your Tailscale network only, also away from home. Phones know its certificate, so passkeys and notifications work."),
    after: afterTailscale(),
    beside: (_, host) => `tailscale serve --bg http://${host}`,
    ...proxied,
  },
  caddy: {
    title: "Caddy",
    example: "signer.home.arpa",
    words: t("Reached from your network. Caddy makes its own certificates, which the phone must be told to trust."),
    after: afterCaddy(),
    beside: (name, host) => `${name} {\n\ttls internal\n\treverse_proxy ${host}\n}`,
    ...proxied,
  },
  certificate: {
    title: t("A certificate of your own"),
    example: "signer.example.com",
    words: t("Reached from your network, without another program. The signer itself needs a certificate for this name, and its key, as files."),
    address: (name, host) => `${SECURE}${name}:${portOf(host)}`,
    options: (name, host) => ["--listen", `0.0.0.0:${portOf(host)}`, "--tls-cert", "FILE", "--tls-key", "FILE", "--console-host", name],
  },
};

/** @param {string} host  with its port */
function portOf(host) {
  return host.slice(host.lastIndexOf(":") + 1);
}

/** Draws where the page for it is. @param {Element} box */
export function drawOnPhone(box) {
  fill(
    box,
    heading("phone", t("On your phone")),
    h("p", { class: "help" }, isAway() ? t("This address can be opened on your phone, if the phone is in the same network.") : t("Approve from wherever you are. This address works on this machine only; your phone needs one with TLS.")),
    h("div", { class: "buttons" }, h("a", { class: "button", href: "#/phone" }, t("Use it on your phone"))),
  );
}

/** Whether this page was opened at an address that other machines may reach. */
function isAway() {
  return location.protocol === "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}

/** Draws how this console is reached from the phone. @param {Element} box @param {{console_elsewhere?: string[]}} status */
export async function drawConsoleThere(box, { console_elsewhere: elsewhere = [] }) {
  const address = isAway() ? location.origin : elsewhere[0];
  const title = heading("phone", t("This console on the phone"));
  if (!address) return fill(box, title, ...await setUp());
  const code = await qrCode(`${address}/`, t("QR code of the console’s address"));
  fill(
    box,
    title,
    h("p", { class: "help" }, t("The signer takes this address. The phone opens it if it is in the same network.")),
    h("p", { class: "label" }, t("1. Open it on the phone")),
    h("p", { class: "help" }, t("Scan this with the phone’s camera, or type the address.")),
    h("div", { class: "link-box" }, code, command(`${address}/`)),
    h("p", { class: "label" }, t("2. Sign in there")),
    ...await signIn(),
    await another(),
  );
}

async function signIn() {
  return [
    h("p", {}, t("To sign in there, run this in a terminal on the signer’s machine and scan the code that it prints. It works once, for ten minutes. A browser cannot make such a link, so that a stolen session cannot sign in another one.")),
    command(await consoleCommand()),
    h("p", { class: "help" }, t("Then add a passkey on the phone, put the console on its home screen, and turn on notifications under Settings.")),
  ];
}

/** The steps again, for somebody whose phone does not open the address. */
async function another() {
  return h("details", {}, h("summary", {}, t("Reach it another way")), h("div", { class: "fields-box" }, ...await setUp()));
}

/** What to do before the phone can open it. */
async function setUp() {
  const [{ start: now }, host] = await Promise.all([call("status"), placeHere()]);
  const way = choice(t("With"), Object.entries(WAYS).map(([id, { title }]) => [id, title]), "tailscale");
  const name = field(t("Name of this machine there"), { maxlength: "253", inputmode: "url" });
  const words = h("p", { class: "help" }), beside = h("div", {}), after = h("span", {}), start = h("div", {}), code = h("div", {});
  const chosen = () => WAYS[way.select.value];
  const typed = () => name.input.value.trim().toLowerCase();
  const show = async () => {
    const { example, words: said, beside: program, address, options } = chosen(), machine = typed() || example;
    name.input.placeholder = example;
    words.textContent = said;
    const isNamed = MACHINE.test(typed()), typedBeside = program?.(machine, host) ?? "";
    besideStep.hidden = !program;
    fill(beside, program && command(typedBeside, isNamed || !typedBeside.includes(machine)));
    fill(after, chosen().after);
    fill(start, command(startWith(now, options(machine, host)), isNamed), options(machine, host).includes("FILE") && h("p", { class: "help" }, t("In the place of FILE, name the two files.")));
    const shown = `${address(machine, host)}/`;
    const drawn = isNamed ? await qrCode(shown, t("QR code of the console’s address")) : null;
    if (typed() === machine || !isNamed) fill(code, drawn ? h("div", { class: "link-box" }, drawn, command(shown)) : h("p", { class: "help" }, t("Type the machine’s name above to see the code.")));
  };
  const besideStep = stepToDo(t("Set it up on this machine"), beside, after);
  way.select.addEventListener("change", show);
  name.input.addEventListener("input", show);
  await show();
  return [
    h("p", {}, t("With this you open this console on the phone, and answer your apps there. It needs an address with TLS. Whoever is in that network then sees the sign-in page; to get in, they would need a link from your terminal or your passkey.")),
    isTrial() && h("p", { class: "warning" }, t("This is a trial: its key ends with it. Keep it first: the signer has to be started again for this, with your own vault.")),
    way.box,
    words,
    name.box,
    h(
      "ol",
      { class: "what-to-do" },
      besideStep,
      stepToDo(now ? t("Stop the signer, and start it with this") : t("Start the signer with this, beside the options that it has now"), start, afterStart()),
      stepToDo(t("Open it on the phone"), code, t("The phone shows “Sign in”.")),
      stepToDo(t("Sign in there"), await signIn()),
    ),
  ];
}
