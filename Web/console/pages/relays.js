// Every relay that the signer uses: its state, who has the signer use it, and what adds or removes one.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { go } from "../router.js";
import { known } from "../store.js";
import { button, nothing } from "../parts/common.js";
import { attempt, FieldFault } from "../parts/faults.js";
import { heading, waitingFor } from "../parts/heading.js";
import { chooseForNext } from "../parts/otherrelays.js";
import { relayPicker } from "../parts/relaypicker.js";
import { leaveRelay } from "../parts/relayremoval.js";
import { relayRow } from "../parts/relays.js";
import { userLines } from "../parts/relayusers.js";
import { command, startWith } from "../parts/thismachine.js";
import { isTrial } from "../parts/trial.js";

/** Who has the signer use a relay: signer's keys. @typedef {{url: string, apps: string[], links: string[]}} Use */

/** @param {import("../view.js").View} view */
export function relays(view) {
  const card = () => h("section", { class: "card" }, waitingFor()), list = card(), more = card();
  view.draw(
    t("Relays"),
    h("p", { class: "lead" }, t("Apps and the signer meet at relays and exchange encrypted messages there. A relay sees when, and how much, but not what.")),
    list,
    more,
  );
  /** What the signer says of relays for links. @type {any} */
  let answer = null;
  const draw = () => answer && known("status") && known("clients") && drawList(list, answer);
  view.watch("status", draw);
  view.watch("clients", draw);
  let isDrawn = false;
  view.keep(["clients", "status"], async () => {
    answer = await call("relay/list");
    if (!view.isOpen) return;
    draw();
    if (!isDrawn) drawAdding(more, answer);
    isDrawn = true;
  });
}

/** @param {Element} box @param {{relays: string[], used?: Use[]}} answer */
function drawList(box, { relays: ofLinks, used = [] }) {
  const seen = known("status").relays ?? [];
  const unseen = used.filter(({ url }) => !seen.some((/** @type {any} */ one) => one.url === url)).map(({ url }) => ({ url, state: "disconnected" }));
  const all = [...seen, ...unseen];
  fill(
    box,
    heading("relays", t("In use")),
    all.length ? h("ul", { class: "rows" }, all.map((relay) => row(relay, used, ofLinks.includes(relay.url)))) : nothing(t("No relay is in use")),
  );
}

/** @param {any} relay @param {Use[]} used @param {boolean} isOfLinks */
function row(relay, used, isOfLinks) {
  const { apps, links } = used.find(({ url }) => url === relay.url) ?? { apps: [], links: [] };
  const clients = known("clients").filter((/** @type {any} */ one) => apps.includes(one.signer));
  const isOwn = relay.state === "embedded", isFormer = !isOwn && !relay.at_start && !apps.length && !links.length;
  const users = [
    isOfLinks && h("span", {}, h("span", { class: "tag good" }, t("in new links"))),
    userLines(clients, links, relay.at_start, isFormer),
  ];
  const canLeave = !isOwn && !relay.at_start && (clients.length > 0 || links.length > 0);
  return relayRow(
    relay,
    users,
    canLeave && button(t("Remove…"), () => leaveRelay({ url: relay.url, apps: clients, links }, used), {
      class: "quiet plain-danger",
      "aria-label": t("Remove {relay}…", { relay: relay.url }),
      data: { focus: `leave-${relay.url}` },
    }),
  );
}

/** @param {Element} box @param {{suggested: string[], this_machine_only: boolean}} answer */
function drawAdding(box, { suggested, this_machine_only: isOnlyHere }) {
  const start = h("div", { class: "fields-box" }), faults = h("div", {});
  const picker = relayPicker(suggested, () => fill(start, startCommand(picker.value())));
  const makeLink = () => {
    if (!picker.value().length) throw new FieldFault(t("Add a relay first, of the suggested ones or by its address."), picker.input);
    chooseForNext(picker.value());
    go("/pair");
  };
  fill(
    box,
    heading("plus", t("Add a relay")),
    h("p", { class: "help" }, t("The signer tries each one at once. It joins a relay as soon as a link names it.")),
    isOnlyHere && h("p", { class: "warning" }, t("The signer’s own relay works for apps on this machine. For a phone, add another one.")),
    picker.box,
    faults,
    h("div", { class: "buttons" }, button(t("Make a link through these"), () => attempt(box, faults, makeLink), { class: "primary" })),
    start,
  );
  fill(start, startCommand([]));
}

/** How a relay gets into every new link. A trial ends when it is started anew. @param {string[]} chosen */
function startCommand(chosen) {
  if (isTrial()) return null;
  const present = (known("status")?.relays ?? []).filter((/** @type {any} */ one) => one.at_start).map((/** @type {any} */ one) => one.url);
  const named = [...new Set([...present, ...chosen])];
  const options = (named.length ? named : ["wss" + "://relay.example.com"]).flatMap((url) => ["--relay", url]);
  const whole = startWith(known("status")?.start, options);
  return [
    h("p", { class: "help" }, t("Links for which you choose no relay name those that the signer was started with. To change these, start it with the relays that you want, beside the options that it has now:")),
    command(whole),
  ];
}
