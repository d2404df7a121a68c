// Guardians, whose own Holdfast keeps a share of a kit, and shares that are kept here for others.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { clock, shortKey, units } from "../words.js";
import { button, choice, field, nothing, when } from "./common.js";
import { dialog } from "./dialog.js";
import { seconds } from "./identity.js";
import { keyText } from "./keytext.js";
import { ownerDialog } from "./owner.js";
import { ruled } from "./rules.js";
import { SECRET } from "./typed.js";

/** @param {import("../view.js").View} view @param {Element} box */
export function guardians(view, box) {
  const mine = h("section", { class: "card screen" }), held = h("section", { class: "card screen" }), asked = h("section", { class: "card screen alarm", hidden: true });
  const draw = async () => {
    const [{ guardians: list = [], identities = [] }, { held: kept = [], listening }, { requests = [] }, { asked: own = [] }] = await Promise.all([
      call("guardian/list"),
      call("guardian/held"),
      call("guardian/requests"),
      call("guardian/asked").catch(() => ({})),
    ]);
    if (!view.isOpen) return;
    if (!mine.isConnected) fill(box, asked, mine, held);
    drawMine(mine, list, own, identities, draw);
    drawHeld(held, kept, listening, draw);
    drawAsked(asked, requests, draw);
  };
  view.keep(["status", "lock"], async () => {
    try {
      await draw();
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(box);
    }
  });
}

/** @param {any} one */
function who(one) {
  return one.name || shortKey(one.npub ?? one.from ?? "");
}

/** The states of a requested share. @type {Record<string, string>} */
const STATES = {
  waiting: t("Waits for the guardian to agree. Their Holdfast does not answer before. Call them"),
  approved: t("They agreed; the share comes when the waiting time is over"),
  given: t("The share is back"),
  refused: t("They refused"),
  cancelled: t("It was stopped"),
  displaced: t("Newer requests replaced it: ask again, with the kit's request code"),
  lapsed: t("It is over: ask again"),
};

/** What a requester of a share has proved. @type {Record<string, string>} */
const SHOWN = {
  owner: t("They proved that they have the key that the share came from."),
  code: t("They know the kit's request code, from the owner's papers."),
  unknown: t("They proved nothing: anybody who knows the kit's number can ask."),
};

/** @param {any} one */
function waits(one) {
  const hours = Math.round((one.delay ?? 0) / 3600);
  const time = hours % 24 ? units(hours, "hour") : units(hours / 24, "day");
  return hours > 0 && [" · ", t("waits {time} before it gives it back", { time })];
}

/** @param {Element} box @param {any[]} list @param {any[]} own  shares asked back by us @param {any[]} identities  those letters come for @param {() => unknown} redraw */
function drawMine(box, list, own, identities, redraw) {
  const waiting = identities.filter((one) => one.state === "needs you");
  const kits = [...new Set(list.map((one) => one.kit))];
  fill(
    box,
    h("h2", {}, t("Guardians")),
    h("p", { class: "help" }, t("A guardian is a person you trust. Their own Holdfast keeps one share for you. If somebody asks for it back, they wait some days first, and you can stop it.")),
    list.length
      ? h(
        "ul",
        { class: "rows" },
        list.map((one) =>
          h(
            "li",
            { class: "row" },
            h("span", { class: "row-words" }, h("strong", { dir: "auto" }, who(one)), h("span", {}, keyText(one.npub ?? "")), h("span", {}, one.since > 0 ? rich("confirmed it {when}", { when: when(seconds(one.since)) }) : t("has not confirmed it yet"), waits(one))),
            button(t("Remove…"), () => remove(one, redraw), { class: "quiet plain-danger" }),
          )
        ),
      )
      : nothing(t("You have no guardians")),
    own.length > 0 && [
      h("h3", {}, t("Asked back")),
      h("ul", { class: "rows" }, own.map((one) => h("li", { class: "row" }, h("span", { class: "row-words" }, h("strong", {}, shortKey(one.guardian ?? one.from ?? "")), h("span", {}, STATES[one.state] ?? one.state, one.due > 0 && one.state !== "given" && [" · ", rich("comes {when}", { when: when(one.due) })]))))),
    ],
    waiting.map((one) => h("div", { class: "row" }, h("span", { class: "row-words" }, h("strong", { dir: "auto" }, one.identity), h("span", {}, t("Its key asks for you at each use, so its messages wait at the relays."))), button(t("Read them now…"), () => open(one.identity, redraw)))),
    identities.filter((one) => one.state === "open").map((one) => h(
      "p",
      { class: "help" },
      rich("{name}: its messages are read for {time} more.", {
        name: h("strong", { dir: "auto" }, one.identity),
        time: units(Math.ceil(one.seconds / 60), "minute"),
      }),
    )),
    h("div", { class: "buttons" }, button(t("Add a guardian…"), () => add(redraw)), kits.map((kit) => button(kits.length > 1 ? t("Request code of {kit}", { kit }) : t("Request code"), () => showCode(kit), { class: "quiet" }))),
    h("p", { class: "help" }, t("To ask for shares back on a new machine, use the command line: holdfast guardian ask.")),
  );
}

