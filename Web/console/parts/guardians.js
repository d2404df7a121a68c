// Guardians: people whose own Holdfast keeps a share of a kit, and what is kept here for others.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { clock, shortKey } from "../words.js";
import { button, choice, field, nothing, when } from "./common.js";
import { dialog } from "./dialog.js";
import { seconds } from "./identity.js";
import { ownerDialog } from "./owner.js";

/** @param {import("../view.js").View} view @param {Element} box */
export function guardians(view, box) {
  const mine = h("section", { class: "card screen" }), held = h("section", { class: "card screen" }), asked = h("section", { class: "card screen alarm", hidden: true });
  const draw = async () => {
    const [{ guardians: list = [] }, { held: kept = [] }, { requests = [] }, { asked: own = [] }] = await Promise.all([
      call("guardian/list"),
      call("guardian/held"),
      call("guardian/requests"),
      call("guardian/asked").catch(() => ({})),
    ]);
    if (!view.isOpen) return;
    if (!mine.isConnected) fill(box, asked, mine, held);
    drawMine(mine, list, own, draw);
    drawHeld(held, kept);
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

/** @param {Element} box @param {any[]} list @param {any[]} own  shares asked back by us @param {() => unknown} redraw */
function drawMine(box, list, own, redraw) {
  fill(
    box,
    h("h2", {}, "Guardians"),
    h("p", { class: "help" }, "People you trust with one share each. It reaches them as a sealed Nostr message, and lies in their own Holdfast. If it is asked back, they wait a while, so that you can stop it if it was not you."),
    list.length
      ? h(
        "ul",
        { class: "rows" },
        list.map((one) =>
          h(
            "li",
            { class: "row" },
            h("span", { class: "row-words" }, h("strong", { dir: "auto" }, who(one)), h("code", { class: "key" }, shortKey(one.npub ?? "")), one.since > 0 && h("span", {}, "since ", when(seconds(one.since)))),
            button("Remove…", () => remove(one, redraw), { class: "quiet plain-danger" }),
          )
        ),
      )
      : nothing("You have none"),
    own.length > 0 && [
      h("h3", {}, "Asked back"),
      h("ul", { class: "rows" }, own.map((one) => h("li", { class: "row" }, h("span", { class: "row-words" }, h("strong", {}, who(one)), h("span", {}, one.state ?? ""))))),
    ],
    h("div", { class: "buttons" }, button("Add a guardian…", () => add(redraw))),
  );
}

/** @param {() => unknown} redraw */
async function add(redraw) {
  const { kits } = await call("recovery/list").catch(() => ({ kits: [] }));
  if (!kits.length) {
    notice("Make a recovery kit first: a guardian keeps one share of it.", { bad: true });
    return;
  }
  const npub = field("Their public key", { required: true, placeholder: "npub1…", autofocus: true });
  const kit = choice("A share of", kits.map((/** @type {any} */ one) => [one.id, one.label || (one.for === "vault" ? "the whole vault" : one.for)]), kits[0].id);
  const share = h("textarea", { rows: "3", spellcheck: "false", autocapitalize: "none", autocomplete: "off" });
  const done = await ownerDialog("Add a guardian", [
    npub.box,
    kit.box,
    h("label", { class: "field" }, h("span", { class: "label" }, "The share they get"), share, h("span", { class: "help" }, "Its words, from the sheet. Give nobody two shares of one kit.")),
  ], {
    confirm: "Send it",
    act: async (perform) => {
      await perform("guardian/add", { npub: npub.input.value.trim(), kit: kit.select.value }, { share: new TextEncoder().encode(share.value.trim()) });
      share.value = "";
    },
  });
  if (done) notice("The share is on its way.");
  redraw();
}

/** @param {any} one @param {() => unknown} redraw */
async function remove(one, redraw) {
  const done = await dialog(`Remove ${who(one)}?`, [
    h("p", {}, "You stop counting on them. What they were given cannot be taken back: make a new kit if you do not trust them any more."),
  ], { confirm: "Remove", dangerous: true, act: () => call("guardian/remove", { id: one.id, npub: one.npub }) });
  if (done) redraw();
}

/** @param {HTMLElement} box @param {any[]} kept */
function drawHeld(box, kept) {
  box.hidden = kept.length === 0;
  fill(
    box,
    h("h2", {}, "Kept here for others"),
    h(
      "ul",
      { class: "rows" },
      kept.map((one) => h("li", { class: "row" }, h("span", { class: "row-words" }, h("strong", { dir: "auto" }, who(one)), h("span", {}, "since ", when(seconds(one.since)))))),
    ),
  );
}

/** Somebody asks for the share that is kept here: time to think, and two answers. @param {HTMLElement} box @param {any[]} requests @param {() => unknown} redraw */
function drawAsked(box, requests, redraw) {
  box.hidden = requests.length === 0;
  fill(
    box,
    h("h2", {}, "A share is asked for"),
    h("p", {}, "Call them, and hear that it is really them, before you let it go."),
    h(
      "ul",
      { class: "rows" },
      requests.map((one) => {
        const due = seconds(one.due ?? one.release_at ?? 0);
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
            due > 0 && h("span", {}, isDue ? "The waiting time is over." : ["Waits until ", clock(due), ", ", when(due), "."]),
          ),
          h(
            "div",
            { class: "buttons small" },
            one.mine ? button("Stop it", answer("guardian/cancel", "Stopped.")) : [
              isDue && button("Release", answer("guardian/release", "Released.")),
              button("Refuse", answer("guardian/refuse", "Refused.")),
            ],
          ),
        );
      }),
    ),
  );
}
