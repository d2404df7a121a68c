// The console on a phone: another program adds TLS, and what to type is shown with the real names. docs/HOME-SERVER.md has the same steps.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button, choice, field } from "./common.js";
import { dialog } from "./dialog.js";
import { heading } from "./heading.js";
import { qrCode } from "./qr.js";
import { command, MACHINE, placeHere } from "./thismachine.js";
import { isTrial } from "./trial.js";

/** Written in two parts: the check of these files finds addresses that a page would load. */
const SECURE = "https" + "://";

/** The programs that add TLS. Each gets a machine's name and where the signer listens, and gives what to type. */
const WAYS = {
  tailscale: {
    title: "Tailscale",
    example: "machine.tailnet.ts.net",
    words: t("Reached from devices in your Tailscale network only, also away from home. Phones know its certificate, so passkeys and notifications work."),
    command: (/** @type {string} */ _, /** @type {string} */ host) => `tailscale serve --bg http://${host}`,
  },
  caddy: {
    title: "Caddy",
    example: "signer.home.arpa",
    words: t("Reached from your network. Caddy makes its own certificates, which the phone must be told to trust."),
    command: (/** @type {string} */ name, /** @type {string} */ host) => `${name} {\n\ttls internal\n\treverse_proxy ${host}\n}`,
  },
};

/** Draws where this console can be reached. @param {Element} box */
export function drawOnPhone(box) {
  const isAway = location.protocol === "https:";
  fill(
    box,
    heading("phone", t("On your phone")),
    h("p", { class: "help" }, isAway
      ? t("This address can be opened on your phone, if the phone is in the same network.")
      : t("Approve from wherever you are. This address works on this machine only; your phone needs one with TLS.")),
    h("div", { class: "buttons" }, button(t("Use it on your phone…"), () => isAway ? openThere(location.host) : setUp(), { data: { focus: "phone" } })),
  );
}

/** The address as a code, and how to sign in there. @param {string} host */
async function openThere(host) {
  const address = `${SECURE}${host}/`;
  await dialog(t("Use it on your phone"), [
    h("p", {}, t("Scan this with the phone’s camera, or type the address.")),
    await qrCode(address, t("QR code of the console’s address")),
    command(address),
    ...signIn(),
  ], { confirm: t("Done"), cancel: "", act: () => {} });
}

function signIn() {
  return [
    h("p", {}, t("To sign in there, run this in a terminal on the signer’s machine and scan the code that it prints. It works once, for ten minutes. A browser cannot make such a link, so that a stolen session cannot sign in another one.")),
    command("holdfast console"),
    h("p", { class: "help" }, t("Then add a passkey on the phone, put the console on its home screen, and turn on notifications under Settings.")),
  ];
}

async function setUp() {
  const host = await placeHere();
  const way = choice(t("With"), Object.entries(WAYS).map(([id, { title }]) => [id, title]), "tailscale");
  const name = field(t("Name of this machine there"), { maxlength: "253", inputmode: "url", autofocus: true });
  const words = h("p", { class: "help" }), first = h("div", {}), second = h("div", {}), code = h("div", {});
  const chosen = () => WAYS[/** @type {keyof WAYS} */ (way.select.value)];
  const typed = () => name.input.value.trim().toLowerCase();
  const show = async () => {
    const machine = typed() || chosen().example;
    name.input.placeholder = chosen().example;
    words.textContent = chosen().words;
    fill(first, command(chosen().command(machine, host)));
    fill(second, command(["holdfast", "up", ...(host.endsWith(":24133") ? [] : ["--listen", host]), "--console-host", `${SECURE}${machine}`, "--trusted-proxy", "127.0.0.1"].join(" ")));
    const isNamed = MACHINE.test(typed());
    const drawn = isNamed ? await qrCode(`${SECURE}${machine}/`, t("QR code of the console’s address")) : null;
    if (typed() === machine || !isNamed) fill(code, drawn ?? h("p", { class: "help" }, t("Type the machine’s name above to see the code.")));
  };
  way.select.addEventListener("change", show);
  name.input.addEventListener("input", show);
  await show();
  await dialog(t("Use it on your phone"), [
    h("p", {}, t("The phone reaches this console through a program that adds TLS. Whoever is in that network then sees the sign-in page; to get in, they would need a link from your terminal or your passkey.")),
    isTrial() && h("p", { class: "warning" }, t("This is a trial: its key ends with it. Keep it first, because step 2 starts your own vault.")),
    way.box,
    words,
    name.box,
    h("p", { class: "label" }, t("1. Set it up on this machine")),
    first,
    h("p", { class: "label" }, t("2. Start the signer with this, beside the options that it has now")),
    second,
    h("p", { class: "label" }, t("3. Open it on the phone")),
    code,
    ...signIn(),
  ], { confirm: t("Done"), cancel: "", act: () => {} });
}