/** @param {() => unknown} redraw */
async function add(redraw) {
  const { kits } = await call("recovery/list").catch(() => ({ kits: [] }));
  if (!kits.length) {
    notice(t("Make a recovery kit first: a guardian keeps one share of it."), { bad: true });
    return;
  }
  const npub = field(t("Their public key"), { required: true, placeholder: "npub1…", autofocus: true });
  const kit = choice(t("A share of"), kits.map((/** @type {any} */ one) => [one.id, one.label || (one.for === "vault" ? t("the whole vault") : one.for)]), kits[0].id);
  const share = h("textarea", { rows: "3", spellcheck: "false", autocapitalize: "none", autocomplete: "off", required: true, data: { secret: SECRET } });
  ruled(share, { missing: t("Type the words of the share.") });
  /** @type {any} */
  let made = {};
  const done = await ownerDialog(t("Add a guardian"), [
    npub.box,
    kit.box,
    h("label", { class: "field" }, h("span", { class: "label" }, t("The share they get")), share, h("span", { class: "help" }, t("Its words, from the sheet. Never give one person two shares of a kit."))),
  ], {
    confirm: t("Send it"),
    act: async (perform) => {
      made = await perform("guardian/add", { npub: npub.input.value.trim(), kit: kit.select.value }, { share: new TextEncoder().encode(share.value.trim()) });
      share.value = "";
    },
  });
  if (done) notice(t("The share is on its way."));
  if (done && made?.code) await codeDialog(kit.select.value, made.code);
  redraw();
}

/** Reads the messages of an identity whose key requires the owner's proof, for a limited time. @param {string} identity @param {() => unknown} redraw */
async function open(identity, redraw) {
  const done = await ownerDialog(t("Read the messages for {name}?", { name: identity }), [
    h("p", {}, t("They are read for ten minutes, or until the signer locks. A share that is due is also given in that time.")),
  ], { confirm: t("Read them"), act: (perform) => perform("guardian/open", { identity }) });
  if (done) notice(t("Its messages are read for ten minutes."));
  redraw();
}

/** @param {string} kit */
async function showCode(kit) {
  try {
    const { code } = await call("guardian/code", { kit });
    await codeDialog(kit, code);
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** @param {string} kit @param {string} code */
function codeDialog(kit, code) {
  return dialog(t("Request code of kit {kit}", { kit }), [
    h("p", {}, h("strong", { class: "key" }, code)),
    h("p", {}, t("Write it on your papers. When you ask a guardian for your share from a new machine, the code tells you apart from strangers. It opens nothing.")),
  ], { confirm: t("I have it"), cancel: "", act: () => undefined });
}

/** @param {any} one @param {() => unknown} redraw */
async function remove(one, redraw) {
  const done = await ownerDialog(t("Remove {name}?", { name: who(one) }), [
    h("p", {}, t("Holdfast forgets this guardian, but they still have the share. If you do not trust them any more, make a new kit.")),
  ], { confirm: t("Remove"), dangerous: true, act: (perform) => perform("guardian/remove", { id: one.id }) });
  if (done) redraw();
}

/** @param {HTMLElement} box @param {any[]} kept @param {boolean} listening @param {() => unknown} redraw */
function drawHeld(box, kept, listening, redraw) {
  const listen = h("input", {
    type: "checkbox",
    checked: listening === true,
    onchange: async () => {
      try {
        await call("guardian/listen", { state: listen.checked ? "on" : "off" });
      } catch (failure) {
        notice(/** @type {Error} */ (failure).message, { bad: true });
      }
      redraw();
    },
  });
  fill(
    box,
    h("h2", {}, t("Kept here for others")),
    kept.length
      ? h(
        "ul",
        { class: "rows" },
        kept.map((one) =>
          h(
            "li",
            { class: "row" },
            h("span", { class: "row-words" }, h("strong", { dir: "auto" }, who(one)), one.offered ? h("span", {}, t("Share {share} of kit {kit} waits for you: it was sent, or came back with a backup. Call its owner first and ask whether you should keep it.", { share: one.share, kit: one.kit })) : h("span", {}, rich("taken {when}", { when: when(seconds(one.since)) }), waits(one))),
            one.offered && h("div", { class: "buttons small" }, button(t("Keep it"), () => accept(one, redraw)), button(t("Refuse…"), () => sendAway(one, redraw), { class: "quiet plain-danger" })),
          )
        ),
      )
      : h("p", { class: "help" }, t("You keep no shares for others.")),
    h(
      "label",
      { class: "level" },
      listen,
      h("span", {}, h("strong", {}, t("Take shares from others")), h("span", { class: "help" }, t("While this is on, people can send you a share to keep. Turn it on when somebody has asked you."))),
    ),
  );
}

/** Accepts a share that arrived unasked. Anybody with the owner's key can send one. @param {any} one @param {() => unknown} redraw */
async function accept(one, redraw) {
  const done = await ownerDialog(t("Keep the share of {name}?", { name: who(one) }), [
    h("p", {}, t("Agree only after you have spoken with them: anybody who has their key can send such a share.")),
  ], { confirm: t("Keep it"), act: (perform) => perform("guardian/accept", { id: one.id }) });
  if (done) notice(t("You keep the share now."));
  redraw();
}

/** @param {any} one @param {() => unknown} redraw */
async function sendAway(one, redraw) {
  const done = await ownerDialog(t("Refuse the share of {name}?", { name: who(one) }), [
    h("p", {}, t("The share is wiped here, and its message does not bring it back.")),
  ], { confirm: t("Refuse"), dangerous: true, act: (perform) => perform("guardian/remove", { id: one.id }) });
  if (done) redraw();
}

/** @param {any} one @param {() => unknown} redraw */
async function release(one, redraw) {
  const done = await ownerDialog(t("Give the share back?"), [
    h(
      "p",
      {},
      rich("It goes to {key} when the waiting time is over. Agree only after you have spoken with them and the code is the same: {code}", {
        key: keyText(one.from ?? ""),
        code: h("strong", { class: "key" }, one.code),
      }),
    ),
  ], { confirm: t("It is them"), act: (perform) => perform("guardian/release", { id: one.id }) });
  if (done) notice(t("The share is given when the waiting time is over."));
  redraw();
}

/** Shows requests for shares kept here, with two possible answers. @param {HTMLElement} box @param {any[]} requests @param {() => unknown} redraw */
function drawAsked(box, requests, redraw) {
  box.hidden = requests.length === 0;
  fill(
    box,
    h("h2", {}, t("A share is asked for")),
    requests.some((one) => !one.mine) && h("p", {}, t("Before you agree, call them and make sure that it is really them.")),
    h(
      "ul",
      { class: "rows" },
      requests.map((one) => {
        const due = seconds(one.due ?? 0);
        const isDue = due * 1000 <= Date.now();
        const answer = (/** @type {string} */ operation, /** @type {string} */ said) => async () => {
          try {
            await call(operation, { id: one.id });
            notice(said);
          } catch (failure) {
            notice(/** @type {Error} */ (failure).message, { bad: true });
          }
          redraw();
        };
        return h(
          "li",
          { class: "row" },
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, who(one)),
            one.mine && h("span", {}, t("Your guardian {key} is asked for your share. If you did not ask, stop it.", { key: shortKey(one.guardian ?? "") })),
            !one.mine && h("span", {}, SHOWN[one.shown] ?? SHOWN.unknown, one.at > 0 && [" ", rich("Asked {when}.", { when: when(one.at) })]),
            one.needs_you && h("span", {}, t("The key that sends it asks for you: read its messages when the time is over.")),
            one.note && h("span", { dir: "auto" }, t("They write: “{note}”", { note: one.note })),
            h("span", {}, rich("Code of this request: {code}. Both of you see the same one.", { code: h("strong", { class: "key" }, one.code) })),
            one.state === "approved" && h("span", {}, t("You agreed.")),
            due > 0 && h("span", {}, isDue ? t("The waiting time is over.") : rich("Waits until {time}, {when}.", { time: clock(due), when: when(due) })),
          ),
          h(
            "div",
            { class: "buttons small" },
            one.mine ? button(t("Stop it"), answer("guardian/cancel", t("Stopped."))) : [
              one.state === "waiting" && button(t("Agree…"), () => release(one, redraw)),
              button(t("Refuse"), answer("guardian/refuse", t("Refused."))),
            ],
          ),
        );
      }),
    ),
  );
}
